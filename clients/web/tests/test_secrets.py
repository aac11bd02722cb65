"""Are secrets that an operator changes used without a restart, and are sessions lost only where that is wanted?"""

from __future__ import annotations

import base64
import pathlib
import secrets
from typing import Callable

import pytest

from http_client import Browser
from programs import Host, Simulator
from shops import Shop, credits


@pytest.fixture
def shop(new_host: Callable[..., Host], folder: pathlib.Path, simulator: Simulator) -> Shop:
    return Shop(new_host, folder, simulator)


def write(path: pathlib.Path, *keys: bytes, mode: int = 0o600) -> None:
    """Replaces a file of secrets in one step, as whoever rolls out files does."""
    new = path.with_suffix(".new")
    new.touch(mode)
    new.chmod(mode)
    new.write_text("\n".join(f"{base64.b64encode(key).decode()}\n" for key in keys))
    new.rename(path)


def is_admitted(browser: Browser) -> bool:
    answer = browser.get("/history")
    assert (answer.status, answer.kind) in ((200, ""), (401, "not_admitted")), answer
    return answer.status == 200


def test_the_key_of_the_cookies_is_changed_without_anybody_noticing(shop: Shop, folder: pathlib.Path) -> None:
    file, new = folder / "shop-session.key", secrets.token_bytes(32)
    before = shop.guest()
    reference = shop.reference(before)
    # First accepted, then signed with, then alone.
    write(file, shop.session_key, new)
    assert is_admitted(before)
    write(file, new, shop.session_key)
    after = shop.guest()
    assert is_admitted(before) and is_admitted(after)
    assert shop.report(reference, "pay_of_before").status == 200 and credits(before) == 9
    write(file, new)
    assert not is_admitted(before) and is_admitted(after)
    for kind in ("paid", "reinstated"):
        answer = shop.report(reference, "pay_of_before", kind)
        assert (answer.status, answer.kind) == (400, "unknown_reference"), answer
    # A refund comes whenever it comes.
    refunded = shop.report(reference, "pay_of_before", "refunded")
    assert (refunded.status, refunded.json()["revoked"]) == (200, 8), refunded


def test_a_key_that_somebody_else_may_know_ends_all_sessions_at_once(shop: Shop, folder: pathlib.Path) -> None:
    person = shop.guest()
    shop.sign_in(person, "anna")
    write(folder / "shop-session.key", secrets.token_bytes(32))
    assert not is_admitted(person)
    shop.sign_in(person, "anna")
    assert is_admitted(person)


def test_a_secret_of_the_processor_is_changed_while_both_are_in_use(shop: Shop, folder: pathlib.Path) -> None:
    file, new = folder / "shop-payment.key", secrets.token_bytes(32)
    guest = shop.guest()
    reference = shop.reference(guest)
    assert shop.report(reference, "pay_1", secret=new).kind == "invalid_signature"
    write(file, new, shop.secret)
    assert [shop.report(reference, "pay_1", secret=key).status for key in (new, shop.secret)] == [200, 200]
    write(file, new)
    assert shop.report(reference, "pay_2").kind == "invalid_signature"
    assert shop.report(reference, "pay_2", secret=new).status == 200
    assert credits(guest) == 1 + 8 + 8


def test_a_changed_file_that_cannot_be_used_is_told_and_what_it_had_goes_on(shop: Shop, folder: pathlib.Path) -> None:
    file = folder / "shop-session.key"
    guest = shop.guest()
    write(file, b"short")
    assert is_admitted(guest) and is_admitted(shop.guest())
    write(file, shop.session_key, mode=0o644)
    assert is_admitted(guest)
    file.unlink()
    assert is_admitted(guest)
    log = shop.host.log_text()
    for fault in ("must hold at least 24 random bytes", "a file that others can read", "No such file or directory"):
        assert log.count(fault) == 1, log
    write(file, secrets.token_bytes(32))
    assert not is_admitted(guest)
