"""A peer under measurement: any program that answers JSON-RPC on its standard streams, in either framing."""

from __future__ import annotations

import json
import os
import subprocess
import time
from typing import Any


class Peer:
    """A spawned program. `headers` chooses Content-Length framing, else one message a line."""

    def __init__(self, command: list[str], headers: bool = False, environment: dict[str, str] | None = None) -> None:
        self.headers = headers
        self.started = time.perf_counter()
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0,
            env={**os.environ, **(environment or {})})
        self.buffer = bytearray()

    def frame(self, message: dict[str, Any]) -> bytes:
        body = json.dumps(message, separators=(",", ":")).encode()
        return b"Content-Length: %d\r\n\r\n%s" % (len(body), body) if self.headers else body + b"\n"

    def send(self, message: dict[str, Any]) -> None:
        self.write(self.frame(message))

    def write(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(self.process.stdin.fileno(), view):]

    def _fill(self) -> None:
        data = os.read(self.process.stdout.fileno(), 1 << 18)
        if not data:
            raise SystemExit(f"{self.process.args[0]} ended with status {self.process.wait()} before it answered.")
        self.buffer += data

    def receive(self) -> dict[str, Any]:
        if not self.headers:
            while (end := self.buffer.find(b"\n")) < 0:
                self._fill()
            line, self.buffer = self.buffer[:end], self.buffer[end + 1:]
            return json.loads(line)
        while (end := self.buffer.find(b"\r\n\r\n")) < 0:
            self._fill()
        length = int(bytes(self.buffer[:end]).lower().split(b"content-length:")[1].split(b"\r\n")[0])
        while len(self.buffer) < end + 4 + length:
            self._fill()
        body, self.buffer = self.buffer[end + 4:end + 4 + length], self.buffer[end + 4 + length:]
        return json.loads(body)

    def answer(self, identifier: int) -> dict[str, Any]:
        """The response with this id; notifications before it are passed over."""
        while True:
            message = self.receive()
            if message.get("id") == identifier and "method" not in message:
                return message

    def arrivals(self, mark: bytes, wanted: int) -> list[tuple[float, dict[str, Any]]]:
        """Reads lines until `mark` has gone by `wanted` times: each message with the moment all of it was here.

        Nothing is parsed before the last has come, so that the reader is never what the others wait for.
        """
        pieces: list[tuple[float, bytes]] = []
        data = tail = b""
        while wanted > 0 or not data.endswith(b"\n"):
            data = os.read(self.process.stdout.fileno(), 1 << 18)
            pieces.append((time.perf_counter(), data))
            if not data:
                raise SystemExit(f"{self.process.args[0]} ended with status {self.process.wait()} before it answered.")
            wanted -= (tail + data).count(mark)
            tail = (tail + data)[1 - len(mark):]
        found = []
        rest = bytes(self.buffer)
        for moment, data in pieces:
            *lines, rest = (rest + data).split(b"\n")
            found += [(moment, json.loads(line)) for line in lines]
        self.buffer = bytearray(rest)
        return found

    def count_frames(self, wanted: int) -> None:
        """Reads until `wanted` frames have gone by, without parsing them."""
        mark = b"Content-Length" if self.headers else b"\n"
        seen = self.buffer.count(mark)
        while seen < wanted:
            self.buffer = self.buffer[-len(mark):] if self.headers else bytearray()
            tail = self.buffer.count(mark)
            self._fill()
            seen += self.buffer.count(mark) - tail

    def memory(self, field: str = "VmRSS") -> float:
        """MiB of this process, from /proc."""
        return memory_of(self.process.pid, field)

    def children(self) -> list[int]:
        path = f"/proc/{self.process.pid}/task"
        return [int(c) for t in os.listdir(path) for c in open(f"{path}/{t}/children").read().split()]

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


def memory_of(pid: int, field: str) -> float:
    for line in open(f"/proc/{pid}/status"):
        if line.startswith(field + ":"):
            return int(line.split()[1]) / 1024
    raise SystemExit(f"/proc/{pid}/status has no {field}.")


INITIALIZE = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
    "processId": os.getpid(), "rootUri": None, "capabilities": {}}}

PYTHON_ECHO = ["python3", "-S", "-E", "-c", (
    "import sys, json\n"
    "for line in sys.stdin:\n"
    "    message = json.loads(line)\n"
    "    sys.stdout.write(json.dumps({'jsonrpc': '2.0', 'id': message['id'], 'result': {}}) + '\\n')\n"
    "    sys.stdout.flush()\n")]
