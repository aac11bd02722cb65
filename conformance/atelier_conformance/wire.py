"""JSON as it stands on the wire: numbers keep their digits, and nothing is lost between two programs."""

from __future__ import annotations

import json
from typing import Any


class Number:
    """A number, compared digit by digit: 1.0 is not 1."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Number) and other.text == self.text

    def __hash__(self) -> int:
        return hash(self.text)


def parse(text: str | bytes) -> Any:
    """The value of a JSON text. Raises ``ValueError`` for what is none, NaN and infinity among it."""
    return json.loads(text, parse_int=Number, parse_float=Number, parse_constant=_refuse)


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def text(value: Any) -> str:
    """The value as one line of JSON."""
    if isinstance(value, Number):
        return value.text
    if isinstance(value, dict):
        return "{" + ",".join(f"{text(name)}:{text(member)}" for name, member in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(text, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def integer(value: Any) -> int | None:
    """The number, if it is a whole one."""
    try:
        return int(value.text) if isinstance(value, Number) else None
    except ValueError:
        return None


def member(value: Any, *path: str) -> Any:
    """The member at the end of a path; None where the path leads nowhere."""
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def shortened(line: str, limit: int = 400) -> str:
    """A line for a report."""
    return line if len(line) <= limit else f"{line[:limit]}… ({len(line)} characters)"
