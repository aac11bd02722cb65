"""The public way over raw HTTP: guests, people who sign in, payments, limits, consent, and what is not for them."""

from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess
from typing import Callable, Dict, Iterator

import pytest

from http_client import API, Browser, routes
from programs import ATELIER_WEB, REPOSITORY, Host, Simulator, environment, until
from shops import PRODUCTS, Shop, credits


@pytest.fixture(scope="module")
def shared_shop(session_folder: pathlib.Path, shared_simulator: Simulator) -> Iterator[Shop]:
    started = []

    def start(name: str, **options: object) -> Host:
        (session_folder / name).mkdir()
        started.append(Host(session_folder / name, **options))  # type: ignore[arg-type]
        return started[-1]

    yield Shop(start, session_folder, shared_simulator)
    for host in started:
        host.end()


@pytest.fixture
def shop(shared_shop: Shop, simulator: Simulator) -> Shop:
    return shared_shop


@pytest.fixture
def guest(shop: Shop) -> Browser:
    return shop.guest()


def begin(person: Browser, words: str = "a lighthouse") -> str:
    """The id of a picture that is being made."""
    answer = person.post("/generate", {"recipe": "create", "prompt": f"{words}, {os.urandom(4).hex()}"})
    assert answer.status == 202, answer
    return answer.json()["generationId"]


def create(person: Browser, words: str = "a lighthouse") -> str:
    """The id of a picture that was made."""
    generation = begin(person, words)
    until("the picture", lambda: person.get(f"/generations/{generation}").json()["state"] == "succeeded")
    return generation


# --- Guests


def test_a_guest_begins_without_signing_in(shop: Shop) -> None:
    person = shop.person()
    state = person.get("/session").json()
    assert (state["mode"], state["admitted"], state["guests"], state["payment"]) == ("public", False, True, True)
    answer = person.post("/session", {})
    cookie = answer.headers["Set-Cookie"]
    assert (
        cookie.startswith("__Host-atelier=")
        and "; Secure" in cookie
        and "HttpOnly" in cookie
        and "SameSite=Strict" in cookie
    )
    assert "Domain" not in cookie and answer.headers["Strict-Transport-Security"]
    person.keep_cookie(answer)
    state = person.get("/session").json()
    assert state["admitted"] and state["guest"] and state["account"]["tier"] == "guest"
    # Beginning once more changes nothing.
    assert person.post("/session", {}).headers["Set-Cookie"] is None


def test_guests_are_not_where_they_are_not_wanted(
    new_host: Callable[..., Host], folder: pathlib.Path, simulator: Simulator
) -> None:
    shop = Shop(new_host, folder, simulator, guests=False)
    person = shop.person()
    assert person.get("/session").json()["guests"] is False
    refused = person.post("/session", {})
    assert (refused.status, refused.kind) == (403, "permission_denied") and refused.headers["Set-Cookie"] is None
    assert shop.sign_in(person, "bea").status == 200
    assert person.get("/history").status == 200


def test_the_things_of_others_are_as_if_they_were_not_there(shop: Shop, guest: Browser, portrait: bytes) -> None:
    generation, photo = create(guest), guest.photo(portrait)
    other = shop.guest()
    nothing = "gen_01m8d73hj0hpngmncf7827300f"
    for method, path, body in (
        ("GET", "/generations/{}", None),
        ("GET", "/generations/{}/events", None),
        ("GET", "/generations/{}/images/0", None),
        ("GET", "/generations/{}/original", None),
        ("POST", "/generations/{}/cancel", {}),
        ("PATCH", "/generations/{}", {"favorite": True}),
    ):
        answers = [
            other.get(path.format(each)) if method == "GET" else other.write(method, path.format(each), body)
            for each in (generation, nothing)
        ]
        kinds = {(answer.status, answer.kind, answer.json()["error"]["message"]) for answer in answers}
        assert len(kinds) == 1 and answers[0].status == 404, (method, path, answers)
    for path, body in (
        ("/regenerate", {"generationId": generation}),
        ("/feedback", {"generationId": generation, "rating": 1}),
        ("/generate", {"recipe": "edit", "prompt": "x", "image": {"generationId": generation}}),
        ("/estimate", {"regenerate": {"generationId": generation}}),
    ):
        assert other.post(path, body).kind == "not_found", path
    assert other.get(f"/photos/{photo}").status == 404
    assert other.get("/history").json()["entries"] == []
    # Of what is not there, nothing is left to delete; and nothing of others is deleted.
    for each in (generation, nothing):
        answer = other.delete(f"/generations/{each}")
        assert (answer.status, answer.body) == (204, b""), answer
    assert guest.get(f"/generations/{generation}").status == 200


