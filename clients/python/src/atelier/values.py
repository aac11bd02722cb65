"""What is sent and what comes back, as frozen values. Written by generate_values.py; do not edit.

Names are the protocol's in snake_case, and what is absent or null there is ``None``, or an empty tuple. Durations are
whole milliseconds and end in ``_ms``; times are aware ``datetime`` values. Enumerations are open: a newer service may
send values that are not listed here.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Mapping, Optional, Tuple, Union

from ._coding import SLOTS, Value, HasImages
from .errors import AtelierError

__all__ = [
    "Account",
    "ClockDoubt",
    "Coordinate",
    "Counters",
    "CredentialStatus",
    "CreditBalance",
    "CreditBucket",
    "CreditEntry",
    "CreditHistoryPage",
    "CreditPeriod",
    "CreditProduct",
    "Credits",
    "DeletedCredential",
    "Deletion",
    "Estimate",
    "Export",
    "Failure",
    "Feedback",
    "GenerationProgress",
    "GenerationResult",
    "GenerationWarning",
    "HistoryPage",
    "HistoryTotals",
    "Initialization",
    "KeptFeedback",
    "Latency",
    "Limit",
    "Limits",
    "OriginalImage",
    "Output",
    "PausedModel",
    "Percentiles",
    "Place",
    "PreparedImage",
    "Price",
    "ProductPlatforms",
    "Progress",
    "Provider",
    "ProviderStatus",
    "Purchase",
    "Queue",
    "QueueLine",
    "ResultImage",
    "ServerCapabilities",
    "ServerInfo",
    "ServiceStatus",
    "Session",
    "SessionPage",
    "SessionStep",
    "SessionSteps",
    "SignIn",
    "State",
    "Step",
    "StoreStatus",
    "StoredCredential",
    "Style",
    "StyleOption",
    "Template",
    "TemplatePage",
    "TemplateProblem",
    "Timings",
    "UpgradeOption",
    "Usage",
    "UsageDay",
    "UsageGroup",
    "UsageStatistics",
    "UsageSum",
]


@dataclass(frozen=True, **SLOTS)
class Account(Value):
    """What is known of the account."""

    account: str
    """The account asked about."""
    tier: str
    """What it is entitled to. Values: ``guest``, ``free``, ``premium``, ``owner``."""
    unlimited: bool
    """True when the limits on how often do not apply; credits are counted all the same."""
    signed_in_with: Tuple[str, ...]
    """The names of those who vouched for the person, such as ``apple``."""
    app_account_token: str
    """A UUID that stands for the account, the same for good: what a host gives to the App Store as ``appAccountToken``,
    or to Google Play as the obfuscated account id, so that a purchase says whose it is.
    """
    balance: CreditBalance
    """What the account has to spend."""
    limits: Tuple[Limit, ...]
    """Limits on how often it may ask; none for an account without limits."""
    running: Tuple[str, ...]
    """Its generations that have not ended, oldest first."""
    created_at: Optional[datetime] = None
    """When it was first seen; absent where it never was."""
    premium_until: Optional[datetime] = None
    """When the subscription ends unless it renews; absent without one."""
    cooldown_until: Optional[datetime] = None
    """Until when its requests are refused."""


@dataclass(frozen=True, **SLOTS)
class ClockDoubt(Value):
    """Why the machine's clock is not believed."""

    now: datetime
    """What it says."""
    latest: datetime
    """The latest time on record that was believed."""
    message: str
    """What is so, what follows, and what an operator can do."""


@dataclass(frozen=True, **SLOTS)
class Coordinate(Value):
    """A position on the globe, in degrees (WGS 84)."""

    latitude: float
    """Degrees north of the equator."""
    longitude: float
    """Degrees east of Greenwich."""


@dataclass(frozen=True, **SLOTS)
class Counters(Value):
    """Generations of this process by how they ended; more members may come."""

    accepted: int
    """All that were accepted."""
    succeeded: int
    """Delivered every picture."""
    partial: int
    """Delivered some of the pictures."""
    failed: int
    """Ended with an error."""
    cancelled: int
    """Cancelled before they ended."""
    cached: int
    """Answered from an identical earlier result."""


@dataclass(frozen=True, **SLOTS)
class CredentialStatus(Value):
    """How one provider stands."""

    provider: str
    """The provider."""
    configured: bool
    """True when there is a key that can be used."""
    environment_variables: Tuple[str, ...]
    """The variables that can provide a key, the first one that is set winning."""
    source: Optional[str] = None
    """Where the key comes from. Values: ``environment``, ``secret_service``, ``file``."""
    masked: Optional[str] = None
    """The end of the key, to recognise it by."""
    environment_variable: Optional[str] = None
    """The variable the key comes from, where its source is the environment."""
    reason: Optional[str] = None
    """Why a key that is there cannot be used, as a sentence with what to do about it."""


