"""What a framework hands to its model, in a few words."""

from __future__ import annotations

import dataclasses
import re
from typing import Any, Iterator

from shapes import MEMBER, SAID

# How the base64 of a PNG and of a JPEG begin, and how their bytes do.
BASE64 = re.compile(r"(iVBORw0KGgo|/9j/)[A-Za-z0-9+/\s\\]{200,}")
BYTES = (b"\x89PNG", b"\xff\xd8\xff")
DATA = re.compile(r"data:image/[a-z]+;base64,")
# An address of data that does not say that it is base64.
DAMAGED = re.compile(r"data:image/[a-z]+;?,")


class Refused(Exception):
    """The framework tells its model that the call has failed."""


def leaves(value: Any, name: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Every text, bytes and picture in a value, with the name of the member that has it."""
    if isinstance(value, (str, bytes)):
        yield name, value
    elif depth > 12 or value is None or isinstance(value, (int, float)):
        return
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, str(key), depth + 1)
    elif isinstance(value, (list, tuple, set)):
        for item in value:
            yield from leaves(item, name, depth + 1)
    elif hasattr(value, "to_bytes") or "Image" in {base.__name__ for base in type(value).__mro__} and hasattr(value, "save"):
        yield name, BYTES[0]
    elif hasattr(value, "model_dump"):
        # What was received stands beside what is handed on.
        yield from leaves(value.model_dump(exclude={"inner_content", "artifact", "raw_output"}), name, depth + 1)
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from leaves(getattr(value, field.name), field.name, depth + 1)
    elif hasattr(value, "__dict__"):
        yield from leaves(vars(value), name, depth + 1)


def observed(value: Any, said: str = SAID, member: str = MEMBER) -> list[str]:
    """What arrives: text, members, picture; and what went wrong: damaged picture, base64 as text, address as picture."""
    found = set()
    for name, leaf in leaves(value):
        if isinstance(leaf, bytes):
            if leaf.startswith(BYTES):
                found.add("picture")
            continue
        if said in leaf:
            found.add("text")
        if member in leaf:
            found.add("members")
        if DAMAGED.match(leaf):
            found.add("damaged picture")
            continue
        data = DATA.sub("", leaf)
        if match := BASE64.search(data):
            found.add("picture" if match.start() == 0 and len(match.group()) >= len(data) - 4 else "base64 as text")
        if leaf.startswith("atelier://") and "url" in name.lower():
            found.add("address as picture")
    order = ["text", "members", "picture", "damaged picture", "base64 as text", "address as picture"]
    return [each for each in order if each in found]
