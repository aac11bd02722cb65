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
    #: What the caller attached.
    metadata: Optional[Mapping[str, Any]] = None
    error: Optional[AtelierError] = None


@dataclass(frozen=True, **SLOTS)
class HistoryTotals(Value):
    """Sums over everything the history query matches."""

    generations: int = 0
    credits_used: int = 0
    #: US dollars, as far as prices are known.
    cost_usd: float = 0


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
