"""Does a person notice that a proxy spreads requests over two hosts, set up as docs/web.md says?"""

from __future__ import annotations

import contextlib
import json
import pathlib
import re
import signal
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Callable, Iterator, List, Tuple

import pytest

from programs import PATIENCE, Host, Simulator, until
from test_proxy import ORIGIN, Person, Proxy, free_port, of_the_machine, pytestmark  # noqa: F401


#: Half of what nginx takes by default until it gives up a machine that does not answer.
SHORT_PATIENCE = min(PATIENCE, 30)


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


def answered(shop: Host, status: str = r"\d+") -> int:
    """How many requests a host has answered, with any status or with one."""
    text = of_the_machine(shop, "/metrics").read().decode()
    return sum(map(int, re.findall(rf'^atelier_web_responses_total\{{status="{status}"\}} (\d+)$', text, re.M)))


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


def is_answered(person: Person) -> bool:
    """Whether somebody is answered before giving up, which is long before nginx gives up by default."""
    connection = person.connection()
    connection.timeout = SHORT_PATIENCE
    connection.request("GET", "/api/v1/session", headers=person.headers())
    answer = connection.getresponse()
    answer.read()
    return answer.status == 200


def test_nobody_waits_for_a_machine_that_is_gone_without_a_word(proxy: Proxy, shops: Tuple[Host, Host]) -> None:
    person = Person(proxy, "127.0.0.2")
    assert person.begin() == 204
    before = [answered(shop) for shop in shops]
    for _ in range(8):
        assert is_answered(person)
    assert all(answered(shop) > earlier for shop, earlier in zip(shops, before)), "both hosts were used"
    shops[1].end(signal.SIGKILL)
    with unreachable(shops[1].port):
        # One after the other and together, by whichever host nginx would ask.
        assert all(is_answered(person) for _ in range(8))
        with ThreadPoolExecutor(8) as crowd:
            assert all(crowd.map(is_answered, [person] * 16))


@contextlib.contextmanager
def unreachable(port: int) -> Iterator[None]:
    """At an address of this machine nothing is answered, as if the machine were gone: no connection is accepted, and the
    queue of those that wait is full."""
    waiting = []
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        listener.listen(0)
        for _ in range(4):
            waiting.append(socket.socket())
            waiting[-1].setblocking(False)
            waiting[-1].connect_ex(("127.0.0.1", port))
        yield
    for each in waiting:
        each.close()


def test_a_new_version_is_rolled_out_and_every_request_is_answered(proxy: Proxy, shops: Tuple[Host, Host]) -> None:
    statuses: List[int] = []
    is_over = threading.Event()

    def asks(address: str, method: str) -> None:
        person = Person(proxy, address)
        while not is_over.is_set():
            answer = person.ask(method, "/api/v1/session")
            answer.read()
            statuses.append(answer.status)

    with ThreadPoolExecutor(5) as crowd:
        people = [crowd.submit(asks, f"127.0.0.{number}", "GET") for number in range(2, 6)]
        people.append(crowd.submit(asks, "127.0.0.6", "DELETE"))
        try:
            for shop in shops * 2:
                shop.restart()
                # nginx comes back to a host that it could not reach: only then the next one may go. What this asks itself is
                # answered with 200; whoever has no session cannot end one.
                until("people at the host that is back", lambda: answered(shop, "401") > 2)
        finally:
            is_over.set()
        for each in people:
            each.result()
    assert set(statuses) <= {200, 401} and len(statuses) > 100, {status: statuses.count(status) for status in set(statuses)}
