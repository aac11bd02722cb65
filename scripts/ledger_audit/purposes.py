"""What credits were given for, taken back for and merged for: each grant has its cause, and each cause its grant."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Dict, List

from rows import Row, account_digest
from transfers import Ledger


def check_revocations(ledger: Ledger) -> None:
    """Credits are taken back by an operator, for a refund, or to pay a debt."""
    payments = dict(ledger.payments)
    by_operator: Dict[int, Row] = {}
    for row in ledger.revoked:
        seq, amount = row["seq"], row["amount"]
        payment = payments.pop(seq, None)
        if payment and (payment["account"], payment["amount"]) != (row["account"], amount):
            ledger.fault(f"Transfer {seq} pays another debt than is recorded for it.")
        if row["reason"] is not None:
            by_operator[seq] = row
        elif payment is None and row["grant_id"] not in ledger.refunds:
            ledger.fault(f"Transfer {seq} takes {amount} credits back without a reason, a refund or a debt.")
    for seq in payments:
        ledger.fault(f"A debt is recorded as paid by transfer {seq}, which takes nothing back.")
    for row in ledger.rows.hashed("revocation"):
        span = range(row["first_transfer"], row["last_transfer"] + 1)
        taken = [
            by_operator.pop(seq) for seq in span if seq in by_operator and by_operator[seq]["account"] == row["account"]
        ]
        if sum(transfer["amount"] for transfer in taken) != row["amount"]:
            ledger.fault(f"Revocation {row['source']} of {row['amount']} credits is not what its transfers took back.")
    for seq, row in by_operator.items():
        ledger.fault(f"Transfer {seq} takes {row['amount']} credits back for a revocation that is not there.")


def check_purchases(ledger: Ledger) -> None:
    """What was bought was granted once, and what was refunded is taken back."""
    identities = ledger.keyed("account_identity")
    subscriptions = ledger.keyed("subscription")
    receipts, refunds = ledger.keyed("receipt"), ledger.keyed("receipt_refund")
    grants: Dict[str, List[Row]] = defaultdict(list)
    for grant in ledger.grants.values():
        source, kind = grant["source_key"], grant["kind"]
        month = re.fullmatch(r"premium:(.*):\d+(?:\+\d+)?", source)
        grants[month[1] if month else source].append(grant)
        if source.startswith("merged:"):
            continue
        if month and month[1] not in subscriptions or kind == "period" and not month:
            ledger.fault(f"Grant {grant['id']} is for a month of a subscription that is not there: {source}.")
        if kind == "bundle" and source not in receipts:
            ledger.fault(f"Grant {grant['id']} is for a purchase that is not there: {source}.")
        # An operator gives these credits to the account itself, without an identity.
        digest = account_digest(grant["account"])
        if kind == "free" and source != f"free:{digest}" and not grant["account"].startswith("deleted:"):
            if identities.get(source[len("free:") :], {}).get("account") != grant["account"]:
                ledger.fault(f"Grant {grant['id']} is for an identity of {grant['account']} that is not there.")
    for source, receipt in receipts.items():
        refund = refunds.pop(source, None)
        # One that was first heard of by its refund is recorded without a grant.
        if refund is None or refund["created"] != receipt["created"]:
            brought = grants[source] if receipt["kind"] == "bundle" else [subscriptions.get(source, {})]
            if not any(each.get("account") == receipt["account"] for each in brought):
                ledger.fault(f"The purchase {source} of {receipt['account']} has brought nothing.")
        if refund is not None:
            for grant in grants[source]:
                if grant["id"] not in ledger.refunds:
                    ledger.fault(f"The purchase {source} was refunded, and its grant {grant['id']} was not taken back.")
    for source in refunds:
        ledger.fault(f"The purchase {source} was refunded without having been there.")
    for source in subscriptions.keys() - receipts.keys():
        if not source.startswith("operator:"):
            ledger.fault(f"The subscription {source} was neither bought nor given.")


def check_merges(ledger: Ledger) -> None:
    """The credits of an account that was merged into another go on there, and it has none."""
    continued = {g["source_key"]: g for g in ledger.grants.values() if g["source_key"].startswith("merged:")}
    for row in ledger.merged:
        original = ledger.grants[row["grant_id"]]
        goes_on = continued.pop(f"merged:{original['id']}", {})
        due = (row["amount"], original["kind"], original["expires"], ledger.present(original["account"]))
        account = ledger.present(goes_on.get("account", ""))
        if (goes_on.get("amount"), goes_on.get("kind"), goes_on.get("expires"), account) != due:
            ledger.fault(
                f"The {row['amount']} credits that transfer {row['seq']} merges do not go on in another account."
            )
    for grant in continued.values():
        ledger.fault(f"Grant {grant['id']} continues credits that were not merged.")
    for id, account in ledger.accounts.items():
        successor, credits = account["merged_into"], ledger.of_account[id]
        if successor is None:
            continue
        if credits["available"] or credits["held"]:
            ledger.fault(f"Account {id} was merged into another one, and still has credits.")
        if successor not in ledger.accounts or ledger.accounts[successor]["merged_into"] is not None:
            ledger.fault(f"Account {id} was merged into {successor}, which acts for nobody.")
