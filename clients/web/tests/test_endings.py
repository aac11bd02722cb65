"""What ends with a sign-out, with a sign-in and with an account, and what does not?"""

from __future__ import annotations

import io
import json
import pathlib
import sqlite3
import zipfile
from typing import Callable, Dict, List, Optional

import pytest

from http_client import API, Answer, Browser, read
from programs import REPOSITORY, Host, Simulator, until
from shops import Shop, credits
from test_public import create


@pytest.fixture
def shop(new_host: Callable[..., Host], folder: pathlib.Path, simulator: Simulator) -> Shop:
    return Shop(new_host, folder, simulator)


def app(shop: Shop, token: str) -> Browser:
    """An app of somebody."""
    headers: Dict[str, Optional[str]] = {
        **shop.person().headers,
        "Authorization": f"Bearer {token}",
    }
    return Browser(shop.host, headers=headers)


def no_page(browser: Browser) -> Dict[str, Optional[str]]:
    """The headers of an app, which is no page and has no origin; none for a page."""
    return {"Origin": None} if "Authorization" in browser.headers else {}


def deleted(browser: Browser, path: str) -> Answer:
    return browser.delete(path, **no_page(browser))


def is_over(browser: Browser) -> bool:
    """Whether whoever asks so is nobody, whatever is asked."""
    answers = [
        browser.get("/account"),
        browser.get("/history"),
        browser.post("/generate", {"recipe": "create", "prompt": "a lighthouse"}, **no_page(browser)),
    ]
    return {(answer.status, answer.kind) for answer in answers} == {(401, "not_admitted")}


# --- The token of an app


def test_a_token_ends_with_the_sign_out_and_the_account_stays(shop: Shop) -> None:
    token = shop.token("hanna")
    first = app(shop, token)
    account = first.get("/account").json()["account"]
    assert deleted(first, "/session").status == 204
    assert is_over(first)
    # A proxy may send it twice.
    assert deleted(first, "/session").status == 204 and is_over(app(shop, token))
    again = app(shop, shop.token("hanna", nonce="another"))
    assert again.get("/account").json()["account"] == account


def test_every_token_of_a_person_ends_with_the_account(shop: Shop) -> None:
    tokens = [shop.token("ida", nonce=str(number)) for number in range(3)]
    phone, tablet = app(shop, tokens[0]), app(shop, tokens[1])
    assert phone.get("/account").json()["account"] == tablet.get("/account").json()["account"]
    assert deleted(phone, "/account").status == 200
    assert is_over(phone) and is_over(tablet)
    # Also one that nobody has seen yet, but that was there before.
    assert is_over(app(shop, tokens[2]))
    answer = deleted(phone, "/account")
    assert (answer.status, answer.json()["deleted"]) == (200, 0)
    # Who signs in anew begins anew, and has had what is given once.
    until("a token of later", lambda: app(shop, shop.token("ida")).get("/account").status == 200)
    later = app(shop, shop.token("ida"))
    assert credits(later) == 0 and later.get("/history").json()["entries"] == []


def test_tokens_end_where_the_account_is_deleted_on_the_web(shop: Shop) -> None:
    phone = app(shop, shop.token("jo"))
    account = phone.get("/account").json()["account"]
    person = shop.guest()
    assert shop.sign_in(person, "jo").json()["account"] == account
    assert person.delete("/account").status == 200
    assert is_over(phone)


def returned(shop: Shop, subject: str) -> Browser:
    """The app of somebody who begins anew after having deleted the account: with a token of later than that."""
    return until(
        "a token of later",
        lambda: next((one for one in [app(shop, shop.token(subject))] if one.get("/account").status == 200), None),
    )


def test_whoever_has_signed_out_deletes_nothing_any_more(shop: Shop) -> None:
    signed_out, other = app(shop, shop.token("kai")), app(shop, shop.token("kai", nonce="other"))
    generation = create_as(other)
    assert signed_out.get("/account").json()["account"] == other.get("/account").json()["account"]
    assert deleted(signed_out, "/session").status == 204
    for path in (f"/generations/{generation}", "/history", "/account"):
        assert deleted(signed_out, path).kind == "not_admitted", path
    assert deleted(signed_out, "/session").status == 204
    assert [entry["generationId"] for entry in other.get("/history").json()["entries"]] == [generation]


