"""Durable generations of a metered account: accepted, held, finished and charged, by the store and by plain SQLite."""

from __future__ import annotations

import json
import statistics
import subprocess
from pathlib import Path
from typing import Any


def rate(program: str, directory: Path, how: str, pairs: int, processes: int = 1, callers: int = 1) -> float:
    """Pairs of acceptance and end a second, over all processes from the first one's start to the last one's end."""
    command = [program, how, str(directory), str(pairs // processes), str(callers)]
    peers = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(processes)]
    for peer in peers:
        if peer.stdout.readline() != "ready\n":
            raise SystemExit(f"{' '.join(command)} did not get ready")
    for peer in peers:
        peer.stdin.write("\n")
        peer.stdin.flush()
    ends = [json.loads(peer.stdout.readline()) for peer in peers]
    for peer in peers:
        peer.wait()
    return sum(end["pairs"] for end in ends) / max(end["seconds"] for end in ends)


def ledger(report: Any, build: Path, folder: Path) -> None:
    rounds = report.count(5, once=1)
    program = str(build / "ledger-benchmark")
    directory = folder / "ledger"
    subprocess.run([program, "prepare", str(directory)], check=True)
    for processes in (1, 4):
        # In turn, so that whatever else the disk does meets both.
        samples = {"store": [], "raw": []}
        for _ in range(rounds):
            for how, found in samples.items():
                found.append(rate(program, directory, how, report.count(1000, once=8), processes))
        store, raw = statistics.median(samples["store"]), statistics.median(samples["raw"])
        who = "one process" if processes == 1 else f"{processes} processes"
        report.add(f"accept + finish, durable, {who}", "atelier", store, "/s")
        report.add(f"the same statements, {who}", "sqlite3", raw, "/s")
        report.add(f"part of SQLite's own rate, {who}", "atelier", store / raw * 100, "%", 60, least=True)
        if processes == 1:
            alone = store
    pairs = report.count(8000, once=64)
    together = statistics.median(rate(program, directory, "store", pairs, callers=64) for _ in range(rounds))
    report.add("accept + finish, durable, 64 callers", "atelier", together, "/s")
    report.add("times the rate of one at a time", "atelier", together / alone, "x", 3, least=True)
