#!/usr/bin/env python3
"""Takes a picture of every screen, at two widths, of a real host with a portrait of this repository, and puts them into
docs/web.md.

    clients/web/screenshots.py [NAME ...]    # after `swift build`; NAME: only these screens

Needs what the tests need, and vips. `gemini-simulator` stands for the provider and the geocoder. Look at the pictures before
committing them. ATELIER_WEB_PAGES names a folder with other pages than those in the executable.
"""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from typing import Any, Callable, Dict, Iterator, List, Tuple

WEB = pathlib.Path(__file__).resolve().parent
ROOT = WEB.parent.parent
sys.path.insert(0, str(WEB / "tests"))

from playwright.sync_api import BrowserContext, Page, sync_playwright  # noqa: E402

from programs import Host, Simulator, until  # noqa: E402

FOLDER = ROOT / "docs" / "images" / "web"
DOCUMENT = ROOT / "docs" / "web.md"
PORTRAIT = ROOT / "Tests" / "Fixtures" / "portraits" / "grace_hopper.jpg"
WORDS: Dict[str, str] = json.loads(
    (pathlib.Path(os.environ.get("ATELIER_WEB_PAGES", WEB / "pages")) / "words" / "en.json").read_text()
)

#: Width, height, and pixels of the screen for each of the page's.
WINDOWS: List[Tuple[int, int, float]] = [(1440, 900, 1), (390, 844, 1.5)]
#: A picture is for looking at in a document: at most so many bytes, whatever quality that takes.
MOST_BYTES = 60_000
QUALITIES = [70, 60, 50, 40, 30]

Screen = Callable[["Studio"], None]


class Studio:
    """A browser that was let in, and what it has made."""

    def __init__(self, page: Page, host: Host, simulator: Simulator) -> None:
        self.page = page
        self.host = host
        self.simulator = simulator
        self.made: Dict[str, str] = {}

    def ask(self, method: str, path: str, **options: Any) -> Any:
        headers = {"Origin": self.host.origin, "Sec-Fetch-Site": "same-origin", **options.pop("headers", {})}
        answer = self.page.request.fetch(f"{self.host.origin}/api/v1{path}", method=method, headers=headers, **options)
        assert answer.ok, f"{method} {path}: {answer.status} {answer.text()}"
        return answer.json() if answer.body() else None

    def open(self, path: str) -> None:
        self.page.goto(self.host.origin + path)
        self.page.wait_for_selector("h1")
        self.page.wait_for_load_state("networkidle")

    def press(self, key: str) -> None:
        """Presses the button with these words."""
        self.page.get_by_role("button", name=WORDS[key]).first.click()

    def wait_for_pictures(self) -> None:
        # The page allows no code from text, which Playwright's own waiting would need.
        until(
            "the pictures",
            lambda: self.page.evaluate(
                "[...document.images].every((each) => each.complete && each.naturalWidth > 0 || each.loading === 'lazy')"
            ),
        )
        self.page.evaluate("document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => done())))")

    def choose_photo(self) -> None:
        self.open("/capture")
        self.page.set_input_files("input[type=file]", str(PORTRAIT))
        self.page.wait_for_url("**/preview")
        self.page.wait_for_load_state("networkidle")

    def photo(self) -> str:
        headers = {"Content-Type": "image/jpeg"}
        return self.ask("POST", "/photos", headers=headers, data=PORTRAIT.read_bytes())["preparedId"]

    def make(self, name: str, **params: Any) -> str:
        """Makes something once, and waits for it."""
        if name not in self.made:
            self.made[name] = self.ask("POST", "/generate", data=params)["generationId"]
            until(name, lambda: self.ask("GET", f"/generations/{self.made[name]}")["state"] not in ("queued", "running"))
        return self.made[name]

    def headshot(self, background: str = "professional", shape: str = "4:5") -> str:
        image = {"preparedId": self.photo()}
        style = {"background": background}
        return self.make(
            f"headshot {background} {shape}", recipe="headshot", image=image, style=style, output={"aspectRatio": shape}
        )


def start(studio: Studio) -> None:
    studio.open("/")


def capture(studio: Studio) -> None:
    studio.open("/capture")
    until("the camera", lambda: studio.page.evaluate("document.querySelector('video')?.videoWidth > 0"))


def preview(studio: Studio) -> None:
    studio.choose_photo()
    until("the photo", lambda: studio.page.locator("main img").count())


def style(studio: Studio) -> None:
    studio.choose_photo()
    studio.press("useThisPhoto")
    studio.page.wait_for_url("**/style")
    until("the price", studio.page.get_by_role("button", name=WORDS["makePortrait"]).first.is_enabled)


def haircut(studio: Studio) -> None:
    studio.choose_photo()
    studio.open("/haircut")


def making(studio: Studio) -> None:
    studio.simulator.always_meets({"fault": "hold"})
    params = {"recipe": "hairstyle", "image": {"preparedId": studio.photo()}, "prompt": "a short bob with a fringe"}
    generation = studio.ask("POST", "/generate", data=params)["generationId"]
    # Its event stream stays open, so that the network never rests.
    studio.page.goto(f"{studio.host.origin}/making/{generation}")
    studio.page.wait_for_selector("[role=progressbar]")


def after_making(studio: Studio) -> None:
    studio.simulator.release()