@dataclass(frozen=True, **SLOTS)
class CreditBalance(Value):
    """What an account has to spend, and from where."""

    account: str
    """Whose balance it is."""
    metered: bool
    """False for an account that nothing is counted for: it may do without credits."""
    tier: str
    """What the account is entitled to. Values: ``guest``, ``free``, ``premium``, ``owner``."""
    unlimited: bool
    """True when the limits on how often do not apply; credits are counted all the same."""
    available: Optional[int]
    """Credits that can be spent; null for an account that is not metered."""
    held: int
    """Credits set aside for what runs."""
    allocation: Optional[int]
    """Credits of the allocation ``level`` refers to, as it was given; null where there is none."""
    buckets: Tuple[CreditBucket, ...]
    """Where the credits come from, the next to be spent first; used up or expired ones are left out."""
    shortfall: int
    """Credits owed after a store took a purchase back that was spent already; nothing is made until they are settled.
    """
    level: Optional[str] = None
    """How much of the allocation is left, for a hint; absent where there is no allocation. Values: ``green``,
    ``yellow``, ``red``.
    """
    reset_at: Optional[datetime] = None
    """When a new period brings its allocation."""


@dataclass(frozen=True, **SLOTS)
class CreditBucket(Value):
    """Credits that came together and expire together."""

    id: str
    """Names the grant, for as long as the ledger is kept."""
    kind: str
    """Where the credits come from. Values: ``guest``, ``free``, ``period``, ``bundle``, ``makegood``, ``operator``."""
    amount: int
    """Credits that were granted."""
    available: int
    """Credits of it that can be spent."""
    held: int
    """Credits of it that are set aside for what runs."""
    created_at: datetime
    """When they were granted."""
    expires_at: Optional[datetime] = None
    """When what is left of it is gone; absent when never."""


@dataclass(frozen=True, **SLOTS)
class CreditEntry(Value):
    """One thing that became of an account's credits."""

    id: str
    """Names the entry, for as long as the ledger is kept."""
    date: datetime
    """When it happened."""
    kind: str
    """Spent on a generation, given, over before they were spent, or taken back. Values: ``use``, ``grant``, ``expiry``,
    ``revocation``.
    """
    amount: int
    """What it did to what the account has: less than 0 where it took credits."""
    balance_after: Optional[int]
    """What the account had left then; null for an account that is not metered."""
    generation_id: Optional[str] = None
    """What the credits were spent on."""
    recipe: Optional[str] = None
    """What was made. Values: ``headshot``, ``hairstyle``, ``edit``, ``create``, ``places``."""
    prompt: Optional[str] = None
    """The beginning of what was asked for; absent where nothing was, or the request was private."""
    bucket: Optional[str] = None
    """Where the credits came from; absent where they came from several buckets. Values: ``guest``, ``free``,
    ``period``, ``bundle``, ``makegood``, ``operator``.
    """
    reason: Optional[str] = None
    """Why, in words, such as those of the operator who granted them."""


@dataclass(frozen=True, **SLOTS)
class CreditHistoryPage(Value):
    """One page, and sums over all there is."""

    entries: Tuple[CreditEntry, ...]
    """Newest first."""
    total_used: int
    """Credits the account has ever spent."""
    current_period: CreditPeriod
    """The time the present allocation is for."""
    next_cursor: Optional[str] = None
    """Where the next page begins; absent on the last."""


@dataclass(frozen=True, **SLOTS)
class CreditPeriod(Value):
    """The time the present allocation is for."""

    used: int
    """Credits spent in it, from whatever bucket."""
    starts: Optional[datetime] = None
    """When it began; absent for an allocation that is given once."""
    ends: Optional[datetime] = None
    """When the next one begins; absent where none will."""


@dataclass(frozen=True, **SLOTS)
class CreditProduct(Value):
    """Credits that can be bought; which there are is configuration."""

    id: str
    """The service's own name for it."""
    kind: str
    """How it is sold. Values: ``subscription``, ``bundle``."""
    title: str
    """For a button."""
    credits: int
    """Credits it gives: of a subscription, for each period."""
    price: Price
    """What it costs: a subscription, for each period."""
    platforms: ProductPlatforms
    """What the stores call it."""
    period: Optional[str] = None
    """How often a subscription renews; absent for a bundle. Values: ``month``."""


