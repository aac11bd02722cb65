"""Is a payment known by its own id, whichever message tells of it, when, and for whom?"""

from __future__ import annotations

import pathlib
import sqlite3
from typing import Callable, Dict

import pytest

from http_client import Browser
from programs import Host, Simulator, until
from shops import Shop, credits
from test_public import create


@pytest.fixture
def shop(new_host: Callable[..., Host], folder: pathlib.Path, simulator: Simulator) -> Shop:
    return Shop(new_host, folder, simulator)


def test_two_payments_count_twice_though_one_message_id_tells_of_both(shop: Shop) -> None:
    guest = shop.guest()
    reference = shop.reference(guest)
    answers = [shop.report(reference, payment, message="msg_same") for payment in ("pay_1", "pay_2")]
    assert [answer.json()["granted"] for answer in answers] == [8, 8]
    assert credits(guest) == 17


def test_a_payment_counts_once_and_is_refunded_once_by_whatever_message_at_whatever_time(shop: Shop) -> None:
    guest = shop.guest()
    reference = shop.reference(guest)
    for age in (250, 0, -250):
        assert shop.report(reference, "pay_1", age=age).status == 200
    assert credits(guest) == 9
    for age in (-250, 0, 250):
        assert shop.report(reference, "pay_1", "refunded", age=age).status == 200
    assert credits(guest) == 1
    # What was refunded is not paid again by a report that comes late.
    assert shop.report(reference, "pay_1").status == 200
    assert credits(guest) == 1


def test_a_payment_is_for_whom_it_was_made(shop: Shop) -> None:
    payer, other = shop.guest(), shop.guest()
    assert shop.report(shop.reference(payer), "pay_1").status == 200
    assert shop.report(shop.reference(other), "pay_1").status == 409
    assert shop.report(shop.reference(payer, "bundle_48"), "pay_1", product="bundle_48").status == 409
    assert (credits(payer), credits(other)) == (9, 1)
    # Who reports is nobody's browser: a cookie that comes along changes nothing.
    assert shop.report(shop.reference(other), "pay_2").status == 200
    assert (credits(payer), credits(other)) == (9, 9)


def test_a_refund_of_what_is_spent_is_owed_and_paid_with_what_comes_next(shop: Shop) -> None:
    guest = shop.guest()
    reference = shop.reference(guest)
    assert shop.report(reference, "pay_1").status == 200
    for _ in range(3):
        create(guest)
    assert credits(guest) == 6
    refunded = shop.report(reference, "pay_1", "refunded")
    assert (refunded.status, refunded.json()["revoked"], refunded.json()["owed"]) == (200, 6, 2), refunded
    balance = guest.get("/credits").json()
    assert (balance["available"], balance["shortfall"]) == (0, 2)
    assert shop.report(reference, "pay_2").status == 200
    assert credits(guest) == 6


def test_a_refund_that_is_reported_before_its_payment_takes_nothing_until_it_comes(shop: Shop) -> None:
    guest = shop.guest()
    reference = shop.reference(guest)
    assert shop.report(reference, "pay_1").status == 200
    early = shop.report(reference, "pay_2", "refunded")
    assert (early.status, early.json()["revoked"], early.json()["owed"], early.json()["waiting"]) == (200, 0, 0, True)
    assert credits(guest) == 9
    assert shop.report(reference, "pay_2").status == 200
    assert credits(guest) == 9


def test_parts_of_a_payment_are_refunded_once_each_and_together_no_more_than_was_paid(shop: Shop) -> None:
    guest = shop.guest()
    reference = shop.reference(guest)
    assert shop.report(reference, "pay_1").status == 200
    for _ in range(2):
        assert shop.report(reference, "pay_1", "refunded", part={"credits": 3, "refundId": "re_1"}).status == 200
        assert credits(guest) == 6
    for refund in ("re_2", "re_3"):
        assert shop.report(reference, "pay_1", "refunded", part={"credits": 4, "refundId": refund}).status == 200
    assert credits(guest) == 1
    assert guest.get("/credits").json().get("shortfall", 0) == 0
    wrong = [{"credits": 3}, {"credits": 9, "refundId": "re_4"}, {"credits": 0, "refundId": "re_4"}]
    for part in wrong:
        assert shop.report(reference, "pay_1", "refunded", part=part).status == 400, part


