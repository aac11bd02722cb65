"""Processes that share a database, and what they were promised."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any, Dict, List, Optional, Set, Tuple

ROOT = Path(__file__).resolve().parents[2]
WORKER = Path(os.environ.get("ATELIER", ROOT / ".build/debug/atelier")).resolve().parent / "ledger-worker"
AUDIT = ROOT / "scripts" / "ledger_audit"


class Promises:
    """What the store has acknowledged, to whichever process."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.accepted: Set[str] = set()
        self.granted: Set[str] = set()
        #: The state and the charge of each generation.
        self.finished: Dict[str, Tuple[str, int]] = {}
        self.errors: Dict[str, int] = {}
        self.faults: List[str] = []

    def note(self, line: str) -> None:
        words = line.split()
        with self.lock:
            if words[0] == "accepted":
                self.accepted.add(words[1])
            elif words[0] == "granted":
                self.granted.add(words[1])
            elif words[0] == "finished":
                if words[1] in self.finished:
                    self.faults.append(f"{words[1]} was said to end twice")
                self.finished[words[1]] = (words[2], int(words[3]))
            elif words[0] == "error":
                self.errors[words[1]] = self.errors.get(words[1], 0) + 1

    def __len__(self) -> int:
        return len(self.accepted) + len(self.granted) + len(self.finished)


class Worker:
    """A process of its own machine: it has a data directory that no other one sees."""

    def __init__(
        self,
        url: str,
        promises: Promises,
        seed: int,
        *,
        lease: int = 1_500,
        callers: int = 4,
        steps: int = 10**9,
        launcher: Tuple[str, ...] = (),
    ) -> None:
        self.promises = promises
        self.folder = Path(tempfile.mkdtemp(prefix="atelier-worker-"))
        self.is_ready = threading.Event()
        self.process = subprocess.Popen(
            [*launcher, str(WORKER), url, str(self.folder / "data"), str(seed), str(lease), str(callers), str(steps)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self) -> None:
        for line in self.process.stdout or ():
            # A process that was killed may leave half a line.
            if line.endswith("\n"):
                self.is_ready.set()
                self.promises.note(line)
        self.is_ready.set()

    def ready(self) -> Worker:
        assert self.is_ready.wait(600) and self.process.poll() is None, self.errors()
        return self

    def errors(self) -> str:
        self.process.kill()
        return self.process.stderr.read() if self.process.stderr else ""

    def send(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def kill(self) -> None:
        self.process.kill()
        self.forget()

    def end(self, seconds: float = 1200) -> None:
        """Lets it finish what it is at."""
        if self.process.stdin:
            self.process.stdin.close()
        self.wait(seconds)

    def wait(self, seconds: float) -> None:
        try:
            status = self.process.wait(seconds)
            self.reader.join()
            errors = self.process.stderr.read() if self.process.stderr else ""
            assert status == 0, f"a process ended with {status}: {errors}"
        finally:
            self.forget()

    def forget(self) -> None:
        self.process.kill()
        self.process.wait()
        self.reader.join()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream and not stream.closed:
                stream.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def faults(connection: Any, address: str, promises: Promises) -> List[str]:
    """What does not hold of a database: by an audit that shares no code with the store, and by what was promised."""
    # What is acknowledged while the rows are read may be missing in them.
    with promises.lock:
        accepted, granted, finished = set(promises.accepted), set(promises.granted), dict(promises.finished)
    audit = subprocess.run([sys.executable, str(AUDIT), address], capture_output=True, text=True)
    found = [] if audit.returncode == 0 else [line for line in (audit.stdout + audit.stderr).splitlines()]
    rows = {row[0]: row[1:] for row in connection.execute("SELECT id, state, credits_charged FROM generation").fetchall()}
    found += promises.faults
    found += [f"{each} was accepted and is gone" for each in accepted - rows.keys()]
    for each, end in finished.items():
        if rows.get(each) != end:
            found.append(f"{each} was said to end as {end} and is {rows.get(each)}")
    sources = {row[0] for row in connection.execute("SELECT source_key FROM credit_grant").fetchall()}
    for each in granted:
        if not any(each in source for source in sources):
            found.append(f"{each} was granted and is gone")
    return found + overlaps(connection)


def overlaps(connection: Any) -> List[str]:
    """The account that may have one generation at a time holds and ends by turns, in the order of the ledger."""
    running: Optional[str] = None
    found = []
    query = "SELECT kind, hold_id FROM transfer WHERE account = 'limited' AND hold_id IS NOT NULL ORDER BY seq"
    for kind, hold in connection.execute(query).fetchall():
        if kind == "hold" and running not in (None, hold):
            found.append(f"{hold} began while {running} was running")
        running = hold if kind == "hold" else None
    return found
