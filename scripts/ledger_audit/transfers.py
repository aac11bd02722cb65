"""Where the credits are: all transfers, played again from the first to the last, and the balances that they leave."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any, Counter as Count, Dict, List, Optional, Tuple

from rows import Row, Rows

#: Where a transfer of each kind takes credits from, and where it puts them.
WAYS = {
    "grant": ("issued", "available"),
    "hold": ("available", "held"),
    "capture": ("held", "spent"),
    "release": ("held", "available"),
    "expire": ("available", "expired"),
    "revoke": ("available", "revoked"),
    "merge": ("available", "merged"),
    "forfeit": ("available", "forfeited"),
}


class Ledger:
    """What the transfers say, compared with what the database says that they do."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.fault = rows.fault
        self.accounts = self.keyed("account")
        self.grants = self.keyed("credit_grant")
        self.holds = self.keyed("hold")
        self.ends = self.keyed("hold_end")
        self.refunds = self.keyed("grant_refund")
        self.payments = self.keyed("shortfall_payment")
        #: The credits of each account, of each grant and of each hold, by where the transfers have put them.
        self.of_account: Dict[str, Count[str]] = defaultdict(Counter)
        self.of_grant: Dict[str, Count[str]] = defaultdict(Counter)
        self.of_hold: Dict[str, Count[str]] = defaultdict(Counter)
        #: Those that took credits back, and those that gave them to another account.
        self.revoked: List[Row] = []
        self.merged: List[Row] = []
        #: With which transfer the credits of each source were given.
        self.given: Dict[str, int] = {}
        self.count = 0
        self.play()
        self.compare_balances("account_balance", "account", self.accounts, self.of_account)
        self.compare_balances("grant_balance", "grant_id", self.grants, self.of_grant)
        self.check_grants()
        self.check_holds()

    def keyed(self, table: str) -> Dict[Any, Row]:
        """The rows of a table by its key, which is its first column."""
        return {next(iter(row.values())): row for row in self.rows.hashed(table)}

    def present(self, account: str) -> str:
        """The account that acts for an account today."""
        row = self.accounts.get(account)
        return row["merged_into"] or account if row else account

    def play(self) -> None:
        before = ""
        last = 0
        for row in self.rows.hashed("transfer", order="seq"):
            self.count += 1
            if row["seq"] != last + 1:
                self.fault(f"Before transfer {row['seq']}, {row['seq'] - last - 1} are missing.")
            if row["previous_hash"] != before:
                self.fault(
                    f"Transfer {row['seq']} does not follow from the one before it: the chain of hashes is broken."
                )
            last, before = row["seq"], row["hash"]
            grant, account = self.grants.get(row["grant_id"]), row["account"]
            if grant is None or account not in self.accounts:
                self.fault(f"Transfer {last} is of a grant or an account that is not there.")
                continue
            if grant["account"] != account:
                self.fault(f"Transfer {last} of {account} moves credits of a grant to {grant['account']}.")
            self.move(row)
            self.check_kind(row, grant)

    def move(self, row: Row) -> None:
        seq, kind, amount, way = row["seq"], row["kind"], row["amount"], (row["source"], row["destination"])
        if WAYS.get(kind) != way or amount <= 0:
            self.fault(f"Transfer {seq} of the kind {kind} moves {amount} credits from {way[0]} to {way[1]}.")
        of_account = self.of_account[row["account"]]
        owners = ((f"account {row['account']}", of_account), (f"grant {row['grant_id']}", self.of_grant[row["grant_id"]]))
        for name, credits in owners:
            for place, change in zip(way, (-amount, amount)):
                credits[place] += change
                if place in ("available", "held") and credits[place] < 0:
                    self.fault(f"After transfer {seq}, the {name} has {credits[place]} credits {place}.")
        if row["available_after"] != of_account["available"]:
            self.fault(
                f"After transfer {seq}, {of_account['available']} credits are left; it says {row['available_after']}."
            )

    def check_kind(self, row: Row, grant: Row) -> None:
        seq, kind, amount = row["seq"], row["kind"], row["amount"]
        if kind == "grant":
            self.given[grant["source_key"]] = seq
        if kind == "grant" and self.of_grant[grant["id"]]["issued"] != -grant["amount"]:
            self.fault(
                f"Transfer {seq} gives {amount} credits of grant {grant['id']}, which is of {grant['amount']} in all."
            )
        elif kind == "expire" and (grant["expires"] is None or grant["expires"] > row["created"]):
            self.fault(f"Transfer {seq} lets credits of grant {grant['id']} expire before their time.")
        elif kind in ("hold", "capture", "release"):
            hold = self.holds.get(row["hold_id"])
            if hold is None or hold["account"] != row["account"]:
                self.fault(f"Transfer {seq} of {row['account']} is of a hold that is not there, or of another account.")
            self.of_hold[row["hold_id"]][kind] += amount
        elif kind == "forfeit" and grant["kind"] not in ("guest", "free"):
            self.fault(f"Transfer {seq} takes credits of grant {grant['id']}, which are not given once to each person.")
        elif kind == "revoke":
            self.revoked.append(row)
        elif kind == "merge":
            self.merged.append(row)

    def compare_balances(self, table: str, key: str, owners: Dict[str, Row], due: Dict[str, Count[str]]) -> None:
        what = key.replace("_id", "")
        balances = {row[key]: (row["available"], row["held"]) for row in self.rows.of(table, f"{key} available held")}
        for owner in owners:
            left = (due[owner]["available"], due[owner]["held"])
            stored = balances.pop(owner, None)
            if stored is None:
                self.fault(f"The {what} {owner} has no balance.")
            elif stored != left:
                said = f"{stored[0]} credits available and {stored[1]} held"
                self.fault(f"The {what} {owner} has {said}; its transfers leave {left[0]} and {left[1]}.")
        for owner in balances:
            self.fault(f"There is a balance of the {what} {owner}, which is not there.")

    def check_grants(self) -> None:
        left: Count[str] = Counter()
        for source, count in Counter(grant["source_key"] for grant in self.grants.values()).items():
            if count > 1:
                self.fault(f"Credits were granted {count} times for {source}.")
        for id, grant in self.grants.items():
            credits, account = self.of_grant[id], grant["account"]
            left[account] += credits["available"]
            if account not in self.accounts:
                self.fault(f"Grant {id} is to the account {account}, which is not there.")
            if credits["issued"] == 0:
                self.fault(f"Grant {id} of {grant['amount']} credits to {account} was never given.")
            if id in self.refunds and credits["available"] > 0:
                self.fault(f"Grant {id} was refunded, and {credits['available']} of its credits can be spent.")
        for id in self.accounts:
            if left[id] != self.of_account[id]["available"]:
                had = self.of_account[id]["available"]
                self.fault(f"The grants to account {id} have {left[id]} credits left, the account has {had}.")

    def check_holds(self) -> None:
        for id in self.ends.keys() - self.holds.keys():
            self.fault(f"Hold {id} has ended without having been there.")
        for generation, count in Counter(hold["generation_id"] for hold in self.holds.values()).items():
            if count > 1:
                self.fault(f"Credits were held {count} times for generation {generation}.")
        for id, hold in self.holds.items():
            moved, amount = self.of_hold[id], hold["amount"]
            if moved["hold"] != amount:
                self.fault(f"Hold {id} is of {amount} credits; {moved['hold']} were set aside.")
            self.check_end(id, amount, (moved["capture"], moved["release"]), self.ends.get(id))

    def check_end(self, id: str, amount: int, moved: Tuple[int, int], end: Optional[Row]) -> None:
        if end is None:
            if moved != (0, 0):
                self.fault(f"Hold {id} has not ended, and credits of it were charged or released.")
            return
        captured = end["captured"]
        if moved != (captured, amount - captured):
            said = f"its transfers charge {moved[0]} and release {moved[1]}"
            self.fault(f"Hold {id} of {amount} credits has ended with {captured} charged; {said}.")
        due = "released" if captured == 0 else "captured" if captured == amount else "partial"
        if end["outcome"] != due:
            self.fault(f"Hold {id} has ended as {end['outcome']}, with {captured} of {amount} credits charged.")
