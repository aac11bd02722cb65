"""Rules about bytes: each case of protocol/streams is answered, and costs nothing else."""

from __future__ import annotations

from typing import Any, List

from .. import wire
from ..program import HEADERS, LINES
from ..rules import Failed, Rule
from .target import Target, ping, slug

_SECTIONS = ["PROTOCOL.md#transport", "REFERENCE.md#transport"]

#: Small and odd, so that every boundary falls into a piece somewhere.
_PIECE = 37


def rules(target: Target) -> List[Rule]:
    """One rule for each case, and for those of messages one for each framing."""
    found: List[Rule] = []
    for framing in (LINES, HEADERS):
        for case in _cases(target, framing):
            content = parts(case["input"])
            found.append(_rule(target, f"stream/{framing}", framing, case, content, case["answers"]))
        for case in _cases(target, "messages"):
            # The first message decides the framing.
            messages = [ping('"first"').encode(), *map(parts, case["messages"]), ping('"last"').encode()]
            content = b"".join(
                message + b"\n" if framing == LINES else b"Content-Length: %d\r\n\r\n" % len(message) + message
                for message in messages
            )
            answers = [["first", None], *case["answers"], ["last", None]]
            found.append(_rule(target, f"stream/messages/{framing}", framing, case, content, answers))
    return found


def _cases(target: Target, name: str) -> List[Any]:
    text = (target.protocol / "streams" / f"{name}.jsonl").read_text(encoding="utf-8")
    return [wire.parse(line) for line in text.splitlines()]


def _rule(target: Target, prefix: str, framing: str, case: Any, content: bytes, answers: List[Any]) -> Rule:
    return Rule(
        f"{prefix}/{slug(case['name'])}",
        f"{case['name']}: answered, and survived",
        _SECTIONS,
        lambda: _check(target, framing, content, answers),
    )


def _check(target: Target, framing: str, content: bytes, answers: List[Any]) -> None:
    with target.start(framing=framing) as program:
        program.write(content, piece=_PIECE if len(content) < 10_000 else None)
        program.close_input()
        found = [_answer(message) for message in program.rest()]
        expected = [wire.text(answer) for answer in answers]
        missing = _without(expected, found)
        surplus = _without(found, expected)
        if missing or surplus:
            raise Failed(
                "\n".join(
                    [f"missing answer [id, code]: {each}" for each in missing]
                    + [f"unexpected answer [id, code]: {each}" for each in surplus]
                )
                + program.log()
            )
        program.expect_exit()


def _answer(message: Any) -> str:
    """What a case says of an answer: its id, and the code of its error; a list of these for a batch."""
    if isinstance(message, list):
        return "[" + ",".join(map(_answer, message)) + "]"
    is_answer = isinstance(message, dict) and message.get("jsonrpc") == "2.0" and "id" in message
    if not is_answer or ("result" in message) == ("error" in message):
        return wire.shortened(wire.text(message))
    return wire.text([message["id"], wire.member(message, "error", "code")])


def _without(all_of: List[str], removed: List[str]) -> List[str]:
    left = list(removed)
    result: List[str] = []
    for each in all_of:
        if each in left:
            left.remove(each)
        else:
            result.append(each)
    return result


def parts(value: Any) -> bytes:
    """The bytes that a case describes."""
    pieces: List[bytes] = []
    for part in value if isinstance(value, list) else [value]:
        if isinstance(part, str):
            pieces.append(part.encode())
        elif "bytes" in part:
            pieces.append(bytes.fromhex(part["bytes"]))
        else:
            pieces.append(part["repeat"].encode() * (wire.integer(part["times"]) or 0))
    return b"".join(pieces)
