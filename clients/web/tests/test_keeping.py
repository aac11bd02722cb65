"""What is kept, and how it is let go of, in a browser: history, favourites, export, keys, and deletion."""

from __future__ import annotations

import io
import re
import zipfile
from typing import List

import pytest
from playwright.sync_api import Route

from http_client import Browser
from pages import Visit, expect
from programs import until


@pytest.fixture
def made(own_visit: Visit) -> List[str]:
    """Three pictures, the newest first."""
    ids = []
    for words in ("a red lighthouse", "a green bridge", "a blue tower"):
        ids.insert(0, own_visit.http.post("/generate", {"recipe": "create", "prompt": words}).json()["generationId"])
        until(words, lambda: own_visit.http.get(f"/generations/{ids[0]}").json()["state"] == "succeeded")
    return ids


def test_the_history_is_searched_filtered_and_marked(own_visit: Visit, made: List[str]) -> None:
    visit = own_visit
    page = visit.go("/history")
    rows = page.locator(".history-row")
    expect(rows).to_have_count(3)
    expect(rows.first).to_contain_text("a blue tower")
    page.get_by_role("searchbox").fill("bridge")
    expect(rows).to_have_count(1)
    page.get_by_role("searchbox").fill("nothing like it")
    visit.sees("nothingFound")
    page.get_by_role("searchbox").fill("")
    expect(rows).to_have_count(3)
    heart = rows.nth(1).get_by_role("button", name=visit.say("favoriteOf", title="a green bridge"))
    heart.click()
    expect(heart).to_have_attribute("aria-pressed", "true")
    page.get_by_role("radio", name=visit.say("view.favorites")).check()
    expect(rows).to_have_count(1)
    page.get_by_label(visit.say("kind")).select_option("headshot")
    visit.sees("nothingFound")


def test_a_list_shows_the_mark_that_is_still_on_its_way(own_visit: Visit, made: List[str]) -> None:
    visit = own_visit
    page = visit.go("/history")
    rows = page.locator(".history-row")
    expect(rows).to_have_count(3)
    held: List[Route] = []
    page.route(f"**/generations/{made[1]}", lambda route: held.append(route))
    rows.nth(1).get_by_role("button", name=visit.say("favoriteOf", title="a green bridge")).click()
    # Asking the page for anything lets the route be called.
    until("the mark is on its way", lambda: page.evaluate("true") and held)
    page.get_by_role("radio", name=visit.say("view.favorites")).check()
    page.evaluate("fetch('/api/v1/history').then((answer) => answer.text())")
    held[0].continue_()
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text("a green bridge")


def test_a_deleted_picture_can_be_had_back_for_a_while(own_visit: Visit, made: List[str]) -> None:
    visit = own_visit
    page = visit.page
    page.clock.install()
    visit.go("/history")
    rows = page.locator(".history-row:visible")
    expect(rows).to_have_count(3)
    visit.stop_time()
    rows.first.locator("a").focus()
    page.keyboard.press("Delete")
    expect(rows).to_have_count(2)
    page.get_by_role("button", name=visit.say("undo")).click()
    expect(rows).to_have_count(3)
    page.keyboard.press("Delete")
    expect(rows).to_have_count(2)
    # Whoever leaves has decided.
    page.get_by_role("link", name=visit.say("navProfile"), exact=True).click()
    visit.sees("profileTitle")
    until("the end of the picture", lambda: visit.http.get(f"/generations/{made[0]}").status == 404)


def test_the_time_to_undo_stands_still_while_somebody_is_there_and_keys_undo(own_visit: Visit, made: List[str]) -> None:
    visit = own_visit
    page = visit.page
    page.clock.install()
    visit.go("/history")
    rows = page.locator(".history-row:visible")
    expect(rows).to_have_count(3)
    visit.stop_time()
    rows.first.locator("a").focus()
    page.keyboard.press("Delete")
    expect(rows).to_have_count(2)
    page.keyboard.press("Control+z")
    expect(rows).to_have_count(3)
    expect(page.locator(".toast")).to_have_count(0)
    page.keyboard.press("Delete")
    undo = page.get_by_role("button", name=visit.say("undo"))
    undo.focus()
    page.clock.run_for(60_000)
    expect(undo).to_be_visible()
    assert visit.http.get(f"/generations/{made[0]}").status == 200
    rows.first.locator("a").focus()
    page.clock.run_for(7_000)
    expect(page.locator(".toast")).to_have_count(0)
    until("the end of the picture", lambda: visit.http.get(f"/generations/{made[0]}").status == 404)


def test_the_history_is_where_it_was_when_somebody_comes_back(own_visit: Visit) -> None:
    visit = own_visit
    for number in range(26):
        visit.http.post("/generate", {"recipe": "create", "prompt": f"lighthouse {number}"})
    until("the pictures", lambda: visit.http.get("/history").json()["totals"]["generations"] == 26)
    page = visit.go("/history")
    rows = page.locator(".history-row")
    expect(rows).to_have_count(20)
    rows.last.scroll_into_view_if_needed()
    expect(rows).to_have_count(26)
    link = rows.nth(24).locator("a")
    link.scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    assert before > 500
    link.click()
    page.wait_for_url(re.compile("/(result|making)/"))
    expect(visit.heading()).to_be_visible()
    page.go_back()
    expect(rows).to_have_count(26)
    until("the place", lambda: abs(page.evaluate("scrollY") - before) < 80)
    # A link to the history begins at the top.
    page.get_by_role("link", name=visit.say("navProfile"), exact=True).click()
    visit.sees("profileTitle")
    page.get_by_role("link", name=visit.say("navHistory"), exact=True).click()
    expect(rows.first).to_be_visible()
    visit.settle()
    assert page.evaluate("scrollY") == 0


