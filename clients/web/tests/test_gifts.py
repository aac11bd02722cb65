"""Credits for nothing: who gets them, and what becomes of those who come after."""

from __future__ import annotations

import pathlib
import re
from typing import Callable, Dict

import pytest

from http_client import Browser
from programs import Host, Simulator, until
from shops import Shop, credits


@pytest.fixture
def shop(new_host: Callable[..., Host], folder: pathlib.Path, simulator: Simulator) -> Shop:
    """A shop with the defaults."""
    return Shop(new_host, folder, simulator)


def counted(shop: Shop) -> Dict[str, int]:
    """How many guests the host has counted, with and without a gift."""
    connection = Browser(shop.host).connect()
    connection.request("GET", "/metrics")
    text = connection.getresponse().read().decode()
    return {gift: int(number) for gift, number in re.findall(r'^atelier_web_guests_total\{gift="(.+)"\} (\d+)$', text, re.M)}


def test_a_class_behind_one_address_comes_in_and_three_of_it_get_something_for_nothing(shop: Shop) -> None:
    pupils = [shop.guest("198.51.100.1") for _ in range(30)]
    assert [credits(pupil) for pupil in pupils] == [1] * 3 + [0] * 27
    assert counted(shop) == {"yes": 3, "no": 27}
    # Another address has its own.
    assert credits(shop.guest("198.51.100.2")) == 1


@pytest.mark.parametrize(
    "addresses, gifts",
    [
        ([f"2001:db8:1:{number:x}::1" for number in range(39)], 3),
        ([f"2001:db8:1:2::{number:x}" for number in range(1, 9)], 3),
        ([f"2001:db8:{number:x}::1" for number in range(5)], 5),
        ([f"::ffff:198.51.100.{number}" for number in range(1, 6)], 5),
        (["198.51.100.9", "::ffff:198.51.100.9", "::FFFF:c633:6409", "[::ffff:198.51.100.9]:4711", "198.51.100.9:80"], 3),
        (["nobody", "<script>", "127.evil.example", "198.51.100"], 3),
    ],
)
def test_gifts_are_counted_by_what_one_customer_of_a_provider_has(shop: Shop, addresses: list, gifts: int) -> None:
    guests = [shop.guest(address) for address in addresses]
    assert sum(credits(guest) for guest in guests) == gifts
    assert [credits(guest) for guest in guests[:3]] == [1] * 3


def test_who_got_nothing_uses_what_costs_nothing_pays_and_signs_in(shop: Shop, portrait: bytes) -> None:
    for _ in range(3):
        shop.guest("198.51.100.1")
    guest = shop.guest("198.51.100.1")
    refused = guest.post("/generate", {"recipe": "create", "prompt": "a lighthouse"})
    assert (refused.status, refused.kind) == (402, "insufficient_credits")
    headshot = {"recipe": "headshot", "image": {"preparedId": guest.photo(portrait)}}
    made = guest.post("/generate", headshot).json()["generationId"]
    until("the headshot", lambda: guest.get(f"/generations/{made}").json()["state"] == "succeeded")
    assert shop.report(shop.reference(guest), "pay_of_the_fourth").status == 200
    assert credits(guest) == 8
    assert guest.post("/generate", {"recipe": "create", "prompt": "a lighthouse"}).status == 202
    # The credits of a person belong to the person.
    fifth = shop.guest("198.51.100.1")
    assert shop.sign_in(fifth, "anna").json()["granted"] == 4
    assert credits(fifth) == 4


def test_nothing_is_got_by_deleting_what_got_nothing(
    new_host: Callable[..., Host], folder: pathlib.Path, simulator: Simulator, shop: Shop
) -> None:
    for _ in range(3):
        shop.guest("198.51.100.1")
    guest = shop.guest("198.51.100.1")
    assert guest.delete("/account").status == 200
    # A host that does not know of the deletion takes the cookie for that of a guest.
    other = Shop(new_host, folder, simulator, "beside", beside=shop)
    elsewhere = Browser(other.host, guest.cookie, guest.headers)
    assert credits(elsewhere) == 0
    assert elsewhere.post("/generate", {"recipe": "create", "prompt": "x"}).kind == "insufficient_credits"


def test_a_shop_may_give_nothing_at_all(
    new_host: Callable[..., Host], folder: pathlib.Path, simulator: Simulator
) -> None:
    shop = Shop(new_host, folder, simulator, limits={"giftsPerDay": 0})
    assert credits(shop.guest()) == 0
    assert counted(shop) == {"yes": 0, "no": 1}


def test_who_signs_in_without_having_been_a_guest_is_given_no_more_gifts_than_guests_are(shop: Shop) -> None:
    free, gift = 4, 1

    def app(subject: str) -> int:
        headers = {**shop.person("198.51.100.1").headers, "Authorization": f"Bearer {shop.token(subject)}"}
        return credits(Browser(shop.host, headers=headers))

    def browser(subject: str) -> int:
        person = shop.person("198.51.100.1")
        assert shop.sign_in(person, subject).status == 200
        return credits(person)

    assert [app("a"), browser("b"), credits(shop.guest("198.51.100.1"))] == [free + gift, free + gift, gift]
    assert [app("c"), browser("d"), credits(shop.guest("198.51.100.1"))] == [free, free, 0]
    # Who is known is given nothing, and takes nobody's gift.
    other = "198.51.100.2"
    for _ in range(4):
        shop.sign_in(shop.person(other), "b")
    assert credits(shop.guest(other)) == gift


@pytest.mark.parametrize("guests", [True, False])
def test_no_gift_is_given_to_whoever_signs_in_where_there_are_none(
    new_host: Callable[..., Host], folder: pathlib.Path, simulator: Simulator, guests: bool
) -> None:
    shop = Shop(new_host, folder, simulator, limits={"giftsPerDay": 0}, guests=guests)
    person = shop.person()
    answer = shop.sign_in(person, "anna").json()
    assert (answer["granted"], answer["balance"]["available"]) == (4, 4)
    assert credits(person) == 4
    headers = {**shop.person().headers, "Authorization": f"Bearer {shop.token('bert')}"}
    assert credits(Browser(shop.host, headers=headers)) == 4


def test_what_is_refused_does_not_count_for_the_limits(
    new_host: Callable[..., Host], folder: pathlib.Path, simulator: Simulator
) -> None:
    limits = {"giftsPerDay": 0, "guestRequestsPerHour": 2, "requestsPerMinute": 2}
    shop = Shop(new_host, folder, simulator, limits=limits)
    guest = shop.guest()
    request = {"recipe": "create", "prompt": "a lighthouse"}
    assert [guest.post("/generate", request).kind for _ in range(5)] == ["insufficient_credits"] * 5
    shop.sign_in(guest, "anna")
    assert guest.post("/generate", request).status == 202


def test_a_proxy_that_is_not_trusted_is_believed_nothing(
    new_host: Callable[..., Host], folder: pathlib.Path, simulator: Simulator
) -> None:
    shop = Shop(new_host, folder, simulator, trustedProxies=["192.0.2.1", "2001:db8::1"])
    answer = shop.person().post("/session", {})
    assert (answer.status, answer.kind) == (403, "tls_required")
    # However the address of a trusted one is written.
    other = Shop(new_host, folder, simulator, "other", trustedProxies=["::ffff:127.0.0.1"])
    assert other.guest().get("/account").status == 200
