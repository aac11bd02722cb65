"""The audit that shares no code with the service finds nothing in what the service wrote, and each damage of it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import List, Optional, Tuple

from scene import ATELIER, AUDIT, ROOT, SOCKET, Place, Scene, Server, rows


def audit(address: str) -> Tuple[int, List[str]]:
    done = subprocess.run([sys.executable, "-B", str(AUDIT), address], capture_output=True, text=True, timeout=1200)
    return done.returncode, (done.stdout + done.stderr).splitlines()


CHARGED = "(SELECT id FROM generation WHERE credits_charged > 0 AND account = 'anna' ORDER BY ordinal LIMIT 1)"
CAPTURED = f"(SELECT id FROM hold WHERE generation_id = {CHARGED})"
#: What hashes and the chain alone can tell.
BROKEN = {
    "a transfer of another amount": (
        "UPDATE transfer SET amount = amount + 1 WHERE kind = 'capture'",
        "of transfer is not what was written",
    ),
    "a grant of another time": (
        "UPDATE credit_grant SET created = created + 1",
        "of credit_grant is not what was written",
    ),
    "an account of another tier": (
        "UPDATE account SET tier = 'free' WHERE id = 'ben'",
        "row ben of account is not what was written",
    ),
    "a transfer after another one": (
        "UPDATE transfer SET previous_hash = '' WHERE seq = 5",
        "Transfer 5 does not follow from the one before it",
    ),
}
#: What is wrong whoever wrote the hashes: statements, and what the audit says.
WRONG = {
    "a transfer that is gone": ("DELETE FROM transfer WHERE seq = 3", "Before transfer 4, 1 are missing."),
    "more credits in a balance": (
        "UPDATE account_balance SET available = available + 10 WHERE account = 'anna'",
        "The account anna has .* its transfers leave",
    ),
    "more credits of a grant": (
        "UPDATE grant_balance SET available = available + 10 WHERE grant_id = (SELECT min(grant_id) FROM grant_balance)",
        "The grant grant_.* its transfers leave",
    ),
    "a balance that is gone": ("DELETE FROM account_balance WHERE account = 'ben'", "The account ben has no balance."),
    "a transfer of more": (
        "UPDATE transfer SET amount = amount + 7 WHERE seq = (SELECT max(seq) FROM transfer WHERE kind = 'capture')",
        "credits are left|credits held",
    ),
    "more than was there is held": (
        "UPDATE transfer SET amount = 5000 WHERE seq = (SELECT min(seq) FROM transfer WHERE kind = 'hold')",
        "the account anna has -[0-9]+ credits available",
    ),
    "a transfer of another kind": (
        "UPDATE transfer SET kind = 'expire', destination = 'expired' WHERE kind = 'revoke'",
        "expire before their time",
    ),
    "a grant that nobody was given": (
        "DELETE FROM transfer WHERE grant_id = (SELECT id FROM credit_grant WHERE source_key = 'operator:card:1')"
        " AND kind = 'grant'",
        "was never given",
    ),
    "an end of a hold that is gone": (
        f"DELETE FROM hold_end WHERE hold_id = {CAPTURED}",
        "is open, and its generation gen_.* has ended",
    ),
    "an end of a hold that charges less": (
        f"UPDATE hold_end SET captured = 0, outcome = 'released' WHERE hold_id = {CAPTURED}",
        "has ended with 0 charged; its transfers charge 1",
    ),
    "a generation that says it was free": (
        f"UPDATE generation SET credits_charged = 0 WHERE id = {CHARGED}",
        "is charged with 0 credits; its hold was charged with 1",
    ),
    "a charge without a result": (
        f"DELETE FROM generation_file WHERE generation_id = {CHARGED}",
        "is charged with 1 credits and has delivered nothing",
    ),
    "a result without a charge": (
        "UPDATE hold_end SET reason = 'failed' WHERE reason = 'no cost'",
        "has delivered what credits were held for, and is charged with none",
    ),
    "a charge that was never held": (
        f"UPDATE hold SET generation_id = 'gen_none' WHERE generation_id = {CHARGED}",
        "credits that were never held",
    ),
    "a generation of somebody else": (
        f"UPDATE generation SET account = 'ben' WHERE id = {CHARGED}",
        "of ben is paid for by anna",
    ),
    "a key that is forgotten": (
        "DELETE FROM idempotency WHERE account = 'ben'",
        "key first of generation .* was forgotten",
    ),
    "a key of another request": (
        "UPDATE idempotency SET params_hash = substr(params_hash, 2) || 'x' WHERE account = 'anna' AND key = 'first'",
        "key first of anna stands for a generation that was asked for otherwise",
    ),
    "a key that is charged twice": (
        "UPDATE generation SET idempotency_key = 'first' WHERE account = 'anna' AND credits_charged > 0",
        "key first of anna was charged 2 times",
    ),
    "a purchase that is gone": (
        "DELETE FROM receipt WHERE NOT EXISTS (SELECT 1 FROM receipt_refund WHERE receipt_refund.source = receipt.source)",
        "is for a purchase that is not there",
    ),
    "a refund that took nothing back": ("DELETE FROM grant_refund", "was refunded, and its grant .* was not taken back"),
    "a subscription that is gone": ("DELETE FROM subscription", "is for a month of a subscription that is not there"),
    "an identity that is gone": ("DELETE FROM account_identity", "is for an identity of phone that is not there"),
    "a revocation that is gone": (
        "DELETE FROM revocation WHERE source = 'operator:ticket:1'",
        "Revocation operator:ticket:1 is not there, and something was done for it",
    ),
    "a refund that waits and is gone": (
        "DELETE FROM revocation WHERE source = 'operator:refund:8'",
        "Revocation operator:refund:8 is not there, and something was done for it",
    ),
    "a revocation that did nothing": (
        "DELETE FROM revocation_effect",
        "took nothing back, and there is nothing that it waits for",
    ),
    "transfers of no revocation": (
        "UPDATE revocation_effect SET first_transfer = first_transfer + 1000, last_transfer = last_transfer + 1000"
        " WHERE source = 'operator:ticket:1'",
        "is not what its transfers took back",
    ),
    "a revocation of less than was asked for": (
        "UPDATE revocation SET amount = 9 WHERE source = 'operator:ticket:1'",
        "Revocation operator:ticket:1 took 2 credits instead of 9",
    ),
    "a refund whose payment is forgotten": (
        "DELETE FROM revocation_payment WHERE source = 'operator:refund:7'",
        "Revocation operator:refund:7 is a refund without its payment",
    ),
    "a refund of another payment": (
        "UPDATE revocation_payment SET payment = 'operator:card:1' WHERE source = 'operator:refund:8'",
        "Revocation operator:refund:8 took nothing back",
    ),
    "more refunds than were paid": (
        "UPDATE credit_grant SET amount = 1 WHERE source_key = 'operator:card:6'",
        "The refunds of operator:card:6 took more than its 1 credits",
    ),
    "a forfeit of what was bought": (
        "UPDATE transfer SET kind = 'forfeit', destination = 'forfeited' WHERE kind = 'revoke' AND reason = 'given twice'",
        "which are not given once to each person",
    ),
    "a debt that is not paid": ("DELETE FROM shortfall_payment", "without a reason, a refund or a debt"),
    "a merged account that is none": (
        "UPDATE account SET merged_into = NULL WHERE id = 'tablet'",
        "merges do not go on in another account",
    ),
    "a number of generations": ("UPDATE generation_count SET generations = 99 WHERE state = 'failed'", "99 are kept in"),
    "credits of a day": (
        "UPDATE generation_sum SET credits = credits + 1 WHERE account = 'ben'",
        "The credits of ben, .* are 1, and 2 are kept in generation_sum",
    ),
    "bytes of all files": ("UPDATE artifact_sum SET bytes = 1", "and 1 are kept in artifact_sum"),
}


#: Somebody who names the executable wants it tested: when it is not there, that is a failure and no reason to skip.
needs_service = unittest.skipUnless(
    "ATELIER" in os.environ or ATELIER.exists(),
    "atelier has not been built: run `swift build`, or name the executable with ATELIER",
)


class AuditCase:
    """What holds for each kind of store."""

    original: Place

    def audit_damaged(self, statement: str, reseals: bool) -> Tuple[int, List[str]]:
        with tempfile.TemporaryDirectory(prefix="atelier-audit-") as folder:
            copy = self.original.copy(Path(folder))
            try:
                copy.damage(statement, reseals=reseals)
                return audit(copy.address)
            finally:
                copy.remove()

    def test_what_the_service_wrote_is_sound(self) -> None:
        status, said = audit(self.original.address)
        self.assertEqual(status, 0, said)
        self.assertRegex(said[-1], r"^[1-9]\d+ transfers, 5 accounts, 8 generations: 0 faults$")

    def test_hashes_that_are_made_anew_hide_no_fault_of_their_own(self) -> None:
        """So that each fault that is found below comes from the damage."""
        with tempfile.TemporaryDirectory(prefix="atelier-audit-") as folder:
            copy = self.original.copy(Path(folder))
            copy.damage(reseals=True)
            status, said = audit(copy.address)
            copy.remove()
        self.assertEqual(status, 0, said)

    def test_a_row_that_was_changed_is_found_by_its_hash(self) -> None:
        for name, (statement, sentence) in BROKEN.items():
            with self.subTest(name):
                status, said = self.audit_damaged(statement, reseals=False)
                self.assertEqual(status, 1, said)
                self.assertRegex("\n".join(said), sentence)

    def test_a_damage_is_found_whoever_wrote_the_hashes(self) -> None:
        for name, (statement, sentence) in WRONG.items():
            with self.subTest(name):
                status, said = self.audit_damaged(statement, reseals=True)
                self.assertEqual(status, 1, said)
                self.assertRegex("\n".join(said), sentence)
                self.assertNotRegex("\n".join(said), "hash does not match|chain of hashes")


@unittest.skipUnless(
    ATELIER.exists(), "atelier has not been built: run `swift build`, or name the executable with ATELIER"
)
class SQLiteTests(AuditCase, unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory(prefix="atelier-audit-")
        cls.addClassCleanup(folder.cleanup)
        cls.original = Place(Path(folder.name))
        Scene(cls.original)

    def test_a_file_that_is_cut_is_a_fault(self) -> None:
        with tempfile.TemporaryDirectory(prefix="atelier-audit-") as folder:
            copy = self.original.copy(Path(folder))
            file = Path(folder) / "data" / "atelier.sqlite"
            with file.open("r+b") as database:
                database.truncate(file.stat().st_size // 2)
            status, said = audit(copy.address)
        self.assertEqual(status, 1, said)
        self.assertRegex(said[-1], "^The store cannot be read to its end: ")


def no_server() -> Optional[str]:
    """Why there is no PostgreSQL server to try."""
    if not SOCKET:
        return "no PostgreSQL server was started: scripts/with-postgresql.sh does so"
    try:
        Server()
    except ImportError:
        return "psycopg is not installed"
    return None


@unittest.skipUnless(
    ATELIER.exists(), "atelier has not been built: run `swift build`, or name the executable with ATELIER"
)
@unittest.skipIf(no_server(), no_server() or "")
class PostgreSQLTests(AuditCase, unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory(prefix="atelier-audit-")
        cls.addClassCleanup(folder.cleanup)
        server = Server()
        cls.original = Place(Path(folder.name), server, "audited")
        cls.addClassCleanup(cls.original.remove)
        server.create("audited")
        Scene(cls.original)


class CommandTests(unittest.TestCase):
    def test_a_store_that_is_not_there_is_no_sound_one(self) -> None:
        status, said = audit("/nowhere")
        self.assertEqual((status, said), (2, ["There is no database /nowhere."]))

    def test_it_knows_every_table_of_the_ledger(self) -> None:
        """Their columns are said twice, on purpose. A new one is to be added to both."""
        source = (ROOT / "Sources/Service/Store/Ledger/LedgerTable.swift").read_text()
        tables = re.findall(r'LedgerTable\(\s*"(\w+)",\s*"([\w ]+)"', source)
        self.assertEqual(dict(tables), {table: columns.replace("*", "") for table, columns in rows.HASHED.items()})

    def test_it_imports_nothing_of_ours(self) -> None:
        """Only Python's own modules, psycopg, and its own files."""
        own = {file.stem for file in AUDIT.glob("*.py")}
        for file in AUDIT.glob("*.py"):
            for line in file.read_text().splitlines():
                words = line.split()
                if words[:1] in (["import"], ["from"]):
                    self.assertIn(words[1].split(".")[0], own | set(sys.stdlib_module_names) | {"psycopg"}, file.name)


if __name__ == "__main__":
    unittest.main()
