"""Transcripts: their grammar and patterns, which the README of protocol/transcripts describes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Optional

from .. import wire

SEND, EXPECT, ALLOW = "-->", "<--", "<--*"


@dataclass(frozen=True)
class Line:
    """One step, and where it begins in the file."""

    number: int
    arrow: str
    text: str


class Transcript:
    """A conversation between a host and the service."""

    def __init__(self, text: str) -> None:
        """Raises ``ValueError`` with the number of a line that is none."""
        self.title = ""
        self.lines: List[Line] = []
        for number, line in enumerate(text.split("\n"), 1):
            if line.startswith(" ") and self.lines:
                last = self.lines.pop()
                self.lines.append(Line(last.number, last.arrow, last.text + line.lstrip(" ")))
            elif line.startswith("#"):
                self.title = self.title or line[1:].strip()
            elif line.strip():
                self.lines.append(_line(number, line))

    def methods(self) -> List[str]:
        """The methods that the host calls, in the order of their first call."""
        found: Dict[str, None] = {}
        for line in self.lines:
            try:
                message = wire.parse(line.text) if line.arrow == SEND else None
            except ValueError:
                continue
            for each in message if isinstance(message, list) else [message]:
                method = wire.member(each, "method")
                if isinstance(method, str):
                    found[method] = None
        return list(found)


def _line(number: int, text: str) -> Line:
    for arrow in (SEND, ALLOW, EXPECT):
        if text.startswith(arrow + " "):
            return Line(number, arrow, text[len(arrow) + 1 :])
    raise ValueError(f"line {number}: a line begins with -->, <--, <--*, # or a space")


class Difference(Exception):
    """Where a message first differs from its pattern."""

    def __init__(self, path: str, expected: str, actual: str) -> None:
        super().__init__(f'at "{path}" expected {expected}, got {actual}')


class Matcher:
    """Compares messages with patterns, and remembers what the wild cards stood for."""

    def __init__(self) -> None:
        self.captured: Dict[str, str] = {}
        self._risen: Dict[str, int] = {}

    def match(self, message: Any, pattern: Any) -> None:
        """Raises ``Difference``; nothing is remembered then."""
        before = dict(self.captured), dict(self._risen)
        subject = f"{wire.member(message, 'method')} {wire.member(message, 'params', 'generationId')}"
        try:
            if isinstance(message, list) and isinstance(pattern, list):
                self._match_batch(message, pattern)
            else:
                self._match(message, pattern, "", subject)
        except Difference:
            self.captured, self._risen = before
            raise

    def filled(self, text: str) -> str:
        """What the host sends, with the values that were stored."""
        for name, value in self.captured.items():
            text = text.replace(f'"*id:{name}*"', wire.text(value))
        return text

    def _match_batch(self, answers: List[Any], patterns: List[Any]) -> None:
        left = list(answers)
        for index, pattern in enumerate(patterns):
            for position, answer in enumerate(left):
                try:
                    self._match(answer, pattern, f"/{position}", "")
                except Difference:
                    continue
                del left[position]
                break
            else:
                raise Difference("", f"{wire.text(pattern)} as answer {index}", wire.text(left))
        if left:
            raise Difference("", "no more answers", wire.text(left))

    def _match(self, value: Any, pattern: Any, path: str, subject: str) -> None:
        if isinstance(pattern, str) and len(pattern) > 2 and pattern[0] == pattern[-1] == "*":
            self._match_wild_card(value, pattern[1:-1], path, subject)
        elif isinstance(pattern, dict) and isinstance(value, dict):
            self._match_object(value, pattern, path, subject)
        elif isinstance(pattern, list) and isinstance(value, list) and len(value) == len(pattern):
            for index, (element, inner) in enumerate(zip(value, pattern)):
                self._match(element, inner, f"{path}/{index}", subject)
        elif type(value) is not type(pattern) or value != pattern:
            raise Difference(path, wire.text(pattern), wire.text(value))

    def _match_object(self, value: Dict[str, Any], pattern: Dict[str, Any], path: str, subject: str) -> None:
        for name, inner in pattern.items():
            if name == "…":
                continue
            if name not in value:
                raise Difference(f"{path}/{name}", wire.text(inner), "nothing")
            self._match(value[name], inner, f"{path}/{name}", subject)
        for name in value:
            if name not in pattern and "…" not in pattern:
                raise Difference(f"{path}/{name}", "nothing", wire.text(value[name]))

    def _match_wild_card(self, value: Any, card: str, path: str, subject: str) -> None:
        if card == "rising":
            place = f"{subject} {path}"
            number = wire.integer(value)
            if number is None or (place in self._risen and number <= self._risen[place]):
                raise Difference(path, f"a number above {self._risen.get(place)}", wire.text(value))
            self._risen[place] = number
        elif card.startswith("id:"):
            name = card[3:]
            if name not in self.captured and isinstance(value, str) and value:
                self.captured[name] = value
            elif value != self.captured.get(name):
                raise Difference(path, wire.text(self.captured.get(name, "an id")), wire.text(value))
        elif card != "any":
            raise Difference(path, "a wild card that is known", f"*{card}*")


class Play:
    """One run of a transcript: says what to send, and judges what comes. It does no input or output itself."""

    def __init__(self, transcript: Transcript) -> None:
        self._lines = transcript.lines
        self._position = 0
        self._allowed: List[Any] = []
        self.matcher = Matcher()

    @property
    def awaited(self) -> Optional[Line]:
        """The message that is waited for; None after the end."""
        return self._lines[self._position] if self._position < len(self._lines) else None

    def due(self) -> List[str]:
        """The messages to send now, in order; each is given once."""
        texts: List[str] = []
        while self.awaited is not None and self.awaited.arrow != EXPECT:
            if self.awaited.arrow == ALLOW:
                self._allowed.append(wire.parse(self.awaited.text))
            else:
                texts.append(self.matcher.filled(self.awaited.text))
            self._position += 1
        return texts

    def receive(self, message: Any) -> None:
        """Raises ``Difference`` for a message that is neither the awaited one nor one that may come."""
        difference: Optional[Difference] = None
        if self.awaited is not None:
            try:
                self.matcher.match(message, wire.parse(self.awaited.text))
            except Difference as found:
                difference = found
            else:
                self._position += 1
                self._allowed = []
                return
        if not any(self._allows(message, pattern) for pattern in self._allowed):
            raise difference or Difference("", "no message", "one")

    def _allows(self, message: Any, pattern: Any) -> bool:
        try:
            self.matcher.match(message, pattern)
        except Difference:
            return False
        return True
