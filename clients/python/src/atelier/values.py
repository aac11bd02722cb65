"""What is sent and what comes back, as frozen values.

Names are the protocol's in snake_case; durations are whole milliseconds and end in ``_ms``; times are aware
``datetime`` values. Enumerations are open: a newer service may send names that are not listed here.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Mapping, Optional, Tuple, Union

from ._coding import SLOTS, Value
from .errors import AtelierError

__all__ = [
    "AccountStatus",
    "Balance",
    "Cancellation",
    "Credits",
    "Deletion",
    "Failure",
    "Feedback",
    "Finished",
    "GenerationResult",
    "GenerationStatus",
    "GenerationWarning",
    "HistoryCredits",
    "HistoryEntry",
    "HistoryPage",
    "HistoryTotals",
    "Initialization",
    "Limit",
    "Limits",
    "OriginalImage",
    "Output",
    "PreparedImage",
    "Progress",
    "Provider",
    "ResultImage",
    "ResultReference",
    "ServiceStatus",
    "State",
    "StoreStatus",
    "Step",
    "Style",
    "StyleOption",
    "Timings",
    "Usage",
    ]


class State:
    """The states of a generation. The last six are final."""

    QUEUED = "queued"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    PARTIAL = "partial"
    FAILED = "failed"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"
    EXPIRED = "expired"


# --- What is sent ---


@dataclass(frozen=True, **SLOTS)
class Style:
    """How a headshot looks."""

    #: From -1 (looking far left) over 0 to 1, or ``"left"``, ``"front"``, ``"right"``.
    angle: Union[float, str, None] = None
    #: ``"professional"`` for a studio, ``"casual"`` for the photo's own surroundings, softened.
    background: Optional[str] = None


@dataclass(frozen=True, **SLOTS)
class Output:
    """How many pictures, of which shape, and where they go."""

    #: ``"single"``, or ``"multiAngle"`` for front, both profiles and back.
    mode: Optional[str] = None
    #: Variations, 1 to 4.
    count: Optional[int] = None
    #: A folder that exists and receives a copy of each picture.
    directory: Union[str, os.PathLike[str], None] = None
    #: True to receive the bytes as well, in ``ResultImage.data``.
    inline: Optional[bool] = None
    #: For example ``"1:1"`` or ``"3:4"``, where the provider offers it.
    aspect_ratio: Optional[str] = None
    #: For example ``"1K"`` or ``"2K"``, where the provider offers it.
    size: Optional[str] = None


@dataclass(frozen=True, **SLOTS)
class ResultReference:
    """One picture of an earlier generation, to be used as an image or to be refined."""

    generation_id: str
    #: Which of its pictures.
    index: int = 0


# --- What comes back ---


@dataclass(frozen=True, **SLOTS)
class ResultImage(Value):
    """One picture, stored where only its owner can read it."""

    index: int
    mime_type: str
    width: int
    height: int
    #: The size of the file.
    byte_count: int = field(metadata={"wire": "bytes"})
    #: The SHA-256 of the file, in hexadecimal.
    sha256: str
    #: Where it is; ``None`` when the request was private and named no directory.
    path: Optional[str] = None
    #: What a multi-angle picture shows, for example ``"front"``.
    view: Optional[str] = None
    #: The bytes of the file, when ``Output.inline`` asked for them.
    data: Optional[bytes] = None


@dataclass(frozen=True, **SLOTS)
class GenerationWarning(Value):
    """Something worth knowing about a picture that was made all the same."""

    #: A stable name, for example ``"low_resolution"``.
    kind: str
    #: One sentence for a person.
    message: str = ""


@dataclass(frozen=True, **SLOTS)
class Failure(Value):
    """A picture of several that could not be made."""

    index: int
    error: AtelierError
    view: Optional[str] = None


@dataclass(frozen=True, **SLOTS)
class Usage(Value):
    """What the provider counted."""

    input_tokens: int = 0
    output_tokens: int = 0
    #: US dollars, where the price is known.
    cost_usd: Optional[float] = None


@dataclass(frozen=True, **SLOTS)
class Credits(Value):
    """What became of the credits. All zero for an unmetered account or a provider that costs nothing."""

    held: int = 0
    charged: int = 0
    released: int = 0
    #: ``None`` for an unmetered account.
    balance_after: Optional[int] = None


@dataclass(frozen=True, **SLOTS)
class Timings(Value):
    """Milliseconds spent in each phase; zero for a phase that was not reached."""

    queued_ms: int = 0
    preparing_ms: int = 0
    uploading_ms: int = 0
    processing_ms: int = 0
    saving_ms: int = 0
    total_ms: int = 0


@dataclass(frozen=True, **SLOTS)
class GenerationResult(Value):
    """How a generation ended."""

    generation_id: str
    #: ``"succeeded"``, ``"partial"`` (see ``failures``) or ``"cancelled"``.
    outcome: str
    recipe: str = ""
    #: Which provider served it; of one cancelled early, which would have.
    provider: Optional[str] = None
    model: Optional[str] = None
    #: True when an identical request had been answered before and this is that answer, at no cost.
    cached: bool = False
    images: Tuple[ResultImage, ...] = ()
    text: Optional[str] = None
    places: Tuple[Mapping[str, Any], ...] = ()
    warnings: Tuple[GenerationWarning, ...] = ()
    failures: Tuple[Failure, ...] = ()
    usage: Usage = Usage()
    credits: Credits = Credits()
    timings: Timings = Timings()

    @property
    def path(self) -> Optional[str]:
        """Where the first picture is; ``None`` when there is none."""
        return self.images[0].path if self.images else None


@dataclass(frozen=True, **SLOTS)
class Step(Value):
    """Which of several pictures is being made."""

    index: int
    count: int


@dataclass(frozen=True, **SLOTS)
class Progress(Value):
    """Where a generation stands."""

    generation_id: str
    #: Rises with every progress of the generation.
    sequence: int
    state: str
    #: ``"queued"``, ``"preparing"``, ``"uploading"``, ``"processing"`` or ``"saving"``.
    phase: str
    #: One sentence for a person.
    message: str = ""
    #: How much of the phase is done, from 0 to 1, where that is known.
    fraction: Optional[float] = None
    step: Optional[Step] = None
    elapsed_ms: int = 0
    #: The estimated time that remains, where there is an estimate.
    eta_ms: Optional[int] = None


@dataclass(frozen=True, **SLOTS)
class Finished(Value):
    """The end of a detached generation."""

    generation_id: str
    state: str
    result: Optional[GenerationResult] = None
    error: Optional[AtelierError] = None


@dataclass(frozen=True, **SLOTS)
class Cancellation(Value):
    """What cancelling came to."""

    generation_id: str
    state: str
    #: Only ``released`` and ``balance_after`` are told here.
    credits: Credits = Credits()


@dataclass(frozen=True, **SLOTS)
class StyleOption(Value):
    """One of the styles of headshots, as a host shows it."""

    #: Such as ``left-casual``.
    id: str
    #: What ``generate`` takes as ``style``.
    style: Style
    #: For a button.
    title: str = ""
    #: One sentence.
    description: str = ""
    #: The ids of the providers that can make it.
    providers: Tuple[str, ...] = ()


@dataclass(frozen=True, **SLOTS)
class Provider(Value):
    """Who makes pictures, and whether it can right now."""

    id: str
    available: bool = False
    #: Why it is not available.
    reason: Optional[str] = None
    needs_key: bool = False
    cooldown_until: Optional[datetime] = None
    #: For a menu. This and what follows is told by ``providers()`` only.
    title: str = ""
    recipes: Tuple[str, ...] = ()
    models: Tuple[str, ...] = ()
    #: True when nothing leaves the machine.
    local: Optional[bool] = None


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
class Balance(Value):
    """Credits of an account."""

    #: ``None`` for an unmetered account.
    available: Optional[int] = None
    held: int = 0


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
    tier: Optional[str] = None
    credits: Balance = Balance()
    limits: Tuple[Limit, ...] = ()
    cooldown_until: Optional[datetime] = None
    #: The ids of the generations of the account that are running.
    running: Tuple[str, ...] = ()


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
    account: Optional[str] = None
    provider: Optional[str] = None
    model: Optional[str] = None
    images: Tuple[ResultImage, ...] = ()
    #: The path of a small picture for lists.
    thumbnail: Optional[str] = None
    credits: HistoryCredits = HistoryCredits()
    #: The generation this one refines.
    parent: Optional[str] = None
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


@dataclass(frozen=True, **SLOTS)
class OriginalImage(Value):
    """A photo as it was before it was prepared."""

    width: Optional[int] = None
    height: Optional[int] = None
    byte_count: Optional[int] = field(default=None, metadata={"wire": "bytes"})
    mime_type: Optional[str] = None


@dataclass(frozen=True, **SLOTS)
class PreparedImage(Value):
    """A photo made upright, small enough and free of metadata, kept until ``expires_at``."""

    prepared_id: str
    width: int
    height: int
    byte_count: int = field(metadata={"wire": "bytes"})
    mime_type: str
    original: OriginalImage = OriginalImage()
    #: What was done to it, for example ``("rotated", "metadata_removed")``.
    changes: Tuple[str, ...] = ()
    expires_at: Optional[datetime] = None


@dataclass(frozen=True, **SLOTS)
class Limits(Value):
    """What the service takes at most."""

    max_message_bytes: int = 64 * 1024 * 1024
    max_image_bytes: Optional[int] = None
    max_in_flight: Optional[int] = None


@dataclass(frozen=True, **SLOTS)
class Initialization(Value):
    """What the service said about itself when the connection began."""

    protocol_version: str
    server_info: Mapping[str, Any] = field(default_factory=dict)
    capabilities: Mapping[str, Any] = field(default_factory=dict)
    limits: Limits = Limits()
    #: The ids of the providers there are.
    providers: Tuple[str, ...] = ()
