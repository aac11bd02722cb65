"""The program under test as a child process: started, written to, read message by message, ended."""

from __future__ import annotations

import os
import queue
import select
import signal
import subprocess
import tempfile
import threading
from typing import IO, Any, List, Mapping, Optional, Sequence

from . import wire
from .rules import Failed

LINES = "lines"
HEADERS = "headers"

#: More than any rule needs: a program may send for ever.
_MAXIMUM_MESSAGES = 100_000


class Program:
    """One process. What it writes is read at once, so that it never waits for the kit, unless ``is_read`` is false."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        environment: Mapping[str, str],
        folder: str,
        timeout: float,
        framing: str = LINES,
        is_read: bool = True,
    ) -> None:
        self._framing = framing
        self._timeout = timeout
        self._messages: "queue.Queue[Optional[bytes]]" = queue.Queue(maxsize=1_000)
        self._errors: IO[bytes] = tempfile.TemporaryFile()
        try:
            self._process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                cwd=folder,
                env=dict(environment),
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            raise Failed(f"{command[0]} could not be started: {error.strerror}.") from None
        assert self._process.stdin is not None and self._process.stdout is not None
        self._input: IO[bytes] = self._process.stdin
        self._output: IO[bytes] = self._process.stdout
        # A program that does not read must not stop the kit.
        os.set_blocking(self._input.fileno(), False)
        self._read_count = 0
        if is_read:
            self.begin_reading()

    def __enter__(self) -> "Program":
        return self

    def __exit__(self, *_: Any) -> None:
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self._process.wait()
        self.close_input()
        self._output.close()
        self._errors.close()

    # --- To the program ---

    def send(self, message: "str | bytes") -> None:
        """Sends one message."""
        content = message.encode() if isinstance(message, str) else message
        if self._framing == LINES:
            self.write(content + b"\n")
        else:
            self.write(b"Content-Length: %d\r\n\r\n" % len(content) + content)

    def write(self, data: bytes, piece: Optional[int] = None) -> None:
        """Sends bytes, in pieces of ``piece`` bytes if that is given. A program that is gone shows at its end."""
        step = piece or max(len(data), 1)
        try:
            for start in range(0, len(data), step):
                self._write_all(data[start : start + step])
        except (BrokenPipeError, ValueError):
            pass

    def _write_all(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            if not select.select([], [self._input], [], self._timeout)[1]:
                raise Failed(f"the program did not read its input within {self._timeout:g} s")
            view = view[self._input.write(view) or 0 :]

    def close_input(self) -> None:
        """Ends the program's input."""
        try:
            self._input.close()
        except BrokenPipeError:
            pass

    def close_output(self) -> None:
        """Stops reading, for a program that nobody reads."""
        self._output.close()

    def signal(self, number: signal.Signals) -> None:
        """Sends a signal to the program."""
        self._process.send_signal(number)

    # --- From the program ---

    def begin_reading(self) -> None:
        """Reads the output from now on."""
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        with os.fdopen(os.dup(self._output.fileno()), "rb") as output:
            while True:
                frame = output.readline() if self._framing == LINES else _framed(output)
                if not frame:
                    break
                self._messages.put(frame)
        self._messages.put(None)

    def next_line(self) -> Optional[bytes]:
        """The next message as it was sent; None at the end of the output. Raises ``Failed`` after the time limit."""
        try:
            line = self._messages.get(timeout=self._timeout)
        except queue.Empty:
            raise Failed(f"nothing came within {self._timeout:g} s") from None
        if line is None:
            self._messages.put(None)
        self._read_count += 1
        if self._read_count > _MAXIMUM_MESSAGES:
            raise Failed(f"the program sent more than {_MAXIMUM_MESSAGES} messages")
        return line

    def next(self) -> Any:
        """The next message; None at the end of the output."""
        line = self.next_line()
        return None if line is None else read(line)

    def rest(self) -> List[Any]:
        """Every message until the end of the output."""
        messages: List[Any] = []
        while True:
            message = self.next()
            if message is None:
                return messages
            messages.append(message)

    def answers(self) -> List[Any]:
        """Every answer until the end of the output."""
        return [each for each in self.rest() if isinstance(each, dict) and "method" not in each]

    def answer(self, request_id: Any) -> Any:
        """The answer to a request, past everything that comes before it."""
        while True:
            message = self.next()
            if message is None:
                raise Failed(
                    f"the program ended with {self.wait()} before it answered {wire.text(request_id)}{self.log()}"
                )
            if isinstance(message, dict) and message.get("id") == request_id and "method" not in message:
                return message

    def call(self, request_id: int, method: str, params: Any = None) -> Any:
        """Asks, and returns the answer."""
        request = {"jsonrpc": "2.0", "id": wire.Number(str(request_id)), "method": method}
        if params is not None:
            request["params"] = params
        self.send(wire.text(request))
        return self.answer(request["id"])

    def wait(self) -> int:
        """The exit status, negative for a signal. Raises ``Failed`` after the time limit."""
        try:
            return self._process.wait(self._timeout)
        except subprocess.TimeoutExpired:
            raise Failed(f"it did not end within {self._timeout:g} s{self.log()}") from None

    def expect_exit(self, *statuses: int) -> None:
        """Raises ``Failed`` if it ends in another way than with 0, or with one of these."""
        found = self.wait()
        if found not in (statuses or (0,)):
            expected = " or ".join(str(status) for status in statuses or (0,))
            raise Failed(f"exit status: expected {expected}, got {found}{self.log()}")

    def log(self) -> str:
        """The last lines of standard error, for a report."""
        self._errors.seek(0)
        lines = self._errors.read().decode("utf-8", "replace").splitlines()[-5:]
        return "".join(f"\nstandard error: {wire.shortened(line)}" for line in lines)


def _framed(output: IO[bytes]) -> bytes:
    length = 0
    while True:
        line = output.readline()
        if not line:
            return b""
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            length = int(value)
        if not line.strip():
            return output.read(length)


def read(line: bytes) -> Any:
    """The message in a line. Raises ``Failed`` for what is none."""
    try:
        return wire.parse(line.decode())
    except (ValueError, RecursionError) as error:
        shown = wire.shortened(line.decode("utf-8", "backslashreplace").rstrip())
        raise Failed(f"the program sent something that is not JSON ({error}): {shown}") from None
