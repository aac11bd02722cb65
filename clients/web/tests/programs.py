"""How are the programs of a test started: the host, the simulator of the providers, and what signs identities?"""

from __future__ import annotations

import json
import os
import pathlib
import re
import resource
import shutil
import signal
import struct
import subprocess
import time
import zlib
from random import Random
from typing import Any, Callable, Dict, List, Optional
from urllib.request import Request, urlopen

TESTS = pathlib.Path(__file__).resolve().parent
WEB = TESTS.parent
REPOSITORY = WEB.parent.parent
FIXTURES = REPOSITORY / "Tests" / "Fixtures"
PORTRAIT = FIXTURES / "portraits" / "grace_hopper.jpg"

#: A test that waits longer than this for anything has failed. On a quiet machine, nothing takes a tenth of it.
PATIENCE = float(os.environ.get("ATELIER_WEB_PATIENCE", "120"))


def executable(variable: str, name: str) -> str:
    """An executable: named by the environment, else what this repository built."""
    named = os.environ.get(variable)
    return os.path.abspath(named) if named else str(REPOSITORY / ".build" / "debug" / name)


ATELIER = executable("ATELIER", "atelier")
ATELIER_WEB = executable("ATELIER_WEB", "atelier-web")
GEMINI_SIMULATOR = executable("GEMINI_SIMULATOR", "gemini-simulator")


def until(what: str, condition: Callable[[], Any], patience: float = PATIENCE) -> Any:
    """Asks again and again until the answer is something.

    :raises AssertionError: when it never is.
    """
    end = time.monotonic() + patience
    while True:
        found = condition()
        if found:
            return found
        assert time.monotonic() < end, f"never came: {what}"
        time.sleep(0.02)


def environment(home: pathlib.Path, **more: str) -> Dict[str, str]:
    """An environment without the keys, the servers and the desktop of whoever runs the tests."""
    return {"PATH": os.environ["PATH"], "HOME": str(home), "LC_ALL": "C.UTF-8", **more}


class Program:
    """A process whose first line of output says that it is ready."""

    def __init__(self, command: List[str], folder: pathlib.Path, name: str, env: Dict[str, str]) -> None:
        self.log = folder / f"{name}.log"
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, env=env, cwd=folder
            )
        assert self.process.stdout
        self.first_line = self.process.stdout.readline().decode().strip()
        assert self.first_line, f"{name} did not start: {self.log.read_text()[-2000:]}"

    @property
    def is_running(self) -> bool:
        return self.process.poll() is None

    def end(self, number: int = signal.SIGTERM) -> int:
        """Ends it, and waits until it has ended."""
        if self.is_running:
            self.process.send_signal(number)
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise AssertionError(f"{self.log.name} did not end")
        finally:
            if self.process.stdout:
                self.process.stdout.close()