@dataclass(frozen=True, **SLOTS)
class Credits(Value):
    """What a generation did to its account's credits."""

    held: int
    """Credits set aside when it was accepted."""
    charged: int
    """Credits spent: one for each picture that was delivered and is charged for."""
    released: int
    """Credits given back."""
    balance_after: Optional[int]
    """What the account had left then; null where no credits were set aside, as for an account that is not metered."""


@dataclass(frozen=True, **SLOTS)
class DeletedCredential(Value):
    """What is gone."""

    provider: str
    """The provider whose key is gone."""
    deleted: bool
    """True when there was a key to delete."""
    environment_variable: Optional[str] = None
    """The environment variable that still provides a key."""
    note: Optional[str] = None
    """What a person should know about it."""


@dataclass(frozen=True, **SLOTS)
class Deletion(Value):
    """What is gone."""

    deleted: int
    """How many records."""
    bytes_freed: int
    """How many bytes of files."""
    still_running: Tuple[str, ...] = ()
    """What was begun meanwhile and is left alone; absent where there is nothing."""


@dataclass(frozen=True, **SLOTS)
class Estimate(Value):
    """What it would come to."""

    cost: int
    """Credits that would be set aside, and spent if every picture is delivered; less where a result is reused."""
    images: int
    """How many pictures would be made."""
    provider: str
    """Who would make them: a fallback may cost otherwise."""
    balance: CreditBalance
    """What the account has to spend."""
    allowed: bool
    """True when ``generate`` would be accepted at this moment."""
    refusal: Optional[AtelierError] = None
    """What ``generate`` would be refused with at this moment; absent when it is allowed."""


@dataclass(frozen=True, **SLOTS)
class Export(Value):
    """What was written."""

    path: str
    """The file of records."""
    entries: int
    """How many records it has."""
    files: int
    """How many pictures and thumbnails lie beside it."""


@dataclass(frozen=True, **SLOTS)
class Failure(Value):
    """A picture that could not be made, while others could."""

    index: int
    """Position among the pictures asked for, from 0."""
    error: AtelierError
    """Why."""
    view: Optional[str] = None
    """``front``, ``left``, ``right`` or ``back`` of a multi-angle generation."""


@dataclass(frozen=True, **SLOTS)
class Feedback(Value):
    """What a person thought of a result."""

    rating: int
    """1 to 5, from bad to good."""
    text: Optional[str] = None
    """The person's own words."""


@dataclass(frozen=True, **SLOTS)
class GenerationProgress(Value):
    """How far a generation is that has not ended."""

    sequence: int
    """The number of its latest progress notification."""
    phase: str
    """What it does now. Values: ``queued``, ``preparing``, ``uploading``, ``processing``, ``saving``."""
    message: str
    """The same as a sentence for people."""
    overall: float
    """How much of everything is done, 0 to 1 with at most three decimals. It never steps back."""
    fraction: Optional[float] = None
    """How much of the phase is done, 0 to 1 with at most three decimals, where that is known."""
    queue_position: Optional[int] = None
    """1 for the next to start; absent when it does not wait."""
    eta_ms: Optional[int] = None
    """Milliseconds until its end, judged by how long others took; absent where nothing is known."""


@dataclass(frozen=True, **SLOTS)
class GenerationResult(HasImages):
    """A generation: what was asked for, where it stands, and what came of it. It is the same object wherever a
    generation appears.
    """

    generation_id: str
    """The name of the generation."""
    state: str
    """Where it stands. Values: ``queued``, ``running``, ``succeeded``, ``partial``, ``failed``, ``cancelled``,
    ``interrupted``, ``expired``.
    """
    recipe: str
    """What it makes. Values: ``headshot``, ``hairstyle``, ``edit``, ``create``, ``places``."""
    account: str
    """The account it belongs to."""
    created_at: datetime
    """When it was accepted."""
    cached: bool
    """True when an identical earlier result answered, at no cost."""
    images: Tuple[ResultImage, ...]
    """The pictures, by index; empty while there are none."""
    warnings: Tuple[GenerationWarning, ...]
    """What a person should know about the result."""
    failures: Tuple[Failure, ...]
    """The pictures of a partial result that could not be made."""
    credits: Credits
    """What it did to the account's credits."""
    usage: Usage
    """What the provider counted."""
    timings: Timings
    """How long each phase took."""
    started_at: Optional[datetime] = None
    """When its work began."""
    finished_at: Optional[datetime] = None
    """When it ended."""
    progress: Optional[GenerationProgress] = None
    """How far it is, until it ends."""
    prompt: Optional[str] = None
    """What was asked for in words. A private generation keeps none."""
    style: Optional[Style] = None
    """How a headshot was to look."""
    template_id: Optional[str] = None
    """The template of the library that was asked for."""
    provider: Optional[str] = None
    """The provider that made it, or that is to make it."""
    model: Optional[str] = None
    """The model that made it, or that is to make it."""
    thumbnail: Optional[str] = None
    """The file of a small picture for lists. It is made shortly after the end."""
    text: Optional[str] = None
    """Words that came with the pictures."""
    places: Tuple[Place, ...] = ()
    """What ``places`` found."""
    error: Optional[AtelierError] = None
    """Why it failed, was interrupted or expired."""
    parent_generation_id: Optional[str] = None
    """The generation whose picture it refines, or that it makes again."""
    original_generation_id: Optional[str] = None
    """The generation that ``regenerate`` made again."""
    private: Optional[bool] = None
    """True when neither prompt nor pictures are kept; absent otherwise."""
    favorite: Optional[bool] = None
    """True when it is marked as a favorite; absent otherwise."""
    feedback: Optional[Feedback] = None
    """What a person thought of it."""
    metadata: Optional[Mapping[str, Any]] = None
    """What the host sent along, or noted later."""


