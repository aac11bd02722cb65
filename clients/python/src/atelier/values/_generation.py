"""How a generation goes and what it comes to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping, Optional, Tuple

from .._coding import SLOTS, Value
from ..errors import AtelierError


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
    #: The template of the library that was asked for.
    template: Optional[str] = None
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
    #: 1 for the next to start; None when it does not wait.
    queue_position: Optional[int] = None
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
