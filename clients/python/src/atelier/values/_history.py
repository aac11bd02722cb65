"""Generations of the past."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Mapping, Optional, Tuple

from .._coding import SLOTS, Value
from ..errors import AtelierError
from ._generation import ResultImage, Timings, Usage
from ._request import Style


@dataclass(frozen=True, **SLOTS)
class HistoryCredits(Value):
    """What a generation cost, and what was left then."""

    cost: int = 0
    balance_after: Optional[int] = None


@dataclass(frozen=True, **SLOTS)
class Feedback(Value):
    """What a person thought of a result."""

    #: 1 to 5.
    rating: int
    text: Optional[str] = None


@dataclass(frozen=True, **SLOTS)
class HistoryEntry(Value):
    """One generation of the past."""

    generation_id: str
    created_at: datetime
    recipe: str
    state: str
    finished_at: Optional[datetime] = None
    prompt: Optional[str] = None
    style: Optional[Style] = None
    #: The template of the library that was asked for.
    template: Optional[str] = None
    account: Optional[str] = None
    provider: Optional[str] = None
    model: Optional[str] = None
    #: True when an identical earlier result answered, at no cost.
    cached: bool = False
    images: Tuple[ResultImage, ...] = ()
    #: The path of a small picture for lists.
    thumbnail: Optional[str] = None
    credits: HistoryCredits = HistoryCredits()
    #: The generation this one refines or makes again.
    parent: Optional[str] = None
    #: The generation this one makes again.
    regeneration_of: Optional[str] = None
    feedback: Optional[Feedback] = None
    usage: Usage = Usage()
    timings: Timings = Timings()
    #: What the caller attached, or noted later.
    metadata: Optional[Mapping[str, Any]] = None
    #: Marked as one with ``annotate``.
    favourite: bool = False
    error: Optional[AtelierError] = None


@dataclass(frozen=True, **SLOTS)
class HistoryTotals(Value):
    """Sums over everything the history query matches."""

    generations: int = 0
    credits_used: int = 0
    #: US dollars, as far as prices are known.
    cost_usd: float = 0
    #: True where a search was not counted to the end: there are at least so many.
    at_least: bool = False


@dataclass(frozen=True, **SLOTS)
class HistoryPage(Value):
    """Some of the history, newest first."""

    entries: Tuple[HistoryEntry, ...] = ()
    #: Where the next page begins; ``None`` on the last one.
    next_cursor: Optional[str] = None
    totals: HistoryTotals = HistoryTotals()
    #: The month that counts at present, for example ``"2026-11"``.
    current_period: Optional[str] = None


@dataclass(frozen=True, **SLOTS)
class Deletion(Value):
    """How much was deleted, files included."""

    deleted: int
    bytes_freed: int = 0
    #: What was begun meanwhile and is left alone.
    still_running: Tuple[str, ...] = ()


@dataclass(frozen=True, **SLOTS)
class Export(Value):
    """What was written into a folder."""

    #: The file of records, an entry of history a line.
    path: str
    entries: int
    #: How many pictures and thumbnails the records name.
    files: int


@dataclass(frozen=True, **SLOTS)
class KeptFeedback(Value):
    """What is kept of a person's opinion."""

    generation_id: str
    feedback: Feedback


@dataclass(frozen=True, **SLOTS)
class SessionStep(Value):
    """What a list shows of a step of a session."""

    generation_id: str
    created_at: datetime
    recipe: str
    state: str
    #: Its first 120 characters.
    prompt: Optional[str] = None


@dataclass(frozen=True, **SLOTS)
class Session(Value):
    """A chain of refinements, with branches or without."""

    #: The id of the generation it began with, even after that was deleted.
    session_id: str
    account: str
    steps: int
    latest_at: datetime
    first: SessionStep
    last: SessionStep
    thumbnail: Optional[str] = None


@dataclass(frozen=True, **SLOTS)
class SessionPage(Value):
    """Some sessions, the one that went on last first."""

    sessions: Tuple[Session, ...] = ()
    next_cursor: Optional[str] = None


@dataclass(frozen=True, **SLOTS)
class SessionSteps(Value):
    """A session and some of its steps, the first ones first; each entry's ``parent`` says what it refines."""

    session: Session
    entries: Tuple[HistoryEntry, ...] = ()
    next_cursor: Optional[str] = None