@dataclass(frozen=True, **SLOTS)
class GenerationWarning(Value):
    """Something a person should know about a result that is there nevertheless."""

    kind: str
    """The stable name, such as ``low_resolution``, ``several_faces`` or ``tight_crop``; more may come."""
    message: str
    """One sentence a person can act on."""


@dataclass(frozen=True, **SLOTS)
class HistoryPage(Value):
    """One page, and sums over everything that matches."""

    entries: Tuple[GenerationResult, ...]
    """Newest first."""
    totals: HistoryTotals
    """Over everything that matches, not this page only."""
    current_period: str
    """The calendar month in UTC, such as ``2026-11``."""
    next_cursor: Optional[str] = None
    """Where the next page begins; absent on the last."""


@dataclass(frozen=True, **SLOTS)
class HistoryTotals(Value):
    """Sums over records."""

    generations: int
    """How many match."""
    credits_used: int
    """Credits spent on them."""
    cost_usd: float
    """What providers charged, in US dollars, as far as it is known."""
    at_least: Optional[bool] = None
    """True where a search found so much that it was not counted to the end: there are at least so many."""


@dataclass(frozen=True, **SLOTS)
class Initialization(Value):
    """What the service is and can."""

    protocol_version: str
    """The version of the protocol spoken."""
    server_info: ServerInfo
    """Who the service is."""
    capabilities: ServerCapabilities
    """What it can do here."""
    limits: Limits
    """How much it takes."""
    providers: Tuple[str, ...]
    """Every provider of this service, whether it is available or not."""


@dataclass(frozen=True, **SLOTS)
class KeptFeedback(Value):
    """What is kept."""

    generation_id: str
    """The generation."""
    feedback: Feedback
    """What is kept of it."""


@dataclass(frozen=True, **SLOTS)
class Latency(Value):
    """How long the newest took that delivered pictures and were not answered from the cache."""

    generations: int
    """How many these are: at most 2,000."""
    queued_ms: Percentiles
    """Waiting for a free slot."""
    preparing_ms: Percentiles
    """Reading and preparing the photo."""
    uploading_ms: Percentiles
    """Sending to the provider."""
    processing_ms: Percentiles
    """Making the pictures."""
    saving_ms: Percentiles
    """Writing files and records."""
    total_ms: Percentiles
    """From acceptance to the end."""


@dataclass(frozen=True, **SLOTS)
class Limit(Value):
    """One limit and how much of it is used."""

    scope: str
    """What is counted, such as ``minute``, ``day`` or ``concurrent``."""
    limit: int
    """The most there may be."""
    used: int
    """How many there are."""
    recipe: Optional[str] = None
    """The recipe it is for; absent when it is for all. Values: ``headshot``, ``hairstyle``, ``edit``, ``create``,
    ``places``.
    """
    resets_at: Optional[datetime] = None
    """When there may be more again."""


@dataclass(frozen=True, **SLOTS)
class Limits(Value):
    """How much the service takes."""

    max_message_bytes: int
    """The longest message, in bytes."""
    max_image_bytes: int
    """The largest photo ``generate`` takes, in bytes."""
    max_in_flight: int
    """How many requests may be in flight at once."""


@dataclass(frozen=True, **SLOTS)
class OriginalImage(Value):
    """What a photo was before."""

    width: int
    """Pixels."""
    height: int
    """Pixels."""
    byte_count: int = field(metadata={"wire": "bytes"})
    """The size of the file."""
    mime_type: str
    """The media type, by its content."""