def result(studio: Studio) -> None:
    studio.open(f"/result/{studio.headshot()}")


def places(studio: Studio) -> None:
    studio.open("/places")


def history(studio: Studio) -> None:
    for background, shape in (("casual", "4:5"), ("white", "1:1"), ("professional", "2:3")):
        studio.headshot(background, shape)
    studio.open("/history")


def profile(studio: Studio) -> None:
    studio.open("/profile")


def settings(studio: Studio) -> None:
    studio.open("/settings")


#: Every screen: its name, what it shows, what leads there, and whether it is one of the public way.
SCREENS: List[Tuple[str, str, Screen, bool]] = [
    ("start", "The start, where a guest can begin", start, True),
    ("capture", "The camera", capture, False),
    ("preview", "The photo that was taken", preview, False),
    ("style", "The choices for a headshot", style, False),
    ("haircut", "A haircut, from words, pictures and the library", haircut, False),
    ("making", "The work, while it goes on", making, False),
    ("result", "Before and after", result, False),
    ("places", "Places to find", places, False),
    ("history", "What was made", history, False),
    ("profile", "Credits and account", profile, True),
    ("settings", "Providers and keys", settings, False),
]


def camera(folder: pathlib.Path) -> pathlib.Path:
    """What the browser's camera sees: the portrait, again and again."""
    still = folder / "still.jpg"
    subprocess.run(["vips", "thumbnail", str(PORTRAIT), f"{still}[Q=85,strip]", "720", "--height", "720"], check=True)
    film = folder / "camera.mjpeg"
    film.write_bytes(still.read_bytes() * 30)
    return film


def shop(folder: pathlib.Path) -> Dict[str, Any]:
    """The configuration of the public way, on a port that was free."""
    import base64
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    key = folder / "session.key"
    key.write_text(base64.b64encode(os.urandom(32)).decode())
    key.chmod(0o600)
    return {
        "origin": f"http://localhost:{port}",
        "port": port,
        "sessionKeyFile": str(key),
        "terms": {"version": "2026-11", "url": "https://studio.example/terms.html"},
    }


@contextlib.contextmanager
def studios(context: BrowserContext, folder: pathlib.Path) -> Iterator[Callable[[bool], Studio]]:
    """Begins a host of either way when it is needed first."""
    simulator = Simulator(folder)
    begun: Dict[bool, Studio] = {}

    def studio(is_public: bool) -> Studio:
        if is_public not in begun:
            own = folder / ("public" if is_public else "personal")
            own.mkdir()
            host = Host(own, service=simulator.config(), shop=shop(own) if is_public else None)
            begun[is_public] = Studio(context.new_page(), host, simulator)
            if not is_public:
                begun[is_public].page.goto(host.link)
                begun[is_public].page.wait_for_selector("h1")
        return begun[is_public]

    try:
        yield studio
    finally:
        for each in begun.values():
            each.host.end()
        simulator.end()


def save(page: Page, name: str, folder: pathlib.Path) -> None:
    raw, target = folder / "screen.png", FOLDER / f"{name}.jpg"
    page.screenshot(path=str(raw))
    for quality in QUALITIES:
        subprocess.run(["vips", "copy", str(raw), f"{target}[Q={quality},strip,optimize-coding]"], check=True)
        if target.stat().st_size <= MOST_BYTES:
            break
    print(f"{target.relative_to(ROOT)}: {target.stat().st_size} bytes")


def take(names: List[str]) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="atelier-screenshots-"))
    flags = [
        "--no-sandbox",
        "--use-fake-device-for-media-stream",
        "--use-fake-ui-for-media-stream",
        f"--use-file-for-fake-video-capture={camera(folder)}",
    ]
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=flags)
            for width, height, scale in WINDOWS:
                context = browser.new_context(
                    viewport={"width": width, "height": height},
                    device_scale_factor=scale,
                    color_scheme="dark",
                    locale="en",
                    reduced_motion="reduce",
                    permissions=["camera"],
                )
                own = folder / str(width)
                own.mkdir()
                with studios(context, own) as studio:
                    for name, _, screen, is_public in SCREENS:
                        if names and name not in names:
                            continue
                        present = studio(is_public)
                        screen(present)
                        present.wait_for_pictures()
                        save(present.page, f"{name}-{width}", folder)
                        if name == "making":
                            after_making(present)
                        if name == "start":
                            # What follows is shown to a guest.
                            present.ask("POST", "/session", data={})
                context.close()
            browser.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def write_document() -> None:
    """Puts the pictures that there are into the document."""
    lines = ["| | |", "|---|---|"]
    for name, title, _, _ in SCREENS:
        wide, narrow = (f"images/web/{name}-{width}.jpg" for width, _, _ in WINDOWS)
        if (DOCUMENT.parent / wide).exists():
            lines.append(
                f'| <img src="{wide}" height="300" alt="{title}"> | <img src="{narrow}" height="300" alt="On a phone"> |'
            )
    text = DOCUMENT.read_text()
    block = "<!-- generated: screenshots -->\n" + "\n".join(lines) + "\n<!-- end -->"
    DOCUMENT.write_text(re.sub(r"<!-- generated: screenshots -->\n.*?<!-- end -->", lambda _: block, text, flags=re.S))


if __name__ == "__main__":
    take(sys.argv[1:])
    write_document()
