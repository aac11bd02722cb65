"""Runs one framework, in its own environment: `one.py NAME` prints what arrives of each shape and of a tool, as JSON."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.metadata
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

from adapters import ALL, Framework, Server
from observe import Refused, observed
from shapes import SHAPES

PHOTO = str(Path(__file__).resolve().parents[2] / "Fixtures/portraits/grace_hopper.jpg")


async def arrived(framework: Framework, server: Server, calls: list[tuple[str, dict[str, Any]]], **words: str) -> Any:
    """For each call, what arrives, or how it fails."""
    found = {}
    async with framework.connect(server) as call:
        for name, arguments in calls:
            try:
                found[name] = ", ".join(observed(await call(name, arguments), **words)) or "nothing"
            except Refused:
                found[name] = "error"
            except Exception as error:  # noqa: BLE001: whatever a framework raises is what is looked for
                found[name] = f"raises {type(error).__name__}"
                print(name, repr(error)[:500], file=sys.stderr)
    return found


async def main() -> dict[str, Any]:
    framework = ALL[sys.argv[1]]
    package = re.split(r"[\[=]", framework.requirements[0])[0]
    environment = {name: os.environ[name] for name in ("PATH", "HOME", "ATELIER_DATA_DIR")}
    shapes = Server(sys.executable, [str(Path(__file__).with_name("shapes.py"))], environment)
    result: dict[str, Any] = {"package": package, "version": importlib.metadata.version(package)}
    result["shapes"] = await arrived(framework, shapes, [(name, {}) for name in [*SHAPES, "error"]])
    words = {"said": "is saved: /", "member": "gen_"}
    for key, options in [("make_headshot", []), ("make_headshot --no-pictures", ["--no-pictures"])]:
        server = Server(os.environ["ATELIER"], ["mcp", *options], environment)
        call = "make_headshot", {"photo": PHOTO, "background": "white"}
        result[key] = (await arrived(framework, server, [call], **words))["make_headshot"]
    return result


if __name__ == "__main__":
    with contextlib.redirect_stdout(sys.stderr):
        told = asyncio.run(main())
    print(json.dumps(told), flush=True)
    # Some frameworks leave threads behind.
    os._exit(0)
