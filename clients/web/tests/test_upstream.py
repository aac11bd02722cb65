"""Does a person notice that a proxy spreads requests over two hosts, set up as docs/web.md says?"""

from __future__ import annotations

import json
import pathlib
import re
from typing import Callable, Iterator, Tuple

import pytest

from programs import Host, Simulator
from test_proxy import ORIGIN, Person, Proxy, free_port, of_the_machine, pytestmark  # noqa: F401


@pytest.fixture
def shops(folder: pathlib.Path, new_host: Callable[..., Host], simulator: Simulator) -> Tuple[Host, Host]:
    """Two hosts with one store. A database on a server would do no otherwise: the hosts keep nothing of it."""
    key = folder / "session.key"
    key.write_text("c2VjcmV0IG9mIGEgdGVzdCwgMzIgYnl0ZXMgbG9uZy4uLg==")
    key.chmod(0o600)

    def start(name: str, data: pathlib.Path | None) -> Host:
        shop = {"origin": ORIGIN, "port": free_port(), "sessionKeyFile": str(key)}
        return new_host(name, service=simulator.config(), data=data, shop=shop)

    first = start("first", None)
    return first, start("second", first.data)


@pytest.fixture
def proxy(folder: pathlib.Path, shops: Tuple[Host, Host]) -> Iterator[Proxy]:
    program = Proxy(folder, *(shop.port for shop in shops))
    yield program
    program.end()


def answered(shop: Host) -> int:
    """How many requests a host has answered to people."""
    counts = re.findall(rb"^atelier_web_responses_total.* (\d+)$", of_the_machine(shop, "/metrics").read(), re.M)
    return sum(map(int, counts))


def test_a_person_may_come_to_either_host_at_any_time(proxy: Proxy, shops: Tuple[Host, Host], portrait: bytes) -> None:
    person = Person(proxy, "127.0.0.2")
    assert person.begin() == 204
    uploaded = person.ask(
        "POST", "/api/v1/photos", portrait, Content_Type="image/jpeg", Content_Length=str(len(portrait))
    )
    photo = json.loads(uploaded.read())["preparedId"]
    before = [answered(shop) for shop in shops]
    for _ in range(8):
        assert person.ask("GET", f"/api/v1/photos/{photo}").status == 200
        assert json.loads(person.ask("GET", "/api/v1/session").read())["guest"] is True
    assert all(answered(shop) - earlier > 4 for shop, earlier in zip(shops, before)), "one host answered nearly all"
    accepted = person.post("/generate", {"recipe": "create", "prompt": "a lighthouse", "idempotencyKey": "once"})
    generation = json.loads(accepted.read())["generationId"]
    again = person.post("/generate", {"recipe": "create", "prompt": "a lighthouse", "idempotencyKey": "once"})
    assert json.loads(again.read())["generationId"] == generation
    assert "event: finished" in person.ask("GET", f"/api/v1/generations/{generation}/events").read().decode()
    pictures = {person.ask("GET", f"/api/v1/generations/{generation}/images/0").read() for _ in range(4)}
    assert len(pictures) == 1 and len(pictures.pop()) > 100


@pytest.mark.parametrize("ended", [0, 1])
def test_one_host_may_end_while_people_look(proxy: Proxy, shops: Tuple[Host, Host], ended: int) -> None:
    person = Person(proxy, "127.0.0.2")
    assert person.begin() == 204
    shops[ended].end()
    answers = [person.ask("GET", "/api/v1/account").status for _ in range(6)]
    assert answers == [200] * 6
    accepted = person.post("/generate", {"recipe": "create", "prompt": "a pier"})
    assert accepted.status == 202, accepted.read()
