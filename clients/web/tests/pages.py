"""How do the tests see the pages: in Debian's Chromium, with a camera or without one?"""

from __future__ import annotations

import pathlib
import re
import shutil
from datetime import datetime, timedelta
from typing import Any, Dict, List, Optional, Set
from urllib.parse import urlsplit

from playwright.sync_api import Browser as Chromium
from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, Playwright, Request, expect

from http_client import API, Browser
from programs import PATIENCE, PORTRAIT, Host, until

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
expect.set_options(timeout=PATIENCE * 1000)

#: A camera that shows a portrait, and somebody who allows it at once.
CAMERA = "a camera that is allowed"
#: A camera, and a browser that asks whether it is allowed; headless, nobody answers, which is a refusal.
ASKING = "a camera that is asked for"
#: No camera.
NONE = "no camera"
#: No camera, and somebody who has chosen letters of twice the usual size in the settings of the browser.
LARGE_LETTERS = "large letters"

#: Tells the console what the policy of the page forbids, and what nobody has caught.
WATCH = """
document.addEventListener("securitypolicyviolation",
  (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
"""


class Chromiums:
    """One browser for each kind of camera, started when it is first needed."""

    def __init__(self, playwright: Playwright, folder: pathlib.Path) -> None:
        self._playwright = playwright
        self._folder = folder
        self._open: Dict[str, Chromium] = {}

    def of(self, camera: str) -> Chromium:
        if camera not in self._open:
            arguments = ["--no-sandbox", "--disable-gpu"]
            if camera == LARGE_LETTERS:
                arguments.append("--blink-settings=defaultFontSize=32,defaultFixedFontSize=26")
            if camera in (CAMERA, ASKING):
                arguments += ["--use-fake-device-for-media-stream", f"--use-file-for-fake-video-capture={self._film()}"]
            if camera == CAMERA:
                arguments.append("--use-fake-ui-for-media-stream")
            self._open[camera] = self._playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        return self._open[camera]

    def _film(self) -> pathlib.Path:
        """A film of Motion JPEG: one picture after the other, and always the same."""
        film = self._folder / "camera.mjpeg"
        if not film.exists():
            film.write_bytes(PORTRAIT.read_bytes() * 10)
        return film

    def close(self) -> None:
        for browser in self._open.values():
            browser.close()


