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
    check_effects(ledger, by_operator)
    for seq, row in by_operator.items():
        ledger.fault(f"Transfer {seq} takes {row['amount']} credits back for a revocation that is not there.")


def check_effects(ledger: Ledger, by_operator: Dict[int, Row]) -> None:
    """Each revocation took what it should, all refunds of a payment no more than it brought. Those that are found leave
    `by_operator`."""
    revocations = ledger.keyed("revocation")
    refunds = {source: row["payment"] for source, row in ledger.keyed("revocation_payment").items()}
    effects = ledger.keyed("revocation_effect")
    payments = {grant["source_key"]: grant for grant in ledger.grants.values()}
    refunded: Dict[str, int] = defaultdict(int)
    for source, effect in effects.items():
        refunded[refunds.get(source, "")] += effect["revoked"]
        span = range(effect["first_transfer"] or 0, (effect["last_transfer"] or -1) + 1)
        taken = sum(by_operator.pop(seq)["amount"] for seq in span if seq in by_operator)
        if taken != effect["revoked"]:
            ledger.fault(f"Revocation {source} of {effect['revoked']} credits is not what its transfers took back.")
    for source in (effects.keys() | refunds.keys()) - revocations.keys():
        ledger.fault(f"Revocation {source} is not there, and something was done for it.")
    for source, row in revocations.items():
        payment = refunds.get(source)
        if row["is_refund"] != (payment is not None):
            ledger.fault(f"Revocation {source} is a refund without its payment, or none with one.")
        paid, asked, effect = payments.get(payment or ""), row["amount"], effects.get(source)
        if effect is None:
            if payment is None or paid is not None:
                ledger.fault(f"Revocation {source} took nothing back, and there is nothing that it waits for.")
            continue
        # Less than was asked for: no more is left of the payment, or nobody is there to owe it.
        is_all = payment and paid and (
            refunded[payment] >= paid["amount"] or ledger.present(paid["account"]).startswith("deleted:")
        )
        if effect["revoked"] > asked or effect["revoked"] < asked and not is_all:
            ledger.fault(f"Revocation {source} took {effect['revoked']} credits instead of {asked}.")
    check_payments(ledger, effects, refunds)


def check_payments(ledger: Ledger, effects: Dict[str, Row], refunds: Dict[str, str]) -> None:
    """What is refunded of a payment since it came is no more than it brought."""
    since: Dict[str, int] = defaultdict(int)
    for source, payment in refunds.items():
        effect = effects.get(source)
        if effect and (effect["first_transfer"] or 0) > ledger.given.get(payment, 0):
            since[payment] += effect["revoked"]
    for grant in ledger.grants.values():
        if since[grant["source_key"]] > grant["amount"]:
            ledger.fault(f"The refunds of {grant['source_key']} took more than its {grant['amount']} credits.")


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
        if receipt["account"] is None:
            # It was first heard of by its refund.
            if refund is None:
                ledger.fault(f"The purchase {source} is nobody's, and was not refunded.")
        else:
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
