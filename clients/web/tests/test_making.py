"""What becomes of a picture while it is made, in a browser: other tabs, cancelling, refusals, and ends of the programs."""

from __future__ import annotations

import pathlib
import re
import signal
from typing import Callable, List, Optional

import pytest
from playwright.sync_api import Route

from http_client import API
from pages import Visit, expect
from programs import FIXTURES, PORTRAIT, Host, Simulator, noise_photo, until

REFERENCES = [FIXTURES / "images" / "face.jpg", FIXTURES / "images" / "face.heic"]


def test_a_haircut_is_made_from_words_and_two_references_in_four_views(visit: Visit, simulator: Simulator) -> None:
    page = visit.go("/haircut")
    page.get_by_role("link", name=visit.say("choosePhoto")).click()
    visit.sees("captureTitle")
    visit.choose_photo(PORTRAIT)
    visit.is_at("/preview")
    visit.button("useThisPhoto").click()
    visit.sees("haircutTitle")
    page.locator("#prompt").fill("a chin-length bob")
    visit.choose_photo(*REFERENCES)
    expect(page.locator(".reference img")).to_have_count(2)
    page.get_by_role("radio", name=visit.say("outViews")).check()
    visit.sees("viewsHelp")
    visit.sees("photoGoes", name="Google Gemini")
    before = len(simulator.requests())
    page.locator("button[type=submit]").click()
    visit.is_at("/result/")
    thumbnails = page.locator(".thumb")
    expect(thumbnails).to_have_count(4)
    seen = set()
    for number in range(4):
        thumbnails.nth(number).click()
        expect(thumbnails.nth(number)).to_have_attribute("aria-current", "true")
        seen.add(page.locator("img.after").get_attribute("alt"))
    assert len(seen) == 4, "each view has a name of its own"
    assert len(simulator.requests()) > before


def test_a_result_is_refined_and_its_chain_is_shown(visit: Visit) -> None:
    visit.create("a lighthouse that is refined")
    page = visit.page
    visit.is_at("/result/")
    first = page.url
    page.locator("section.result textarea, section.result input[type=text]").first.fill("at night")
    page.get_by_role("button", name=visit.say("refine"), exact=True).click()
    expect(page).not_to_have_url(first)
    visit.is_at("/result/")
    visit.sees("chainTitle")
    expect(page.locator(f'a[href^="{first.removeprefix(visit.host.origin).partition("?")[0]}"]')).to_have_count(1)


def test_what_is_being_made_can_be_cancelled(visit: Visit, simulator: Simulator) -> None:
    simulator.always_meets("hold")
    generation = visit.create("a lighthouse that is cancelled")
    until("the work", lambda: visit.http.get(f"/generations/{generation}").json()["progress"]["phase"] == "processing")
    cancel(visit, generation)


def test_what_is_being_uploaded_can_be_cancelled(visit: Visit, simulator: Simulator) -> None:
    # So large that it does not fit into what the system keeps for a receiver who does not read.
    photo = {"preparedId": visit.http.photo(noise_photo(1400))}
    simulator.always_meets("hold-during-upload")
    request = {"recipe": "edit", "prompt": "at night", "image": photo, "references": [photo, photo]}
    generation = visit.http.post("/generate", request).json()["generationId"]
    visit.go(f"/making/{generation}")
    until("the upload", lambda: visit.http.get(f"/generations/{generation}").json()["progress"]["phase"] == "uploading")
    visit.sees("phase.uploading")
    cancel(visit, generation)


def cancel(visit: Visit, generation: str) -> None:
    visit.button("cancel").click()
    visit.sees("ended.cancelled")
    visit.sees("nothingCharged")
    expect(visit.page).to_have_title(f"{visit.say('ended.cancelled')} · Atelier")
    assert visit.http.get(f"/generations/{generation}").json()["state"] == "cancelled"


def test_the_time_until_the_next_try_is_counted_down(own_visit: Visit, simulator: Simulator) -> None:
    visit = own_visit
    simulator.always_meets("429-minute")
    page = visit.go("/haircut?mode=create")
    page.get_by_label(visit.say("mayWait")).uncheck()
    page.locator("#prompt").fill("a lighthouse too many")
    page.locator("button[type=submit]").click()
    wait = page.locator(".error-wait:visible")
    expect(wait).to_contain_text("seconds")
    first = wait.text_content()
    expect(wait).not_to_have_text(first or "")