def test_plain_http_is_refused_unless_the_proxy_says_that_it_was_tls(shop: Shop) -> None:
    for scheme in (None, "http", "https, http", "HTTPS"):
        answer = shop.person().get("/session", X_Forwarded_Proto=scheme)
        assert answer.status in (403, 200 if scheme == "HTTPS" else 403), scheme
    assert shop.person().get("/session", X_Forwarded_Proto="http").kind == "tls_required"


@pytest.mark.parametrize(
    "route", [each for each in routes(["GET", "PUT", "DELETE"]) if "/credentials" in each[1]], ids=" ".join
)
def test_keys_are_not_for_people_of_a_shop(shop: Shop, guest: Browser, route: tuple) -> None:
    method, path = route
    answer = guest.get(path) if method == "GET" else guest.write(method, path, {"key": "x"})
    assert (answer.status, answer.kind) == (403, "permission_denied")


def test_the_links_of_the_personal_way_are_nothing_here(shop: Shop) -> None:
    person = shop.person()
    person.keep_cookie(person.post("/session", {"secret": "A" * 43}))
    account = person.get("/account").json()
    assert account["account"] != "owner" and account["tier"] == "guest"


def test_nobody_reaches_the_account_of_the_machine(shop: Shop, guest: Browser) -> None:
    for path in ("/history?account=owner", "/credits?account=owner", "/account?account=owner"):
        assert guest.get(path).kind == "invalid_params"
    for answer in (guest.get("/status"), guest.get("/providers"), guest.get("/queue"), guest.get("/usage")):
        assert (
            answer.status in (200, 403)
            and b'"owner"' not in answer.body
            and str(shop.host.data).encode() not in answer.body
        )
    assert guest.get("/metrics").status == 404 and guest.ask("GET", "/metrics").status == 404
    assert guest.ask("GET", "/healthz").status == 404


# --- Credits and payments


def test_a_guest_pays_when_the_credits_are_used_up_and_goes_on(shop: Shop, guest: Browser) -> None:
    assert credits(guest) == 1
    create(guest)
    refused = guest.post("/generate", {"recipe": "create", "prompt": "a second one"})
    assert (refused.status, refused.kind) == (402, "insufficient_credits")
    offered = [option["id"] for option in refused.json()["error"]["details"]["upgradeOptions"]]
    assert "bundle_8" in offered
    assert [product["id"] for product in guest.get("/products").json()["products"]] == [
        product["id"] for product in PRODUCTS
    ]
    paid = shop.report(shop.reference(guest), "pay_first")
    assert paid.status == 200, paid
    assert credits(guest) == 8
    create(guest)
    assert credits(guest) == 7
    entries = guest.get("/credits/history").json()["entries"]
    assert "8 pictures" in str(entries)


def test_a_report_counts_once_however_often_it_comes(shop: Shop, guest: Browser) -> None:
    reference = shop.reference(guest)
    answers = [shop.report(reference, "pay_repeated") for _ in range(3)]
    assert [answer.status for answer in answers] == [200] * 3
    assert answers[2].json()["alreadyGranted"]
    assert credits(guest) == 9


def test_a_forged_report_brings_nothing(shop: Shop, guest: Browser) -> None:
    reference = shop.reference(guest)
    for options in (
        {"secret": b"x" * 32},
        {"signed": b"{}"},
        {"signature": ""},
        {"signature": "v1,"},
        {"signature": "v2,AAAA"},
        {"age": 400},
        {"age": -400},
        {"age": 10**12},
        {"signature": "v1," + "A" * 43 + "="},
    ):
        answer = shop.report(reference, "pay_forged", **options)
        assert (answer.status, answer.kind) == (401, "invalid_signature"), options
    assert credits(guest) == 1
    # A signature of another key beside the right one: processors change their keys.
    assert shop.report(reference, "pay_late", age=200).status == 200
    assert credits(guest) == 9


def test_a_report_that_says_nothing_is_refused(shop: Shop, guest: Browser) -> None:
    reference = shop.reference(guest)
    for options in (
        {"product": "bundle_9000"},
        {"kind": "maybe"},
        {"reference": ""},
        {"reference": "!!"},
        {"payment": ""},
    ):
        answer = shop.report(**{"reference": reference, "payment": "pay_odd", **options})
        assert answer.status in (400, 404, 409), options
    assert credits(guest) == 1