def create_as(browser: Browser) -> str:
    request = {"recipe": "create", "prompt": "a lighthouse"}
    generation = browser.post("/generate", request, **no_page(browser)).json()["generationId"]
    until("the picture", lambda: browser.get(f"/generations/{generation}").json()["state"] == "succeeded")
    return generation


def test_a_deletion_that_comes_again_late_touches_nothing_of_the_person_who_has_come_back(shop: Shop) -> None:
    before = app(shop, shop.token("lea"))
    account = before.get("/account").json()["account"]
    assert deleted(before, "/account").status == 200
    after = returned(shop, "lea")
    assert after.get("/account").json()["account"] == account
    reference = after.post("/checkout", {"productId": "bundle_8"}, **no_page(after)).json()["url"].partition("reference=")[2]
    assert shop.report(reference, "pay_back").status == 200
    generation = create_as(after)
    for path in (f"/generations/{generation}", "/history"):
        assert deleted(before, path).kind == "not_admitted", path
    repeated = deleted(before, "/account")
    assert (repeated.status, repeated.json()["deleted"]) == (200, 0)
    assert deleted(before, "/session").status == 204
    assert credits(after) == 7
    assert [entry["generationId"] for entry in after.get("/history").json()["entries"]] == [generation]


def test_a_token_that_has_ended_signs_nobody_in(shop: Shop) -> None:
    for end in ("/session", "/account"):
        token = shop.token(f"mia{end.strip('/')}")
        assert app(shop, token).get("/account").status == 200
        assert deleted(app(shop, token), end).status in (200, 204)
        guest = shop.guest()
        answer = guest.post("/session/sign-in", {"identityToken": token})
        assert (answer.status, answer.kind, answer.headers["Set-Cookie"]) == (401, "not_admitted", None), end


def test_the_token_that_a_browser_has_signed_in_with_ends_with_the_account(shop: Shop) -> None:
    token, person = shop.token("nora"), shop.guest()
    answer = person.post("/session/sign-in", {"identityToken": token})
    assert answer.status == 200
    person.keep_cookie(answer)
    assert person.delete("/account").status == 200
    assert is_over(app(shop, token))
    assert shop.guest().post("/session/sign-in", {"identityToken": token}).kind == "not_admitted"


# --- Cookies


def test_a_cookie_of_a_deleted_account_stays_over_when_its_person_comes_back(
    new_host: Callable[..., Host], folder: pathlib.Path, simulator: Simulator, shop: Shop
) -> None:
    beside = Shop(new_host, folder, simulator, "beside", beside=shop)
    assert app(shop, shop.token("olga")).get("/account").status == 200
    person = shop.person()
    assert shop.sign_in(person, "olga").status == 200
    account = person.get("/account").json()["account"]
    old, there = (Browser(host, person.cookie, person.headers) for host in (shop.host, beside.host))
    assert there.get("/account").status == 200
    assert person.delete("/account").status == 200
    after = returned(shop, "olga")
    assert after.get("/account").json()["account"] == account
    assert is_over(old)
    until("the end at the other host", lambda: there.get("/account").kind == "not_admitted")
    repeated = there.delete("/account")
    assert (repeated.status, repeated.json()["deleted"]) == (200, 0)
    assert there.delete("/history").kind == "not_admitted"
    # A new cookie is good at both, whatever a host has seen before.
    shop.sign_in(person, "olga")
    for host in (shop.host, beside.host):
        assert Browser(host, person.cookie, person.headers).get("/account").json()["account"] == account


def test_every_cookie_of_an_account_ends_with_it_at_every_host(
    new_host: Callable[..., Host], folder: pathlib.Path, simulator: Simulator, shop: Shop
) -> None:
    other = Shop(new_host, folder, simulator, "beside", beside=shop)
    person = shop.guest()
    shop.sign_in(person, "dora")
    create(person)
    here = Browser(shop.host, person.cookie, person.headers)
    there = Browser(other.host, person.cookie, person.headers)
    assert here.get("/account").status == there.get("/account").status == 200
    assert person.delete("/account").status == 200
    assert is_over(here)
    assert here.get("/session").json()["admitted"] is False
    until("the end at the other host", lambda: there.get("/account").kind == "not_admitted")
    assert is_over(there)
    again = shop.guest()
    signed_in = until("a token of later", lambda: next((a for a in [shop.sign_in(again, "dora")] if a.status == 200), None))
    assert signed_in.json()["granted"] == 0
    assert again.get("/history").json()["entries"] == [] and again.get("/account").status == 200