def test_a_reload_and_a_second_tab_find_what_is_being_made(visit: Visit, simulator: Simulator) -> None:
    simulator.always_meets("hold")
    generation = visit.create("a lighthouse in two tabs")
    page = visit.page
    expect(page.get_by_role("progressbar")).to_be_visible()
    page.reload()
    bar = page.get_by_role("progressbar")
    expect(bar).to_be_visible()
    expect(page.locator(".doing")).not_to_be_empty()
    other = visit.context.new_page()
    visit.go("/history", other)
    other.locator(f'a[href="/making/{generation}"]').click()
    expect(other.get_by_role("progressbar")).to_be_visible()
    expect(other.locator(".doing")).to_have_text(page.locator(".doing").text_content() or "?")
    simulator.release()
    for each in (page, other):
        expect(each).to_have_url(f"{visit.host.origin}/result/{generation}")
        expect(each.locator("img.after")).to_be_visible()


def test_a_picture_is_found_again_when_the_service_was_killed(own_visit: Visit, simulator: Simulator) -> None:
    host, visit = own_visit.host, own_visit
    visit.expected.append("/generations/")
    simulator.always_meets("hold")
    visit.create("a lighthouse whose service is killed")
    expect(visit.page.get_by_role("progressbar")).to_be_visible()
    host.kill_services()
    simulator.release()
    # What was sent to a provider is not sent twice; the person is told, and may try again.
    visit.sees("ended.interrupted")
    visit.button("tryAgain").click()
    visit.is_at("/result/")


def test_a_page_goes_on_when_the_host_was_killed(own_visit: Visit, simulator: Simulator) -> None:
    host, visit = own_visit.host, own_visit
    visit.expected.append("/api/v1/")
    simulator.always_meets("hold")
    generation = visit.create("a lighthouse whose host is killed")
    expect(visit.page.get_by_role("progressbar")).to_be_visible()
    host.restart(signal.SIGKILL)
    simulator.release()
    expect(visit.page).to_have_url(f"{host.origin}/result/{generation}")
    expect(visit.page.locator("img.after")).to_be_visible()


def test_a_page_says_that_the_host_is_gone_and_notices_its_return(own_visit: Visit, simulator: Simulator) -> None:
    host, visit = own_visit.host, own_visit
    visit.expected.append("/api/v1/")
    simulator.always_meets("hold")
    visit.create("a lighthouse of a host that is away")
    expect(visit.page.get_by_role("progressbar")).to_be_visible()
    lost = visit.page.get_by_text(visit.say("hostGone"))
    host.end(signal.SIGKILL)
    expect(lost).to_be_visible()
    host.restart()
    expect(lost).to_be_hidden()


def test_a_screen_that_cannot_be_loaded_comes_when_the_host_is_back(visit: Visit) -> None:
    visit.expected.append("/assets/screens/")
    page = visit.go("/")
    page.route("**/assets/screens/history.js", lambda route: route.abort("connectionrefused"))
    page.get_by_role("link", name=visit.say("navHistory"), exact=True).click()
    visit.sees("hostGoneTitle")
    page.unroute("**/assets/screens/history.js")
    visit.sees("historyTitle")
    visit.is_at("/history")


def test_a_request_whose_answer_was_lost_is_made_once(visit: Visit) -> None:
    page = visit.page
    visit.expected.append("/generate")
    sent = []

    def lose(route) -> None:  # type: ignore[no-untyped-def]
        sent.append(route.request.post_data_json["idempotencyKey"])
        if len(sent) > 1:
            route.continue_()
            return
        route.fetch()  # The host gets it, and the page never hears.
        route.abort("connectionreset")

    page.route(f"**{API}/generate", lose)
    before = visit.http.get("/history").json()["totals"]["generations"]
    visit.create("a lighthouse whose answer is lost")
    visit.is_at("/result/")
    assert len(sent) == 2 and sent[0] == sent[1]
    assert visit.http.get("/history").json()["totals"]["generations"] == before + 1


def test_a_request_is_sent_again_after_the_page_was_reloaded(visit: Visit) -> None:
    page = visit.page
    visit.expected.append("/generate")
    page.route(f"**{API}/generate", lambda route: route.abort("connectionreset"))
    visit.go("/haircut?mode=create")
    page.locator("#prompt").fill("a lighthouse after a reload")
    page.locator("button[type=submit]").click()
    visit.sees("sendingAgain")
    page.unroute(f"**{API}/generate")
    page.reload()
    visit.is_at("/result/")