def test_a_refund_takes_the_credits_back(shop: Shop, guest: Browser) -> None:
    reference = shop.reference(guest)
    assert shop.report(reference, "pay_refunded").status == 200
    create(guest)
    for _ in range(2):
        assert shop.report(reference, "pay_refunded", "refunded").status == 200
    assert credits(guest) == 0
    assert guest.post("/generate", {"recipe": "create", "prompt": "one more"}).kind == "insufficient_credits"


def test_what_is_not_for_sale_cannot_be_bought(shop: Shop, guest: Browser) -> None:
    for product in ("bundle_9000", "", None, "premium_month"):
        assert guest.post("/checkout", {"productId": product}).status == 404
    assert shop.person().post("/checkout", {"productId": "bundle_8"}).kind == "not_admitted"


def test_people_cannot_grant_themselves_anything(shop: Shop, guest: Browser) -> None:
    for path in ("/credits", "/credits/grant", "/account", "/account/set", "/payments"):
        answer = guest.post(path, {"account": guest.get("/account").json()["account"], "amount": 100, "tier": "premium"})
        assert answer.status in (400, 401, 403, 404, 405), path
    assert credits(guest) == 1


# --- People who sign in


def test_a_guest_who_signs_in_keeps_history_and_credits(shop: Shop, guest: Browser) -> None:
    generation = create(guest)
    shop.report(shop.reference(guest), "pay_before_sign_in")
    answer = shop.sign_in(guest, "anna")
    assert answer.status == 200 and answer.json()["granted"] > 0, answer
    state = guest.get("/session").json()
    assert state["guest"] is False and state["account"]["tier"] == "free"
    assert [entry["generationId"] for entry in guest.get("/history").json()["entries"]] == [generation]
    assert credits(guest) == 8 + answer.json()["granted"]


def test_a_second_device_is_merged_into_the_person(shop: Shop, guest: Browser) -> None:
    shop.sign_in(guest, "cleo")
    account = guest.get("/account").json()["account"]
    phone = shop.guest()
    generation = create(phone)
    reference = shop.reference(phone)
    answer = shop.sign_in(phone, "cleo")
    assert answer.json()["merged"] and answer.json()["account"] == account
    assert guest.get(f"/generations/{generation}").status == 200
    # A payment that was begun before is the person's.
    before = credits(guest)
    assert shop.report(reference, "pay_of_the_phone").status == 200
    assert credits(guest) == before + 8


def test_the_cookie_of_a_guest_ends_with_the_sign_in(shop: Shop, guest: Browser) -> None:
    generation = create(guest)
    copy = shop.person()
    copy.cookie = guest.cookie
    shop.sign_in(guest, "fiona")
    assert guest.get(f"/generations/{generation}").status == 200
    assert copy.get(f"/generations/{generation}").kind == "not_admitted"
    # Whoever signs in with it is a person of their own.
    answer = shop.sign_in(copy, "stranger")
    assert answer.json()["account"] != guest.get("/account").json()["account"]
    assert copy.get(f"/generations/{generation}").status == 404


def test_the_account_of_a_person_takes_another_identity_only_if_asked(shop: Shop, guest: Browser) -> None:
    shop.sign_in(guest, "gina")
    account = guest.get("/account").json()["account"]
    other = shop.person()
    other.cookie = guest.cookie
    assert shop.sign_in(other, "hugo").json()["account"] != account
    assert shop.sign_in(guest, "gina-at-work", link=True).json()["account"] == account
    assert shop.sign_in(shop.guest(), "ivan", link=True).status == 403


def test_customers_are_not_told_what_the_operator_pays(shop: Shop, guest: Browser) -> None:
    generation = create(guest)
    for path in ("/history", f"/generations/{generation}", "/providers", "/styles", "/usage"):
        answer = guest.get(path)
        assert answer.status == 200 and b"Usd" not in answer.body, path
    assert guest.get("/providers?fetchModels=true").status == 403
    assert guest.get("/status").status == 403
    assert "hint" not in guest.get("/generations/gen_none").json()["error"].get("details", {})