class Simulator(Program):
    """Stands for Gemini, and for a geocoder."""

    def __init__(self, folder: pathlib.Path) -> None:
        super().__init__(
            [GEMINI_SIMULATOR, "--port", "0", "--picture-scale", "4"], folder, "simulator", environment(folder)
        )
        self.url: str = json.loads(self.first_line)["baseUrl"]

    def _ask(self, method: str, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        with urlopen(Request(f"{self.url}/_simulator/{path}", data, method=method), timeout=PATIENCE) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def meets(self, *steps: Any) -> None:
        """What the next requests for pictures meet, in order."""
        self._ask("PUT", "faults", list(steps))

    def always_meets(self, step: Any) -> None:
        """What every request for a picture meets."""
        self._ask("PUT", "faults", {"always": step})

    def meets_nothing(self) -> None:
        self._ask("DELETE", "faults")

    def release(self) -> None:
        """Lets everything go on that was held, also what comes later."""
        self.meets_nothing()
        self._ask("POST", "release")

    def requests(self) -> List[Dict[str, Any]]:
        """What was asked of it."""
        seen = self._ask("GET", "requests")
        return seen["requests"] if isinstance(seen, dict) else seen

    def config(self) -> Dict[str, Any]:
        """The configuration of a service that asks it."""
        return {
            "providers": {"gemini": {"baseUrl": self.url}},
            "geocoder": {"baseUrl": self.url, "requestsPerSecond": 100},
            "recipes": {name: {"retries": 0} for name in ("hairstyle", "edit", "create", "places")},
        }


class Host(Program):
    """The web host, with its service, in a data directory of its own."""

    def __init__(
        self,
        folder: pathlib.Path,
        *,
        service: Optional[Dict[str, Any]] = None,
        options: Optional[List[str]] = None,
        shop: Optional[Dict[str, Any]] = None,
        env: Optional[Dict[str, str]] = None,
        prefix: Optional[List[str]] = None,
        data: Optional[pathlib.Path] = None,
        **members: Any,
    ) -> None:
        """
        :param service: the configuration of the service.
        :param shop: the member ``public`` of the host's configuration, for the public way.
        :param prefix: what is written before the command.
        :param data: the data directory of another host; by default one of its own.
        :param members: more members of the host's configuration.
        """
        self.folder = folder
        self.data = data or folder / "data"
        self.temporary = folder / "tmp"
        self.temporary.mkdir(exist_ok=True)
        config: Dict[str, Any] = {"service": {"executable": ATELIER, "dataDirectory": str(self.data)}, **members}
        if service is not None:
            (folder / "atelier.json").write_text(json.dumps(service))
            config["service"]["config"] = str(folder / "atelier.json")
        if shop is not None:
            config["public"] = shop
        (folder / "web.json").write_text(json.dumps(config))
        command = [ATELIER_WEB, "--no-browser", "--config", str(folder / "web.json"), "--data-dir", str(self.data)]
        command += ["--public"] if shop is not None else []
        if os.environ.get("ATELIER_WEB_PAGES"):
            command += ["--pages", os.environ["ATELIER_WEB_PAGES"]]
        self._arguments = (
            [*(prefix or []), *command, *(options or [])],
            environment(folder, **{"TMPDIR": str(self.temporary), "GEMINI_API_KEY": SERVICE_KEY, **(env or {})}),
        )
        self.is_public = shop is not None
        self.port = shop["port"] if shop is not None else 0
        self._begin()

    def _begin(self) -> None:
        super().__init__(self._arguments[0], self.folder, "host", self._arguments[1])
        self.origin, _, self.secret = self.first_line.partition("/#")
        self.cookie = ""
        match = re.search(r":(\d+)$", self.origin)
        # Of the public way, it is the proxy's.
        self.port = int(match[1]) if match and not self.is_public else self.port

    def restart(self, number: int = signal.SIGTERM) -> None:
        """Ends the host and starts it anew, with the same data."""
        cookie = self.cookie
        self.end(number)
        self._begin()
        self.cookie = cookie

    @property
    def link(self) -> str:
        """The address that lets one browser in."""
        return self.first_line

    def services(self) -> List[int]:
        """The process ids of the services that the host has started."""
        found = subprocess.run(
            ["ps", "-o", "pid=,stat=", "--ppid", str(self.process.pid)], capture_output=True, text=True
        )
        return [int(pid) for pid, state in map(str.split, found.stdout.splitlines()) if not state.startswith("Z")]

    def kill_services(self) -> None:
        """Ends the services as a fault would, and waits until they have ended."""
        for pid in self.services():
            os.kill(pid, signal.SIGKILL)
            until("the end of the service", lambda: not pathlib.Path(f"/proc/{pid}").exists() or is_dead(pid))

    def kill_orphans(self) -> None:
        """Ends the services of hosts that were killed: they would go on for as long as they have work."""
        for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                if os.fsencode(self.data) in path.read_bytes().split(b"\0"):
                    os.kill(int(path.parent.name), signal.SIGKILL)
            except (FileNotFoundError, ProcessLookupError):
                continue

    def log_text(self) -> str:
        return self.log.read_text(errors="replace")


#: The key of the provider, which must be seen nowhere.
SERVICE_KEY = "key-0123456789-of-the-simulator"


def is_dead(pid: int) -> bool:
    """Whether a process has ended, and only its number is left."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def identity(folder: pathlib.Path, what: str, **options: str) -> str:
    """What an issuer of identities prints: its ``configuration``, or a ``token``."""
    command = [GEMINI_SIMULATOR, "identity", what, "--keys", str(folder / "issuer"), "--audience", "studio"]
    for name, value in options.items():
        command += [f"--{name}", value]
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environment(folder)).stdout.strip()


def noise_photo(side: int, seed: int = 1) -> bytes:
    """A PNG that no compression makes smaller; another seed is another picture."""
    random = Random(seed)
    lines = zlib.compress(b"".join(b"\0" + random.randbytes(3 * side) for _ in range(side)), 1)

    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", lines) + chunk(b"IEND", b"")


def more_files() -> None:
    """Lets this process, and those that it starts, open as many files as the machine allows."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def missing() -> Optional[str]:
    """What these tests need and the machine lacks."""
    for path, name in ((ATELIER, "atelier"), (ATELIER_WEB, "atelier-web"), (GEMINI_SIMULATOR, "gemini-simulator")):
        if not shutil.which(path):
            return f"{name} has not been built ({path})"
    return None
