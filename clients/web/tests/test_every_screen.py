"""What holds on every screen: names of controls, no scrolling sideways, six languages, text that is text, the keyboard."""

from __future__ import annotations

import json
import pathlib
import re
from typing import Callable, Dict, List

import pytest

from http_client import Browser
from pages import CAMERA, LARGE_LETTERS, Visit, expect, tree, unnamed, width_overflow
from programs import Host, Simulator, until

HTML = '<img src=x onerror="document.title=1"><b>bold</b>&amp;'
RIGHT_TO_LEFT = "مجموعة قصيرة (bob) مع غرة"
LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft" * 2
LANGUAGES = ["es-MX", "ja", "zh-Hans", "hi", "de"]


@pytest.fixture(scope="module")
def things(shared_host: Host, shared_simulator: Simulator, portrait: bytes) -> Dict[str, str]:
    """Something on each screen: what was made from words that are hard to show, a portrait, places, and a photo."""
    browser = Browser(shared_host, shared_host.cookie)
    shared_simulator.release()
    photo = browser.upload(portrait).json()
    made = {"photo": json.dumps(photo)}
    requests = {
        "html": {"recipe": "create", "prompt": HTML},
        "right to left": {"recipe": "create", "prompt": RIGHT_TO_LEFT},
        "long": {"recipe": "create", "prompt": LONG, "output": {"count": 3}},
        "portrait": {"recipe": "headshot", "image": {"preparedId": photo["preparedId"]}},
        "places": {"recipe": "places", "prompt": f"Coffee shops in Austin {HTML}"},
        "cancelled": {"recipe": "create", "prompt": f"cancelled {LONG}"},
    }
    for name, request in requests.items():
        if name == "cancelled":
            shared_simulator.always_meets("hold")
        made[name] = browser.post("/generate", request).json()["generationId"]
        if name == "cancelled":
            browser.post(f"/generations/{made[name]}/cancel")
            shared_simulator.release()

    def is_over(name: str) -> bool:
        return browser.get(f"/generations/{made[name]}").json()["state"] not in ("queued", "running")

    for name in requests:
        until(name, lambda: is_over(name))
    return made


SCREENS = {
    "start": "/",
    "capture": "/capture",
    "preview": "/preview",
    "style": "/style",
    "haircut": "/haircut",
    "edit": "/haircut?mode=edit",
    "create": "/haircut?mode=create",
    "portrait": "/result/{portrait}",
    "variations": "/result/{long}",
    "html": "/result/{html}",
    "cancelled": "/making/{cancelled}",
    "places": "/places",
    "found places": "/places/{places}",
    "history": "/history",
    "profile": "/profile",
    "settings": "/settings",
    "not found": "/nothing-here",
}

#: Widths of the page in its own pixels. A zoom of 200 % halves them: 410 and 720 are 820 and 1440; 320 is a small telephone.
WIDTHS = [320, 390, 410, 720, 820, 1440]


def begin(visit: Visit, things: Dict[str, str], path: str = "/") -> None:
    """Opens the page, with the photo that some screens need."""
    visit.expected.append("/original")  # What was made from words alone has no photo.
    visit.context.add_init_script(f"sessionStorage.setItem('photo', {json.dumps(things['photo'])})")
    visit.go(path)
    visit.settle()


@pytest.mark.parametrize("name", SCREENS)
def test_a_screen_is_whole(host: Host, new_visit: Callable[..., Visit], things: Dict[str, str], name: str) -> None:
    visit = new_visit(host)
    begin(visit, things, SCREENS[name].format(**things))
    page = visit.page
    assert not unnamed(tree(page)), "every control has a name"
    expect(visit.heading()).to_have_count(1)
    expect(page).to_have_title(re.compile(r".+ · Atelier$"))
    assert page.evaluate("document.documentElement.lang") == "en"
    text = page.locator("body").inner_text()
    assert not [key for key in visit.words if "." in key and key in text.split()], "every word is there"
    assert "undefined" not in text and "[object" not in text and not re.search(r"\{\w+\}", text)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert not width_overflow(page)[:4], f"{width} pixels"


