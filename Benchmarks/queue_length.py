"""What many open generations cost: 8,000 accepted, one that waits, 10,000 left by a killed service, 100,000 files to sweep.

    python3 Benchmarks/queue_length.py --build .build/release
"""

from __future__ import annotations

import argparse
import hashlib
import os
import signal
import sqlite3
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from peers import Peer

# Nobody listens there, so that whatever may wait for its provider waits.
NOBODY = {"GEMINI_API_KEY": "simulated-key-0123456789", "GOOGLE_GEMINI_BASE_URL": "http://127.0.0.1:9",
          "OPENAI_API_KEY": "", "no_proxy": "127.0.0.1"}


def service(program: str, data: Path) -> Peer:
    return Peer([program, "serve", "--data-dir", str(data)], environment=NOBODY)


def waiting(identifier: int) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": identifier, "method": "generate", "params": {
        "recipe": "create", "prompt": f"a lighthouse, number {identifier}", "provider": "gemini", "detach": True,
        "whenOffline": "queue", "progress": False}}


def ask(peer: Peer, identifier: int, method: str, **params: Any) -> dict[str, Any]:
    peer.send({"jsonrpc": "2.0", "id": identifier, "method": method, "params": params})
    answer = peer.answer(identifier)
    if "result" not in answer:
        raise SystemExit(f"{method}: {answer['error']}")
    return answer["result"]


def accept(peer: Peer, identifiers: range) -> float:
    """Seconds until as many generations are accepted, a hundred on their way at a time."""
    start = time.perf_counter()
    for first in range(identifiers.start, identifiers.stop, 100):
        some = range(first, min(first + 100, identifiers.stop))
        peer.write(b"".join(peer.frame(waiting(identifier)) for identifier in some))
        rest = set(some)
        while rest:
            message = peer.receive()
            if "error" in message:
                raise SystemExit(f"A generation was refused: {message}")
            rest.discard(message.get("id"))
    return time.perf_counter() - start


def processor_seconds(peer: Peer) -> float:
    fields = Path(f"/proc/{peer.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def accepting(report: Any, program: str, folder: Path) -> None:
    peer = service(program, folder / "accepting")
    ask(peer, 1, "status")
    some = report.count(1_000, once=10)
    first = accept(peer, range(some, 2 * some))
    accept(peer, range(2 * some, 8 * some))
    last = accept(peer, range(8 * some, 9 * some))
    report.add(f"the first {some:,} detached, accepted", "atelier", first, "s")
    report.add(f"the same after {7 * some:,} others", "atelier", last, "s")
    report.add("the same, times the first", "atelier", last / first, "", goal=2)
    start = time.perf_counter()
    ask(peer, 2, "queue/status")
    report.add(f"queue/status with {8 * some:,} waiting", "atelier", (time.perf_counter() - start) * 1000, "ms")
    report.add(f"resident with {8 * some:,} waiting", "atelier", peer.memory(), "MiB")
    peer.process.kill()
    peer.process.wait()


def recovering(report: Any, program: str, folder: Path) -> None:
    data, count = folder / "recovering", report.count(10_000, once=100)
    peer = service(program, data)
    accept(peer, range(1, count))
    peer.process.send_signal(signal.SIGKILL)
    peer.process.wait()
    peer = service(program, data)
    ask(peer, 1, "history", limit=1)
    elapsed = (time.perf_counter() - peer.started) * 1000
    report.add(f"first answer after kill -9 with {count:,} queued", "atelier", elapsed, "ms")
    peer.end()


def idling(report: Any, program: str, folder: Path) -> None:
    seconds = report.count(20, once=1)
    peer = service(program, folder / "idling")
    accept(peer, range(1, 2))
    time.sleep(2)
    before = processor_seconds(peer)
    time.sleep(seconds)
    report.add("processor while one generation waits", "atelier", (processor_seconds(peer) - before) / seconds * 100, "%",
               goal=1)
    peer.process.kill()
    peer.process.wait()


def sweeping(report: Any, program: str, folder: Path) -> None:
    data, files = folder / "sweeping", report.count(100_000, once=100)
    peer = service(program, data)
    ask(peer, 1, "history", limit=1)
    peer.process.send_signal(signal.SIGKILL)
    peer.process.wait()
    contents = {hashlib.sha256(b"%d" % number).hexdigest() + ".png": b"%d" % number for number in range(files)}
    names = list(contents)
    for name, content in contents.items():
        path = data / "artifacts" / name[:2] / name[2:4]
        path.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(content)
    kept = names[: files // 2]
    connection = sqlite3.connect(data / "atelier.sqlite", timeout=10)
    connection.executemany(
        "INSERT INTO artifact (name, mime_type, bytes, created) VALUES (?, 'image/png', ?, 0)",
        [(name, len(content)) for name, content in contents.items()])
    connection.execute(
        """
        WITH RECURSIVE row (number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM row WHERE number < ? - 1)
        INSERT INTO generation (id, account, process, recipe, state, phase, message, sequence, created, started, request,
          params_hash, provider, model, is_private, is_detached, is_requeueable)
        SELECT printf('gen_%08x', number), 'owner', 'filler', 'create', 'running', 'saving', '', 5, number, number,
          '{"recipe":"create"}', printf('%064d', number), 'gemini', 'a-model', 0, 0, 0 FROM row
        """, (len(kept),))
    connection.executemany(
        "INSERT INTO generation_file (generation_id, role, position, mime_type, width, height, bytes, sha256, artifact) "
        "VALUES (printf('gen_%08x', ?), 'image', 0, 'image/png', 1, 1, ?, ?, ?)",
        [(number, len(contents[name]), name[:64], name) for number, name in enumerate(kept)])
    connection.execute("UPDATE generation SET state = 'succeeded', finished = created + 1")
    connection.commit()
    connection.close()
    peer = service(program, data)
    ask(peer, 1, "history", limit=1)
    report.add(f"first answer with {files:,} files to sweep", "atelier", (time.perf_counter() - peer.started) * 1000, "ms")
    slowest, asked = 0.0, 1
    while any((data / "processes").glob("*")) and len(list((data / "processes").glob("*"))) > 1:
        asked += 1
        start = time.perf_counter()
        ask(peer, asked, "status")
        slowest = max(slowest, (time.perf_counter() - start) * 1000)
        time.sleep(0.01)
    report.add("sweep of them, half of them nobody's", "atelier", time.perf_counter() - peer.started, "s")
    report.add("the slowest answer meanwhile", "atelier", slowest, "ms")
    left = sum(len(files) for _, _, files in os.walk(data / "artifacts"))
    if left != len(kept):
        raise SystemExit(f"{left} files were left instead of {len(kept)}.")
    peer.end()


def queue_length(report: Any, program: str, folder: Path) -> None:
    accepting(report, program, folder)
    recovering(report, program, folder)
    idling(report, program, folder)
    sweeping(report, program, folder)


def main() -> int:
    # Only here: run.py imports this module.
    from run import Report

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=".build/release", help="where the executables lie")
    options = parser.parse_args()
    report = Report()
    with tempfile.TemporaryDirectory(prefix="atelier-queue-") as name:
        queue_length(report, str((Path(options.build) / "atelier").resolve()), Path(name))
    return 1 if report.missed else 0


if __name__ == "__main__":
    sys.exit(main())