@dataclass(frozen=True, **SLOTS)
class Output(Value):
    """How many pictures, and where they go."""

    mode: Optional[str] = None
    """Default ``single``. Values: ``multiAngle``."""
    count: Optional[int] = None
    """How many variations. Default 1."""
    directory: Optional[Union[str, "os.PathLike[str]"]] = None
    """A folder that exists; the pictures are put there as well, under new names."""
    inline: Optional[bool] = None
    """true: the pictures come with the answer, in base64. Default false."""
    aspect_ratio: Optional[str] = None
    """Such as ``1:1`` or ``3:4``; what is possible depends on the provider."""
    size: Optional[str] = None
    """Such as ``1K`` or ``1024x1024``; what is possible depends on the provider."""


@dataclass(frozen=True, **SLOTS)
class PausedModel(Value):
    """A model that its provider asked not to be asked for."""

    model: str
    """The model's name, as ``generate`` takes it."""
    until: datetime
    """It may be asked for again from this moment on, or earlier after a success."""


@dataclass(frozen=True, **SLOTS)
class Percentiles(Value):
    """The shortest time in milliseconds within which so many in a hundred were done; 0 where there are none."""

    p50: int
    """Half of them took no longer."""
    p95: int
    """95 in a hundred took no longer."""
    p99: int
    """99 in a hundred took no longer."""


@dataclass(frozen=True, **SLOTS)
class Place(Value):
    """A place that was found and verified."""

    name: str
    """What the place is called."""
    street_address1: str
    """Street and number."""
    city: str
    """Town or city."""
    street_address2: Optional[str] = None
    """What else the address needs, such as a floor."""
    state: Optional[str] = None
    """State, province or region."""
    postal_code: Optional[str] = None
    """The code the post goes by."""
    country: Optional[str] = None
    """The country's name."""
    coordinate: Optional[Coordinate] = None
    """Where the lookup found it."""


@dataclass(frozen=True, **SLOTS)
class PreparedImage(Value):
    """The prepared photo."""

    prepared_id: str
    """What ``generate`` takes as ``{"preparedId": …}``."""
    width: int
    """Pixels."""
    height: int
    """Pixels."""
    byte_count: int = field(metadata={"wire": "bytes"})
    """The size of the prepared photo."""
    mime_type: str
    """The media type, such as ``image/jpeg``."""
    original: OriginalImage
    """What the photo was."""
    changes: Tuple[str, ...]
    """What was done, such as ``rotated``, ``resized`` or ``metadata_removed``; more may come. Empty: it was fit
    already.
    """
    expires_at: datetime
    """When it is erased."""


@dataclass(frozen=True, **SLOTS)
class Price(Value):
    """What something costs. To be shown, not to be reckoned with: a store may ask for another amount where it sells."""

    amount: str
    """In decimal digits, such as ``9.99``: a text, because no binary fraction is exactly that."""
    currency: str
    """As ISO 4217 writes it, such as ``USD``."""


@dataclass(frozen=True, **SLOTS)
class ProductPlatforms(Value):
    """The product's names in the stores that sell it."""

    apple: Optional[str] = None
    """The product id in the App Store; absent where it is not sold there."""
    google: Optional[str] = None
    """The product id in Google Play; absent where it is not sold there."""


@dataclass(frozen=True, **SLOTS)
class Progress(Value):
    """How far a generation is; at least once a second while it goes on."""

    generation_id: str
    """The generation."""
    sequence: int
    """Strictly rises within a generation; steps may be left out."""
    state: str
    """Where it stands: ``queued`` or ``running``. Values: ``succeeded``, ``partial``, ``failed``, ``cancelled``,
    ``interrupted``, ``expired``.
    """
    phase: str
    """What it does now. Values: ``queued``, ``preparing``, ``uploading``, ``processing``, ``saving``."""
    message: str
    """The phase as a sentence for people."""
    overall: float
    """How much of everything is done, 0 to 1 with at most three decimals. It never steps back."""
    elapsed_ms: int
    """Milliseconds since it was accepted."""
    request_id: Any = None
    """The id of the ``generate`` it belongs to, as it was sent; absent for one taken over from another process."""
    fraction: Optional[float] = None
    """How much of the phase is done, 0 to 1 with at most three decimals, where that is known."""
    step: Optional[Step] = None
    """Which of several pictures."""
    queue_position: Optional[int] = None
    """1 for the next to start; absent when it does not wait."""
    eta_ms: Optional[int] = None
    """Milliseconds until its end, by how long others took."""


