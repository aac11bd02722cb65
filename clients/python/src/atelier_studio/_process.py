"""The service as a child process: started, read line by line, written to, ended."""

from __future__ import annotations

import asyncio
import collections
import errno
import logging
import os
import shutil
import signal
import subprocess
import sysconfig
import threading
import weakref
from pathlib import Path
from typing import Callable, Deque, List, Mapping, Optional, Sequence, Union

from .errors import AtelierError, ConnectionLost, ExecutableNotFound, InvalidUse, Unavailable

Command = Union[str, "os.PathLike[str]", Sequence[Union[str, "os.PathLike[str]"]]]

_service_log = logging.getLogger("atelier_studio.service")

#: How long the rest of the output may take to arrive once the process has ended, or the end of the process
#: once its output has. Something the service started may hold the pipe open for ever.
_SETTLING_SECONDS = 1.0


def find_executable(executable: Optional[Command]) -> List[str]:
    """The command that starts the service.

    It is the one given, else ``$ATELIER``, else the one installed with this package, else ``atelier`` on the PATH.
    """
    if executable is not None and not isinstance(executable, (str, os.PathLike)):
        command = [os.fspath(part) for part in executable]
        if not command:
            raise ExecutableNotFound("The command to start Atelier with is empty. Name the executable in it.")
    else:
        command = [os.fspath(executable or os.environ.get("ATELIER") or _installed_executable() or "atelier")]
    try:
        found = shutil.which(command[0])
    except ValueError:
        # No file has a null character in its name.
        found = None
    if found is None:
        raise ExecutableNotFound(
            f"There is no executable {command[0]!r}. Install atelier, or name it with the argument `executable` "
            "or the environment variable ATELIER."
        )
    return [found, *command[1:]]


def _installed_executable() -> Optional[str]:
    """What the wheel with the service installed: in an environment, for one user, or in a folder of its own."""
    here = Path(__file__).parent.parent
    folders = [
        sysconfig.get_path("scripts"),
        sysconfig.get_path("scripts", f"{os.name}_user"),
        here / "bin",
    ]
    return next((found for folder in folders if (found := shutil.which("atelier", path=str(folder)))), None)


class LineSplitter:
    """Puts lines together from pieces of any size. Lines may be as long as they like; the work stays linear."""

    def __init__(self, receive: Callable[[bytes], None]) -> None:
        self._receive = receive
        self._unfinished: List[bytes] = []

    def feed(self, data: bytes) -> None:
        """Takes the next piece and hands out every line it completes."""
        first, *rest = data.split(b"\n")
        self._unfinished.append(first)
        for piece in rest:
            self._hand_out()
            self._unfinished.append(piece)

    def end(self) -> None:
        """Hands out a last line that has no newline."""
        self._hand_out()

    def _hand_out(self) -> None:
        line = b"".join(self._unfinished).strip()
        self._unfinished = []
        if line:
            self._receive(line)


class _Reader(asyncio.Protocol):
    def __init__(self, receive: Callable[[bytes], None], ended: Callable[[], None]) -> None:
        self._lines = LineSplitter(receive)
        self._ended = ended

    def data_received(self, data: bytes) -> None:
        self._lines.feed(data)

    def connection_lost(self, error: Optional[Exception]) -> None:
        self._lines.end()
        self._ended()


class _Writer(asyncio.BaseProtocol):
    def __init__(self) -> None:
        self.closed = False
        self._resumed: Optional[asyncio.Future[None]] = None

    def pause_writing(self) -> None:
        self._resumed = asyncio.get_running_loop().create_future()

    def resume_writing(self) -> None:
        if self._resumed is not None:
            self._resumed.set_result(None)
            self._resumed = None

    def connection_lost(self, error: Optional[Exception]) -> None:
        self.closed = True
        self.resume_writing()

    async def ready(self) -> None:
        while self._resumed is not None:
            # Shielded, because several writers may be waiting for the same future.
            await asyncio.shield(self._resumed)


#: The services whose pipes this process has open.
_started: "weakref.WeakSet[ServiceProcess]" = weakref.WeakSet()


def _let_go_after_fork() -> None:
    for process in list(_started):
        process._let_go_in_child()


# A forked process has copies of the pipes. With them, the service would not see the end of its input, and would not end,
# for as long as that process lives.
os.register_at_fork(after_in_child=_let_go_after_fork)


