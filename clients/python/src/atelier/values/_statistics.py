"""How much was made of what, and how long it took."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

from .._coding import SLOTS, Value


@dataclass(frozen=True, **SLOTS)
class UsageSum(Value):
    """Sums over some generations."""

    generations: int = 0
    credits_used: int = 0
    #: US dollars, as far as prices are known.
    cost_usd: float = 0


@dataclass(frozen=True, **SLOTS)
class UsageGroup(Value):
    """Sums over what has something in common."""

    #: A recipe, a state, a provider's id, or the kind of an error.
    name: str
    generations: int = 0
    credits_used: int = 0
    cost_usd: float = 0


@dataclass(frozen=True, **SLOTS)
class UsageDay(Value):
    """Sums over a day in UTC, such as ``"2026-11-21"``."""

    day: str
    generations: int = 0
    credits_used: int = 0
    cost_usd: float = 0


@dataclass(frozen=True, **SLOTS)
class Percentiles(Value):
    """The shortest time in milliseconds within which so many in a hundred were done."""

    p50: int = 0
    p95: int = 0
    p99: int = 0


@dataclass(frozen=True, **SLOTS)
class Latency(Value):
    """How long the newest took that delivered pictures."""

    generations: int = 0
    queued_ms: Percentiles = Percentiles()
    preparing_ms: Percentiles = Percentiles()
    uploading_ms: Percentiles = Percentiles()
    processing_ms: Percentiles = Percentiles()
    saving_ms: Percentiles = Percentiles()
    total_ms: Percentiles = Percentiles()


@dataclass(frozen=True, **SLOTS)
class UsageStatistics(Value):
    """Counts, costs and times of what has ended and is in history."""

    total: UsageSum = UsageSum()
    by_recipe: Tuple[UsageGroup, ...] = ()
    by_state: Tuple[UsageGroup, ...] = ()
    by_provider: Tuple[UsageGroup, ...] = ()
    by_failure: Tuple[UsageGroup, ...] = ()
    #: The latest first.
    by_day: Tuple[UsageDay, ...] = ()
    latency: Latency = Latency()