@dataclass(frozen=True, **SLOTS)
class Provider(Value):
    """One provider."""

    id: str
    """What ``generate`` takes as ``provider``."""
    title: str
    """Its name for people."""
    available: bool
    """True when it can be asked now."""
    needs_key: bool
    """True when it is missing its API key."""
    recipes: Tuple[str, ...]
    """What it can make."""
    models: Tuple[str, ...]
    """Its models, the one it chooses itself first."""
    local: bool
    """True when it works on this machine, without a network."""
    reason: Optional[str] = None
    """Why not, as a sentence with what to do about it."""
    models_error: Optional[AtelierError] = None
    """Why the models could not be fetched; ``models`` are the known ones then."""
    cooldown_until: Optional[datetime] = None
    """Until when the provider asked not to be asked for the model it chooses itself."""
    paused_models: Tuple[PausedModel, ...] = ()
    """The models that are left alone for now; other ones may be asked for."""


@dataclass(frozen=True, **SLOTS)
class ProviderStatus(Value):
    """Whether a provider can be asked now."""

    id: str
    """The provider."""
    available: bool
    """True when it can be asked now."""
    needs_key: bool
    """True when it is missing its API key."""
    reason: Optional[str] = None
    """Why not, as a sentence with what to do about it."""
    cooldown_until: Optional[datetime] = None
    """Until when the provider asked not to be asked for the model it chooses itself."""
    paused_models: Tuple[PausedModel, ...] = ()
    """The models that are left alone for now; other ones may be asked for."""


@dataclass(frozen=True, **SLOTS)
class Purchase(Value):
    """What the purchase gave."""

    account: str
    """Who has the credits."""
    product: str
    """What was bought."""
    transaction_id: str
    """The store's name for the purchase."""
    granted: int
    """Credits that were given for it now; 0 where they had been given before."""
    already_granted: bool
    """True when it had been submitted before: nothing was given now."""
    balance: CreditBalance
    """What the account has to spend."""


@dataclass(frozen=True, **SLOTS)
class Queue(Value):
    """How an account's part of the queue stands, or the whole queue of the data directory."""

    waiting: int
    """How many generations wait."""
    paused: bool
    """Whether they are held back until ``queue/resume``."""
    providers: Tuple[QueueLine, ...]
    """What waits, by provider."""
    next_probe_at: Optional[datetime] = None
    """When somebody looks for the first of the providers again; absent when none is looked for."""


@dataclass(frozen=True, **SLOTS)
class QueueLine(Value):
    """Those that wait for one provider."""

    id: str
    """The provider that is waited for."""
    waiting: int
    """How many."""
    oldest_at: datetime
    """When the first of them was accepted."""
    unreachable_since: Optional[datetime] = None
    """Since when the provider cannot be reached; absent when it can, or asked for a pause."""
    next_probe_at: Optional[datetime] = None
    """When somebody looks for it again."""
    cooldown_until: Optional[datetime] = None
    """Until when it wants to be left alone."""


@dataclass(frozen=True, **SLOTS)
class ResultImage(Value):
    """A picture that was made: a file of the service's, and what is in it."""

    index: int
    """Position among the pictures asked for, from 0."""
    mime_type: str
    """The media type, such as ``image/jpeg``."""
    width: int
    """Pixels."""
    height: int
    """Pixels."""
    byte_count: int = field(metadata={"wire": "bytes"})
    """The size of the file."""
    sha256: str
    """The SHA-256 of the file, in hexadecimal."""
    view: Optional[str] = None
    """``front``, ``left``, ``right`` or ``back`` of a multi-angle generation."""
    path: Optional[str] = None
    """The file; in the output directory where one was named. Absent when none was kept, because the request was
    private.
    """
    stored_path: Optional[str] = None
    """The service's own file, where ``path`` is the copy in the host's output directory."""
    data: Optional[bytes] = None
    """The file in base64, where ``output.inline`` asked for it."""


@dataclass(frozen=True, **SLOTS)
class ServerCapabilities(Value):
    """What the service can do; more members may come."""

    recipes: Tuple[str, ...]
    """What can be made with the providers there are."""
    methods: Tuple[str, ...]
    """Every request and notification the service accepts."""
    notifications: Tuple[str, ...]
    """Every notification the service sends."""


@dataclass(frozen=True, **SLOTS)
class ServerInfo(Value):
    """The service's name and version."""

    name: str
    """Always ``atelier``."""
    version: str
    """The version of the program."""


@dataclass(frozen=True, **SLOTS)
class ServiceStatus(Value):
    """How the service is."""

    version: str
    """The version of the program."""
    uptime_ms: int
    """Milliseconds since the process started."""
    in_flight: int
    """Generations this process works on."""
    queued: int
    """Generations of this process that wait."""
    providers: Tuple[ProviderStatus, ...]
    """Every provider of this service."""
    store: StoreStatus
    """The database of history and queue."""
    counters: Counters
    """Counted since the process started."""
    memory_bytes: int
    """Resident memory of this process."""


