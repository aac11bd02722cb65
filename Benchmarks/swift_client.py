"""What the client for Swift costs, beside lines that a program in the same language writes and reads by hand."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any


def swift_client(report: Any, build: Path, folder: Path) -> None:
    output = subprocess.run(
        [build / "client-benchmark", build / "atelier", folder / "swift-client"], check=True, capture_output=True, text=True)
    figures = json.loads(output.stdout)
    report.add("ping, one after another", "by hand", figures["byHand"], "µs")
    report.add("ping, one after another", "Swift client", figures["oneByOne"], "µs", 200)
    report.add("ping, 20 at once", "Swift client", figures["together"], "µs")
    report.add("client's memory for a generation", "Swift client", figures["bytesPerGeneration"] / 1024, "KiB", 32)
