"""What waits for a provider that cannot be reached."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Optional, Tuple

from .._coding import SLOTS, Value


@dataclass(frozen=True, **SLOTS)
class QueueLine(Value):
    """The generations that wait for one provider."""

    id: str
    waiting: int = 0
    oldest_at: Optional[datetime] = None
    #: None while the provider can be reached, or has asked for a pause.
    unreachable_since: Optional[datetime] = None
    next_probe_at: Optional[datetime] = None
    cooldown_until: Optional[datetime] = None


@dataclass(frozen=True, **SLOTS)
class Queue(Value):
    """How the queue stands, of an account or of everybody."""

    waiting: int
    #: Held back until it is resumed.
    paused: bool = False
    #: When somebody looks for the first of the providers again.
    next_probe_at: Optional[datetime] = None
    providers: Tuple[QueueLine, ...] = ()
