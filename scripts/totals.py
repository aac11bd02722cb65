#!/usr/bin/env python3
"""Prints how many tests passed, failed and were skipped, on one line, from the logs of `make test`.

    scripts/totals.py GROUP:STATUS=LOG...    # STATUS is the exit status of the group, whose log is the file LOG

A group counts as one failure if it failed without a test that failed, as by a crash, or if it has run no test at all. The
exit status is 1 if anything failed.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Dict, Iterator, Tuple

KINDS = ("passed", "failed", "skipped")
#: How the tools tell of single tests: Swift Testing, and scripts that skip some.
SINGLE = re.compile(r"""^\S+ Test (?:"|\w+\().* (passed|failed|skipped)(?: after |:|\.|$)|^(skipped): """)
#: The sums of our own scripts, of Node, pytest and Python's unittest.
OWN = re.compile(r"^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$")
NODE = re.compile(r"^# (pass|fail|cancelled|skipped|todo) (\d+)$")
NODE_KINDS = {"pass": "passed", "fail": "failed", "cancelled": "failed", "skipped": "skipped", "todo": "skipped"}
RAN = re.compile(r"^Ran (\d+) tests? in ")
#: pytest's last line: `2 failed, 376 passed, 1 skipped in 92.10s`.
PYTEST = re.compile(r"^(?:=+ )?((?:\d+ [a-z ]+(?:, )?)+) in [\d.]+s(?: \(.*\))?(?: =+)?$")
PYTEST_KINDS = {"passed": "passed", "failed": "failed", "error": "failed", "errors": "failed", "skipped": "skipped"}
UNITTEST = re.compile(r"^(?:OK|FAILED)(?: \((.*)\))?$")


def counts(text: str) -> Iterator[Tuple[str, int]]:
    ran = 0
    for line in re.sub(r"\x1b\[[0-9;]*m", "", text).splitlines():
        if single := SINGLE.match(line):
            yield single[1] or single[2], 1
        elif own := OWN.match(line):
            yield from zip(KINDS, (int(number or 0) for number in own.groups()))
        elif node := NODE.match(line):
            yield NODE_KINDS[node[1]], int(node[2])
        elif begun := RAN.match(line):
            ran = int(begun[1])
        elif pytest := PYTEST.match(line):
            for number, kind in re.findall(r"(\d+) ([a-z ]+)", pytest[1]):
                if kind in PYTEST_KINDS:
                    yield PYTEST_KINDS[kind], int(number)
        elif ran and (ended := UNITTEST.match(line)):
            sums = {name: int(number) for name, number in re.findall(r"(\w+)=(\d+)", ended[1] or "")}
            failed = sums.get("failures", 0) + sums.get("errors", 0)
            skipped = sums.get("skipped", 0)
            yield from zip(KINDS, (max(0, ran - failed - skipped), failed, skipped))
            ran = 0


def total(text: str, status: int) -> Dict[str, int]:
    sums = dict.fromkeys(KINDS, 0)
    for kind, number in counts(text):
        sums[kind] += number
    if status or not any(sums.values()):
        sums["failed"] = max(1, sums["failed"])
    return sums


def main() -> int:
    parts = []
    failed = 0
    for argument in sys.argv[1:]:
        group, log = argument.split("=", 1)
        name, status = group.rsplit(":", 1)
        sums = total(Path(log).read_text(errors="replace"), int(status))
        failed += sums["failed"]
        parts.append(f"{name} {sums['passed']}/{sums['failed']}/{sums['skipped']}")
    print(f"Passed/failed/skipped: {', '.join(parts)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
