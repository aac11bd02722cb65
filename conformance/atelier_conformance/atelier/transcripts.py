"""Rules that are conversations: each transcript of protocol/transcripts, in both framings."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Dict, List, Optional, Set

from .. import wire
from ..program import HEADERS, LINES, Program
from ..rules import Failed, Rule
from .target import Target, anchor, shown
from .transcript import Difference, Play, Transcript


def rules(target: Target) -> List[Rule]:
    """One rule for each transcript and framing."""
    known = {method["name"] for method in target.document("openrpc.json")["methods"]}
    return [
        _rule(target, path, framing, known)
        for path in sorted((target.protocol / "transcripts").glob("*.jsonl"))
        for framing in (LINES, HEADERS)
    ]


def _rule(target: Target, path: Path, framing: str, known: Set[str]) -> Rule:
    transcript = Transcript(path.read_text(encoding="utf-8"))
    sections = [anchor(method) for method in transcript.methods() if method in known]
    return Rule(
        f"transcript/{path.stem}/{framing}",
        transcript.title,
        sections,
        lambda: _check(target, path, transcript, framing),
    )


def _check(target: Target, path: Path, transcript: Transcript, framing: str) -> None:
    configuration, options = path.with_suffix(".config.json"), path.with_suffix(".options")
    with target.start(
        framing=framing,
        configuration=configuration if configuration.exists() else None,
        options=options.read_text(encoding="utf-8").split() if options.exists() else (),
    ) as program:
        _Conversation(target, path, transcript, program).play()
        program.expect_exit()


class _Conversation:
    def __init__(self, target: Target, path: Path, transcript: Transcript, program: Program) -> None:
        self._target = target
        self._name = path.name
        self._play = Play(transcript)
        self._program = program
        self._methods: Dict[Any, str] = {}

    def play(self) -> None:
        """Plays the host's part and compares the program's. Raises ``Failed`` with the line that differs."""
        self._send()
        while self._play.awaited is not None:
            message = self._program.next()
            if message is None:
                raise Failed(
                    f"{self._name}:{self._play.awaited.number}: the program ended with {self._program.wait()} before "
                    f"this message{self._program.log()}\nexpected: {wire.shortened(self._play.awaited.text)}"
                )
            self._judge(message)
            self._send()
        self._program.close_input()
        for message in self._program.rest():
            self._judge(message)

    def _send(self) -> None:
        for text in self._play.due():
            try:
                request = wire.parse(text)
            except ValueError:
                request = None
            for each in request if isinstance(request, list) else [request]:
                if isinstance(each, dict) and isinstance(each.get("method"), str) and "id" in each:
                    self._methods[wire.text(each["id"])] = each["method"]
            self._program.send(text)

    def _judge(self, message: Any) -> None:
        for each in message if isinstance(message, list) else [message]:
            answered: Optional[str] = None
            if isinstance(each, dict) and "method" not in each:
                answered = self._methods.get(wire.text(each.get("id")))
            self._target.seen.append((self._name, each, answered))
        awaited = self._play.awaited
        try:
            self._play.receive(message)
        except Difference as difference:
            place = f"{self._name}:{awaited.number}" if awaited else f"{self._name}, after the end"
            expected = f"\nexpected: {wire.shortened(awaited.text)}" if awaited else ""
            raise Failed(f"{place}: {difference}{expected}\ngot:      {shown(message)}") from None
