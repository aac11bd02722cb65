"""How the service, a generation and an account stand."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Mapping, Optional, Tuple

from .._coding import SLOTS, Value
from ..errors import AtelierError
from ._credits import CreditBalance
from ._generation import GenerationResult
from ._service import Provider


@dataclass(frozen=True, **SLOTS)
class StoreStatus(Value):
    """The database of the service."""

    path: Optional[str] = None
    schema_version: Optional[int] = None
    healthy: Optional[bool] = None


@dataclass(frozen=True, **SLOTS)
class ServiceStatus(Value):
    """How the service is."""

    version: str
    uptime_ms: int = 0
    in_flight: int = 0
    queued: int = 0
    providers: Tuple[Provider, ...] = ()
    store: StoreStatus = StoreStatus()
    #: Generations ``accepted``, ``succeeded``, ``failed`` and so on, since the service started.
    counters: Mapping[str, Any] = field(default_factory=dict)
    memory_bytes: Optional[int] = None


@dataclass(frozen=True, **SLOTS)
class GenerationStatus(Value):
    """Where one generation stands, whoever started it."""

    generation_id: str
    state: str
    phase: Optional[str] = None
    message: str = ""
    fraction: Optional[float] = None
    sequence: int = 0
    created_at: Optional[datetime] = None
    started_at: Optional[datetime] = None
    finished_at: Optional[datetime] = None
    queue_position: Optional[int] = None
    eta_ms: Optional[int] = None
    account: Optional[str] = None
    recipe: Optional[str] = None
    provider: Optional[str] = None
    error: Optional[AtelierError] = None
    result: Optional[GenerationResult] = None


@dataclass(frozen=True, **SLOTS)
class Limit(Value):
    """How often an account may do something."""

    #: Such as ``"minute"`` or ``"day"``.
    scope: str
    limit: int
    used: int = 0
    recipe: Optional[str] = None
    resets_at: Optional[datetime] = None


@dataclass(frozen=True, **SLOTS)
class AccountStatus(Value):
    """What an account may do at this moment."""

    account: str
    credits: CreditBalance
    tier: Optional[str] = None
    limits: Tuple[Limit, ...] = ()
    cooldown_until: Optional[datetime] = None
    #: The ids of the generations of the account that are running.
    running: Tuple[str, ...] = ()
