"""What a rule is, and what became of it."""

from __future__ import annotations

import fnmatch
import time
from dataclasses import dataclass, field
from typing import Callable, Dict, Iterable, Iterator, List, Optional, Sequence


class Failed(Exception):
    """The program did something else than the rule says. Each line of the text is one line of the report."""


class Skipped(Exception):
    """The rule does not apply to the program, or cannot be checked here; the text says why."""


@dataclass(frozen=True)
class Rule:
    """One promise, and how to check it."""

    id: str
    #: What is promised, in words.
    title: str
    #: Where it is written: documents and their sections.
    sections: Sequence[str]
    #: Raises ``Failed`` or ``Skipped``.
    check: Callable[[], None]


@dataclass
class Outcome:
    """What became of a rule."""

    rule: Rule
    verdict: str
    seconds: float
    details: List[str] = field(default_factory=list)

    def as_json(self) -> Dict[str, object]:
        """The outcome as the member of a report for machines."""
        return {
            "rule": self.rule.id,
            "title": self.rule.title,
            "sections": list(self.rule.sections),
            "verdict": self.verdict,
            "seconds": round(self.seconds, 3),
            "details": self.details,
        }


def selected(rules: Iterable[Rule], wanted: Sequence[str], unwanted: Sequence[str]) -> List[Rule]:
    """The rules whose id one of the patterns of ``wanted`` matches, and none of ``unwanted``."""

    def matches(rule: Rule, patterns: Sequence[str]) -> bool:
        return any(fnmatch.fnmatchcase(rule.id, pattern) for pattern in patterns)

    return [rule for rule in rules if (not wanted or matches(rule, wanted)) and not matches(rule, unwanted)]


def run(rules: Iterable[Rule], clock: Callable[[], float] = time.monotonic) -> Iterator[Outcome]:
    """Checks one rule after the other."""
    for rule in rules:
        began = clock()
        verdict, reason = _verdict(rule)
        yield Outcome(rule, verdict, clock() - began, reason.splitlines() if reason else [])


def _verdict(rule: Rule) -> "tuple[str, Optional[str]]":
    try:
        rule.check()
    except Failed as failure:
        return "failed", str(failure)
    except Skipped as reason:
        return "skipped", str(reason)
    return "passed", None
