"""What a long history costs: a service beside 300,000 generations of 2 KB, and one beside none, asked in turn.

    python3 Benchmarks/length.py --build .build/release [--rows 300000]

Rows are written with plain SQLite, past the service but through the triggers of its tables.
"""

from __future__ import annotations

import argparse
import sqlite3
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from history import Service
from photo import small_photo

DAY = 86_400_000


def fill(directory: Path, rows: int) -> None:
    """A year of generations of the machine's own account and of a thousand others, each with a credit of its own."""
    connection = sqlite3.connect(directory / "atelier.sqlite", isolation_level=None, timeout=10)
    connection.executescript(
        "PRAGMA foreign_keys = ON; PRAGMA recursive_triggers = ON; PRAGMA synchronous = OFF; PRAGMA cache_size = -200000; "
        "BEGIN")
    first = int(time.time() * 1000) - 365 * DAY
    connection.execute(
        """
        WITH RECURSIVE row (number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM row WHERE number < ?1 - 1)
        INSERT INTO generation (id, account, process, recipe, state, phase, message, sequence, created, started, finished,
          request, prompt, params_hash, provider, model, is_private, is_detached, is_requeueable, timings, error)
        SELECT printf('gen_%08x', number), iif(number % 3, 'owner', 'account ' || number % 1000), 'filler',
          iif(number % 4, 'headshot', 'create'), iif(number % 5, 'succeeded', 'failed'), 'saving', '', 5,
          ?2 + number * (364 * 86400000 / ?1), ?2, ?2 + number * (364 * 86400000 / ?1) + 900,
          json_object('recipe', 'create', 'prompt', hex(randomblob(900))), 'a lighthouse by night, number ' || number,
          printf('%064d', number),
          iif(number % 2, 'gemini', 'ondevice'), 'a-model', 0, 0, 0, '{"totalMs":900}',
          iif(number % 5, NULL, '{"kind":"offline","message":"No network.","details":{}}')
        FROM row
        """, (rows, first))
    connection.execute(
        """
        INSERT INTO artifact (name, mime_type, bytes, created)
        SELECT params_hash || '.png', 'image/png', 1, created FROM generation WHERE state = 'succeeded'
        """)
    connection.execute("UPDATE clock SET trusted = max(trusted, ?)", (int(time.time() * 1000),))
    connection.execute("COMMIT")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def accepted(service: Service, photo: Path) -> float:
    """A request accepted and at once cancelled, so that nothing is made meanwhile; only the acceptance is measured."""
    answer, milliseconds = service.ask(
        "generate", recipe="headshot", image={"path": str(photo)}, detach=True, cache="bypass")
    service.ask("cancel", generationId=answer["generationId"])
    return milliseconds


def length(report: Any, program: str, photo: Path, folder: Path, rows: int) -> None:
    services = {}
    for who, count in (("empty", 0), ("long", rows)):
        directory = folder / f"length-{who}"
        service = Service(program, directory)
        service.ask("history", limit=1)
        if count and service.ask("status")[0]["store"]["healthy"]:
            fill(directory, count)
        # What is prepared for searches in the background is not measured.
        while service.ask("history", search="xyzzyx", limit=1)[0]["totals"].get("atLeast"):
            time.sleep(0.5)
        services[who] = service
    kinds = {
        "status": lambda service: service.ask("status")[1],
        "queue/status": lambda service: service.ask("queue/status", account="*")[1],
        "accept": lambda service: accepted(service, photo),
        "history/delete of nothing": lambda service: service.ask("history/delete", account="nobody", all=True)[1],
        "account/get": lambda service: service.ask("account/get", account="owner")[1],
    }
    for what, measure in kinds.items():
        samples: dict[str, list[float]] = {"empty": [], "long": []}
        # In turn, so that whatever else the machine does meets both.
        for _ in range(report.count(60)):
            for who, service in services.items():
                samples[who].append(measure(service))
        empty, long = (statistics.median(samples[who]) for who in ("empty", "long"))
        report.add(what, "none", empty, "ms")
        report.add(what, f"{rows:,} rows", long, "ms")
        report.add(f"{what}, times that of none", "", long / empty, "", goal=2)
    for service in services.values():
        service.end()


def main() -> int:
    # Only here: run.py imports this module.
    from run import PORTRAIT, Report

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=".build/release", help="where the executables lie")
    parser.add_argument("--rows", type=int, default=300_000)
    options = parser.parse_args()
    report = Report()
    with tempfile.TemporaryDirectory(prefix="atelier-length-") as name:
        folder = Path(name)
        length(report, str((Path(options.build) / "atelier").resolve()), small_photo(PORTRAIT, folder / "small.jpg"),
               folder, options.rows)
    return 1 if report.missed else 0


if __name__ == "__main__":
    sys.exit(main())
