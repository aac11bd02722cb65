"""Is what proxies may send twice done once, and answered as done both times?"""

from __future__ import annotations

import pathlib
from typing import Callable, List, Tuple

import pytest

from http_client import Browser
from programs import Host, Simulator
from shops import Shop
from test_public import create


def paths(browser: Browser, method: str) -> List[str]:
    """The paths that know a method, as the document of the interface lists them."""
    document = browser.get("/openapi.json").json()["paths"]
    return sorted(path for path, methods in document.items() if method in methods)


def test_everything_that_is_deleted_twice_is_deleted(
    new_host: Callable[..., Host], folder: pathlib.Path, simulator: Simulator
) -> None:
    shop = Shop(new_host, folder, simulator)
    listed = paths(shop.person(), "delete")
    assert {path.rpartition("/api/v1")[2] for path in listed} == {
        "/session",
        "/account",
        "/history",
        "/generations/{generation}",
        "/credentials/{provider}",
    }
    person = shop.guest()
    shop.sign_in(person, "anna")
    generation = create(person)
    assert person.delete("/generations/" + "x" * 300).status == 204
    for path in (f"/generations/{generation}", "/history", "/session", "/account", "/session"):
        first, second = person.delete(path), person.delete(path)
        assert first.status in (200, 204) and second.status in (200, 204), (path, first, second)
    # Nothing of it comes back, whoever asked once more.
    assert person.get("/account").kind == "not_admitted"
    assert person.delete(f"/generations/{generation}").kind == person.delete("/history").kind == "not_admitted"
    # Who has never been admitted is nobody all the same.
    for path in ("/session", "/account", "/history", f"/generations/{generation}"):
        assert shop.person().delete(path).kind == "not_admitted", path


@pytest.mark.parametrize("where", ["gemini", "openai"])
def test_a_key_is_set_twice_and_removed_twice(
    new_host: Callable[..., Host], simulator: Simulator, where: str
) -> None:
    browser = Browser(new_host()).admit()
    assert [path.rpartition("/api/v1")[2] for path in paths(browser, "put")] == ["/credentials/{provider}"]
    answers: List[Tuple[int, bytes]] = []
    for method, body in (("PUT", {"key": "key-of-a-test-0123456789abcdefghij"}), ("DELETE", None)):
        for _ in range(2):
            if method == "PUT":
                answer = browser.write(method, f"/credentials/{where}", body)
            else:
                answer = browser.delete(f"/credentials/{where}")
            answers.append((answer.status, answer.body))
    assert all(status in (200, 204) for status, _ in answers), answers
