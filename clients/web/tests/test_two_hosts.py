"""Do two hosts of the public way work on one data directory, as several processes of one machine?"""

from __future__ import annotations

import os
import pathlib
from typing import Any, Callable, Iterator, List, Tuple

import pytest

from http_client import Browser
from programs import Host, Simulator, until
from shops import Shop, credits


@pytest.fixture
def shops(new_host: Callable[..., Host], folder: pathlib.Path, simulator: Simulator) -> Tuple[Shop, Shop]:
    first = Shop(new_host, folder, simulator, "first")
    return first, Shop(new_host, folder, simulator, "second", beside=first)


def at(shop: Shop, person: Browser) -> Browser:
    """The same browser, which the proxy leads to another host."""
    return Browser(shop.host, person.cookie, person.headers)


def begun(person: Browser) -> str:
    answer = person.post("/generate", {"recipe": "create", "prompt": f"a bridge, {os.urandom(4).hex()}"})
    assert answer.status == 202, answer
    return answer.json()["generationId"]


def numbers(stream: Iterator[Tuple[str, Any]], after: int) -> List[int]:
    """The numbers of the progress that is told until the stream is cut; each is told once, and in order."""
    told = [event["sequence"] for name, event in stream if name == "progress"]
    assert told == sorted(set(told)) and all(number > after for number in told), (after, told)
    return told


def sees_the_end(stream: Iterator[Tuple[str, Any]], after: int) -> None:
    """Looks on until the picture was made: once, and with nothing that was told before."""
    every = list(stream)
    numbers(iter(every), after)
    assert [name for name, _ in every].count("finished") == 1
    name, last = every[-1]
    assert (name, last["state"], len(last["images"])) == ("finished", "succeeded", 1), last


def test_who_has_signed_in_at_one_host_is_known_to_the_other(shops: Tuple[Shop, Shop]) -> None:
    first, second = shops
    person = first.guest()
    guest = at(second, person)
    assert guest.get("/session").json()["guest"] is True
    assert first.sign_in(person, "anna").status == 200
    there = at(second, person)
    assert there.get("/session").json()["guest"] is False
    assert there.get("/account").json()["account"] == person.get("/account").json()["account"]
    before = credits(there)
    # What is paid is reported to either, any number of times.
    reference = first.reference(person)
    assert [shop.report(reference, "pay_once").status for shop in (first, second, first)] == [200] * 3
    assert credits(person) == credits(there) == before + 8


def test_no_event_is_lost_when_either_host_ends(shops: Tuple[Shop, Shop], simulator: Simulator) -> None:
    person = shops[0].guest()
    assert shops[0].sign_in(person, "bea").status == 200
    shops[0].report(shops[0].reference(person), "pay_for_two")
    made = []
    # Each of them makes a picture, ends meanwhile, and is started again.
    for maker, other in (shops, reversed(shops)):
        here, there = at(maker, person), at(other, person)
        simulator.always_meets("hold")
        generation = begun(here)
        path = f"/generations/{generation}"
        until("the request at the provider", lambda: here.get(path).json()["progress"]["phase"] == "processing")
        (_, own), (_, others) = here.follow(f"{path}/events"), there.follow(f"{path}/events")
        last, others_last = next(own)[1]["sequence"], next(others)[1]["sequence"]
        maker.host.restart()
        last = max([last, *numbers(own, last)])
        _, own = here.follow(f"{path}/events", Last_Event_ID=str(last))
        simulator.release()
        sees_the_end(own, last)
        sees_the_end(others, others_last)
        assert there.get(f"{path}/images/0").body == here.get(f"{path}/images/0").body
        made.insert(0, generation)
        for browser in (here, there):
            assert [entry["generationId"] for entry in browser.get("/history").json()["entries"]] == made
    assert credits(at(shops[0], person)) == credits(at(shops[1], person))