@dataclass(frozen=True, **SLOTS)
class Session(Value):
    """One session."""

    session_id: str
    """That of the generation it began with, even after that was deleted."""
    account: str
    """Whose session it is."""
    steps: int
    """How many of its generations are in history."""
    latest_at: datetime
    """When its newest step was accepted."""
    first: SessionStep
    """Its earliest step that is in history."""
    last: SessionStep
    """Its newest step."""
    thumbnail: Optional[str] = None
    """The file of a small picture of the newest step that has one, of these two."""


@dataclass(frozen=True, **SLOTS)
class SessionPage(Value):
    """One page of sessions."""

    sessions: Tuple[Session, ...]
    """The one that went on last first."""
    next_cursor: Optional[str] = None
    """Where the next page begins; absent on the last."""


@dataclass(frozen=True, **SLOTS)
class SessionStep(Value):
    """What a list shows of a step; ``history/get`` tells the rest."""

    generation_id: str
    """The generation."""
    created_at: datetime
    """When it was accepted."""
    recipe: str
    """What was made. Values: ``headshot``, ``hairstyle``, ``edit``, ``create``, ``places``."""
    state: str
    """Where it stands. Values: ``queued``, ``running``, ``succeeded``, ``partial``, ``failed``, ``cancelled``,
    ``interrupted``, ``expired``.
    """
    prompt: Optional[str] = None
    """The beginning of what was asked for, at most 120 characters."""


@dataclass(frozen=True, **SLOTS)
class SessionSteps(Value):
    """Some steps of a session."""

    session: Session
    """The session the steps belong to."""
    entries: Tuple[GenerationResult, ...]
    """The first ones first."""
    next_cursor: Optional[str] = None
    """Where the next page begins; absent on the last."""


@dataclass(frozen=True, **SLOTS)
class SignIn(Value):
    """The account to go on with."""

    account: str
    """The account to use from now on: the identity's own, where it had one already."""
    tier: str
    """What it is entitled to now. Values: ``guest``, ``free``, ``premium``, ``owner``."""
    granted: int
    """Credits that were given for it now; 0 where they had been given before."""
    is_new: bool
    """True when the identity was not known before."""
    balance: CreditBalance
    """What the account has to spend."""


class State:
    """Where a generation stands."""

    QUEUED = "queued"
    """Durably accepted, waiting for a free slot or for the network."""
    RUNNING = "running"
    """It is being made."""
    SUCCEEDED = "succeeded"
    """Every picture is there."""
    PARTIAL = "partial"
    """Some of the pictures are there, others failed."""
    FAILED = "failed"
    """None could be made; ``error`` says why."""
    CANCELLED = "cancelled"
    """It was cancelled; nothing was charged."""
    INTERRUPTED = "interrupted"
    """The service died while it was running; nothing was charged."""
    EXPIRED = "expired"
    """It waited too long to be started."""


@dataclass(frozen=True, **SLOTS)
class Step(Value):
    """Which of several pictures is being made."""

    index: int
    """From 0."""
    count: int
    """How many pictures there are."""


@dataclass(frozen=True, **SLOTS)
class StoreStatus(Value):
    """How the history database is."""

    path: str
    """The data directory."""
    schema_version: int
    """The version of the database's tables; 0 while it has not been opened."""
    healthy: bool
    """False when it could not be opened or written to."""
    clock_doubt: Optional[ClockDoubt] = None
    """Why the machine's clock is not believed; only while it is not."""


@dataclass(frozen=True, **SLOTS)
class StoredCredential(Value):
    """Where the key is now."""

    provider: str
    """The provider the key is for."""
    source: str
    """Where the key was put. Values: ``environment``, ``secret_service``, ``file``."""
    masked: str
    """The end of the key, to recognise it by."""
    environment_variable: Optional[str] = None
    """The environment variable whose key is used instead, for as long as it is set."""
    note: Optional[str] = None
    """What a person should know about it."""


@dataclass(frozen=True, **SLOTS)
class Style(Value):
    """How a headshot is to look: which way the person looks, and before what."""

    angle: Optional[Union[float, str]] = None
    """Which way the person looks. Default: the front. Values: ``left``, ``front``, ``right``."""
    background: Optional[str] = None
    """What stands behind the person. Default: ``professional``. Values: ``casual``."""


@dataclass(frozen=True, **SLOTS)
class StyleOption(Value):
    """One style, as a host shows it."""

    id: str
    """Such as ``left-casual``."""
    title: str
    """For a button."""
    description: str
    """One sentence."""
    style: Style
    """What ``generate`` takes as ``style``."""
    providers: Tuple[str, ...]
    """Who can make it."""


