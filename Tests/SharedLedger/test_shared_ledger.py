"""Several processes with one PostgreSQL database, while everything between and below them breaks.

What the store has acknowledged must be there afterwards, once; nothing else may be charged; and the ledger must be sound
for an audit that shares no code with it. A few rounds by default, a hundred with ATELIER_PROOFS=1.
"""

from __future__ import annotations

import os
import random
import signal
import time
import unittest
from typing import Any, Callable, List, Optional

import server
from server import Cable, Cluster, Proxy
from workers import WORKER, Promises, Worker, faults

PROOFS = os.environ.get("ATELIER_PROOFS") == "1"
ROUNDS = 100 if PROOFS else 2
#: A step is a generation, a claim or a gift; a generation has two transactions, or more.
STEPS = 500_000 if PROOFS else 600
SEED = int(os.environ.get("ATELIER_SHARED_LEDGER_SEED", "1"))


def reason() -> Optional[str]:
    try:
        import psycopg  # noqa: F401
    except ImportError:
        return "psycopg is not installed"
    if server.tools() is None:
        return "PostgreSQL is not installed"
    return None if WORKER.exists() else f"there is no {WORKER}: swift build --product ledger-worker"


@unittest.skipIf(reason(), reason() or "")
class SharedLedgerTests(unittest.TestCase):
    cluster: Cluster

    def setUp(self) -> None:
        self.random = random.Random(SEED)
        self.promises = Promises()
        self.workers: List[Worker] = []
        self.cluster = self.adopt(Cluster())
        self.cluster.start()
        self.create(self.cluster)

    def adopt(self, cluster: Cluster) -> Cluster:
        self.addCleanup(cluster.remove)
        return cluster

    def create(self, cluster: Cluster) -> None:
        cluster.ask("CREATE DATABASE ledger TEMPLATE template0 ENCODING 'UTF8'")

    def tearDown(self) -> None:
        for worker in self.workers:
            worker.forget()

    def url(self, *ports: int) -> str:
        hosts = ",".join(f"127.0.0.1:{port}" for port in ports or (self.cluster.port,))
        return f"postgresql://postgres@{hosts}/ledger?sslmode=disable"

    def worker(self, *ports: int, **options: Any) -> Worker:
        worker = Worker(self.url(*ports), self.promises, self.random.randrange(10**6), **options)
        self.workers.append(worker)
        return worker

    def start(self, count: int, *ports: int, **options: Any) -> List[Worker]:
        workers = [self.worker(*ports, **options) for _ in range(count)]
        return [worker.ready() for worker in workers]

    def progress(self, least: int, what: str = "") -> None:
        """Waits until so much more was acknowledged."""
        before, end = len(self.promises), time.monotonic() + 900
        while len(self.promises) < before + least:
            self.assertLess(time.monotonic(), end, f"{what}: nothing goes on: {self.promises.errors}")
            time.sleep(0.005)

    def expect_sound(self, cluster: Optional[Cluster] = None) -> None:
        cluster = cluster or self.cluster
        address = f"postgresql://postgres@127.0.0.1:{cluster.port}/ledger"
        with cluster.connect("ledger") as connection:
            self.assertEqual(faults(connection, address, self.promises), [], f"seed {SEED}")

    def finish(self, cluster: Optional[Cluster] = None) -> None:
        for worker in self.workers:
            worker.end()
        self.workers.clear()
        self.expect_sound(cluster)
        count = f"{len(self.promises.accepted)} accepted, {len(self.promises.finished)} finished"
        print(f"{self.id().rsplit('.', 1)[-1]}: {count}, refused or failed: {self.promises.errors}")

    def rounds(self, least: int, disturb: Callable[[int], None]) -> None:
        for number in range(ROUNDS):
            self.progress(least, f"round {number}")
            disturb(number)
        self.progress(least, "the last round")
        self.finish()

    def test_four_processes_keep_one_ledger(self) -> None:
        for worker in self.start(4, steps=STEPS // 4):
            worker.wait(36_000)
        self.workers.clear()
        self.finish()
        self.assertGreater(len(self.promises), STEPS // 2)

    def test_processes_are_killed(self) -> None:
        self.start(3)

        def disturb(number: int) -> None:
            self.workers.pop(self.random.randrange(len(self.workers))).kill()
            self.expect_sound()
            self.worker().ready()

        self.rounds(20, disturb)

    def test_connections_are_terminated(self) -> None:
        self.start(3)

        def disturb(number: int) -> None:
            some = "" if number % 2 else " AND random() < 0.4"
            self.cluster.ask(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'ledger'{some}")

        self.rounds(20, disturb)

    def test_the_server_crashes(self) -> None:
        self.start(3)

        def disturb(number: int) -> None:
            self.cluster.stop()
            self.cluster.start()
            self.expect_sound()

        self.rounds(20, disturb)

    def test_connections_are_cut_after_each_of_their_messages(self) -> None:
        proxy = Proxy(self.cluster)
        self.addCleanup(proxy.close)
        self.start(2, proxy.port, callers=1)
        # What one acceptance and one end take, with the texts that are prepared the first time, is fewer.
        for messages in range(1, ROUNDS + 1) if PROOFS else (1, 2, 5, 17, 33, 60, 90):
            proxy.cut_after(messages)
            self.progress(6, f"after {messages} messages")
        self.finish()
        self.assertGreater(proxy.cuts, 5)

    def test_a_process_that_was_stopped_for_longer_than_its_lease_ends_nothing_that_others_took(self) -> None:
        self.start(3, lease=600)

        def disturb(number: int) -> None:
            stopped = self.random.choice(self.workers)
            stopped.send(signal.SIGSTOP)
            self.progress(40, "while one is stopped")
            time.sleep(0.8)
            stopped.send(signal.SIGCONT)

        self.rounds(10, disturb)

    def test_a_machine_whose_cable_is_pulled_holds_nobody_up_and_comes_back(self) -> None:
        if not Cable.is_possible():
            self.skipTest("network namespaces cannot be made here")
        cable = Cable()
        self.addCleanup(cable.remove)
        self.cluster.stop()
        self.cluster.listens = f"127.0.0.1,{Cable.ADDRESS}"
        certificate = self.cluster.encrypt(Cable.ADDRESS)
        self.cluster.start()
        self.start(2)
        remote = f"postgresql://postgres@{Cable.ADDRESS}:{self.cluster.port}/ledger?sslmode=verify-full"
        self.workers.append(
            Worker(f"{remote}&sslrootcert={certificate}", self.promises, SEED, launcher=cable.launcher).ready()
        )

        def disturb(number: int) -> None:
            cable.pull()
            self.progress(100, "while a cable is pulled")
            cable.plug()

        self.rounds(20, disturb)

    def test_a_standby_takes_over_and_has_all_that_was_acknowledged(self) -> None:
        for number in range(ROUNDS if PROOFS else 1):
            if number:
                self.promises = Promises()
                self.cluster.remove()
                self.cluster = self.adopt(Cluster())
                self.cluster.start()
                self.create(self.cluster)
            standby = self.adopt(Cluster(standby_of=self.cluster))
            standby.start()
            self.cluster.ask("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
            self.cluster.ask("SELECT pg_reload_conf()")
            while not self.cluster.ask("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'"):
                time.sleep(0.05)
            self.start(3, self.cluster.port, standby.port)
            self.progress(40, "before the failover")
            self.cluster.stop()
            standby.promote()
            self.progress(40, "after the failover")
            self.finish(standby)
            standby.remove()


if __name__ == "__main__":
    unittest.main()