class Visit:
    """One browser of one person, and what it has done that must not be."""

    def __init__(self, chromium: Chromium, host: Host, words: Dict[str, str], **options: Any) -> None:
        options.setdefault("locale", "en-US")
        options.setdefault("viewport", {"width": 1000, "height": 900})
        options.setdefault("reduced_motion", "reduce")
        self.host = host
        self.words = words
        self.context: BrowserContext = chromium.new_context(**options)
        self.context.set_default_timeout(PATIENCE * 1000)
        self.context.add_init_script(WATCH)
        self.faults: List[str] = []
        #: The requests that have no answer yet, but for the streams of events, which stay open.
        self.pending: Set[Request] = set()
        #: Addresses that may be refused: a browser writes each refusal to its console.
        self.expected: List[str] = []
        self.context.on("console", self._said)
        self.context.on("weberror", lambda error: self.faults.append(f"uncaught: {error.error}"))
        self.context.on("request", self._asked)
        self.context.on("requestfinished", lambda request: self.pending.discard(request))
        self.context.on("requestfailed", lambda request: self.pending.discard(request))
        if host.cookie:
            name, _, value = host.cookie.partition("=")
            self.context.add_cookies(
                [{"name": name, "value": value, "url": host.origin, "httpOnly": True, "sameSite": "Strict"}]
            )
        self.page: Page = self.context.new_page()

    def _said(self, message: ConsoleMessage) -> None:
        if message.type not in ("error", "warning"):
            return
        address = message.location.get("url", "")
        if "Failed to load resource" in message.text and any(part in address for part in self.expected):
            return
        self.faults.append(f"{message.type}: {message.text} ({address})")

    def _asked(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if request.resource_type != "eventsource":
            self.pending.add(request)
        if parts.scheme not in ("blob", "data") and f"{parts.scheme}://{parts.netloc}" != self.host.origin:
            self.faults.append(f"asked somebody else: {request.url}")

    def close(self) -> None:
        self.context.close()
        assert not self.faults, "\n".join(self.faults)

    # --- What a person does

    def go(self, path: str, page: Optional[Page] = None) -> Page:
        """Opens a screen by its address."""
        page = page or self.page
        page.goto(self.host.origin + path)
        self.heading(page).wait_for()
        return page

    def walk(self, path: str) -> None:
        """Goes to a screen without loading the page anew, and waits until all of it is there."""
        self.page.evaluate(
            """(path) => new Promise((done) => {
          document.addEventListener("screen", done, { once: true });
          history.pushState({}, "", path);
          dispatchEvent(new PopStateEvent("popstate"));
        })""",
            path,
        )
        self.settle()

    def settle(self) -> None:
        """Waits until what the screen has asked for is there, and what followed from it."""

        def is_quiet() -> bool:
            self.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            return not self.pending

        until("the end of the requests", lambda: is_quiet() and is_quiet())

    def heading(self, page: Optional[Page] = None) -> Locator:
        return (page or self.page).locator("#screen h1")

    def button(self, word: str, **values: Any) -> Locator:
        """The button with this word."""
        return self.page.get_by_role("button", name=self.say(word, **values), exact=True)

    def say(self, word: str, **values: Any) -> str:
        text = self.words[word]
        for name, value in values.items():
            text = text.replace("{" + name + "}", str(value))
        return text

    def sees(self, word: str, **values: Any) -> None:
        """Waits until a sentence is on the screen."""
        expect(self.page.locator("body")).to_contain_text(self.say(word, **values))

    def is_at(self, path: str) -> None:
        """Waits for a screen."""
        expect(self.page).to_have_url(re.compile("^" + re.escape(self.host.origin + path)))

    def stop_time(self) -> None:
        """Lets no time pass on the page but what a test lets pass; the page's clock is installed."""
        self.page.clock.pause_at(datetime.now() + timedelta(minutes=1))

    def choose_photo(self, *paths: pathlib.Path) -> None:
        """Chooses a file on the screen that takes photos."""
        self.page.locator("input[type=file]").first.set_input_files(list(paths))

    def create(self, words: str) -> str:
        """Has a picture made from words alone, and returns its id."""
        self.go("/haircut?mode=create")
        self.page.locator("#prompt").fill(words)
        self.page.locator("button[type=submit]").click()
        # What is quick is a result before one has looked.
        self.page.wait_for_url(re.compile("/(making|result)/"))
        return urlsplit(self.page.url).path.rsplit("/", 1)[1]

    @property
    def http(self) -> Browser:
        """The same person, without the browser."""
        return Browser(self.host, self.host.cookie)


def tree(page: Page) -> str:
    """What a screen reader finds on the page."""
    return page.locator("body").aria_snapshot()


def unnamed(snapshot: str) -> List[str]:
    """The controls in the tree that have no name. What a picture is made of is part of the picture."""
    controls = (
        "button",
        "link",
        "textbox",
        "slider",
        "checkbox",
        "radio",
        "combobox",
        "searchbox",
        "spinbutton",
        "img",
        "dialog",
        "progressbar",
        "switch",
        "tab",
        "option",
        "menuitem",
    )
    found = []
    picture: Optional[int] = None
    for line in snapshot.splitlines():
        depth = len(line) - len(line.lstrip())
        entry = line.strip().removeprefix("- ")
        if picture is not None and depth > picture:
            continue
        picture = depth if entry.startswith('img "') else None
        role = entry.split(" ")[0].rstrip(":")
        if role in controls and '"' not in entry.split(":")[0] and not entry.startswith(role + " /"):
            found.append(entry)
    return found


def width_overflow(page: Page) -> List[str]:
    """What sticks out of the page to the side; empty where nothing can be scrolled sideways."""
    return page.evaluate("""() => {
          const width = document.documentElement.clientWidth;
          if (document.documentElement.scrollWidth <= width) return [];
          return [...document.querySelectorAll("body *")].filter((one) => one.getBoundingClientRect().right > width + 1)
            .map((one) => `${one.tagName}.${one.className} ${Math.round(one.getBoundingClientRect().right)} > ${width}`);
        }""")


__all__ = [
    "API",
    "ASKING",
    "CAMERA",
    "LARGE_LETTERS",
    "NONE",
    "Chromiums",
    "Visit",
    "expect",
    "tree",
    "unnamed",
    "width_overflow",
]