@pytest.mark.parametrize(
    "part",
    [
        {"credits": None, "refundId": None},
        {"credits": 8},
        {"credits": 8, "refundId": None},
        {"refundId": "re_1"},
        {"credits": None, "refundId": "re_1"},
    ],
)
def test_a_whole_payment_is_refunded_in_whatever_form_it_is_said(shop: Shop, part: Dict[str, object]) -> None:
    guest = shop.guest()
    reference = shop.reference(guest)
    assert shop.report(reference, "pay_1", part={"credits": None, "refundId": None}).status == 200
    for _ in range(2):
        assert shop.report(reference, "pay_1", "refunded", part=part).status == 200
        assert credits(guest) == 1
    # The same refund in another form takes nothing more.
    assert shop.report(reference, "pay_1", "refunded").status == 200
    assert (credits(guest), guest.get("/credits").json()["shortfall"]) == (1, 0)


def test_a_refund_that_was_undone_brings_back_once_what_it_took(shop: Shop) -> None:
    guest = shop.guest()
    reference = shop.reference(guest)
    assert shop.report(reference, "pay_1").status == 200
    part = {"credits": 3, "refundId": "re_1"}
    assert shop.report(reference, "pay_1", "refunded", part=part).status == 200
    for _ in range(2):
        assert shop.report(reference, "pay_1", "reinstated", part=part).status == 200
        assert credits(guest) == 9
    assert shop.report(reference, "pay_2").status == 200
    # In whatever order they come.
    for kind in ("reinstated", "refunded", "reinstated"):
        assert shop.report(reference, "pay_2", kind).status == 200
    assert credits(guest) == 17


def test_a_refund_that_was_undone_brings_back_no_more_than_it_took(shop: Shop) -> None:
    guest = shop.guest()
    reference = shop.reference(guest)
    assert shop.report(reference, "pay_1").status == 200
    assert shop.report(reference, "pay_1", "refunded", part={"credits": 3, "refundId": "re_1"}).status == 200
    # The dispute of the whole payment takes what the refund has left.
    assert shop.report(reference, "pay_1", "refunded", part={"refundId": "du_1"}).status == 200
    assert credits(guest) == 1
    for _ in range(2):
        assert shop.report(reference, "pay_1", "reinstated", part={"refundId": "du_1"}).status == 200
        assert credits(guest) == 6
    # The same refund in another form took nothing, and brings nothing.
    assert shop.report(reference, "pay_1", "refunded").status == 200
    assert shop.report(reference, "pay_1", "reinstated").status == 200
    assert credits(guest) == 6


def test_a_reporter_is_told_what_to_do_in_the_words_of_its_own_report(shop: Shop) -> None:
    payer, other = shop.guest(), shop.guest()
    assert shop.report(shop.reference(payer), "pay_1").status == 200
    mismatch = shop.report(shop.reference(other), "pay_1")
    assert (mismatch.status, mismatch.kind) == (409, "idempotency_mismatch")
    assert mismatch.json()["error"]["details"]["hint"], mismatch
    reference = shop.reference(payer)
    long = {"paymentId": shop.report(reference, "p" * 121)}
    long["refundId"] = shop.report(reference, "pay_1", "refunded", part={"refundId": "r" * 121})
    for member, answer in long.items():
        error = answer.json()["error"]
        assert (answer.status, error["details"]["path"]) == (400, f"/{member}"), answer
        assert member in error["message"]
    for kind in ("paid", "refunded", "reinstated"):
        assert shop.report(reference, "p" * 120, kind, part={"refundId": "r" * 120}).status == 200


