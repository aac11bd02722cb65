"""History with a million generations: pages, searches and totals through the service; deleting ten thousand meanwhile.

    python3 Benchmarks/history.py --build .build/release [--rows 1000000] [--keep FOLDER]

Rows are written with plain SQLite, past the service but through the triggers of its tables. Times are of whole
requests over pipes, as the host sees them; each is the median of seven, the slowest stands beside it. Exits 1 when a
goal is missed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

DAY = 86_400_000
WORDS = [a + b for a in ("ka", "lo", "mi", "ru", "se", "ta", "vo", "za") for b in (
    "ber", "dan", "fel", "gor", "hun", "jas", "kel", "lim", "mon", "nor", "pel", "ras", "sol", "tun", "var", "wen")]
RECIPES = ["headshot", "hairstyle", "edit", "create"]
STATES = ["succeeded"] * 8 + ["failed", "cancelled"]


class Service:
    """One service, spoken to a request at a time."""

    def __init__(self, program: str, directory: Path) -> None:
        self.process = subprocess.Popen([program, "serve", "--data-dir", str(directory)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.identifier = 0

    def ask(self, method: str, **params: Any) -> tuple[dict[str, Any], float]:
        self.identifier += 1
        start = time.perf_counter()
        self.process.stdin.write(json.dumps(
            {"jsonrpc": "2.0", "id": self.identifier, "method": method, "params": params}) + "\n")
        self.process.stdin.flush()
        while True:
            answer = json.loads(self.process.stdout.readline())
            if answer.get("id") == self.identifier:
                break
        if "error" in answer:
            raise SystemExit(f"{method}: {answer['error']}")
        return answer["result"], (time.perf_counter() - start) * 1000

    def end(self) -> None:
        self.process.stdin.close()
        self.process.wait()


def database(directory: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(directory / "atelier.sqlite", isolation_level=None, timeout=10)
    connection.executescript("PRAGMA foreign_keys = ON; PRAGMA recursive_triggers = ON; PRAGMA secure_delete = ON")
    return connection


def fill(directory: Path, rows: int) -> None:
    """A year of generations of three accounts, each of ten words; one in a hundred thousand has a rare one."""
    chance = random.Random(1)
    connection = database(directory)
    connection.executescript("PRAGMA synchronous = OFF; PRAGMA cache_size = -200000; BEGIN")
    now = int(time.time() * 1000)
    for number in range(rows):
        created = now - 365 * DAY + number * (364 * DAY // rows)
        prompt = " ".join(chance.choices(WORDS, k=10))
        if number % 100_000 == 4_711:
            prompt += " Quetzalcoatlus 灯台守"
        state = chance.choice(STATES)
        account = "owner" if number % 10 else chance.choice(["anna", "bert"])
        recipe = chance.choice(RECIPES) if number % 50_000 else "places"
        request = json.dumps({"recipe": recipe, "prompt": prompt, "provider": "gemini", "progress": False})
        error = json.dumps({"kind": "offline", "message": "No network.", "details": {}},
                           separators=(",", ":")) if state == "failed" else None
        total = chance.randrange(400, 9_000)
        connection.execute(
            "INSERT INTO generation (id, account, process, recipe, state, phase, message, sequence, created, started, "
            "finished, request, prompt, params_hash, provider, model, is_private, is_detached, is_requeueable, usage, "
            "timings, error, cost_usd, credits_charged, parent) "
            "VALUES (?, ?, 'filler', ?, ?, 'saving', '', 5, ?, ?, ?, ?, ?, ?, 'gemini', 'a-model', 0, 0, 0, ?, ?, ?, ?, "
            "0, ?)",
            (f"gen_{number:08x}", account, recipe, state, created, created + 5, created + total, request, prompt,
             "0b" * 32, '{"inputTokens":10,"outputTokens":1290,"costUsd":0.039}',
             json.dumps({"queuedMs": 5, "preparingMs": 90, "uploadingMs": 30, "processingMs": total - 150,
                         "savingMs": 25, "totalMs": total}), error, 0.039,
             f"gen_{number - 1:08x}" if number % 20 == 2 and account == "owner" and number % 10 > 1 else None))
    connection.execute("COMMIT")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


class Report:
    missed = False

    def add(self, what: str, value: float, goal: float | None = None, unit: str = "ms",
            worst: float | None = None) -> None:
        fits = goal is None or value <= goal
        self.missed = self.missed or not fits
        print(f"{what:58} {value:10.1f} {unit:3} "
              + (f"slowest {worst:8.1f}  " if worst is not None else " " * 18)
              + (f"goal {goal:g} {'met' if fits else 'MISSED'}" if goal is not None else ""), flush=True)


def measured(report: Report, service: Service, what: str, method: str = "history", goal: float | None = 20,
             **params: Any) -> dict[str, Any]:
    samples = []
    for _ in range(7):
        result, milliseconds = service.ask(method, **params)
        samples.append(milliseconds)
    report.add(what, statistics.median(samples), goal, worst=max(samples))
    return result


def pages(report: Report, service: Service) -> None:
    now = time.time()

    def at(days: float) -> str:
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now - days * 86_400))

    measured(report, service, "first page, with totals")
    measured(report, service, "first page of everybody's", account="*")
    deep = measured(report, service, "a page of the middle of the year", until=at(180))["nextCursor"]
    measured(report, service, "the next page, by its cursor", cursor=deep)
    measured(report, service, "one recipe", recipe="edit")
    measured(report, service, "a rare recipe", recipe="places")
    measured(report, service, "one state", state="failed", account="*")
    measured(report, service, "recipe, state and times, of parts of days", recipe="create", state="cancelled",
             since=at(300.3), until=at(20.7))
    for what, words in [("a frequent word", "kaber"), ("two words together", "kaber lodan"),
                        ("three words together", "kaber lodan miras"), ("a rare word", "quetzalcoatlus"),
                        ("two Chinese characters", "灯台"), ("one letter", "q"), ("what is nowhere", "xyzzyx"),
                        ("common parts, nowhere together", "n ka n ka n ka"), ("half of all", "z")]:
        page = measured(report, service, f"search: {what}", search=words)
        totals = page["totals"]
        print(f"    {len(page['entries'])} entries, {'at least ' if totals.get('atLeast') else ''}"
              f"{totals['generations']} in all")
    measured(report, service, "search, with a recipe and a state", search="kaber", recipe="edit", state="failed")
    measured(report, service, "search of a small account", search="kaber lodan", account="anna")
    measured(report, service, "session/list", "session/list")
    measured(report, service, "usage/statistics", "usage/statistics", goal=100, account="*")


class Neighbour(threading.Thread):
    """Another process's writing: how long each short transaction has to wait."""

    def __init__(self, program: str, directory: Path) -> None:
        super().__init__()
        self.service = Service(program, directory)
        self.service.ask("history", limit=1)
        self.waits: list[float] = []
        self.goes_on = True
        self.last = "gen_" + "0" * 8

    def run(self) -> None:
        while self.goes_on:
            _, milliseconds = self.service.ask("feedback/submit", generationId=self.last, rating=3)
            self.waits.append(milliseconds)
            time.sleep(0.002)
        self.service.end()


