"""What the tests share: folders, programs, and browsers."""

from __future__ import annotations

import pathlib
import shutil
import subprocess
import sys
import tempfile
from typing import Callable, Dict, Iterator, List

import pytest
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import programs  # noqa: E402
from http_client import Browser  # noqa: E402
from pages import NONE, Chromiums, Visit  # noqa: E402
from programs import FIXTURES, Host, Simulator  # noqa: E402


def pytest_sessionstart(session: pytest.Session) -> None:
    programs.more_files()


@pytest.fixture(scope="session")
def session_folder() -> Iterator[pathlib.Path]:
    yield from temporary_folder()


@pytest.fixture
def folder() -> Iterator[pathlib.Path]:
    """A folder of one test."""
    yield from temporary_folder()


def temporary_folder() -> Iterator[pathlib.Path]:
    path = pathlib.Path(tempfile.mkdtemp(prefix="atelier-web-"))
    yield path
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture(scope="session")
def shared_simulator(session_folder: pathlib.Path) -> Iterator[Simulator]:
    program = Simulator(session_folder)
    yield program
    program.end()


@pytest.fixture
def simulator(shared_simulator: Simulator) -> Iterator[Simulator]:
    """Stands for the providers; without a fault at the beginning of each test."""
    shared_simulator.release()
    yield shared_simulator
    shared_simulator.release()


@pytest.fixture(scope="session")
def shared_host(session_folder: pathlib.Path, shared_simulator: Simulator) -> Iterator[Host]:
    program = Host(session_folder, service=shared_simulator.config())
    Browser(program).admit()
    yield program
    program.end()


@pytest.fixture
def host(shared_host: Host, simulator: Simulator) -> Host:
    """A host in the personal way, which tests share: what one of them does may be seen by the next."""
    assert shared_host.is_running, shared_host.log_text()[-2000:]
    return shared_host


@pytest.fixture
def browser(host: Host) -> Browser:
    """Somebody who was let in by the shared host."""
    return Browser(host, host.cookie)


@pytest.fixture
def new_host(folder: pathlib.Path, simulator: Simulator) -> Iterator[Callable[..., Host]]:
    """Starts hosts that a test has for itself."""
    started = []

    def start(name: str = "host", **options: object) -> Host:
        place = folder / name
        place.mkdir(exist_ok=True)
        options.setdefault("service", simulator.config())
        program = Host(place, **options)  # type: ignore[arg-type]
        started.append(program)
        return program

    yield start
    for program in started:
        program.end()
        program.kill_orphans()


@pytest.fixture(scope="session")
def portrait() -> bytes:
    """A photo of a person."""
    return programs.PORTRAIT.read_bytes()


@pytest.fixture(scope="session")
def detailed_photo(session_folder: pathlib.Path) -> bytes:
    """A photo of 24 megapixels."""
    if not shutil.which("vips"):
        pytest.skip("vips is not installed")
    path = session_folder / "detailed.jpg"
    subprocess.run(["vips", "resize", FIXTURES / "portraits" / "astronaut.png", f"{path}[Q=98]", "9.6"], check=True)
    return path.read_bytes()


@pytest.fixture(scope="session")
def large_photo(detailed_photo: bytes) -> bytes:
    """A photo of 30 MB: as large as cameras make them, which write other things behind the picture."""
    return detailed_photo + bytes(30_000_000 - len(detailed_photo))


@pytest.fixture(scope="session")
def chromiums(session_folder: pathlib.Path) -> Iterator[Chromiums]:
    with sync_playwright() as playwright:
        all_of_them = Chromiums(playwright, session_folder)
        yield all_of_them
        all_of_them.close()


@pytest.fixture(scope="session")
def words(shared_host: Host) -> Dict[str, str]:
    """The words of the pages, in English."""
    return Browser(shared_host, shared_host.cookie).ask("GET", "/assets/words/en.json").json()


@pytest.fixture
def new_visit(chromiums: Chromiums, words: Dict[str, str]) -> Iterator[Callable[..., Visit]]:
    """Opens browsers of persons; each of them is checked at the end of the test."""
    opened: List[Visit] = []

    def start(host: Host, camera: str = NONE, **options: object) -> Visit:
        opened.append(Visit(chromiums.of(camera), host, words, **options))
        return opened[-1]

    yield start
    for visit in opened:
        visit.close()


@pytest.fixture
def own_visit(new_host: Callable[..., Host], new_visit: Callable[..., Visit]) -> Visit:
    """Somebody who was let in by the link of a host of their own, without a camera."""
    host = new_host()
    visit = new_visit(host)
    visit.page.goto(host.link)
    visit.sees("startTitle")
    host.cookie = "; ".join(f"{one['name']}={one['value']}" for one in visit.context.cookies())
    return visit


@pytest.fixture
def visit(host: Host, new_visit: Callable[..., Visit]) -> Visit:
    """Somebody who was let in by the shared host, without a camera."""
    return new_visit(host)