def test_the_previews_of_guests_are_marked_whatever_they_ask_for(
    new_host: Callable[..., Host], folder: pathlib.Path, simulator: Simulator, portrait: bytes
) -> None:
    mark = {"pictures": {"watermark": str(REPOSITORY / "Tests/Fixtures/images/alpha.png")}}
    shop = Shop(new_host, folder, simulator, service=mark, markPreviews=True)
    guest = shop.guest()
    photo = guest.photo(portrait)
    first = guest.post("/generate", {"recipe": "headshot", "image": {"preparedId": photo}}).json()["generationId"]
    until("the headshot", lambda: guest.get(f"/generations/{first}").json()["state"] == "succeeded")
    again = {"recipe": "headshot", "image": {"generationId": first}}
    second = guest.post("/generate", again).json()["generationId"]
    until("the second one", lambda: guest.get(f"/generations/{second}").json()["state"] == "succeeded")
    paths = [f"/generations/{first}/images/0", f"/generations/{second}/original"]
    marked = [guest.get(f"{path}?maxSide=512").body for path in paths]
    for query in ("", "?variant=full", "?maxSide=2048", "?watermark=false"):
        for path in paths:
            answer = guest.get(path + query)
            assert answer.status in (200, 400), (path, query)
            assert answer.headers["Content-Type"] in ("image/jpeg", "application/json")
    shop.sign_in(guest, "julia")
    clean = [guest.get(f"{path}?maxSide=512").body for path in paths]
    assert clean[0] != marked[0] and clean[1] != marked[1]


def test_marked_previews_without_a_mark_are_refused_at_the_start(
    new_host: Callable[..., Host], folder: pathlib.Path, simulator: Simulator
) -> None:
    sentence = "/public/markPreviews needs a watermark.*pictures.watermark"
    with pytest.raises(AssertionError, match=sentence):
        Shop(new_host, folder, simulator, markPreviews=True)
    config = folder / "shop" / "web.json"
    for mark, is_good in ((None, False), (str(REPOSITORY / "Tests/Fixtures/images/alpha.png"), True)):
        service = {"pictures": {"watermark": mark}} if mark else {}
        (folder / "shop" / "atelier.json").write_text(json.dumps(service))
        checked = check(config, environment(folder))
        assert (checked.returncode == 0) == is_good and bool(re.search(sentence, checked.stderr)) != is_good, checked
    # Whatever else keeps the service from starting is said as well.
    (folder / "shop" / "atelier.json").write_text('{"pictures": {"watermark": "nothing.png"}}')
    checked = check(config, environment(folder))
    assert checked.returncode == 1 and "atelier.json:1:28: /pictures/watermark" in checked.stderr, checked
    assert not (folder / "shop" / "data" / "atelier.sqlite").exists()


def check(config: pathlib.Path, env: Dict[str, str]) -> "subprocess.CompletedProcess[str]":
    """What `atelier-web check` says of a configuration of the public way."""
    command = [ATELIER_WEB, "check", "--public", "--config", str(config)]
    return subprocess.run(command, env=env, capture_output=True, text=True)


def test_signing_out_leaves_nothing_in_the_browser_and_all_in_the_account(shop: Shop, guest: Browser) -> None:
    shop.sign_in(guest, "dora")
    generation = create(guest)
    answer = guest.delete("/session")
    assert answer.status == 204 and "Max-Age=0" in answer.headers["Set-Cookie"]
    guest.cookie = ""
    assert guest.get("/history").kind == "not_admitted"
    guest.admit()
    assert guest.get(f"/generations/{generation}").status == 404
    shop.sign_in(guest, "dora")
    assert guest.get(f"/generations/{generation}").status == 200


@pytest.mark.parametrize(
    "flaw", ["expired", "future", "wrong-audience", "wrong-issuer", "another-key", "unknown-key", "unsigned", "confused"]
)
def test_a_token_that_proves_nothing_signs_nobody_in(shop: Shop, guest: Browser, flaw: str) -> None:
    token = shop.token("eve", flaw=flaw)
    answer = guest.post("/session/sign-in", {"identityToken": token})
    assert (answer.status, answer.kind) == (401, "invalid_identity") and answer.headers["Set-Cookie"] is None
    assert token not in answer.body.decode() and token not in shop.host.log_text()
    app = Browser(shop.host, headers={**guest.headers, "Authorization": f"Bearer {token}"})
    assert app.get("/account").kind == "invalid_identity"