def deletion(report: Report, program: str, directory: Path, count: int) -> None:
    """All of an account with pictures, while another process writes."""
    connection = database(directory)
    now = int(time.time() * 1000)
    connection.execute("BEGIN")
    for number in range(count):
        created = now - 30 * DAY + number * 1_000
        identifier = f"gen_zoe_{number:06}"
        connection.execute(
            "INSERT INTO generation (id, account, process, recipe, state, phase, message, sequence, created, request, "
            "prompt, params_hash, is_private, is_detached, is_requeueable) VALUES "
            "(?, 'zoe', 'filler', 'create', 'running', 'saving', '', 5, ?, '{}', 'a lighthouse', ?, 0, 0, 0)",
            (identifier, created, "0b" * 32))
        for kind in ("image", "thumbnail"):
            content = f"{kind} {number}".encode()
            digest = hashlib.sha256(content).hexdigest()
            folder = directory / "artifacts" / digest[:2] / digest[2:4]
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            (folder / f"{digest}.png").write_bytes(content)
            connection.execute(
                "INSERT INTO artifact VALUES (?, 'image/png', ?, ?)", (f"{digest}.png", len(content), now))
            connection.execute(
                "INSERT INTO generation_file VALUES (?, ?, 0, NULL, ?, 'image/png', ?, 4, 3, ?, NULL)",
                (identifier, kind, digest, len(content), f"{digest}.png"))
        connection.execute(
            "UPDATE generation SET state = 'succeeded', finished = ? WHERE id = ?", (created + 9, identifier))
    connection.execute("COMMIT")
    connection.close()
    service, neighbour = Service(program, directory), Neighbour(program, directory)
    service.ask("history", limit=1)
    neighbour.start()
    time.sleep(1)
    alone, neighbour.waits = neighbour.waits, []
    result, milliseconds = service.ask("history/delete", account="zoe", all=True)
    neighbour.goes_on = False
    neighbour.join()
    service.end()
    report.add(f"history/delete of {result['deleted']} with two files each", milliseconds / 1000, 5, "s")
    report.add("what another process waits to write, alone", statistics.median(alone), worst=max(alone))
    report.add("what another process waits to write, meanwhile", statistics.median(neighbour.waits),
               worst=max(neighbour.waits))
    report.add("the longest of them over the median alone", max(neighbour.waits) - statistics.median(alone), 50)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=".build/release", help="where the executables lie")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--delete", type=int, default=10_000)
    parser.add_argument("--keep", help="a folder for the database, used again when it is there")
    options = parser.parse_args()
    program = str((Path(options.build) / "atelier").resolve())
    report = Report()
    with tempfile.TemporaryDirectory(prefix="atelier-history-") as name:
        directory = Path(options.keep or name) / "data"
        service = Service(program, directory)
        service.ask("history", limit=1)
        if not options.keep or service.ask("history", account="*", limit=1)[0]["totals"]["generations"] == 0:
            start = time.perf_counter()
            fill(directory, options.rows)
            report.add(f"writing {options.rows} rows with plain SQLite", time.perf_counter() - start, unit="s")
        start = time.perf_counter()
        while True:
            result, _ = service.ask("history", search="xyzzyx", limit=1)
            if not result["totals"].get("atLeast"):
                break
            time.sleep(0.5)
        report.add("until all of it can be searched", time.perf_counter() - start, unit="s")
        pages(report, service)
        service.end()
        size = sum(file.stat().st_size for file in directory.glob("atelier.sqlite*")) / 1_048_576
        report.add("the database, with its log", size, unit="MiB")
        deletion(report, program, directory, options.delete)
    return 1 if report.missed else 0


if __name__ == "__main__":
    sys.exit(main())