class ServiceProcess:
    """One running service. Everything happens on the loop that started it, but for the wait for its end."""

    def __init__(self, receive: Callable[[bytes], None], lost: Callable[[ConnectionLost], None]) -> None:
        self._receive = receive
        self._lost = lost
        self._reported = False
        self._open_outputs = 2
        self._log: Deque[str] = collections.deque(maxlen=40)
        self._writer = _Writer()
        self._input: Optional[asyncio.WriteTransport] = None
        self._outputs: List[asyncio.ReadTransport] = []
        self.exit_status: Optional[int] = None

    async def start(
        self, command: Sequence[str], environment: Mapping[str, str], working_directory: Optional[str]
    ) -> None:
        """Starts ``command``. Raises ``ExecutableNotFound`` when it cannot be started, ``Unavailable`` when the system has
        no process, thread or descriptor left for it, and ``InvalidUse`` for arguments that no program can be given.
        """
        loop = asyncio.get_running_loop()
        self._loop = loop
        self._exited: asyncio.Future[int] = loop.create_future()
        try:
            # Its own session: an interrupt typed at the terminal is the host's to act on, once, in its own way.
            # Not asyncio's subprocess: that one kills the child when the loop goes, detached work and all.
            process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=dict(environment),
                cwd=working_directory,
                start_new_session=True,
                bufsize=0,
            )
        except OSError as error:
            raise _not_started(command[0], error) from error
        except (TypeError, ValueError) as error:
            raise InvalidUse(f"{command[0]} cannot be started with these arguments: {error}.") from error
        self._process = process
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        try:
            threading.Thread(target=self._await_exit, name="atelier-exit", daemon=True).start()
            _started.add(self)
            self._input, _ = await loop.connect_write_pipe(lambda: self._writer, process.stdin)
            for receive, pipe in ((self._receive, process.stdout), (self._on_log_line, process.stderr)):
                transport, _ = await loop.connect_read_pipe(self._reader(receive), pipe)
                self._outputs.append(transport)
        except BaseException as error:
            # Cancelled: nothing was asked of it yet, and nobody else knows of it.
            self.abandon()
            process.kill()
            for pipe in (process.stdin, process.stdout, process.stderr):
                pipe.close()
            if isinstance(error, (OSError, RuntimeError)):
                raise Unavailable(
                    f"{command[0]} could not be started: {error}.", kind="start_failed", retryable=True
                ) from error
            raise

    def _reader(self, receive: Callable[[bytes], None]) -> Callable[[], _Reader]:
        return lambda: _Reader(receive, self._on_output_end)

    @property
    def writable(self) -> bool:
        """False once the input is closed, by either side."""
        return self._input is not None and not self._writer.closed and not self._input.is_closing()

    async def ready(self) -> None:
        """Waits while the service is not reading what was already written."""
        await self._writer.ready()

    def write(self, line: bytes) -> None:
        """Sends one line, without waiting."""
        assert self._input is not None
        self._input.write(line)

    def close_input(self) -> None:
        """Says that nothing more will be asked."""
        if self._input is not None:
            self._input.close()

    def abandon(self) -> None:
        """Lets go of every pipe. The process lives on for as long as it has something to finish."""
        self._reported = True
        self.close_input()
        for transport in self._outputs:
            transport.close()

    def let_go(self) -> None:
        """Closes the pipes without the loop, which has ended."""
        self._reported = True
        if self in _started:
            for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
                if pipe is not None:
                    pipe.close()

    def _let_go_in_child(self) -> None:
        # The numbers stay taken, by the null device: what closes them later must not close another file. The transports
        # cannot close them here, because the parent's loop and this copy of it share what watches the pipes.
        pipes = [self._process.stdin, self._process.stdout, self._process.stderr]
        null = os.open(os.devnull, os.O_RDWR)
        for pipe in pipes:
            if pipe is not None and not pipe.closed:
                os.dup2(null, pipe.fileno(), inheritable=False)
        os.close(null)

    async def wait(self, timeout: float) -> bool:
        """True when the process ends within ``timeout`` seconds."""
        await asyncio.wait({self._exited}, timeout=timeout)
        return self._exited.done()

    def signal(self, number: signal.Signals) -> None:
        """Sends a signal, if there is still somebody to receive it."""
        if self.exit_status is None:
            self._process.send_signal(number)

    def _await_exit(self) -> None:
        status = self._process.wait()
        try:
            self._loop.call_soon_threadsafe(self._on_exit, status)
        except RuntimeError:
            # The loop has closed: nobody is interested any more.
            pass

    def _on_exit(self, status: int) -> None:
        self.exit_status = status
        if not self._exited.done():
            self._exited.set_result(status)
        self._on_partial_loss()

    def _on_output_end(self) -> None:
        self._open_outputs -= 1
        self._on_partial_loss()

    def _on_log_line(self, line: bytes) -> None:
        text = line.decode("utf-8", "replace")
        self._log.append(text)
        _service_log.debug("%s", text)

    def _on_partial_loss(self) -> None:
        if self._open_outputs == 0 and self.exit_status is not None:
            self._report_loss()
        else:
            self._loop.call_later(_SETTLING_SECONDS, self._report_loss)

    def _report_loss(self) -> None:
        if self._reported:
            return
        self._reported = True
        log = "\n".join(self._log)
        self._lost(ConnectionLost(self._loss_sentence(), exit_status=self.exit_status, log=log))

    def _loss_sentence(self) -> str:
        if self.exit_status is None:
            sentence = "The Atelier service closed its output before it answered."
        elif self.exit_status < 0:
            name = signal.Signals(-self.exit_status).name if -self.exit_status in set(signal.Signals) else "a signal"
            sentence = f"The Atelier service was ended by {name}."
        else:
            sentence = f"The Atelier service ended with status {self.exit_status}."
        if not self._log:
            return sentence
        # Options that are refused are followed by lines on how to get help.
        refused = [line for line in self._log if line.startswith("Error: ")]
        return f"{sentence} It said last: {(refused or self._log)[-1]}"


def _not_started(program: str, error: OSError) -> AtelierError:
    sentence = f"{program} could not be started: {error.strerror or error}."
    if error.errno in (errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM):
        return Unavailable(sentence, kind="start_failed", retryable=True)
    return ExecutableNotFound(sentence)