@dataclass(frozen=True, **SLOTS)
class Template(Value):
    """A hairstyle of the library."""

    id: str
    """What ``generate`` takes as ``template``."""
    name: str
    """For a button."""
    category: str
    """Under what it is found. Values: ``short``, ``medium``, ``long``, ``curly``, ``updo``, ``braids``, ``color``,
    ``trendy``, ``beard``.
    """
    prompt: str
    """The hairstyle in the words of a hairdresser, as the provider is told them."""
    tags: Tuple[str, ...]
    """More to find it by."""
    popularity: int
    """How often it was used here, over what it began with."""
    reference: Optional[str] = None
    """The file of a picture of the hair, which goes to the provider where there is room for it."""
    thumbnail: Optional[str] = None
    """The file of a small picture to choose by."""


@dataclass(frozen=True, **SLOTS)
class TemplatePage(Value):
    """One page."""

    templates: Tuple[Template, ...]
    """Most used first, then by name."""
    next_cursor: Optional[str] = None
    """Where the next page begins; absent on the last."""
    problems: Tuple[TemplateProblem, ...] = ()
    """The operator's files that are not used, and why; absent where all is well, and for a connection that is confined
    to one account. The first twenty of them.
    """


@dataclass(frozen=True, **SLOTS)
class TemplateProblem(Value):
    """What keeps a file of the operator's templates from being used."""

    file: str
    """The file's name in the folder ``templates``; the folder itself where it cannot be read."""
    message: str
    """One sentence: what is wrong, and what is expected."""
    line: Optional[int] = None
    """Where in the file, from 1; absent where it is none of its lines."""


@dataclass(frozen=True, **SLOTS)
class Timings(Value):
    """How long each phase took, in milliseconds."""

    queued_ms: int
    """Waiting for a free slot."""
    preparing_ms: int
    """Reading and preparing the photo."""
    uploading_ms: int
    """Sending to the provider."""
    processing_ms: int
    """Making the pictures."""
    saving_ms: int
    """Writing files and records."""
    total_ms: int
    """From acceptance to the end."""


@dataclass(frozen=True, **SLOTS)
class UpgradeOption(Value):
    """A way to more credits, offered where there are not enough."""

    id: str
    """What it is called in ``credits/products``."""
    kind: str
    """How it is sold. Values: ``subscription``, ``bundle``."""
    title: str
    """For a button."""
    credits: int
    """Credits it gives: of a subscription, for each period."""
    price: Price
    """What it costs: a subscription, for each period."""


@dataclass(frozen=True, **SLOTS)
class Usage(Value):
    """What a provider counted."""

    input_tokens: int
    """Tokens sent; 0 where the provider counts none."""
    output_tokens: int
    """Tokens received; 0 where the provider counts none."""
    cost_usd: Optional[float] = None
    """What the provider charges for it in US dollars, where that is known."""


@dataclass(frozen=True, **SLOTS)
class UsageDay(Value):
    """Sums over a day."""

    day: str
    """In UTC, such as ``2026-11-21``."""
    generations: int
    """How many were accepted on that day."""
    credits_used: int
    """Credits spent on them."""
    cost_usd: float
    """What providers charged, in US dollars, as far as it is known."""


@dataclass(frozen=True, **SLOTS)
class UsageGroup(Value):
    """Sums over what has something in common."""

    name: str
    """What they have in common: a recipe, a state, a provider's id, or the kind of an error."""
    generations: int
    """How many there are."""
    credits_used: int
    """Credits spent on them."""
    cost_usd: float
    """What providers charged, in US dollars, as far as it is known."""


@dataclass(frozen=True, **SLOTS)
class UsageStatistics(Value):
    """Sums and times."""

    total: UsageSum
    """Over everything."""
    by_recipe: Tuple[UsageGroup, ...]
    """By what was made, the most frequent first."""
    by_state: Tuple[UsageGroup, ...]
    """By how they ended, the most frequent first."""
    by_provider: Tuple[UsageGroup, ...]
    """Without those for which no provider was chosen."""
    by_failure: Tuple[UsageGroup, ...]
    """By the kind of the error, of those that have one."""
    by_day: Tuple[UsageDay, ...]
    """The latest day first; at most 366 days."""
    latency: Latency
    """How long they took."""


@dataclass(frozen=True, **SLOTS)
class UsageSum(Value):
    """Sums over some generations."""

    generations: int
    """How many there are."""
    credits_used: int
    """Credits spent on them."""
    cost_usd: float
    """What providers charged, in US dollars, as far as it is known."""