# --- Payments of accounts that are not there any more


def is_known(shop: Shop, account: str) -> bool:
    with sqlite3.connect(f"file:{shop.host.data}/atelier.sqlite?mode=ro", uri=True) as database:
        return database.execute("SELECT count(*) FROM account WHERE id = ?", [account]).fetchone() == (1,)


def test_a_payment_that_comes_after_its_account_was_deleted_begins_none(shop: Shop) -> None:
    guest = shop.guest()
    account = guest.get("/account").json()["account"]
    reference = shop.reference(guest)
    assert is_known(shop, account)
    assert guest.delete("/account").status == 200
    for kind in ("paid", "paid", "reinstated"):
        answer = shop.report(reference, "pay_late", kind)
        assert (answer.status, answer.kind) == (409, "account_deleted"), answer
        assert "refund" in answer.json()["error"]["message"]
    assert not is_known(shop, account)
    assert shop.report(reference, "pay_late", "refunded").status == 200
    assert not is_known(shop, account)


def test_a_payment_that_came_before_its_account_was_deleted_is_done_when_it_is_repeated(shop: Shop) -> None:
    guest = shop.guest()
    reference = shop.reference(guest)
    assert shop.report(reference, "pay_1").status == 200
    assert guest.delete("/account").status == 200
    for _ in range(2):
        answer = shop.report(reference, "pay_1")
        assert (answer.status, answer.json()["granted"], answer.json()["alreadyGranted"]) == (200, 0, True), answer
    assert shop.report(reference, "pay_1", "refunded").status == 200


def test_a_late_payment_is_not_for_the_next_account_of_the_same_name(shop: Shop) -> None:
    def app(subject: str) -> Browser:
        headers = {**shop.person().headers, "Authorization": f"Bearer {shop.token(subject)}"}
        return Browser(shop.host, headers=headers)

    def reference(of: Browser) -> str:
        answer = of.post("/checkout", {"productId": "bundle_8"}, Origin=None)
        return answer.json()["url"].partition("reference=")[2]

    before = app("paula")
    old = reference(before)
    assert before.delete("/account", Origin=None).status == 200
    after = until("a token of later", lambda: next((a for a in [app("paula")] if a.get("/account").status == 200), None))
    assert before.get("/account").status == 401
    assert shop.report(old, "pay_old").kind == "account_deleted"
    assert credits(after) == 0
    assert shop.report(reference(after), "pay_new").status == 200
    assert credits(after) == 8


@pytest.mark.parametrize("is_older", [True, False])
def test_a_payment_follows_a_guest_who_has_signed_in_to_an_account(shop: Shop, is_older: bool) -> None:
    person, guest = shop.guest(), shop.guest()
    if is_older:
        shop.sign_in(person, "rosa")
    create(guest)
    reference = shop.reference(guest)
    if not is_older:
        shop.sign_in(person, "rosa")
    had = credits(person)
    assert shop.sign_in(guest, "rosa").json()["merged"]
    assert shop.report(reference, "pay_of_both").status == 200
    assert credits(person) == had + 8


# --- References that nobody has signed


def test_a_refund_takes_nothing_from_whoever_is_written_into_its_reference(shop: Shop) -> None:
    payer, other = shop.guest(), shop.guest()
    assert shop.report(shop.reference(payer), "pay_1").status == 200
    forged = shop.reference(other).partition(".")[0] + ".AAAA"
    assert shop.report(forged, "pay_1", "refunded").kind == "idempotency_mismatch"
    assert shop.report(forged, "pay_of_nobody", "refunded").json()["waiting"]
    for kind in ("paid", "reinstated"):
        assert shop.report(forged, "pay_2", kind).kind == "unknown_reference"
    assert shop.report(shop.reference(other)[1:], "pay_2").json()["error"]["details"]["path"] == "/reference"
    assert (credits(payer), credits(other)) == (9, 1)
