"""From the start of `atelier mcp` to its answer to `server/discover`, beside a minimal server of the official Python SDK."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from peers import Peer

DISCOVER = {"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {"_meta": {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}}}

SDK_SERVER = "from mcp.server import MCPServer\nserver = MCPServer('minimal')\nserver.run(transport='stdio')\n"


def cold_start(command: list[str], rounds: int, environment: dict[str, str]) -> float:
    samples = []
    for _ in range(rounds):
        peer = Peer(command, environment=environment)
        peer.send(DISCOVER)
        if "result" not in peer.answer(1):
            raise SystemExit(f"{command[0]} does not answer server/discover.")
        samples.append((time.perf_counter() - peer.started) * 1000)
        peer.end()
    return statistics.median(samples[1:])


def mcp_start(report: Any, atelier: list[str], folder: Path, cache: Path) -> None:
    what = "MCP: cold start to server/discover"
    environment = {"ATELIER_DATA_DIR": str(folder / "mcp")}
    report.add(what, "atelier", cold_start([*atelier, "mcp"], report.count(41), environment), "ms", 10)
    if report.once:
        return
    target = cache / "mcp-sdk"
    if not (target / "mcp").exists():
        fetched = subprocess.run(
            [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(target), "mcp==2.3.0"], capture_output=True)
        if fetched.returncode:
            print("The official Python SDK is left out: pip could not fetch it.", file=sys.stderr)
            return
    environment = {"PYTHONPATH": str(target)}
    report.add(what, "mcp (Python)", cold_start([sys.executable, "-c", SDK_SERVER], 8, environment), "ms")
