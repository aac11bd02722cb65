"""The same generations with the database on a PostgreSQL server: beside it, and half a millisecond away.

Each is also measured with a round trip for each statement, as a program has it that waits for one answer after the other.
"""

from __future__ import annotations

import os
import queue
import socket
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from ledger import rate

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Tests/SharedLedger"))
from server import Cluster, Proxy, tools  # noqa: E402

#: How long a way to the server and back takes besides, in seconds.
ROUND_TRIP = 0.0005
#: As many callers share what their changes have in common.
CALLERS = (1, 16, 64)


class Relay(Proxy):
    """A way to a server on which everything takes a while longer, in each direction."""

    def to_server(self, client: socket.socket, server: socket.socket) -> None:
        self.forward(client, server)

    def to_client(self, server: socket.socket, client: socket.socket) -> None:
        self.forward(server, client)

    def forward(self, source: socket.socket, target: socket.socket) -> None:
        way: queue.SimpleQueue[tuple[float, bytes]] = queue.SimpleQueue()

        def write() -> None:
            while True:
                due, some = way.get()
                if not some:
                    return self.end(source, target)
                time.sleep(max(0.0, due - time.perf_counter()))
                try:
                    target.sendall(some)
                except OSError:
                    return self.end(source, target)

        threading.Thread(target=write, daemon=True).start()
        while True:
            try:
                some = source.recv(1 << 18)
            except OSError:
                some = b""
            way.put((time.perf_counter() + ROUND_TRIP / 2, some))
            if not some:
                return


def server_ledger(report: Any, build: Path, folder: Path) -> None:
    rounds = report.count(3, once=1)
    if tools() is None:
        print("PostgreSQL is not installed: the ledger on a server is not measured.")
        return
    most, few = report.count(2_000, once=64), report.count(300, once=64)
    program = str(build / "ledger-benchmark")
    cluster = Cluster()
    try:
        # As on a server that keeps what it has acknowledged.
        cluster.start("fsync=on", "shared_buffers=128MB")
        for where, port in (("loopback", cluster.port), ("0.5 ms away", Relay(cluster).port)):
            for callers in CALLERS:
                name = f"accept + finish, server {where}, {callers}"
                found = statistics.median(measured(program, cluster, port, folder, callers, most) for _ in range(rounds))
                goal = 300 if callers == 64 and port != cluster.port else None
                report.add(name, "PostgreSQL", found, "/s", goal, least=True)
                os.environ["LEDGER_BENCHMARK_ONE_BY_ONE"] = "1"
                slow = statistics.median(measured(program, cluster, port, folder, callers, few) for _ in range(rounds))
                del os.environ["LEDGER_BENCHMARK_ONE_BY_ONE"]
                report.add(name, "one by one", slow, "/s")
    finally:
        for variable in ("LEDGER_BENCHMARK_DATABASE", "LEDGER_BENCHMARK_ONE_BY_ONE"):
            os.environ.pop(variable, None)
        cluster.remove()


def measured(program: str, cluster: Cluster, port: int, folder: Path, callers: int, pairs: int) -> float:
    """With a database of its own each time: what is in it would count."""
    cluster.do("dropdb", "-h", "127.0.0.1", "-p", cluster.port, "-U", "postgres", "--if-exists", "ledger")
    cluster.do("createdb", "-h", "127.0.0.1", "-p", cluster.port, "-U", "postgres", "-T", "template0", "ledger")
    directory = folder / "server-ledger"
    os.environ["LEDGER_BENCHMARK_DATABASE"] = f"postgresql://postgres@127.0.0.1:{port}/ledger?sslmode=disable"
    subprocess.run([program, "prepare", str(directory)], check=True)
    return rate(program, directory, "store", min(pairs, 300) if callers == 1 else pairs, callers=callers)
