"""A store with everything that a ledger can hold, made by the executable alone, and what damages it."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any, List, Optional

ROOT = Path(__file__).resolve().parents[2]
ATELIER = Path(os.environ.get("ATELIER", ROOT / ".build/debug/atelier")).resolve()
SIMULATOR = ATELIER.parent / "gemini-simulator"
AUDIT = ROOT / "scripts" / "ledger_audit"
#: The folder of the socket of a PostgreSQL server, from scripts/with-postgresql.sh.
SOCKET = os.environ.get("ATELIER_TEST_POSTGRESQL", "")
sys.path.insert(0, str(AUDIT))

import rows  # noqa: E402

SALE = ["--app", "org.example.studio", "--account", "anna", "--product", "studio.bundle.48"]
PRODUCT = {
    "id": "bundle_48",
    "kind": "bundle",
    "title": "48 pictures",
    "credits": 48,
    "price": {"amount": "4.99", "currency": "USD"},
    "platforms": {"apple": "studio.bundle.48"},
}


class Server:
    """Databases on the PostgreSQL server of the tests."""

    def __init__(self) -> None:
        import psycopg

        self.psycopg = psycopg

    def run(self, database: str, *statements: str) -> None:
        with self.psycopg.connect(host=SOCKET, user="postgres", dbname=database, autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)

    def create(self, name: str, template: str = "template0") -> None:
        self.run("postgres", f"CREATE DATABASE {name} ENCODING 'UTF8' TEMPLATE {template}")

    def drop(self, name: str) -> None:
        self.run("postgres", f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


class Place:
    """Where a store is."""

    def __init__(self, folder: Path, server: Optional[Server] = None, database: str = "") -> None:
        self.folder = folder
        self.server = server
        self.database = database

    @property
    def address(self) -> str:
        """What the audit is given."""
        if self.server is None:
            return str(self.folder / "data")
        return f"postgresql://postgres@/{self.database}?host={SOCKET}"

    @property
    def configuration(self) -> dict[str, Any]:
        if self.server is None:
            return {}
        return {"store": {"url": f"postgresql://postgres@{SOCKET.replace('/', '%2F')}/{self.database}"}}

    def copy(self, folder: Path) -> Place:
        """A copy to be damaged."""
        if self.server is not None:
            copy = Place(folder, self.server, f"{self.database}_damaged")
            self.server.drop(copy.database)
            self.server.create(copy.database, template=self.database)
            return copy
        shutil.copytree(self.folder / "data", folder / "data")
        return Place(folder)

    def remove(self) -> None:
        if self.server is not None:
            self.server.drop(self.database)

    def connect(self) -> Any:
        """A connection that no rule of the tables binds."""
        if self.server is not None:
            address = {"host": SOCKET, "user": "postgres", "dbname": self.database}
            connection = self.server.psycopg.connect(**address, autocommit=True)
            connection.execute("SET session_replication_role = replica")
            return connection
        connection = sqlite3.connect(self.folder / "data" / "atelier.sqlite", isolation_level=None)
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        return connection

    def damage(self, *statements: str, reseals: bool) -> None:
        """Changes rows behind the service's back; with `reseals`, as somebody who knows how the hashes are made."""
        connection = self.connect()
        for statement in statements:
            assert connection.execute(statement).rowcount != 0, f"it changes nothing: {statement}"
        if reseals:
            reseal(connection, "%s" if self.server else "?")
        connection.close()


def reseal(connection: Any, place: str) -> None:
    """Computes the hash of every row of the ledger anew, and so the chain."""
    for table, columns in rows.HASHED.items():
        names = columns.split()
        key, before = names[0].rstrip("*"), ""
        query = f"SELECT {columns.replace(' ', ', ').replace('*', '')} FROM {table} ORDER BY {key}"
        for values in connection.execute(query).fetchall():
            fields = [rows.account_digest(each) if name.endswith("*") else each for name, each in zip(names, values)]
            if table == "transfer":
                connection.execute(
                    f"UPDATE transfer SET previous_hash = {place} WHERE seq = {place}", (before, values[0])
                )
                fields[-1] = before
            before = rows.digest(*fields)
            connection.execute(f"UPDATE {table} SET hash = {place} WHERE {key} = {place}", (before, values[0]))


