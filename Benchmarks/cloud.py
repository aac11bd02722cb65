"""The cloud provider against a simulator on this machine: what Atelier itself adds, and a thousand at once."""

from __future__ import annotations

import json
import os
import re
import statistics
import subprocess
import sys
import threading
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from peers import Peer

SDK_SCRIPT = Path(__file__).resolve().parent / "sdk.py"


class Simulator:
    """`gemini-simulator` on a free port of its own."""

    def __init__(self, build: Path) -> None:
        self.process = subprocess.Popen(
            [str(build / "gemini-simulator"), "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.base_url = json.loads(self.process.stdout.readline())["baseUrl"]

    def environment(self, data: Path | None = None) -> dict[str, str]:
        found = {"GEMINI_API_KEY": "simulated-key-0123456789", "GOOGLE_GEMINI_BASE_URL": self.base_url,
                 "OPENAI_API_KEY": "", "no_proxy": "127.0.0.1"}
        return found if data is None else {**found, "ATELIER_DATA_DIR": str(data)}

    def wait(self, request: int, state: str) -> float:
        """Waits until a request has come to `state`. Returns when that was known here."""
        with urllib.request.urlopen(f"{self.base_url}/_simulator/requests/{request}?state={state}") as answer:
            answer.read()
        return time.perf_counter()

    def last_request(self) -> int:
        """The number of the newest request."""
        with urllib.request.urlopen(f"{self.base_url}/_simulator/requests") as answer:
            return max((record["id"] for record in json.load(answer)), default=0)

    def prompts(self) -> dict[int, str]:
        """What each request so far was asked, by its number."""
        with urllib.request.urlopen(f"{self.base_url}/_simulator/requests") as answer:
            return {record["id"]: record["facts"]["prompt"] for record in json.load(answer) if "facts" in record}

    def release(self) -> None:
        """Lets every request be answered that is held."""
        urllib.request.urlopen(f"{self.base_url}/_simulator/release", data=b"").close()

    def end(self) -> None:
        self.process.terminate()
        self.process.wait()


def create(identifier: int, prompt: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": identifier, "method": "generate", "params": {
        "recipe": "create", "prompt": prompt, "provider": "gemini", "cache": "bypass", "progress": False}}


SCARF = "a red scarf"
LARGE_SCARF = f"{SCARF} [[image-bytes:190000]]"


def edit(identifier: int, image: dict[str, Any], prompt: str = SCARF) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": identifier, "method": "generate", "params": {
        "recipe": "edit", "prompt": prompt, "image": image, "provider": "gemini", "cache": "bypass"}}


def succeeded(answer: dict[str, Any]) -> dict[str, Any]:
    if answer.get("result", {}).get("state") != "succeeded":
        raise SystemExit(f"A generation failed: {json.dumps(answer)}")
    return answer["result"]


def overhead(report: Any, atelier: list[str], simulator: Simulator, photo: Path, folder: Path) -> None:
    peer = Peer(atelier, environment=simulator.environment(folder / "warm"))
    peer.send({"jsonrpc": "2.0", "id": 1, "method": "image/prepare", "params": {"image": {"path": str(photo)}}})
    prepared = {"preparedId": peer.answer(1)["result"]["preparedId"]}
    samples = warm(peer, prepared, SCARF, range(2, 2 + report.count(221, once=21)))
    report.add("warm generation, durable, no latency", "atelier", statistics.median(samples), "ms", 8)
    report.add("the same, 99th percentile", "atelier", samples[int(len(samples) * 0.99)], "ms")
    samples = warm(peer, prepared, LARGE_SCARF, range(300, 300 + report.count(221, once=21)))
    report.add("the same, a picture of 190 KB", "atelier", statistics.median(samples), "ms")
    peer.end()


