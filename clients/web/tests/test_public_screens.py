"""The public way in a browser: a guest who buys, sign-in, terms, signing out, and the end of an account."""

from __future__ import annotations

import pathlib
from typing import Any, Callable, Dict, List
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, Route

from pages import Visit, expect, tree, unnamed, width_overflow
from programs import Host, Simulator, until
from shops import Shop, credits


@pytest.fixture
def new_shop(new_host: Callable[..., Host], folder: pathlib.Path, simulator: Simulator) -> Callable[..., Shop]:
    def start(**members: Any) -> Shop:
        return Shop(new_host, folder, simulator, is_local=True, **members)

    return start


@pytest.fixture
def visit_of(new_visit: Callable[..., Visit]) -> Callable[..., Visit]:
    """Somebody who has never been in a shop."""

    def start(shop: Shop, **options: Any) -> Visit:
        return new_visit(shop.host, **options)

    return start


def begin(visit: Visit) -> Page:
    """Goes on as a guest."""
    page = visit.go("/")
    visit.button("startGuest").click()
    visit.is_at("/capture")
    visit.sees("captureTitle")
    cookies = visit.context.cookies()
    visit.host.cookie = "; ".join(f"{one['name']}={one['value']}" for one in cookies)
    return page


def want(visit: Visit, words: str) -> None:
    page = visit.go("/haircut?mode=create")
    page.locator("#prompt").fill(words)
    page.locator("button[type=submit]").click()


def test_a_guest_pays_when_the_credits_are_used_up_and_goes_on(
    new_shop: Callable[..., Shop], visit_of: Callable[..., Visit]
) -> None:
    shop = new_shop()
    visit = visit_of(shop)
    visit.expected += ["/generate", "/original", "/estimate"]
    page = begin(visit)
    visit.create("the lighthouse that is free")
    visit.is_at("/result/")
    page = visit.go("/haircut?mode=create")
    page.locator("#prompt").fill("the lighthouse that is paid")
    # The price is told before anything is sent, and where there is too little, the way to more.
    get = page.get_by_role("button", name=visit.say("getCredits")).first
    submit = page.locator("button[type=submit]")
    expect(get.or_(submit.locator(":scope:enabled"))).to_be_visible()
    if not get.is_visible():
        submit.click()
    get.click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("8 pictures")
    assert not unnamed(tree(page))

    def pay(route: Route) -> None:
        """The page of the processor: it is told of the payment, and sends the person back."""
        reference = parse_qs(urlsplit(route.request.url).query)["reference"][0]
        assert shop.report(reference, "pay_in_the_browser").status == 200
        route.fulfill(status=303, headers={"Location": f"{shop.origin}/profile"})

    page.route("**/pay/**", pay)
    dialog.get_by_role("button", name=visit.say("buyFor", price="$0.99")).click()
    visit.is_at("/profile")
    expect(page.locator("#screen")).to_contain_text("8")
    assert credits(visit.http) == 8
    visit.create("the lighthouse that was paid")
    visit.is_at("/result/")
    assert credits(visit.http) == 7


def issuer(shop: Shop, visit: Visit, subject: str) -> List[Dict[str, str]]:
    """Stands for the page of an issuer, which sends people back with a token in the fragment."""
    asked: List[Dict[str, str]] = []

    def answer(route: Route) -> None:
        query = {name: values[0] for name, values in parse_qs(urlsplit(route.request.url).query).items()}
        asked.append(query)
        token = shop.token(subject, nonce=query["nonce"])
        route.fulfill(
            status=303, headers={"Location": f"{query['redirect_uri']}#id_token={token}&state={query['state']}"}
        )

    visit.page.route("**/issuer?**", answer)
    return asked


