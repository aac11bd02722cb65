"""What the credits were spent on: each charge has its result, each result its charge, and the sums are those of the rows."""

from __future__ import annotations

import json
import operator
from collections import Counter, defaultdict
from typing import Any, Callable, Counter as Count, Dict, List, Optional, Tuple

from rows import Row
from transfers import Ledger

OPEN = ("queued", "running")
DELIVERED = ("succeeded", "partial")
DAY_MS = 86_400_000
#: Whether a sum over the rows and the one that is kept are the same.
Agree = Callable[[int, int], bool]


class Generations:
    """The generations of a store, compared with its ledger, its keys and its sums."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.fault = ledger.fault
        #: What the keys are compared with.
        self.all: Dict[str, Row] = {}
        #: How many have ended in each state; of each kind; the number, the credits and the cost of each kind and day.
        self.states: Count[Any] = Counter()
        self.kinds: Count[Any] = Counter()
        self.days: Dict[Any, List[int]] = defaultdict(lambda: [0, 0, 0])
        self.check_charges()
        self.check_keys()
        self.check_sums()

    def check_charges(self) -> None:
        files = self.ledger.rows.of("generation_file", "generation_id role")
        pictures = Counter(row["generation_id"] for row in files if row["role"] == "image")
        held = {hold["generation_id"]: hold for hold in self.ledger.holds.values()}
        columns = (
            "id account state created recipe provider error cost_usd credits_charged params_hash idempotency_key places"
        )
        for row in self.ledger.rows.of("generation", columns):
            has_result = pictures[row["id"]] > 0 or row["places"] is not None
            self.check_charge(row, row["state"] in DELIVERED and has_result, held.get(row["id"]))
            if row["state"] not in OPEN:
                self.count(row)
            kept = ("account", "state", "credits_charged", "params_hash", "idempotency_key")
            self.all[row["id"]] = {name: row[name] for name in kept}
        for generation, hold in held.items():
            state = self.all.get(generation, {}).get("state")
            if hold["id"] not in self.ledger.ends and state not in OPEN:
                self.fault(f"Hold {hold['id']} is open, and its generation {generation} has ended.")

    def check_charge(self, row: Row, has_delivered: bool, hold: Optional[Row]) -> None:
        id, charged, account = row["id"], row["credits_charged"], self.ledger.accounts.get(row["account"])
        if charged and not has_delivered:
            self.fault(f"Generation {id} is charged with {charged} credits and has delivered nothing.")
        if hold is None:
            if charged and account and row["created"] >= account["created"]:
                self.fault(f"Generation {id} is charged with {charged} credits that were never held.")
            return
        end = self.ledger.ends.get(hold["id"], {"captured": 0, "reason": ""})
        if end["captured"] != charged:
            self.fault(f"Generation {id} is charged with {charged} credits; its hold was charged with {end['captured']}.")
        # A result that was kept from before costs nothing.
        if has_delivered and not charged and end["reason"] != "no cost":
            self.fault(f"Generation {id} has delivered what credits were held for, and is charged with none.")
        if row["account"] != self.ledger.present(hold["account"]):
            self.fault(f"Generation {id} of {row['account']} is paid for by {hold['account']}.")

    def check_keys(self) -> None:
        """An idempotency key stands for one generation, and is charged once."""
        taken: Count[Tuple[str, str]] = Counter()
        for row in self.ledger.rows.of("idempotency", "account key params_hash generation_id"):
            account, key = row["account"], row["key"]
            taken[(account, key)] += 1
            # None for one that was deleted.
            generation = self.all.get(row["generation_id"])
            if generation is None:
                continue
            if (generation["params_hash"], generation["idempotency_key"]) != (row["params_hash"], key):
                self.fault(
                    f"The idempotency key {key} of {account} stands for a generation that was asked for otherwise."
                )
            if generation["account"] != self.ledger.present(account):
                self.fault(f"The idempotency key {key} of {account} stands for a generation of somebody else.")
        # Two accounts that were merged may both have used a key.
        families = {account["merged_into"] for account in self.ledger.accounts.values()}
        charged: Count[Tuple[str, str]] = Counter()
        for id, row in self.all.items():
            account, key = row["account"], row["idempotency_key"]
            if key is None or account in families:
                continue
            charged[(account, key)] += row["credits_charged"] > 0
            if (account, key) not in taken:
                self.fault(f"The idempotency key {key} of generation {id} was forgotten.")
        for counts, what in ((taken, "was taken"), (charged, "was charged")):
            for (account, key), count in counts.items():
                if count > 1:
                    self.fault(f"The idempotency key {key} of {account} {what} {count} times.")

    def count(self, row: Row) -> None:
        state, recipe, provider = row["state"], row["recipe"], row["provider"] or ""
        self.states[state] += 1
        self.kinds[(recipe, provider, state)] += 1
        failure = json.loads(row["error"])["kind"] if row["error"] else ""
        figures = (1, row["credits_charged"], round((row["cost_usd"] or 0) * 1_000_000))
        # Of its account, and of all accounts together.
        for account in (row["account"], ""):
            key = (account, row["created"] // DAY_MS, recipe, state, provider, failure)
            self.days[key] = [sum(pair) for pair in zip(self.days[key], figures)]

    def check_sums(self) -> None:
        """The sums that are kept beside the rows."""
        self.compare("generation_count", "state", "generations", self.states)
        # Those that were deleted since are in it.
        self.compare(
            "generation_tally", "recipe provider state", "generations", self.kinds, lambda due, kept: due <= kept
        )
        key = "account day recipe state provider failure"
        for place, figure in enumerate(("generations", "credits", "cost")):
            # Half a millionth of a dollar may be rounded either way.
            slack = max((day[0] for day in self.days.values()), default=0) if figure == "cost" else 0
            due = {kind: day[place] for kind, day in self.days.items()}
            self.compare("generation_sum", key, figure, due, lambda due, kept: abs(due - kept) <= slack)
        size = sum(row["bytes"] for row in self.ledger.rows.of("artifact", "bytes"))
        for row in self.ledger.rows.of("artifact_sum", "bytes"):
            if row["bytes"] != size:
                self.fault(f"The files have {size} bytes, and {row['bytes']} are kept in artifact_sum.")

    def compare(self, table: str, key: str, figure: str, due: Dict[Any, int], agree: Agree = operator.eq) -> None:
        """Compares sums over the rows, by their key, with those that a table keeps."""
        names = key.split()
        kept: Count[Any] = Counter()
        for row in self.ledger.rows.of(table, f"{key} {figure}"):
            kept[row[key] if len(names) == 1 else tuple(row[name] for name in names)] += row[figure]
        for each in sorted(due.keys() | kept.keys()):
            if not agree(due.get(each, 0), kept[each]):
                name = each if len(names) == 1 else ", ".join(f"{value}" or "–" for value in each)
                self.fault(f"The {figure} of {name} are {due.get(each, 0)}, and {kept[each]} are kept in {table}.")