def warm(peer: Peer, image: dict[str, Any], prompt: str, identifiers: range) -> list[float]:
    """Returns how long each took, sorted, in ms; the first twenty do not count."""
    samples = []
    for identifier in identifiers:
        start = time.perf_counter()
        peer.send(edit(identifier, image, prompt))
        succeeded(peer.answer(identifier))
        samples.append((time.perf_counter() - start) * 1000)
    return sorted(samples[20:])


def one_shot(report: Any, atelier: list[str], simulator: Simulator, small: Path, large: Path, folder: Path) -> None:
    for what, photo, goal in (("no preparation", small, 40), ("with preparation", large, 150)):
        samples = []
        for round_number in range(report.count(11, once=1)):
            peer = Peer(atelier, environment=simulator.environment(folder / f"cold-{goal}-{round_number}"))
            peer.send(edit(1, {"path": str(photo)}))
            succeeded(peer.answer(1))
            samples.append((time.perf_counter() - peer.started) * 1000)
            peer.end()
        report.add(f"one generation from a cold process, {what}", "atelier", statistics.median(samples), "ms", goal)


def cancel(report: Any, atelier: list[str], simulator: Simulator, folder: Path) -> None:
    rounds = report.count(30, once=1)
    peer = Peer(atelier, environment=simulator.environment(folder / "cancel-cloud"))
    closed, answered = [], []
    first = simulator.last_request() + 1
    for identifier in range(rounds):
        peer.send(create(identifier, "a lighthouse [[fault:hold]]"))
        simulator.wait(first + identifier, "received")
        with ThreadPoolExecutor(1) as pool:
            closing = pool.submit(simulator.wait, first + identifier, "closedByPeer")
            time.sleep(0.02)
            start = time.perf_counter()
            peer.send({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": identifier}})
            peer.answer(identifier)
            answered.append((time.perf_counter() - start) * 1000)
            closed.append((closing.result() - start) * 1000)
    peer.end()
    report.add(f"cancel, to the connection's close, slowest of {rounds}", "atelier", max(closed), "ms", 20)
    report.add(f"cancel, to the final answer, slowest of {rounds}", "atelier", max(answered), "ms")


def cancel_many(report: Any, atelier: list[str], simulator: Simulator, folder: Path) -> None:
    rounds = report.count(5, once=1)
    samples = [many(report, atelier, simulator, folder / str(i), cancelled=report.count(500, once=5)) for i in range(rounds)]
    report.add("cancel of 500 among 1000, 99th percentile", "atelier", statistics.median(samples), "ms", 50)
    report.add(f"the same, slowest of {rounds} rounds", "atelier", max(samples), "ms")


def many(report: Any, atelier: list[str], simulator: Simulator, folder: Path, cancelled: int) -> float:
    """Returns the 99th percentile, in ms, of how long the cancelled waited; 0 where none is."""
    folder.mkdir(exist_ok=True)
    peer = Peer(atelier, environment=simulator.environment(folder / f"thousand-{cancelled}"))
    peer.send(create(0, "warm up"))
    succeeded(peer.answer(0))
    count = report.count(1000, once=10)
    # Where nothing is measured, nothing ends before it is cancelled, however slow the machine is.
    held = cancelled if report.once else 0
    mark = "[[fault:hold]]" if held else "[[latency:2000]]"
    prompts = {i: f"picture number {i}, no other {mark}" for i in range(1, count + 1)}
    first = simulator.last_request() + 1
    frames = b"".join(peer.frame(create(i, prompt)) for i, prompt in prompts.items())
    cancels = {i: peer.frame({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": i}})
               for i in range(1, cancelled + 1)}
    start = time.perf_counter()
    writer = threading.Thread(target=peer.write, args=(frames,))
    writer.start()
    cancel_at: dict[int, float] = {}

    def cancel_some() -> None:
        writer.join()
        if held:
            simulator.wait(first + count - 1, "received")
        else:
            time.sleep(max(0.0, 1.5 - (time.perf_counter() - start)))
        for identifier, frame in cancels.items():
            cancel_at[identifier] = time.perf_counter()
            peer.write(frame)

    canceller = threading.Thread(target=cancel_some)
    canceller.start()
    answered: dict[int, float] = {}
    results: dict[int, dict[str, Any]] = {}
    end = b'"finishedAt":'
    arrivals = []
    if held:
        arrivals = peer.arrivals(end, held)
        simulator.release()
    for moment, message in arrivals + peer.arrivals(end, count - held):
        if message.get("id") in prompts:
            answered[message["id"]] = moment
            results[message["id"]] = message
    elapsed = max(answered.values()) - start
    canceller.join()
    writer.join()
    peak = peer.memory("VmHWM")
    asked = simulator.prompts()
    for identifier, message in results.items():
        outcome = message.get("result", {}).get("state")
        if outcome != ("cancelled" if identifier in cancel_at else "succeeded"):
            raise SystemExit(f"Generation {identifier} ended as {json.dumps(message)}")
        if outcome == "succeeded":
            check_marker(prompts[identifier], message["result"]["images"][0]["path"], asked)
    peer.end()
    if cancelled:
        delays = sorted((answered[i] - at) * 1000 for i, at in cancel_at.items())
        return delays[int(len(delays) * 0.99)]
    report.add(f"{count} at once, 2 s latency, all answered after", "atelier", elapsed, "s", 3)
    report.add("resident at its peak meanwhile", "atelier", peak, "MiB", 250)
    return 0


MARKER = re.compile(rb"simulated-picture:[0-9a-f]+,([0-9]+),[0-9]+;")


def check_marker(words: str, path: str, asked: dict[int, str]) -> None:
    """Each picture of the simulator names the request it answers, whose prompt must hold the words it was asked with."""
    marker = MARKER.search(Path(path).read_bytes())
    if marker is None or words not in asked[int(marker.group(1))]:
        raise SystemExit(f"{path} was made from other words than “{words}”.")


def sdk(report: Any, simulator: Simulator, photo: Path, cache: Path) -> None:
    """Google's Python SDK doing the same, without storing anything durably; left out where pip cannot fetch it."""
    target = cache / "google-genai"
    if not (target / "google" / "genai").is_dir():
        fetched = subprocess.run(
            [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(target), "google-genai"],
            capture_output=True, text=True)
        if fetched.returncode:
            print("google-genai is left out: pip could not fetch it.", file=sys.stderr)
            return
    environment = {**os.environ, **simulator.environment(), "PYTHONPATH": str(target)}
    cold = []
    for _ in range(3):
        start = time.perf_counter()
        measured = subprocess.run(
            [sys.executable, str(SDK_SCRIPT), str(photo), "1", SCARF], env=environment, capture_output=True, text=True)
        if measured.returncode:
            print(f"google-genai is left out: {measured.stderr.strip().splitlines()[-1]}", file=sys.stderr)
            return
        cold.append((time.perf_counter() - start) * 1000)
    for what, prompt in (("warm generation, not stored, no latency", SCARF),
                         ("the same, a picture of 190 KB", LARGE_SCARF)):
        warm = subprocess.run(
            [sys.executable, str(SDK_SCRIPT), str(photo), "200", prompt], env=environment, capture_output=True,
            text=True, check=True)
        report.add(what, "google-genai", float(warm.stdout), "ms")
    report.add("one generation from a cold process", "google-genai", statistics.median(cold), "ms")


def cloud(report: Any, atelier: list[str], build: Path, small: Path, large: Path, folder: Path) -> None:
    simulator = Simulator(build)
    try:
        overhead(report, atelier, simulator, small, folder)
        if not report.once:
            sdk(report, simulator, small, build.parent / "benchmarks")
        one_shot(report, atelier, simulator, small, large, folder)
        cancel(report, atelier, simulator, folder)
        many(report, atelier, simulator, folder, cancelled=0)
        cancel_many(report, atelier, simulator, folder)
    finally:
        simulator.end()