def test_the_cookie_of_a_guest_ends_with_the_account(shop: Shop) -> None:
    guest = shop.guest()
    copy = Browser(shop.host, guest.cookie, guest.headers)
    create(guest)
    assert guest.delete("/account").status == 200
    assert is_over(copy)


def test_a_photo_that_comes_while_its_account_is_deleted_begins_nothing(shop: Shop, portrait: bytes) -> None:
    guest = shop.guest()
    account = guest.get("/account").json()["account"]
    create(guest)
    connection = guest.connect()
    head = {"Content-Type": "image/jpeg", "Content-Length": str(len(portrait))}
    guest.send(connection, "POST", f"{API}/photos", None, head)
    connection.send(portrait[: len(portrait) // 2])

    def receives() -> bool:
        monitor = guest.connect()
        monitor.request("GET", "/metrics")
        return b"atelier_web_uploads 1" in monitor.getresponse().read()

    until("the beginning of the photo", receives)
    assert guest.delete("/account").status == 200
    connection.send(portrait[len(portrait) // 2 :])
    answer = read(connection)
    assert (answer.status, answer.kind) == (401, "not_admitted"), answer
    assert account not in json.dumps(accounts(shop))


def accounts(shop: Shop) -> List[str]:
    """The accounts that have a prepared photo or a generation."""
    with sqlite3.connect(f"file:{shop.host.data}/atelier.sqlite?mode=ro", uri=True) as database:
        rows = [database.execute(f"SELECT DISTINCT account FROM {table}") for table in ("prepared", "generation")]
        return [name for each in rows for (name,) in each]


# --- What a sign-in does not change


def test_signing_in_forgets_nothing_that_a_guest_has_used_of_the_limits(
    new_host: Callable[..., Host], folder: pathlib.Path, simulator: Simulator
) -> None:
    shop = Shop(
        new_host,
        folder,
        simulator,
        limits={"requestsPerMinute": 3, "giftsPerDay": 100},
        service={"credits": {"guest": 10, "limits": {"concurrent": 0}}},
    )
    guest = shop.guest("198.51.100.1")
    for _ in range(2):
        create(guest)
    shop.sign_in(guest, "anna")
    request = {"recipe": "create", "prompt": "x"}
    assert [guest.post("/generate", request).status for _ in range(2)] == [202, 429]


@pytest.mark.parametrize("has_an_account", [False, True])
def test_the_limits_of_a_day_go_on_in_the_account_of_the_person(
    new_host: Callable[..., Host], folder: pathlib.Path, simulator: Simulator, has_an_account: bool
) -> None:
    limits = {"concurrent": 0, "create": {"perDay": 3}}
    shop = Shop(new_host, folder, simulator, service={"credits": {"guest": 10, "limits": limits}})
    if has_an_account:
        before = shop.guest()
        shop.sign_in(before, "anna")
        create(before)
    guest = shop.guest()
    for _ in range(2):
        create(guest)
    shop.sign_in(guest, "anna")
    answers = [guest.post("/generate", {"recipe": "create", "prompt": "x"}) for _ in range(2)]
    expected = [(429, "daily_limit")] * 2 if has_an_account else [(202, ""), (429, "daily_limit")]
    assert [(answer.status, answer.kind) for answer in answers] == expected


# --- The same picture by another way


def test_the_archive_of_a_guest_has_the_marked_pictures_and_that_of_a_person_the_clean_ones(
    new_host: Callable[..., Host], folder: pathlib.Path, simulator: Simulator
) -> None:
    mark = {"pictures": {"watermark": str(REPOSITORY / "Tests/Fixtures/images/alpha.png")}}
    shop = Shop(new_host, folder, simulator, service=mark, markPreviews=True)
    guest = shop.guest()
    generation = create(guest)

    def archived() -> bytes:
        with zipfile.ZipFile(io.BytesIO(guest.get("/history/export").body)) as archive:
            (name,) = [name for name in archive.namelist() if name.startswith("pictures/")]
            return archive.read(name)

    path = f"/generations/{generation}/images/0"
    marked = archived()
    assert marked == guest.get(f"{path}?maxSide=1024").body
    shop.sign_in(guest, "julia")
    clean = archived()
    assert clean == guest.get(f"{path}?variant=full").body
    assert clean != marked and guest.get(f"{path}?maxSide=1024").body != marked
