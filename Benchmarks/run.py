"""Measures Atelier beside a bare Python echo loop, sourcekit-lsp, Google's Python SDK and that of MCP, in one run on
one machine.

    python3 Benchmarks/run.py --build .build/release [--once]

Every figure is a median unless it says otherwise; the goal stands beside it. Exits 1 when a goal is missed. With `--once`,
everything is done a few times only and no goal counts: it shows that the benchmarks themselves work, with any build.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, Callable

from cloud import cloud
from ledger import ledger
from length import length
from mcp_start import mcp_start
from peers import INITIALIZE, PYTHON_ECHO, Peer, memory_of
from photo import small_photo, telephone, twelve_megapixels
from queue_length import queue_length
from server_ledger import server_ledger
from swift_client import swift_client
from worker import worker

ROOT = Path(__file__).resolve().parent.parent
PORTRAIT = ROOT / "Tests/Fixtures/portraits/astronaut.png"
#: For this one, all networks are asked.
DOUBTFUL = ROOT / "Tests/Fixtures/portraits/grace_hopper.jpg"


class Report:
    """The table that is printed, and whether a goal was missed."""

    def __init__(self, once: bool = False) -> None:
        self.once = once
        self.rows: list[tuple[str, str, float, str, float | None, bool]] = []

    def count(self, whole: int, once: int = 2) -> int:
        """How many, or how often: `whole`, or `once` where it is only to be shown that the benchmark works."""
        return once if self.once else whole

    def add(self, what: str, who: str, figure: float, unit: str, goal: float | None = None, least: bool = False) -> None:
        goal = None if self.once else goal
        missed = goal is not None and (figure < goal if least else figure > goal)
        self.rows.append((what, who, figure, unit, goal, missed))
        bound = "" if goal is None else f"   goal {'≥' if least else '≤'} {goal:,.0f}{'   MISSED' if missed else ''}"
        print(f"{what:<44}{who:<14}{figure:>12,.2f} {unit:<4}{bound}", flush=True)

    @property
    def missed(self) -> bool:
        return any(row[5] for row in self.rows)


def cold_start(command: list[str], headers: bool, rounds: int, environment: dict[str, str]) -> float:
    samples = []
    for _ in range(rounds):
        peer = Peer(command, headers, environment)
        peer.send(INITIALIZE)
        peer.answer(0)
        samples.append((time.perf_counter() - peer.started) * 1000)
        peer.end()
    return statistics.median(samples[1:])


def ping(identifier: int) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": identifier, "method": "ping"}


def round_trip(peer: Peer, message: Callable[[int], dict[str, Any]], rounds: int) -> float:
    samples = []
    for identifier in range(1, rounds):
        frame = peer.frame(message(identifier))
        start = time.perf_counter()
        peer.write(frame)
        while not peer.buffer or (not peer.headers and not peer.buffer.endswith(b"\n")):
            peer._fill()
        samples.append((time.perf_counter() - start) * 1e6)
        peer.buffer.clear()
    return statistics.median(samples)


def pipelined(peer: Peer, message: Callable[[int], dict[str, Any]], count: int) -> float:
    """Messages a second; at most 500 are on their way at once, so that no bound on those in flight is met."""
    frames = [b"".join(peer.frame(message(i)) for i in range(start, start + 500)) for start in range(0, count, 500)]
    start = time.perf_counter()
    writer = threading.Thread(target=lambda: [peer.write(f) for f in frames])
    writer.start()
    peer.count_frames(count)
    writer.join()
    return count / (time.perf_counter() - start)


def transport(report: Report, atelier: list[str], folder: Path) -> None:
    sourcekit = shutil.which("sourcekit-lsp")
    peers = [("atelier", atelier, False, ping), ("python echo", PYTHON_ECHO, False, ping)]
    if sourcekit:
        # An unknown request is the cheapest thing this server answers.
        unknown = lambda i: {"jsonrpc": "2.0", "id": i, "method": "workspace/none", "params": {}}
        peers.append(("sourcekit-lsp", [sourcekit], True, unknown))
    environment = {"ATELIER_DATA_DIR": str(folder)}
    for name, command, headers, message in peers:
        ours = name == "atelier"
        rounds = report.count(41 if ours else 11)
        report.add("cold start to the answer of initialize", name, cold_start(command, headers, rounds, environment),
                   "ms", 8 if ours else None)
        if ours:
            options = [*command, "--data-dir", str(folder)]
            report.add("the same with an option to read", name, cold_start(options, headers, rounds, {}), "ms")
        peer = Peer(command, headers, environment)
        peer.send(INITIALIZE)
        peer.answer(0)
        report.add("ping, one after another", name, round_trip(peer, message, report.count(3000 if ours else 1000)), "µs",
                   50 if ours else None)
        rate = pipelined(peer, message, report.count(200_000 if not headers else 5_000, once=500))
        report.add("ping, pipelined", name, rate, "/s", 100_000 if ours else None, least=True)
        report.add("resident when idle", name, peer.memory(), "MiB", 25 if ours else None)
        peer.end()


def generate(identifier: int, photo: Path, directory: Path) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": identifier, "method": "generate", "params": {
        "recipe": "headshot", "image": {"path": str(photo)}, "cache": "bypass",
        "style": {"angle": "front", "background": "professional"}, "output": {"directory": str(directory)}}}


def headshot(report: Report, atelier: list[str], photo: Path, folder: Path) -> None:
    cold, warm, peaks = [], [], []
    for round_number in range(report.count(3, once=1)):
        peer = Peer(atelier, environment={"ATELIER_DATA_DIR": str(folder / f"cold{round_number}")})
        peer.send(generate(1, photo, folder))
        outcome = peer.answer(1)
        if "result" not in outcome:
            raise SystemExit(f"The headshot failed: {json.dumps(outcome)}")
        cold.append((time.perf_counter() - peer.started) * 1000)
        for identifier in range(2, report.count(7, once=3)):
            start = time.perf_counter()
            peer.send(generate(identifier, photo, folder))
            peer.answer(identifier)
            warm.append((time.perf_counter() - start) * 1000)
        peaks += [memory_of(child, "VmHWM") for child in peer.children()]
        report.add("resident after six headshots", "atelier", peer.memory(), "MiB")
        peer.end()
    report.add("headshot of a 12 MP JPEG, from a cold process", "atelier", statistics.median(cold), "ms", 450)
    report.add("headshot of a 12 MP JPEG, warm", "atelier", statistics.median(warm), "ms", 350)
    report.add("worker at its peak", "atelier", max(peaks), "MiB", 150)


def cancel_in(report: Report, atelier: list[str], phase: str, photo: Path, folder: Path) -> None:
    rounds = report.count(15, once=1)
    peer = Peer([*atelier, "--data-dir", str(folder / "cancel")])
    samples = []
    identifier = 0
    for _ in range(rounds):
        identifier += 10
        ahead = [identifier + n for n in range(1, 4)] if phase == "queued" else []
        for other in ahead:
            peer.send(generate(other, photo, folder))
        # What is sent together may be accepted in another order: one of those before it is to have the slot.
        while ahead and peer.receive().get("params", {}).get("phase") != "preparing":
            pass
        peer.send(generate(identifier, photo, folder))
        while True:
            message = peer.receive()
            parameters = message.get("params", {})
            if parameters.get("requestId") == identifier and parameters.get("phase") == phase:
                break
            if message.get("id") == identifier:
                raise SystemExit(f"No progress of phase {phase} came before the end: {json.dumps(message)}")
        start = time.perf_counter()
        peer.send({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": identifier}})
        peer.answer(identifier)
        samples.append((time.perf_counter() - start) * 1000)
        for other in ahead:
            peer.send({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": other}})
        remaining = set(ahead)
        while remaining:
            message = peer.receive()
            if "method" not in message:
                remaining.discard(message.get("id"))
    peer.end()
    report.add(f"cancel while {phase}, to the final answer", "atelier", statistics.median(samples), "ms", 20)
    report.add(f"cancel while {phase}, the slowest of {rounds}", "atelier", max(samples), "ms")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default=".build/release", help="where the executables lie")
    parser.add_argument("--once", action="store_true", help="do everything a few times only")
    options = parser.parse_args()
    atelier = [str((Path(options.build) / "atelier").resolve())]
    subprocess.run([*atelier, "--version"], check=True)
    report = Report(options.once)
    with tempfile.TemporaryDirectory(prefix="atelier-bench-") as name:
        folder = Path(name)
        photo = twelve_megapixels(PORTRAIT, folder / "photo.jpg")
        transport(report, atelier, folder / "data")
        mcp_start(report, atelier, folder, Path(options.build).resolve().parent / "benchmarks")
        headshot(report, atelier, photo, folder)
        photos = {
            "12 MP JPEG": photo,
            "in Display P3, turned": telephone(PORTRAIT, folder / "telephone.jpg"),
            "the face at arm's length": twelve_megapixels(PORTRAIT, folder / "near.jpg", nearness=1.6),
            "much in doubt": twelve_megapixels(DOUBTFUL, folder / "doubtful.jpg"),
        }
        worker(report, Path(options.build).resolve(), photos, folder, ROOT)
        for phase in ("queued", "preparing", "processing", "saving"):
            cancel_in(report, atelier, phase, photo, folder)
        small = small_photo(PORTRAIT, folder / "small.jpg")
        cloud(report, atelier, Path(options.build).resolve(), small, photo, folder)
        ledger(report, Path(options.build).resolve(), folder)
        server_ledger(report, Path(options.build).resolve(), folder)
        length(report, atelier[0], small, folder, report.count(300_000, once=1_000))
        queue_length(report, atelier[0], folder)
        swift_client(report, Path(options.build).resolve(), folder)
    return 1 if report.missed else 0


if __name__ == "__main__":
    sys.exit(main())