def test_a_guest_signs_in_and_keeps_what_was_made(new_shop: Callable[..., Shop], visit_of: Callable[..., Visit]) -> None:
    shop = new_shop()
    visit = visit_of(shop)
    visit.expected.append("/original")
    page = begin(visit)
    visit.create("a lighthouse of a guest")
    visit.is_at("/result/")
    asked = issuer(shop, visit, "anna")
    visit.go("/profile")
    page.get_by_role("button", name=visit.say("startSignIn", name="Example")).or_(
        page.get_by_role("link", name=visit.say("startSignIn", name="Example"))
    ).click()
    visit.is_at("/profile")
    visit.settle()
    assert asked[0]["response_type"] == "id_token" and asked[0]["client_id"] == "studio" and len(asked[0]["nonce"]) > 20
    assert "id_token" not in page.url, "the token leaves the address"
    visit.go("/history")
    expect(page.locator(".history-row")).to_have_count(1)
    expect(page.locator(".history-row")).to_contain_text("a lighthouse of a guest")
    # Whoever signs out leaves nothing behind in this browser.
    visit.go("/profile")
    visit.settle()
    page.evaluate(LEAVE_PENDING, ["key_of_now", "a lighthouse without an answer", 0, None])
    page.get_by_role("button", name=visit.say("signOut")).click()
    visit.sees("startTitle")
    assert [cookie for cookie in visit.context.cookies() if "atelier" in cookie["name"]] == []
    assert "lighthouse" not in page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])")


def test_a_token_that_nobody_has_asked_for_signs_nobody_in(
    new_shop: Callable[..., Shop], visit_of: Callable[..., Visit]
) -> None:
    shop = new_shop()
    visit = visit_of(shop)
    begin(visit)
    account = visit.http.get("/account").json()["account"]
    token = shop.token("mallory")
    for state in ("", "&state=1", "&state=undefined", "&state=null"):
        visit.page.goto("about:blank")
        visit.page.goto(f"{shop.origin}/#id_token={token}{state}")
        visit.heading().wait_for()
        visit.settle()
        assert token not in visit.page.url
    state = visit.page.evaluate("fetch('/api/v1/session').then((answer) => answer.json())")
    assert state["guest"] and state["account"]["account"] == account


TERMS: Dict[str, Any] = {
    "terms": {"version": "2026-11", "url": "http://localhost/terms"},
    "service": {"accounts": {"requireConsent": "2026-11"}},
}


@pytest.mark.parametrize("way", ["startGuest", "startSignIn"])
def test_whoever_continues_from_the_start_accepts_the_terms_that_it_names(
    new_shop: Callable[..., Shop], visit_of: Callable[..., Visit], way: str
) -> None:
    shop = new_shop(**TERMS)
    visit = visit_of(shop)
    issuer(shop, visit, "berta")
    page = visit.go("/")
    expect(page.get_by_role("link", name=visit.say("terms"))).to_be_visible()
    visit.button(way, name="Example").click()
    visit.is_at("/capture")
    visit.sees("captureTitle")
    visit.settle()
    account = page.evaluate("fetch('/api/v1/account').then((answer) => answer.json())")
    assert account["consent"]["version"] == "2026-11"


def test_terms_are_accepted_where_they_are_in_the_way(
    new_shop: Callable[..., Shop], visit_of: Callable[..., Visit]
) -> None:
    shop = new_shop(**TERMS)
    visit = visit_of(shop)
    visit.expected += ["/generate", "/estimate", "/original"]
    # Somebody who began before there were terms.
    page = visit.go("/")
    page.evaluate("""fetch("/api/v1/session", { method: "POST", headers: { "Content-Type": "application/json" },
      body: "{}" })""")
    visit.host.cookie = "; ".join(f"{one['name']}={one['value']}" for one in visit.context.cookies())
    page = visit.go("/haircut?mode=create")
    page.locator("#prompt").fill("a lighthouse under terms")
    page.get_by_role("main").get_by_role("button", name=visit.say("acceptTerms")).click()
    page.locator("button[type=submit]").click()
    visit.is_at("/result/")
    assert visit.http.get("/account").json()["consent"]["version"] == "2026-11"
    visit.go("/profile")
    expect(page.locator("#screen")).to_contain_text("2026-11")


#: What a page writes down of a request that has no answer; its age is in milliseconds.
LEAVE_PENDING = """async ([name, words, age, account]) => {
  const session = await (await fetch("/api/v1/session")).json();
  localStorage.setItem(`pending:${name}`, JSON.stringify({
    path: "/generate", params: { recipe: "create", prompt: words, idempotencyKey: name },
    at: Date.now() - age, account: account ?? session.account.appAccountToken }));
}"""
PENDING = "Object.keys(localStorage).filter((key) => key.startsWith('pending:')).length"
MINUTE = 60_000