@pytest.mark.parametrize("width", [390, 820, 1440])
def test_letters_of_twice_the_size_fit(
    host: Host, new_visit: Callable[..., Visit], things: Dict[str, str], width: int
) -> None:
    visit = new_visit(host, LARGE_LETTERS, viewport={"width": width, "height": 900})
    begin(visit, things)
    assert visit.page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
    found: Dict[str, List[str]] = {}
    for name, path in SCREENS.items():
        visit.walk(path.format(**things))
        found[name] = width_overflow(visit.page)[:3]
    assert not any(found.values()), {name: parts for name, parts in found.items() if parts}


def test_the_camera_has_names_as_well(host: Host, new_visit: Callable[..., Visit], things: Dict[str, str]) -> None:
    visit = new_visit(host, CAMERA)
    begin(visit, things, "/capture")
    expect(visit.button("takePhoto")).to_be_enabled()
    assert not unnamed(tree(visit.page))


# Two of them show what all have: that every sentence is in each, the files say.
@pytest.mark.parametrize("language", ["de", "ja"])
def test_every_screen_speaks_the_language_of_the_browser(
    host: Host, new_visit: Callable[..., Visit], things: Dict[str, str], language: str
) -> None:
    visit = new_visit(host, locale=language, viewport={"width": 390, "height": 800})
    visit.words = visit.http.ask("GET", f"/assets/words/{language}.json").json()
    english = visit.http.ask("GET", "/assets/words/en.json").json()
    assert visit.words.keys() >= {
        key for key in english if not key.endswith(".one")
    }, "every sentence is in every language"
    # An English sentence on a page of another language was forgotten.
    sentences = [
        text for key, text in english.items() if len(text) > 20 and visit.words.get(key) != text and "{" not in text
    ]
    begin(visit, things)
    for name, path in SCREENS.items():
        visit.walk(path.format(**things))
        assert visit.page.evaluate("document.documentElement.lang") == language
        text = visit.page.locator("body").inner_text()
        assert not [each for each in sentences if each in text], name
        assert not width_overflow(visit.page)[:4], name


def test_the_language_is_in_the_script_that_the_reader_reads(visit: Visit) -> None:
    cases = json.loads((pathlib.Path(__file__).resolve().parents[3] / "Tests/Fixtures/languages.json").read_text("utf-8"))
    page = visit.go("/settings")
    choose = """async (cases) => {
        const { bestLanguage } = await import("/assets/words.js");
        return cases.map((each) => bestLanguage(null, each));
    }"""
    found = page.evaluate(choose, [each["asked"] for each in cases])
    for case, language in zip(cases, found, strict=True):
        assert language == (case["language"] or "en"), case
    # The service answers a header in the same way.
    for case in cases:
        told = visit.http.get("/session", Accept_Language=", ".join(case["asked"])).json()["locale"]
        assert told == (case["language"] or "en"), case


def test_the_language_that_was_chosen_stays_and_is_the_services_too(visit: Visit) -> None:
    visit.expected.append("/generations/")
    page = visit.go("/settings")
    page.locator("#language").select_option("de")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    german = visit.http.ask("GET", "/assets/words/de.json").json()
    expect(visit.heading()).to_have_text(german["settingsTitle"])
    visit.go("/result/gen_01m8d73hj0hpngmncf7827300f")
    message = visit.http.get("/generations/gen_01m8d73hj0hpngmncf7827300f", Accept_Language="de").json()["error"][
        "message"
    ]
    expect(page.locator("body")).to_contain_text(message)


def test_words_of_people_are_text_wherever_they_are_shown(visit: Visit, things: Dict[str, str]) -> None:
    for path in (
        "/history",
        f"/result/{things['html']}",
        f"/places/{things['places']}",
        f"/haircut?from={things['html']}",
    ):
        page = visit.go(path)
        if path.startswith("/result"):
            page.locator("details").last.evaluate("(one) => { one.open = true; }")
        visit.settle()
        assert page.locator("#screen b, #screen img[src=x]").count() == 0, path
        if not path.startswith("/haircut"):
            expect(page.locator("#screen")).to_contain_text(HTML)
    visit.go("/haircut?mode=create").locator("#prompt").fill(HTML)
    visit.page.reload()
    expect(visit.page.locator("#prompt")).to_have_value(HTML)
    visit.expected.append("/original")