def test_a_nonce_binds_a_token_to_the_browser_that_asked_for_it(shop: Shop, guest: Browser) -> None:
    token = shop.token("finn", nonce="n-1")
    assert guest.post("/session/sign-in", {"identityToken": token, "nonce": "n-2"}).kind == "invalid_identity"
    assert guest.post("/session/sign-in", {"identityToken": token, "nonce": "n-1"}).status == 200


def test_nobody_vouches_for_themselves(shop: Shop, guest: Browser) -> None:
    for params in (
        {"identity": {"provider": "simulated", "subject": "anna"}},
        {"account": "owner", "identityToken": "x.y.z"},
    ):
        assert guest.post("/session/sign-in", params).status in (400, 403)


def test_the_sign_in_of_another_site_is_refused(shop: Shop, guest: Browser) -> None:
    answer = guest.post("/session/sign-in", {"identityToken": shop.token("gil")}, Origin="https://evil.test")
    assert answer.kind == "origin_refused"


def test_an_app_sends_its_token_with_each_request(shop: Shop, portrait: bytes) -> None:
    headers = {
        "X-Forwarded-For": "198.51.100.7",
        "X-Forwarded-Proto": "https",
        "Authorization": f"Bearer {shop.token('hanna')}",
        "Origin": None,
    }
    app = Browser(shop.host, headers=headers)
    account = app.get("/account").json()
    assert account["tier"] == "free"
    # An app is no page: it has no origin, and needs none.
    native = {"Origin": None}
    upload = app.ask("POST", f"{API}/photos", portrait, {"Content-Type": "image/jpeg", **native})
    assert upload.status == 201, upload
    made = app.post("/generate", {"recipe": "headshot", "image": {"preparedId": upload.json()["preparedId"]}}, **native)
    assert made.status == 202, made
    again = Browser(shop.host, headers={**headers, "Authorization": f"Bearer {shop.token('hanna')}"})
    assert again.get("/account").json()["account"] == account["account"]
    assert app.get("/account").headers["Set-Cookie"] is None
    # The web and the app of one person are one account.
    person = shop.guest()
    shop.sign_in(person, "hanna")
    assert person.get("/account").json()["account"] == account["account"]


def test_an_account_is_deleted_for_ever(shop: Shop, guest: Browser) -> None:
    shop.sign_in(guest, "ida")
    generation = create(guest)
    elsewhere = Browser(shop.host, guest.cookie, guest.headers)
    answer = guest.delete("/account")
    assert answer.status == 200 and "Max-Age=0" in answer.headers["Set-Cookie"]
    assert elsewhere.get(f"/generations/{generation}").status in (401, 403, 404)
    again = shop.guest()
    signed_in = until("a token of later", lambda: next((a for a in [shop.sign_in(again, "ida")] if a.status == 200), None))
    assert signed_in.json()["granted"] == 0
    assert again.get("/history").json()["entries"] == []


# --- Consent and limits


def test_nothing_is_made_before_the_terms_are_accepted(
    new_host: Callable[..., Host], folder: pathlib.Path, simulator: Simulator
) -> None:
    shop = Shop(
        new_host,
        folder,
        simulator,
        terms={"version": "2026-11", "url": "https://studio.example/terms"},
        service={"accounts": {"requireConsent": "2026-11"}},
    )
    guest = shop.guest()
    assert guest.get("/session").json()["terms"]["version"] == "2026-11"
    request = {"recipe": "create", "prompt": "a lighthouse"}
    assert guest.post("/generate", request).kind == "consent_required"
    assert guest.post("/account/consent", {"version": "2026-11", "acceptedAt": "2020-01-01T00:00:00Z"}).status in (
        200,
        400,
    )
    assert guest.post("/account/consent", {"version": "2026-11"}).json()["consents"][-1]["version"] == "2026-11"
    assert guest.post("/generate", request).status == 202
    assert guest.get("/account").json()["consent"]["version"] == "2026-11"