def test_photos_are_deleted_with_a_proof(own_visit: Visit, made: List[str], portrait: bytes) -> None:
    visit = own_visit
    visit.http.photo(portrait)
    page = visit.go("/profile")
    page.get_by_role("button", name=visit.say("deletePhotos")).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name=visit.say("keep")).click()
    assert visit.http.get("/history").json()["totals"]["generations"] == 3
    page.get_by_role("button", name=visit.say("deletePhotos")).click()
    dialog.get_by_role("button", name=visit.say("deletePhotos")).click()
    proof = page.locator(".proof")
    expect(proof).to_contain_text("3 entries deleted")
    expect(proof).to_contain_text(visit.say("leftProof.other", count=0))
    assert visit.http.get("/history").json()["entries"] == []
    for generation in made:
        assert visit.http.get(f"/generations/{generation}/images/0").status == 404
    # The claim is true: no file of a picture is left.
    left = [
        path
        for path in visit.host.data.rglob("*")
        if path.is_file()
        and path.stat().st_size > 200
        and path.open("rb").read(4) in (b"\x89PNG", b"\xff\xd8\xff\xe0", b"RIFF")
    ]
    assert not left


def test_the_history_is_exported_with_its_pictures(own_visit: Visit, made: List[str]) -> None:
    visit = own_visit
    page = visit.go("/history")
    with page.expect_download() as download:
        page.get_by_role("link", name=visit.say("exportHistory")).click()
    path = visit.host.folder / "export.zip"
    download.value.save_as(path)
    with zipfile.ZipFile(io.BytesIO(path.read_bytes())) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        assert not [name for name in names if name.startswith("/") or ".." in name]
        history = b"".join(archive.read(name) for name in names if name.startswith("history")).decode()
        assert all(generation in history for generation in made)
        assert len([name for name in names if name.endswith((".png", ".jpg"))]) == 3
        assert str(visit.host.data) not in history, "no path of the machine"


def test_a_key_is_set_shown_masked_and_removed(own_visit: Visit) -> None:
    visit = own_visit
    key = "sk-simulated-0123456789abcdefWXYZ"
    bodies: List[str] = []
    visit.page.on(
        "response",
        lambda answer: (
            bodies.append(answer.url) if key in (answer.text() if "/credentials" in answer.url else "") else None
        ),
    )
    page = visit.go("/settings")
    field = page.get_by_label(visit.say("keyOf", name="OpenAI"))
    assert field.get_attribute("type") == "password" and field.get_attribute("autocomplete") in ("off", "new-password")
    field.fill(key)
    field.press("Enter")
    card = page.locator("li.card", has=page.get_by_label(visit.say("keyOf", name="OpenAI")))
    expect(card).to_contain_text("WXYZ")
    expect(field).to_have_value("")
    page.reload()
    expect(card).to_contain_text("WXYZ")
    assert key not in page.content() and not bodies
    assert key not in visit.http.get("/credentials").body.decode()
    stored = page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])")
    assert key not in stored
    card.get_by_role("button", name=visit.say("removeKey")).click()
    page.get_by_role("dialog").get_by_role("button", name=visit.say("removeKey")).click()
    expect(card).not_to_contain_text("WXYZ")


def test_a_key_that_is_none_is_refused_with_a_sentence(own_visit: Visit) -> None:
    own_visit.expected.append("/credentials/")
    page = own_visit.go("/settings")
    field = page.get_by_label(own_visit.say("keyOf", name="OpenAI"))
    field.fill("a key with spaces\u00a0and more")
    field.press("Enter")
    expect(page.locator("error-box:visible")).to_contain_text(" ")


def test_the_order_of_the_providers_is_kept(own_visit: Visit) -> None:
    visit = own_visit
    page = visit.go("/settings")
    page.get_by_role("radio", name=visit.say("orderOwn")).check()
    names = page.locator(".providers h3")
    before = names.all_inner_texts()
    page.locator(".providers li").nth(1).get_by_role("button", name=visit.say("moveUp", name="").strip()).or_(
        page.locator(".providers li").nth(1).locator('[data-name^="up-"]')
    ).first.click()
    expect(names.first).not_to_have_text(before[0])
    first = names.first.inner_text()
    page.reload()
    expect(names.first).to_have_text(first)


def test_a_rating_is_stored(own_visit: Visit, made: List[str]) -> None:
    visit = own_visit
    page = visit.go(f"/result/{made[0]}")
    visit.expected.append("/original")
    page.get_by_role("radio", name="4").check()
    page.get_by_role("button", name=visit.say("ratingSend"), exact=True).click()
    visit.sees("ratingThanks")


def test_a_picture_is_saved_under_a_name_that_says_what_it_is(own_visit: Visit, made: List[str]) -> None:
    visit = own_visit
    visit.expected.append("/original")
    page = visit.go(f"/result/{made[0]}")
    with page.expect_download() as download:
        page.get_by_role("link", name=visit.say("save"), exact=True).click()
    assert download.value.suggested_filename.startswith("atelier-create-")
    path = visit.host.folder / "saved"
    download.value.save_as(path)
    answer = Browser(visit.host, visit.host.cookie).get(f"/generations/{made[0]}/images/0")
    assert path.read_bytes() == answer.body
