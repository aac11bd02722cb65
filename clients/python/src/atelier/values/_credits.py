"""Credits: what an account has to spend, what became of it, and how to get more."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Mapping, Optional, Tuple

from .._coding import SLOTS, Value
from ..errors import AtelierError


@dataclass(frozen=True, **SLOTS)
class CreditBucket(Value):
    """Credits that came together and expire together."""

    #: Names the grant, for as long as the ledger is kept.
    id: str
    #: ``"guest"``, ``"free"``, ``"period"``, ``"bundle"``, ``"makegood"`` or ``"operator"``.
    kind: str
    #: Credits that were granted.
    amount: int
    #: Credits of it that can be spent.
    available: int
    #: Credits of it that are set aside for what runs.
    held: int = 0
    created_at: Optional[datetime] = None
    #: When what is left of it is gone; ``None`` when never.
    expires_at: Optional[datetime] = None


@dataclass(frozen=True, **SLOTS)
class CreditBalance(Value):
    """What an account has to spend, and from where."""

    account: str
    #: False for an account that nothing is counted for: it may do without credits.
    metered: bool = True
    #: ``"guest"``, ``"free"``, ``"premium"`` or ``"owner"``.
    tier: Optional[str] = None
    #: True when the limits on how often do not apply; credits are counted all the same.
    unlimited: bool = False
    #: Credits that can be spent; ``None`` for an unmetered account.
    available: Optional[int] = None
    #: Credits set aside for what runs.
    held: int = 0
    #: Credits of the allocation ``level`` refers to, as it was given; ``None`` where there is none.
    allocation: Optional[int] = None
    #: How much of the allocation is left: ``"green"`` over 50 %, ``"yellow"``, or ``"red"`` under 20 %.
    level: Optional[str] = None
    #: Where the credits come from, the next to be spent first.
    buckets: Tuple[CreditBucket, ...] = ()
    #: When a new period brings its allocation.
    reset_at: Optional[datetime] = None
    #: Credits owed after a store took a purchase back; nothing is made until they are settled.
    shortfall: int = 0


@dataclass(frozen=True, **SLOTS)
class Price(Value):
    """What something costs. To be shown: a store may ask for another amount where it sells."""

    #: In decimal digits, for example ``"9.99"``.
    amount: str
    #: As ISO 4217 writes it, for example ``"USD"``.
    currency: str


@dataclass(frozen=True, **SLOTS)
class CreditProduct(Value):
    """Credits that can be bought."""

    id: str
    #: ``"subscription"`` or ``"bundle"``.
    kind: str
    #: For a button.
    title: str
    #: Credits it gives: of a subscription, for each period.
    credits: int
    price: Price
    #: How often a subscription renews: ``"month"``.
    period: Optional[str] = None
    #: What the stores call it, by ``"apple"`` and ``"google"``.
    platforms: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, **SLOTS)
class UpgradeOption(Value):
    """A way to more credits, offered where there are not enough."""

    id: str
    #: ``"subscription"`` or ``"bundle"``.
    kind: str
    #: For a button.
    title: str
    #: Credits it gives: of a subscription, for each period.
    credits: int
    price: Price


@dataclass(frozen=True, **SLOTS)
class CreditEntry(Value):
    """One thing that became of an account's credits."""

    id: str
    date: datetime
    #: ``"use"``, ``"grant"``, ``"expiry"`` or ``"revocation"``.
    kind: str
    #: What it did to what the account has: less than 0 where it took credits.
    amount: int
    #: ``None`` for an unmetered account.
    balance_after: Optional[int] = None
    #: What the credits were spent on.
    generation_id: Optional[str] = None
    recipe: Optional[str] = None
    #: The beginning of what was asked for.
    prompt: Optional[str] = None
    #: The kind of bucket the credits came from; ``None`` where there were several.
    bucket: Optional[str] = None
    #: Why, in words.
    reason: Optional[str] = None


@dataclass(frozen=True, **SLOTS)
class CreditPeriod(Value):
    """The time the present allocation is for."""

    #: ``None`` for an allocation that is given once.
    starts: Optional[datetime] = None
    ends: Optional[datetime] = None
    #: Credits spent in it.
    used: int = 0


@dataclass(frozen=True, **SLOTS)
class CreditHistoryPage(Value):
    """Some of what became of an account's credits, newest first."""

    entries: Tuple[CreditEntry, ...] = ()
    #: Where the next page begins; ``None`` on the last one.
    next_cursor: Optional[str] = None
    #: Credits the account has ever spent.
    total_used: int = 0
    current_period: CreditPeriod = CreditPeriod()


@dataclass(frozen=True, **SLOTS)
class Estimate(Value):
    """What a generation would cost, and whether it would be accepted now."""

    #: Credits that would be set aside, and spent if every picture is delivered.
    cost: int
    #: How many pictures would be made.
    images: int
    #: Who would make them.
    provider: str
    balance: CreditBalance
    allowed: bool
    #: What ``generate`` would raise at this moment; ``None`` when it is allowed.
    refusal: Optional[AtelierError] = None


@dataclass(frozen=True, **SLOTS)
class Purchase(Value):
    """What a purchase gave."""

    account: str
    #: The id of the :class:`CreditProduct` that was bought.
    product: str
    #: The store's name for the purchase.
    transaction_id: str
    #: Credits that were given for it now; 0 where they had been given before.
    granted: int
    #: True when it had been submitted before: nothing was given now.
    already_granted: bool
    credits: CreditBalance
