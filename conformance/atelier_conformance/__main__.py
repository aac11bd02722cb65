"""Tests a program against the Atelier protocol, or against MCP, rule by rule.

    python3 -m atelier_conformance --command atelier
    python3 -m atelier_conformance --command 'ssh studio atelier' --rule 'stream/*' --json
    python3 -m atelier_conformance --protocol mcp --command 'atelier mcp'

The exit status is 0 if no rule failed, 1 if one did, and 2 if the options are wrong.
"""

from __future__ import annotations

import argparse
import json
import shlex
import shutil
import sys
from pathlib import Path
from typing import List, Optional

from . import atelier, mcp
from .rules import Outcome, Rule, run, selected

PROJECT = Path(__file__).resolve().parent.parent.parent


def main(arguments: Optional[List[str]] = None) -> int:
    """Runs the kit with the options of a command line."""
    options = _options(arguments)
    try:
        command = shlex.split(options.command)
    except ValueError:
        command = []
    if not command or shutil.which(command[0]) is None:
        print(f"There is no program {options.command!r}. Name the one to test with --command.", file=sys.stderr)
        return 2
    # Programs are started in another folder than this one.
    command[0] = str(Path(str(shutil.which(command[0]))).absolute())
    if options.protocol == "mcp":
        every = mcp.rules(mcp.Target(command, options.timeout))
    else:
        every = atelier.rules(atelier.Target(command, options.project, options.timeout))
    rules = selected(every, options.rule, options.skip)
    if not rules:
        print("No rule has such an id; --list shows all of them.", file=sys.stderr)
        return 2
    if options.list:
        for rule in rules:
            print(f"{rule.id}\t{rule.title}\t{', '.join(rule.sections)}")
        return 0
    return _report(rules, options.json)


def _options(arguments: Optional[List[str]]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "atelier_conformance", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--command", required=True, help="the program to test, as a shell would read it")
    parser.add_argument("--protocol", choices=["atelier", "mcp"], default="atelier", help="default: atelier")
    parser.add_argument(
        "--rule",
        action="append",
        default=[],
        metavar="PATTERN",
        help="only rules with such an id, such as 'transcript/cancel*'; may be repeated",
    )
    parser.add_argument("--skip", action="append", default=[], metavar="PATTERN", help="no rules with such an id")
    parser.add_argument("--list", action="store_true", help="list the rules and check none")
    parser.add_argument("--json", action="store_true", help="one JSON object for each rule, and one with the sums")
    parser.add_argument(
        "--timeout",
        type=_seconds,
        default=30.0,
        metavar="SECONDS",
        help="how long a single message may take; default: 30",
    )
    parser.add_argument(
        "--project",
        type=Path,
        default=PROJECT,
        metavar="FOLDER",
        help="the root of Atelier's sources, with protocol/ and Tests/Fixtures; default: where this kit is",
    )
    options = parser.parse_args(arguments)
    if options.protocol == "atelier" and not (options.project / "protocol" / "openrpc.json").is_file():
        parser.error(f"{options.project} is not the root of Atelier's sources: it has no protocol/openrpc.json")
    return options


def _seconds(text: str) -> float:
    seconds = float(text)  # NaN is not above 0 either.
    if not 0 < seconds < 86_400:
        raise ValueError
    return seconds


def _report(rules: List[Rule], as_json: bool) -> int:
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for outcome in run(rules):
        counts[outcome.verdict] += 1
        print(json.dumps(outcome.as_json(), ensure_ascii=False) if as_json else _text(outcome), flush=True)
    print(json.dumps(counts) if as_json else ", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    return 1 if counts["failed"] else 0


def _text(outcome: Outcome) -> str:
    lines = [f"{outcome.verdict:8}{outcome.rule.id}"]
    if outcome.verdict == "failed":
        lines.append(f"        rule: {outcome.rule.title}")
        lines.append(f"        see:  {', '.join(outcome.rule.sections)}")
    return "\n".join(lines + [f"        {line}" for line in outcome.details])


if __name__ == "__main__":
    sys.exit(main())