def test_a_missing_key_is_told_and_leads_to_the_settings(
    new_host: Callable[..., Host], new_visit: Callable[..., Visit]
) -> None:
    host = new_host(env={"GEMINI_API_KEY": ""})
    visit = new_visit(host)
    visit.page.goto(host.link)
    visit.sees("startTitle")
    page = visit.go("/haircut")
    visit.sees("keyNeededTitle")
    page.get_by_role("main").get_by_role("link", name=visit.say("openSettings")).click()
    visit.is_at("/settings")


@pytest.mark.parametrize("fault", ["block:SAFETY", "400-key-invalid", "finish:IMAGE_SAFETY", "500-internal", "not-json"])
def test_a_refusal_of_the_provider_is_a_sentence_and_a_way_on(own_visit: Visit, simulator: Simulator, fault: str) -> None:
    visit = own_visit
    simulator.always_meets(fault)
    page = visit.go("/haircut?mode=create")
    page.get_by_label(visit.say("mayWait")).uncheck()
    page.locator("#prompt").fill(f"a lighthouse that meets {fault}")
    page.locator("button[type=submit]").click()
    box = page.locator("error-box:visible")
    expect(box).to_contain_text(" ")
    assert fault not in (box.text_content() or "")
    expect(page.locator("#screen").locator("button:visible, a:visible").first).to_be_enabled()


def test_places_are_found_and_exported(visit: Visit, folder: pathlib.Path) -> None:
    page = visit.go("/places")
    page.locator("textarea, input[type=text], input[type=search]").first.fill("Coffee shops in Austin")
    page.get_by_role("button", name=visit.say("findPlaces")).click()
    visit.is_at("/places/")
    expect(page.locator("#screen li").first).to_be_visible()
    expect(page.get_by_role("progressbar")).to_have_count(0)
    visit.sees("noTiles")
    for kind in ("GeoJSON", "CSV"):
        with page.expect_download() as download:
            page.get_by_role("button", name=kind).click()
        path = folder / f"places.{kind}"
        download.value.save_as(path)
        assert path.stat().st_size > 100


@pytest.mark.parametrize("failures", [2, None])
def test_a_result_that_does_not_come_is_asked_for_again_and_then_told(visit: Visit, failures: Optional[int]) -> None:
    visit.expected += ["/images/", "/original"]
    visit.create("a lighthouse behind a bad connection")
    visit.is_at("/result/")
    asked: List[Route] = []

    def lose(route: Route) -> None:
        asked.append(route)
        if len(asked) == 1:
            # It is answered when the page was seen to wait.
            return
        if failures is not None and len(asked) > failures:
            route.continue_()
        else:
            route.abort()

    visit.page.route(re.compile(r"/images/\d+$"), lose)
    visit.page.reload(wait_until="commit")
    picture = visit.page.locator(".compare .after")
    expect(visit.page.locator(".compare-wait")).to_be_visible()
    assert not picture.is_visible()
    asked[0].abort()
    if failures is None:
        expect(visit.page.locator(".result-picture error-box")).to_be_visible()
        visit.page.unroute(re.compile(r"/images/\d+$"))
        visit.page.locator(".result-picture error-box").get_by_role("button").click()
    expect(picture).to_be_visible()
    expect(visit.page.locator(".compare-wait")).to_be_hidden()
    assert picture.evaluate("(picture) => picture.naturalWidth > 0")


def test_only_a_photo_that_the_host_no_longer_has_counts_as_erased(visit: Visit) -> None:
    visit.expected.append("/photos/")
    visit.go("/capture")
    visit.choose_photo(PORTRAIT)
    visit.is_at("/preview")
    visit.settle()
    photo = re.compile(r"/photos/[\w-]+$")
    visit.page.route(photo, lambda route: route.abort())
    visit.page.reload()
    expect(visit.page.locator("#screen error-box")).to_be_visible()
    visit.is_at("/preview")
    visit.page.unroute(photo)
    visit.page.route(
        photo,
        lambda route: route.fulfill(
            status=404, json={"error": {"code": 404, "kind": "not_found", "message": "It is gone.", "retryable": False}}
        ),
    )
    visit.page.reload()
    visit.is_at("/capture")