def test_the_guests_of_an_address_share_its_limit_of_an_hour(
    new_host: Callable[..., Host], folder: pathlib.Path, simulator: Simulator
) -> None:
    shop = Shop(new_host, folder, simulator, limits={"guestRequestsPerHour": 3, "guestsPerDay": 3, "photosPerMinute": 2})
    guests = [shop.guest("198.51.100.1") for _ in range(3)]
    one_more = shop.person("198.51.100.1").post("/session", {})
    assert (one_more.status, one_more.kind) == (429, "rate_limited")
    assert 3600 < int(one_more.headers["Retry-After"]) <= 86400
    for guest in guests:
        assert guest.post("/generate", {"recipe": "create", "prompt": "x"}).status == 202
    limited = guests[0].post("/generate", {"recipe": "create", "prompt": "y"})
    assert (limited.status, limited.kind) == (429, "rate_limited")
    assert 60 < int(limited.headers["Retry-After"]) <= 3600
    assert limited.json()["error"]["retryable"] and limited.json()["error"]["retryAfterMs"] > 60_000
    # What anybody could have written into the header changes nothing: the proxy adds the address that it saw.
    forged = Browser(shop.host, guests[1].cookie, {**guests[1].headers, "X-Forwarded-For": "192.0.2.99, 198.51.100.1"})
    assert forged.post("/generate", {"recipe": "create", "prompt": "z"}).status == 429
    # Another address has its own; of IPv6, a household has 64 bits.
    assert shop.guest("198.51.100.2").post("/generate", {"recipe": "create", "prompt": "x"}).status == 202
    household = [shop.guest(f"2001:db8:1:2::{number}") for number in range(1, 4)]
    assert len({guest.cookie for guest in household}) == 3
    assert shop.person("2001:db8:1:2:ffff::1").post("/session", {}).status == 429
    assert shop.person("2001:db8:1:3::1").post("/session", {}).status == 204
    # Reading is not limited.
    assert all(guests[0].get("/history").status == 200 for _ in range(30))


def test_an_account_has_thirty_two_event_streams_and_others_have_theirs(shop: Shop, simulator: Simulator) -> None:
    guest, other = shop.guest(), shop.guest()
    simulator.always_meets("hold")
    path = f"/generations/{begin(guest)}/events"
    # What has no body takes no stream.
    assert [guest.ask("HEAD", API + path).status for _ in range(40)] == [200] * 40
    assert guest.get("/generations/gen_01m8d73hj0hpngmncf7827300f/events").status == 404
    following = [guest.follow(path) for _ in range(32)]
    refused = guest.get(path)
    assert (refused.status, refused.kind) == (429, "rate_limited")
    error = refused.json()["error"]
    assert error["retryable"] and error["retryAfterMs"] > 0 and int(refused.headers["Retry-After"]) > 0
    assert error["message"].startswith("You follow too many pictures")
    # The progress can be asked for, and other people see theirs.
    assert guest.get(path.removesuffix("/events")).json()["state"] in ("queued", "running")
    others = other.follow(f"/generations/{begin(other)}/events")
    assert next(others[1])[0] == "progress"
    simulator.release()
    for _, stream in [*following, others]:
        assert list(stream)[-1][0] == "finished"
    until("room for another one", lambda: guest.get(path).status == 200)


def test_people_who_have_signed_in_have_a_limit_of_a_minute(
    new_host: Callable[..., Host], folder: pathlib.Path, simulator: Simulator, portrait: bytes
) -> None:
    shop = Shop(
        new_host,
        folder,
        simulator,
        limits={"requestsPerMinute": 2, "guestRequestsPerHour": 1, "photosPerMinute": 2},
        # A request that the service refuses does not count: one at a time would be its own limit.
        service={"credits": {"limits": {"concurrent": 0}}},
    )
    person = shop.guest("198.51.100.1")
    shop.sign_in(person, "anna")
    requests = [person.post("/generate", {"recipe": "create", "prompt": str(number)}) for number in range(3)]
    assert [request.status for request in requests] == [202, 202, 429]
    limited = requests[-1]
    assert 0 < int(limited.headers["Retry-After"]) <= 60
    photos = [person.upload(portrait) for _ in range(3)]
    assert [photo.status for photo in photos] == [201, 201, 429]


@pytest.mark.parametrize(
    "member, value",
    [
        ("origin", "http://studio.example"),
        ("origin", "https://studio.example/"),
        ("origin", "studio.example"),
        ("port", 70000),
        ("limits", {"guestsPerDay": 0}),
        ("unknown", 1),
        ("sessionKeyFile", "/nothing"),
        ("payment", {"checkoutUrl": "https://pay.example", "secretFile": "/nothing"}),
    ],
)
def test_a_configuration_that_cannot_be_used_is_refused_at_the_start(
    new_host: Callable[..., Host], folder: pathlib.Path, simulator: Simulator, member: str, value: object
) -> None:
    with pytest.raises(AssertionError, match=f"web.json:.*{member}"):
        Shop(new_host, folder, simulator, **{member: value})
