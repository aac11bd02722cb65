"""Whole services that share a store, with people who pay, cancel, repeat, are refunded late and go, while processes are
killed, connections end, statements are cancelled and the server crashes.

Afterwards two audits that share no code must find nothing, and everything that was answered must be so: a delivered
picture can be read and was charged once, a failed one was not, a key has one generation, and nobody owes what somebody
else was refunded. A short run by default, a long one with ATELIER_PROOFS=1.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional

import server
from server import Cluster
from services import ATELIER, SIMULATOR, Person, Promises, Refused, Service, Simulator, picture
from workers import AUDIT

PROOFS = os.environ.get("ATELIER_PROOFS") == "1"
#: How many things people do in a run, and how often something breaks meanwhile.
STEPS = 4_000 if PROOFS else 250
BREAKS = 60 if PROOFS else 4
SEED = int(os.environ.get("ATELIER_SHARED_LEDGER_SEED", "1"))

BUCKET = os.environ.get("ATELIER_TEST_S3")


def reason() -> Optional[str]:
    if missing := next((each for each in (ATELIER, SIMULATOR) if not each.exists()), None):
        return f"there is no {missing}"
    return None


def reason_without_server() -> Optional[str]:
    try:
        import psycopg  # noqa: F401
    except ImportError:
        return "psycopg is not installed"
    return "PostgreSQL is not installed" if server.tools() is None else None


@unittest.skipIf(reason(), reason() or "")
class ServiceTests(unittest.TestCase):
    def setUp(self) -> None:
        self.random = random.Random(SEED)
        self.promises = Promises()
        self.simulator = Simulator(latency=30)
        self.addCleanup(self.simulator.end)
        self.services: List[Service] = []
        self.people: List[Person] = []
        self.url: Optional[str] = None
        self.bucket: Optional[str] = None

    def tearDown(self) -> None:
        for person in self.people:
            person.must_stop.set()
        for service in self.services:
            service.kill()

    # MARK: What is shared

    def configuration(self) -> Dict[str, Any]:
        unlimited = {"perMinute": 0, "perDay": 0}
        found: Dict[str, Any] = {
            "providers": {"gemini": {"baseUrl": self.simulator.url}},
            "credits": {"limits": {"concurrent": 0, "guestsPerHour": 0, "create": unlimited}},
        }
        if self.url:
            found["store"] = {"url": self.url}
        if self.bucket:
            found["artifacts"] = {"url": self.bucket}
        return found

    def machine(self) -> Path:
        folder = Path(tempfile.mkdtemp(prefix="atelier-service-"))
        self.addCleanup(shutil.rmtree, folder, True)
        return folder

    def start(self, *machines: Path) -> None:
        if self.bucket:
            os.environ["AWS_ACCESS_KEY_ID"] = os.environ["ATELIER_TEST_S3_KEY"]
            os.environ["AWS_SECRET_ACCESS_KEY"] = os.environ["ATELIER_TEST_S3_SECRET"]
        self.services += [Service(self.configuration(), machine) for machine in machines]
        self.people = [
            Person(number, self.services, self.promises, self.random.randrange(10**6)) for number in range(4)
        ]
        for person in self.people:
            person.start()

    def on_a_server(self, bucket: Optional[str] = None) -> Cluster:
        cluster = Cluster()
        self.addCleanup(cluster.remove)
        cluster.start()
        cluster.ask("CREATE DATABASE ledger TEMPLATE template0 ENCODING 'UTF8'")
        self.url = f"postgresql://postgres@127.0.0.1:{cluster.port}/ledger?sslmode=disable"
        self.store = f"postgresql://postgres@127.0.0.1:{cluster.port}/ledger"
        self.bucket = bucket
        return cluster

    # MARK: What breaks

    def kill_one(self) -> None:
        """A process dies and is started again; where its pictures are in a bucket, its machine is gone with it."""
        index = self.random.randrange(len(self.services))
        self.services[index].kill()
        folder = self.machine() if self.bucket else self.services[index].folder
        self.services[index] = Service(self.configuration(), folder)

    def pause_one(self) -> None:
        service = self.random.choice(self.services)
        service.send(signal.SIGSTOP)
        time.sleep(0.5 + self.random.random())
        service.send(signal.SIGCONT)

    def run_while(self, breaks: List[Callable[[], None]]) -> None:
        for number in range(1, BREAKS + 1):
            self.wait_for_steps(number * STEPS // (BREAKS + 1))
            self.random.choice(breaks)()
        self.wait_for_steps(STEPS)
        self.finish()

    def wait_for_steps(self, count: int) -> None:
        end = time.monotonic() + 3000
        while self.promises.steps < count:
            self.assertLess(time.monotonic(), end, f"nothing goes on: {self.promises.refusals} {self.promises.faults}")
            self.assertEqual(self.promises.faults, [], f"seed {SEED}")
            time.sleep(0.02)

    # MARK: What must be so

    def finish(self) -> None:
        for person in self.people:
            person.must_stop.set()
        for person in self.people:
            person.join(3000)
        self.assertEqual(self.promises.faults, [], f"seed {SEED}")
        for service in self.services:
            service.end()
        machines = {service.folder: None for service in self.services}
        self.services[:] = [Service(self.configuration(), machine) for machine in machines]
        for service in self.services:
            service.ask("status")
        self.check_audits()
        self.check_pictures()
        self.check_debts()
        print(
            f"{self.id().rsplit('.', 1)[-1]}: {self.promises.steps} steps, {len(self.promises.delivered)} delivered, "
            f"{len(self.promises.granted)} payments, {len(self.promises.deleted)} deletions, "
            f"refused: {self.promises.refusals}"
        )

    def check_audits(self) -> None:
        audit = subprocess.run([sys.executable, str(AUDIT), self.store], capture_output=True, text=True)
        self.assertEqual(audit.returncode, 0, f"seed {SEED}: {audit.stdout}{audit.stderr}")
        environment = {**os.environ, "ATELIER_DATA_DIR": str(self.services[0].folder / "data")}
        command = [str(ATELIER), "credits", "audit", "--config", str(self.services[0].file)]
        own = subprocess.run(command, capture_output=True, text=True, env=environment)
        self.assertEqual(own.returncode, 0, f"seed {SEED}: {own.stdout}{own.stderr}")

    def check_pictures(self) -> None:
        """What was delivered is there, as long as its account is, and costs what was said."""
        for name, (charged, life) in self.promises.delivered.items():
            if id(life) in self.promises.deleted or life.is_uncertain:
                continue
            found = self.services[0].ask("status", generationId=name, account=life.name)
            generation = found.get("generation", found)
            self.assertEqual(generation["state"], "succeeded", f"seed {SEED}: {name}")
            self.assertEqual(generation["credits"]["charged"], charged, f"seed {SEED}: {name}")
            self.assertTrue(self.picture(name, life.name).startswith(b"\x89PNG"), f"seed {SEED}: {name}")

    def picture(self, generation: str, account: str) -> bytes:
        """From the machine that has it; a bucket shows it to each."""
        for service in self.services[:1] if self.bucket else self.services:
            try:
                return picture(service, generation, account)
            except Refused as refusal:
                last = refusal
        self.fail(f"seed {SEED}: the picture of {generation} cannot be read: {last}")

    def check_debts(self) -> None:
        """Nobody owes more than what was refunded to this account since it began."""
        for person in self.people:
            for life in person.lives:
                try:
                    balance = self.services[0].ask("credits/balance", account=life.name)
                except Refused as refusal:
                    self.fail(f"seed {SEED}: {life.name}: {refusal}")
                owed = balance.get("shortfall", 0)
                refunded = sum(life.refunded.values())
                self.assertLessEqual(owed, refunded, f"seed {SEED}: {life.name} owes what it was never refunded")

    # MARK: The runs

    def test_services_of_one_folder(self) -> None:
        machine = self.machine()
        self.store = str(machine / "data")
        self.start(machine, machine)
        self.run_while([self.kill_one, self.pause_one])

    @unittest.skipIf(reason_without_server(), reason_without_server() or "")
    def test_services_of_two_machines(self) -> None:
        self.break_server(self.on_a_server())

    @unittest.skipIf(reason_without_server(), reason_without_server() or "")
    @unittest.skipIf(BUCKET is None, "there is no bucket: scripts/with-s3.sh has one")
    def test_services_of_two_machines_with_a_bucket(self) -> None:
        self.break_server(self.on_a_server(BUCKET))

    def break_server(self, cluster: Cluster) -> None:
        self.start(self.machine(), self.machine())

        def end_some(function: str) -> None:
            cluster.ask(
                f"SELECT {function}(pid) FROM pg_stat_activity WHERE datname = 'ledger' AND random() < 0.6"
            )

        def crash() -> None:
            cluster.stop()
            cluster.start()

        ends = [lambda: end_some("pg_terminate_backend"), lambda: end_some("pg_cancel_backend")]
        self.run_while([self.kill_one, self.pause_one, crash, *ends])


if __name__ == "__main__":
    unittest.main()
