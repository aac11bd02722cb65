"""What is stored: the rows of a database, whichever it is, and the hashes that they must have."""

from __future__ import annotations

import hashlib
import re
import sqlite3
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple

Row = Dict[str, Any]

#: What is hashed of a row, in this order. A `*` marks names of accounts: of those, the digest is hashed.
HASHED = {
    "account": "id* tier is_unlimited created merged_into* ended",
    "account_identity": "identity provider account* created",
    "subscription": "source account* product credits starts ends created",
    "credit_grant": "id account* kind source_key amount priority effective expires reason created",
    "hold": "id account* generation_id amount created",
    "hold_end": "hold_id outcome captured reason created",
    "transfer": "seq kind account* grant_id hold_id source destination amount available_after reason created previous_hash",
    "receipt": "source account* product kind quantity purchased created",
    "receipt_refund": "source refunded created",
    "grant_refund": "grant_id created",
    "shortfall_payment": "transfer_seq account* amount",
    "revocation": "source account_digest amount reason is_refund created",
    "revocation_payment": "source payment",
    "revocation_effect": "source revoked first_transfer last_transfer created",
}


class StoreError(Exception):
    """There is no store to read."""


class UnreadableRows(Exception):
    """The store is there, and is damaged or was lost on the way."""


class SQLiteStore:
    """The database of a data directory."""

    def __init__(self, path: Path) -> None:
        file = path / "atelier.sqlite" if path.is_dir() else path
        if not file.is_file():
            raise StoreError(f"There is no database {file}.")
        try:
            self.connection = sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)
            # All rows are of one moment.
            self.connection.execute("BEGIN")
        except sqlite3.Error as error:
            raise StoreError(f"The database {file} cannot be opened: {error}.") from None
        # Whatever a damaged text holds, its hash can be computed.
        self.connection.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")

    def rows(self, query: str) -> Iterator[Tuple[Any, ...]]:
        try:
            yield from self.connection.execute(query)
        except sqlite3.Error as error:
            raise UnreadableRows(f"{error}.") from None


class PostgreSQLStore:
    """A database on a server."""

    def __init__(self, address: str) -> None:
        try:
            import psycopg
        except ImportError:
            raise StoreError("A store on a server is read with psycopg: pip install 'psycopg[binary]'.") from None
        self.error = psycopg.Error
        try:
            self.connection = psycopg.connect(address)
        except psycopg.Error as error:
            raise StoreError(f"The database cannot be reached: {error}") from None
        # All rows are of one moment.
        self.connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        self.connection.read_only = True

    def rows(self, query: str) -> Iterator[Tuple[Any, ...]]:
        try:
            # With a name, the server sends the rows little by little.
            with self.connection.cursor(name="audit") as cursor:
                yield from cursor.execute(query)
        except self.error as error:
            raise UnreadableRows(str(error)) from None


def open_store(place: str) -> Any:
    """The store in a data directory, in the file of a database, or at an address."""
    return PostgreSQLStore(place) if re.match(r"postgres(ql)?://", place) else SQLiteStore(Path(place))


class Rows:
    """The rows of a store, and what is found to be wrong with them."""

    def __init__(self, store: Any) -> None:
        self.store = store
        self.faults: List[str] = []

    def fault(self, sentence: str) -> None:
        self.faults.append(sentence)

    def of(self, table: str, columns: str, order: str = "") -> Iterator[Row]:
        names = columns.split()
        query = f"SELECT {', '.join(names)} FROM {table}" + (f" ORDER BY {order}" if order else "")
        return (dict(zip(names, row)) for row in self.store.rows(query))

    def hashed(self, table: str, order: str = "") -> Iterator[Row]:
        """The rows of a table of the ledger, each compared with its hash."""
        fields = [(name.rstrip("*"), name.endswith("*")) for name in HASHED[table].split()]
        for row in self.of(table, " ".join(name for name, _ in fields) + " hash", order):
            due = digest(*(account_digest(row[name]) if is_account else row[name] for name, is_account in fields))
            if row["hash"] != due:
                self.fault(f"The row {row[fields[0][0]]} of {table} is not what was written: its hash does not match.")
            yield row


def digest(*fields: Any) -> str:
    """SHA-256 over the fields, each with its length in bytes before it; `~` stands for null."""
    text = b""
    for field in fields:
        raw = b"" if field is None else str(field).encode("utf-8", "surrogateescape")
        text += b"~" if field is None else b"%d:%s" % (len(raw), raw)
    return hashlib.sha256(text).hexdigest()


def account_digest(name: Optional[str]) -> Optional[str]:
    """What stands for an account in hashes. A deleted one is named by it."""
    if name is None:
        return None
    prefix = "deleted:"
    return name[len(prefix) : len(prefix) + 64] if name.startswith(prefix) else digest(name)
