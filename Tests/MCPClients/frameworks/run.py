#!/usr/bin/env python3
"""Connects agent frameworks of PyPI to `atelier mcp`, and to a server with one tool for each shape of a result.

    run.py [NAME…]

It makes a virtual environment for each framework under .build, needs a build of the executables, and takes some minutes
and gigabytes: it is not part of CI. It writes what it saw to Tests/Fixtures/mcp/frameworks.json, to which the tests of the
module MCP hold the results of all tools, and prints a table for docs/mcp.md. $ATELIER is the executable.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import Any

from adapters import ALL, Framework

ROOT = Path(__file__).resolve().parents[3]
SEEN = ROOT / "Tests/Fixtures/mcp/frameworks.json"
ENVIRONMENTS = Path(os.environ.get("FRAMEWORKS", ROOT / ".build/mcp-frameworks"))
ATELIER = Path(os.environ.get("ATELIER", ROOT / ".build/debug/atelier")).resolve()


def environment(framework: Framework) -> Path:
    """The Python of an environment with the framework's packages."""
    folder = ENVIRONMENTS / framework.name.lower().replace(" ", "-")
    made = folder / "made-from.txt"
    requirements = "\n".join(framework.requirements)
    if not made.exists() or made.read_text() != requirements:
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run(
            [folder / "bin/pip", "install", "--quiet", "--disable-pip-version-check", *framework.requirements], check=True)
        made.write_text(requirements)
    return folder / "bin/python"


def look(framework: Framework) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="atelier-frameworks-") as folder:
        variables = {
            "PATH": os.environ["PATH"], "HOME": folder, "ATELIER_DATA_DIR": f"{folder}/data", "ATELIER": str(ATELIER),
            "MCP_USE_ANONYMIZED_TELEMETRY": "false", "HAYSTACK_TELEMETRY_ENABLED": "false", "AGNO_TELEMETRY": "false"}
        outcome = subprocess.run(
            [environment(framework), Path(__file__).with_name("one.py"), framework.name], env=variables, cwd=folder,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
    if outcome.returncode != 0:
        sys.exit(f"{framework.name}: {outcome.stderr}")
    return json.loads(outcome.stdout)


def table(seen: dict[str, Any]) -> str:
    """What the documentation shows."""
    columns = ["text_image", "text_link", "text_image_link"]
    shapes = " | ".join(each.replace("_", " + ") for each in columns)
    lines = [f"| Framework | {shapes} | `make_headshot` | `--no-pictures` |"]
    lines.append("|---" * (len(columns) + 3) + "|")
    for name, each in seen.items():
        cells = [each["shapes"][column] for column in columns]
        cells += [each["make_headshot"], each["make_headshot --no-pictures"]]
        lines.append(f"| {name} {each['version']} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> None:
    names = sys.argv[1:] or list(ALL)
    seen = json.loads(SEEN.read_text()) if SEEN.exists() else {}
    for name in names:
        seen[name] = look(ALL[name])
        print(name, json.dumps(seen[name]), file=sys.stderr, flush=True)
        seen = {name: seen[name] for name in ALL if name in seen}
        SEEN.write_text(json.dumps(seen, indent=1) + "\n")
    print(table(seen))


if __name__ == "__main__":
    main()