def test_what_was_not_answered_is_sent_again_for_its_own_person_and_only_while_it_is_new(
    new_shop: Callable[..., Shop], visit_of: Callable[..., Visit]
) -> None:
    visit = visit_of(new_shop())
    visit.expected.append("/original")
    page = begin(visit)
    # Of somebody else, and of yesterday: nothing is said of them.
    page.evaluate(LEAVE_PENDING, ["key_of_another", "the lighthouse of another", 0, "somebody-else"])
    page.evaluate(LEAVE_PENDING, ["key_of_yesterday", "the lighthouse of yesterday", 25 * 60 * MINUTE, None])
    visit.go("/profile")
    until("the end of what is too old", lambda: page.evaluate(PENDING) == 0)
    assert page.locator(".toast").count() == 0
    # Of an hour ago: it is said, and not sent.
    page.evaluate(LEAVE_PENDING, ["key_of_before", "the lighthouse of before", 60 * MINUTE, None])
    visit.go("/profile")
    visit.sees("notSent")
    assert page.evaluate(PENDING) == 0
    assert visit.http.get("/history").json()["entries"] == []
    # Of just now: it is sent.
    page.evaluate(LEAVE_PENDING, ["key_of_now", "the lighthouse of now", MINUTE, None])
    visit.go("/profile")
    visit.is_at("/result/")
    assert [entry["prompt"] for entry in visit.http.get("/history").json()["entries"]] == ["the lighthouse of now"]
    assert page.evaluate(PENDING) == 0


@pytest.mark.parametrize("action", ["deletePhotos", "deleteAccount"])
def test_what_was_not_answered_is_forgotten_with_the_photos_and_the_account(
    new_shop: Callable[..., Shop], visit_of: Callable[..., Visit], action: str
) -> None:
    visit = visit_of(new_shop())
    page = begin(visit)
    visit.go("/profile")
    visit.settle()
    page.evaluate(LEAVE_PENDING, ["key_of_now", "a lighthouse", 0, None])
    visit.button(action).click()
    page.get_by_role("dialog").get_by_role("button", name=visit.say(action), exact=True).click()
    visit.sees("startTitle") if action == "deleteAccount" else expect(page.locator(".proof .good")).to_be_visible()
    assert page.evaluate(PENDING) == 0
    if action == "deleteAccount":
        # Somebody else begins in the same browser.
        page.evaluate("localStorage.setItem('pending:old', '{}')")
        visit.button("startGuest").click()
        visit.is_at("/capture")
        assert page.evaluate(PENDING) == 0


def test_an_account_is_deleted_after_a_question(new_shop: Callable[..., Shop], visit_of: Callable[..., Visit]) -> None:
    shop = new_shop()
    visit = visit_of(shop)
    page = begin(visit)
    page = visit.go("/profile")
    page.get_by_role("button", name=visit.say("deleteAccount")).click()
    dialog = page.get_by_role("dialog")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page.get_by_role("button", name=visit.say("deleteAccount")).click()
    dialog.get_by_role("button", name=visit.say("deleteAccount")).click()
    visit.sees("startTitle")
    assert [cookie for cookie in visit.context.cookies() if "atelier" in cookie["name"]] == []


def test_whoever_has_too_many_requests_sees_how_long_to_wait(
    new_shop: Callable[..., Shop], visit_of: Callable[..., Visit]
) -> None:
    shop = new_shop(limits={"guestRequestsPerHour": 1})
    visit = visit_of(shop)
    visit.expected += ["/generate", "/original"]
    begin(visit)
    shop.report(shop.reference(visit.http), "pay_for_more")
    visit.create("the first lighthouse")
    visit.is_at("/result/")
    want(visit, "the second lighthouse")
    wait = visit.page.locator(".error-wait:visible")
    expect(wait).to_be_visible()
    first = wait.text_content()
    expect(wait).not_to_have_text(first or "")


@pytest.mark.parametrize("path", ["/", "/profile", "/settings", "/history"])
def test_screens_of_a_shop_are_whole(new_shop: Callable[..., Shop], visit_of: Callable[..., Visit], path: str) -> None:
    visit = visit_of(new_shop(terms={"version": "2026-11", "url": "http://localhost/terms"}))
    if path != "/":
        begin(visit)
    page = visit.go(path)
    visit.settle()
    assert not unnamed(tree(page))
    assert page.get_by_label("Key of").count() == 0, "keys are the operator's"
    assert "$" not in page.locator("#screen").inner_text(), "what providers ask for is the operator's"
    for width in (320, 390, 820, 1440):
        page.set_viewport_size({"width": width, "height": 800})
        assert not width_overflow(page)[:4], width