def test_text_from_right_to_left_is_shown_so(visit: Visit, things: Dict[str, str]) -> None:
    page = visit.go("/history")
    title = page.locator(".history-title", has_text=RIGHT_TO_LEFT).first
    expect(title).to_be_visible()
    assert title.evaluate("(one) => getComputedStyle(one).direction") == "rtl"
    page = visit.go("/haircut?mode=create")
    page.locator("#prompt").fill(RIGHT_TO_LEFT)
    assert page.locator("#prompt").evaluate("(one) => getComputedStyle(one).direction") == "rtl"


def tab_to(visit: Visit, name: str, roles: str = "button,a,input,select,textarea,summary") -> None:
    """Presses the tab key until the focus is on what has this name, as a person does who has no mouse."""
    find = """(name) => {
      const one = document.activeElement;
      const label = one.getAttribute("aria-label") ?? one.labels?.[0]?.textContent ?? one.textContent;
      return one !== document.body && label.trim() === name;
    }"""
    for _ in range(80):
        visit.page.keyboard.press("Tab")
        if visit.page.evaluate(find, name):
            ring = visit.page.evaluate(
                "() => { const s = getComputedStyle(document.activeElement); return s.outlineStyle + s.boxShadow; }"
            )
            assert ring != "nonenone", f"{name} does not show that it has the focus"
            return
    raise AssertionError(f"the tab key does not lead to {name!r}: {tree(visit.page)}")


def test_a_portrait_can_be_made_with_the_keyboard_alone(host: Host, new_visit: Callable[..., Visit]) -> None:
    visit = new_visit(host, CAMERA)
    page = visit.go("/")
    steps = [
        ("startPortrait", "/capture"),
        ("takePhoto", "/preview"),
        ("useThisPhoto", "/style"),
        ("makePortrait", "/result/"),
    ]
    for word, path in steps:
        button = page.get_by_role("button", name=visit.say(word))
        expect(button).to_be_enabled()
        tab_to(visit, visit.say(word))
        page.keyboard.press("Enter")
        visit.is_at(path)
        expect(visit.heading()).to_be_visible()
    compare = page.get_by_role("slider", name=visit.say("beforeAfter"))
    expect(compare).to_be_visible()
    tab_to(visit, visit.say("beforeAfter"))
    page.keyboard.press("ArrowRight")
    expect(compare).to_have_value("51")
    page.get_by_role("button", name=visit.say("deletePicture")).focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("button", name=visit.say("deletePicture"))).to_be_focused()


def test_the_focus_follows_to_each_screen(visit: Visit) -> None:
    page = visit.go("/")
    for word in ("navHistory", "navProfile", "navHaircut"):
        page.get_by_role("link", name=visit.say(word), exact=True).focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("link", name=visit.say(word), exact=True)).to_have_attribute("aria-current", "page")
    page.go_back()
    expect(visit.heading()).to_have_text(visit.say("profileTitle"))
    page.keyboard.press("Tab")


def test_shears_stand_still_where_motion_is_not_wanted(host: Host, new_visit: Callable[..., Visit]) -> None:
    visit = new_visit(host, reduced_motion="reduce")
    page = visit.go("/")
    assert page.evaluate("document.getAnimations().filter((one) => one.playState === 'running').length") == 0
    moving = new_visit(host, reduced_motion="no-preference")
    moving.go("/").get_by_role("button", name=moving.say("startPortrait")).click()
    moving.is_at("/capture")


def test_the_page_weighs_little_and_is_first_painted_without_its_screens(visit: Visit) -> None:
    sizes: Dict[str, int] = {}
    visit.page.on("response", lambda answer: sizes.update({answer.url: int(answer.headers.get("content-length", 0))}))
    visit.go("/")
    visit.settle()
    scripts = [url for url in sizes if url.endswith(".js")]
    assert not [
        url for url in scripts if "/screens/" in url and not url.endswith(("/start.js", "/error-page.js"))
    ], "other screens come when they are wanted"
    assert sum(size for url, size in sizes.items() if not url.endswith((".jpg", ".png"))) < 150_000