class Scene:
    """Makes the store."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.folder = place.folder
        self.simulator = subprocess.Popen([str(SIMULATOR)], stdout=subprocess.PIPE, text=True)
        assert self.simulator.stdout
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder),
            "ATELIER_DATA_DIR": str(self.folder / "data"),
            "ATELIER_CONFIG": str(self.folder / "atelier.json"),
            "GEMINI_API_KEY": "made-up-key",
            "GOOGLE_GEMINI_BASE_URL": json.loads(self.simulator.stdout.readline())["baseUrl"],
        }
        try:
            self.configure()
            self.play()
        finally:
            self.simulator.terminate()
            self.simulator.wait()
            self.simulator.stdout.close()

    def configure(self) -> None:
        trust = json.loads(self.simulate("purchase", "configuration", "--keys", "keys", "--app", "org.example.studio"))
        credits = {**trust, "products": [PRODUCT]}
        (self.folder / "atelier.json").write_text(json.dumps({**self.place.configuration, "credits": credits}))

    def play(self) -> None:
        self.credits("grant", "anna", 9, "card", "card:1")
        self.credits("grant", "ben", 3, "card", "card:2")
        self.credits("grant", "tablet", 4, "card", "card:3")
        self.atelier("account", "set", "anna", "--tier", "premium")
        create = {"recipe": "create", "provider": "gemini", "account": "anna"}
        self.host({**create, "prompt": "a lighthouse", "idempotencyKey": "first"})
        # The same again, which costs nothing; what the provider refuses; what leaves no words and no picture.
        self.host({**create, "prompt": "a lighthouse"})
        self.host({**create, "prompt": "a lighthouse [[fault:400]]", "idempotencyKey": "second"})
        self.host({**create, "prompt": "a harbour", "private": True, "output": {"inline": True}})
        self.host({**create, "prompt": "a pier", "account": "ben", "idempotencyKey": "first"})
        self.host({**create, "prompt": "a mill", "account": "tablet"})
        self.host({**create, "prompt": "a tower", "account": "owner"})
        for refunded in ([], ["--refunded"]):
            purchase = self.simulate("purchase", "apple", "--keys", "keys", *SALE, "--id", "1001", *refunded)
            self.host(json.loads(purchase), "credits/purchase")
        purchase = self.simulate("purchase", "apple", "--keys", "keys", *SALE, "--id", "1002")
        self.host(json.loads(purchase), "credits/purchase")
        self.credits("revoke", "anna", 2, "given twice", "ticket:1")
        # More than is left: the rest is owed, and a later grant pays it.
        self.credits("revoke", "ben", 5, "card refunded", "refund:2", "--owe")
        self.credits("grant", "ben", 8, "card", "card:4")
        self.atelier("account", "sign-in", "phone", "--identity", "email:anna@example.org")
        self.atelier("account", "sign-in", "tablet", "--identity", "email:anna@example.org")
        self.credits("grant", "carla", 2, "card", "card:5")
        self.host({**create, "prompt": "a bridge", "account": "carla", "idempotencyKey": "first"})
        self.atelier("account", "delete", "carla", "--yes")
        # A refund after the deletion; refunds of parts, before the payment and after it; one that waits for ever.
        self.credits("revoke", "carla", 2, "card refunded", "card:5")
        self.credits("revoke", "ben", 1, "a part", "refund:6", "--payment", "card:6")
        self.credits("grant", "ben", 3, "card", "card:6")
        self.credits("revoke", "ben", 1, "a part", "refund:7", "--payment", "card:6")
        self.credits("revoke", "nobody", 5, "card refunded", "refund:8", "--payment", "card:8")
        self.leave_waiting({**create, "prompt": "an island", "whenOffline": "queue", "detach": True})

    def credits(self, verb: str, account: str, amount: int, reason: str, key: str, *options: str) -> None:
        values = ["--account", account, "--amount", str(amount), "--reason", reason, "--key", key]
        self.atelier("credits", verb, *values, *options)

    def host(self, params: dict[str, Any], method: str = "generate") -> None:
        """Asks as a host does. What comes of it, the ledger says."""
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        self.run([str(ATELIER), "serve"], json.dumps(request) + "\n")

    def leave_waiting(self, params: dict[str, Any]) -> None:
        """Leaves credits held for a generation that waits: its provider is not there, and its service is killed."""
        environment = {**self.environment, "GOOGLE_GEMINI_BASE_URL": "http://127.0.0.1:9"}
        command, pipe = [str(ATELIER), "serve"], subprocess.PIPE
        with subprocess.Popen(command, stdin=pipe, stdout=pipe, cwd=self.folder, env=environment, text=True) as service:
            assert service.stdin and service.stdout
            request = {"jsonrpc": "2.0", "id": 1, "method": "generate", "params": params}
            service.stdin.write(json.dumps(request) + "\n")
            service.stdin.flush()
            while "result" not in json.loads(service.stdout.readline()):
                pass
            service.kill()

    def atelier(self, *arguments: str) -> str:
        return self.run([str(ATELIER), *arguments])

    def simulate(self, *arguments: str) -> str:
        return self.run([str(SIMULATOR), *arguments])

    def run(self, command: List[str], text: str = "") -> str:
        done = subprocess.run(
            command, input=text, cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=1200
        )
        assert done.returncode == 0, f"{command} ended with {done.returncode}: {done.stdout}{done.stderr}"
        return done.stdout
