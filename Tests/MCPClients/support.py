"""What the tests of `atelier mcp` share: the server, a simulated provider, and a judge of every line on the wire."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.request
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
ATELIER = Path(os.environ.get("ATELIER", ROOT / ".build/debug/atelier")).resolve()
PHOTO = str(ROOT / "Tests/Fixtures/portraits/grace_hopper.jpg")
VERSION = "2026-07-28"
#: In seconds: whoever waits longer has met a fault. On a quiet machine, nothing takes a tenth of it.
LIMIT = 300
TASKS = "io.modelcontextprotocol/tasks"


def meta(**capabilities: Any) -> dict[str, Any]:
    """The `_meta` of a request of the modern era."""
    return {
        "io.modelcontextprotocol/protocolVersion": VERSION,
        "io.modelcontextprotocol/clientCapabilities": capabilities,
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    }


class Simulator:
    """The Gemini API, on this machine."""

    def __init__(self, latency_ms: int = 0) -> None:
        self.process = subprocess.Popen(
            [str(ATELIER.parent / "gemini-simulator"), "--port", "0", "--latency-ms", str(latency_ms)],
            stdout=subprocess.PIPE, text=True)
        assert self.process.stdout
        self.url: str = json.loads(self.process.stdout.readline())["baseUrl"]

    @property
    def environment(self) -> dict[str, str]:
        return {"GEMINI_API_KEY": "made-up-key", "GOOGLE_GEMINI_BASE_URL": self.url}

    def requests(self) -> list[dict[str, Any]]:
        """The requests for pictures that arrived."""
        with urllib.request.urlopen(f"{self.url}/_simulator/requests") as answer:
            return [each for each in json.load(answer) if each["method"] == "POST"]

    def hold(self) -> None:
        """Lets no request for a picture be answered until `release`."""
        self._control("PUT", "faults", {"always": "hold"})

    def release(self) -> None:
        """Lets everything be answered that is held, and what comes later."""
        self._control("DELETE", "faults")
        self._control("POST", "release")

    def _control(self, method: str, path: str, body: Any = None) -> None:
        data = None if body is None else json.dumps(body).encode()
        urllib.request.urlopen(urllib.request.Request(f"{self.url}/_simulator/{path}", data, method=method)).close()

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()
        assert self.process.stdout
        self.process.stdout.close()


class ServerCase(unittest.TestCase):
    """A test with a data directory of its own."""

    latency_ms = 0

    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="atelier-mcp-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.simulator = Simulator(self.latency_ms)
        self.addCleanup(self.simulator.stop)
        self.log = self.folder / "wire.jsonl"

    @property
    def environment(self) -> dict[str, str]:
        # Some clients pass on no variables but HOME and the like.
        return {
            "PATH": os.environ["PATH"], "HOME": str(self.folder), **self.simulator.environment,
            "ATELIER_DATA_DIR": str(self.folder / "data"),
        }

    def command(self, *options: str) -> list[str]:
        """The server behind a program that records every line both ways."""
        return [sys.executable, str(Path(__file__).with_name("record.py")), str(self.log), str(ATELIER), "mcp", *options]

    def until_sent(self, more_than: int = 0) -> None:
        """Waits until the provider has more requests than these."""
        deadline = time.monotonic() + LIMIT
        while len(self.simulator.requests()) <= more_than:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)

    def wait_for_state(self, host: Host, state: str) -> None:
        """Waits until the newest generation is in a state."""
        deadline = time.monotonic() + LIMIT
        while host.tool("list_generations", {})["structuredContent"]["generations"][0]["state"] != state:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)

    async def join(self, call: Any) -> Any:
        """The answer to a call that joins one whose picture is held, and is released once its progress is told.

        `call` makes it, given what is to be called with its progress.
        """
        is_told = asyncio.Event()

        async def told(*_: Any) -> None:
            is_told.set()

        answer, first = asyncio.ensure_future(call(told)), asyncio.ensure_future(is_told.wait())
        # A call that fails tells nothing before.
        await asyncio.wait({answer, first}, return_when=asyncio.FIRST_COMPLETED)
        first.cancel()
        self.simulator.release()
        return await answer

    def assert_wire_is_valid(self) -> None:
        """Every recorded line has the type that the official schemas give it."""
        from schemas import judge

        lines = [json.loads(line) for line in self.log.read_text().splitlines()]
        self.assertGreater(len(lines), 2)
        self.assertEqual(judge(lines), [])


class Host:
    """A client without an SDK: one line at a time."""

    def __init__(self, case: ServerCase, *options: str, recorded: bool = True) -> None:
        command = case.command(*options) if recorded else [str(ATELIER), "mcp", *options]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=case.environment,
            cwd=ROOT / "Tests/Fixtures")
        case.addCleanup(self.kill)
        self.messages: list[dict[str, Any]] = []
        self.last = 0
        self.changed = threading.Condition()
        self.ended = False
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            with self.changed:
                self.messages.append(json.loads(line))
                self.changed.notify_all()
        with self.changed:
            self.ended = True
            self.changed.notify_all()

    def write(self, text: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def notify(self, method: str, params: dict[str, Any]) -> None:
        self.write(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}))

    def send(self, method: str, params: dict[str, Any] | None = None, **capabilities: Any) -> int:
        """Sends a request of the modern era; `progressToken` goes beside the capabilities."""
        self.last += 1
        params = dict(params or {})
        token = capabilities.pop("progressToken", None)
        params["_meta"] = {**meta(**capabilities), **({} if token is None else {"progressToken": token})}
        self.write(json.dumps({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}))
        return self.last

    def wait(self, condition: Any, seconds: float = LIMIT) -> Any:
        """The first message that meets the condition; None at the end of the output."""
        with self.changed:
            while True:
                found = next((each for each in self.messages if condition(each)), None)
                if found is not None or self.ended:
                    return found
                if not self.changed.wait(seconds):
                    raise TimeoutError("No such message came.")

    def answer(self, identifier: int, seconds: float = LIMIT) -> dict[str, Any]:
        return self.wait(lambda each: each.get("id") == identifier and "method" not in each, seconds)

    def progress(self, token: Any) -> list[float]:
        """What the call with this token was told so far."""
        told = [each["params"] for each in self.messages if each.get("method") == "notifications/progress"]
        return [each["progress"] for each in told if each["progressToken"] == token]

    def until_told(self, token: Any, times: int = 1) -> None:
        """Waits until the call with this token was told its progress so often."""
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.progress(token)) >= times, LIMIT), self.messages

    def call(self, method: str, params: dict[str, Any] | None = None, **capabilities: Any) -> dict[str, Any]:
        return self.answer(self.send(method, params, **capabilities))

    def tool(self, name: str, arguments: dict[str, Any], **capabilities: Any) -> dict[str, Any]:
        answer = self.call("tools/call", {"name": name, "arguments": arguments}, **capabilities)
        return answer.get("result", answer)

    def end_input(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()

    def close(self) -> int:
        """Ends the input and waits for the end of the process."""
        self.end_input()
        return self.process.wait(LIMIT)

    def kill(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            try:
                if stream:
                    stream.close()
            except BrokenPipeError:
                pass


def text_of(result: dict[str, Any]) -> str:
    return result["content"][0]["text"]
