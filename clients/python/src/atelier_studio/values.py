"""What is sent and what comes back, as frozen values. Written by generate_values.py; do not edit.

Names are the protocol's in snake_case, and what is absent or null there is ``None``, or an empty tuple. Durations are
whole milliseconds and end in ``_ms``; times are aware ``datetime`` values. Enumerations are open in answers: a newer
service may send values that are not listed here, and type checkers are told so. In requests, those of which the service
takes no other value are closed, so that a type checker finds a typo. Options are the keyword arguments of a method: one
that is left out, or ``None``, is left to the service.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, Literal, Mapping, Optional, Sequence, Tuple, TypedDict, Union

from ._coding import SLOTS, HasFile, HasImages, Value
from .errors import AtelierError

if TYPE_CHECKING:
    from ._parameters import Image

__all__ = [
    "Account",
    "AccountConsentResult",
    "AccountDeleteResult",
    "AccountSetResult",
    "AccountSignOutResult",
    "Angle",
    "AspectRatio",
    "Background",
    "BackgroundOption",
    "CachePolicy",
    "ClockDoubt",
    "Consent",
    "Coordinate",
    "CoordinateInResult",
    "Counters",
    "CredentialSource",
    "CredentialStatus",
    "CreditBalance",
    "CreditBalanceLevel",
    "CreditBucket",
    "CreditEntry",
    "CreditHistoryPage",
    "CreditKind",
    "CreditPeriod",
    "CreditProduct",
    "CreditProductKind",
    "CreditProductPeriod",
    "Credits",
    "CreditsGrantResult",
    "CreditsHistoryEntryKind",
    "CreditsRevokeResult",
    "DeletedCredential",
    "Deletion",
    "DroppedPlaces",
    "Estimate",
    "Export",
    "Failure",
    "Feedback",
    "FoundPlace",
    "GenerateOptions",
    "GenerateOutputMode",
    "GenerationProgress",
    "GenerationResult",
    "GenerationState",
    "GenerationWarning",
    "HeadshotChoices",
    "HistoryExportFormat",
    "HistoryPage",
    "HistoryTotals",
    "ImageContent",
    "ImageLink",
    "ImageLinkVariant",
    "ImageReadVariant",
    "Initialization",
    "KeptFeedback",
    "Latency",
    "Limit",
    "Limits",
    "LocationQuery",
    "OfflinePolicy",
    "OriginalImage",
    "Output",
    "OutputChoices",
    "PassportPreset",
    "PausedModel",
    "Percentiles",
    "Phase",
    "PictureCrop",
    "PictureFormat",
    "PictureMatte",
    "Place",
    "PlaceSource",
    "PreparedImage",
    "Price",
    "ProductPlatforms",
    "Progress",
    "Provider",
    "ProviderOffer",
    "ProviderStatus",
    "Purchase",
    "PurchasePlatform",
    "Queue",
    "QueueLine",
    "Recipe",
    "ReducedGrant",
    "RegenerateOptions",
    "ResultImage",
    "ServerCapabilities",
    "ServerInfo",
    "ServiceStatus",
    "Session",
    "SessionPage",
    "SessionStep",
    "SessionSteps",
    "SheetFormat",
    "SignIn",
    "State",
    "Step",
    "StoreStatus",
    "StoredCredential",
    "Style",
    "StyleOption",
    "Template",
    "TemplateCategory",
    "TemplatePage",
    "TemplateProblem",
    "Tier",
    "Timings",
    "UpgradeOption",
    "Usage",
    "UsageDay",
    "UsageGroup",
    "UsageStatistics",
    "UsageSum",
    "WorkerConfinement",
]


Angle = Union[float, Literal["left", "front", "right"]]
"""The direction in which the person looks in a headshot: from −1, the far left, through 0, the front, to 1, the far
right. Left and right are the viewer's. The three usual angles also have names.
"""

AspectRatio = Union[Literal["1:1", "4:5", "3:4", "2:3"], str]
"""The shape of a picture, as width:height. The values that are listed are those of this machine."""

Background = Union[Literal["auto", "professional", "casual", "white", "transparent", "keep"], str]
"""The background of a headshot. A flat background, which is ``white``, ``transparent`` or a colour, is the same
everywhere.
"""

CachePolicy = Literal["use", "bypass"]
"""Whether an identical earlier result may be reused."""

CredentialSource = Literal["environment", "secret_service", "file"]
"""Where an API key comes from, in order of precedence."""

CreditBalanceLevel = Literal["green", "yellow", "red"]
"""How much of the allocation is left."""

CreditKind = Literal["guest", "free", "period", "bundle", "makegood", "operator"]
"""Where credits come from."""

CreditProductKind = Literal["subscription", "bundle"]
"""How a product is sold."""

CreditProductPeriod = Literal["month"]
"""After how long a subscription is renewed."""

CreditsHistoryEntryKind = Literal["use", "grant", "expiry", "revocation"]
"""Why credits changed."""

GenerateOutputMode = Literal["single", "multiAngle"]
"""Which pictures to make."""

GenerationState = Literal["queued", "running", "succeeded", "partial", "failed", "cancelled", "interrupted", "expired"]
"""The state of a generation."""

HistoryExportFormat = Literal["jsonl", "geojson", "csv"]
"""The format of the file of records."""

ImageLinkVariant = Literal["full", "matte"]
"""What a link leads to."""

ImageReadVariant = Literal["full", "thumbnail", "matte", "original"]
"""What is returned of a picture."""

OfflinePolicy = Literal["fail", "queue"]
"""What happens to a request while its provider cannot be reached."""

Phase = Literal["queued", "preparing", "uploading", "processing", "saving"]
"""What a generation is doing. The phases follow in this order; only a generation that waits for its provider again
returns to ``queued``.
"""

PictureCrop = Literal["passport", "none"]
"""How the person is placed in a picture."""

PictureFormat = Literal["jpeg", "png", "webp"]
"""The format of a picture's file."""

PlaceSource = Literal["host", "geocoder"]
"""Who answers lookups of places."""

PurchasePlatform = Literal["apple", "google"]
"""A shop that signs its purchases."""

Recipe = Literal["headshot", "hairstyle", "edit", "create", "places"]
"""The kind of picture to make."""

ReducedGrant = Literal["already_granted", "month_running", "plan_changed", "not_started"]
"""Why a purchase or a tier granted fewer credits than it gives. More values may be added."""

SheetFormat = Literal["pdf", "jpeg"]
"""The format of a sheet's file."""

TemplateCategory = Literal["short", "medium", "long", "curly", "updo", "braids", "color", "trendy", "beard"]
"""The category of a template."""

Tier = Literal["guest", "free", "premium", "owner"]
"""What an account is entitled to; the operator can configure other numbers of credits."""


@dataclass(frozen=True, **SLOTS)
class Account(Value):
    """The account and its state."""

    account: str
    """The account that the answer is about."""
    tier: Union[Tier, str]
    """The account's tier. Values: ``guest``, ``free``, ``premium``, ``owner``."""
    unlimited: bool
    """True when no usage limits apply to the account; its credits are counted nevertheless."""
    signed_in_with: Tuple[str, ...]
    """The identity providers with which the person has signed in, such as ``apple``."""
    app_account_token: str
    """A UUID that stands for the account and never changes. Pass it to the App Store as ``appAccountToken``, or to
    Google Play as the obfuscated account id, so that a purchase names the account.
    """
    balance: CreditBalance
    """The account's balance."""
    limits: Tuple[Limit, ...]
    """The account's usage limits; empty if it has none."""
    running: Tuple[str, ...]
    """The account's generations that have not ended, oldest first."""
    created_at: Optional[datetime] = None
    """When the account was first used; absent for ``owner``."""
    premium_until: Optional[datetime] = None
    """When the subscription ends unless it is renewed; absent without a subscription."""
    cooldown_until: Optional[datetime] = None
    """When requests are accepted again, if a limit for all recipes is reached and the time is known."""
    consent: Optional[Consent] = None
    """The version of the terms of use that the person has accepted last; absent for none."""


@dataclass(frozen=True, **SLOTS)
class AccountConsentResult(Value):
    """What the person has accepted."""

    account: str
    """The account of the person."""
    consents: Tuple[Consent, ...]
    """All versions that the person has accepted, in that order."""
    is_new: bool
    """False when this version had been accepted before."""


@dataclass(frozen=True, **SLOTS)
class AccountDeleteResult(Value):
    """What was deleted."""

    account: str
    """The account that was deleted."""
    deleted: int
    """The number of deleted generations."""
    bytes_freed: int
    """The size of the deleted files, in bytes."""


@dataclass(frozen=True, **SLOTS)
class AccountSetResult(Value):
    """The account after the change."""

    account: str
    """The account that was changed."""
    tier: Union[Tier, str]
    """The account's tier now. Values: ``guest``, ``free``, ``premium``, ``owner``."""
    granted: int
    """Credits granted by this request."""
    already_set: bool
    """True when the same change had been made before: nothing was changed now."""
    balance: CreditBalance
    """The account's balance."""
    limits: Tuple[Limit, ...]
    """The account's usage limits from here on; empty if it has none."""
    reason: Optional[Union[ReducedGrant, str]] = None
    """Why these are fewer credits than the tier gives; absent if they are not. Values: ``already_granted``,
    ``month_running``, ``plan_changed``, ``not_started``.
    """


@dataclass(frozen=True, **SLOTS)
class AccountSignOutResult(Value):
    """The account to continue with."""

    account: str
    """The account of a new guest. It exists from its first use."""


@dataclass(frozen=True, **SLOTS)
class BackgroundOption(Value):
    """One background and its texts for people."""

    id: str
    """The background, for ``style`` as ``background``; ``#rrggbb`` stands for every colour."""
    title: str
    """A short title, for a button."""
    description: str
    """One sentence that describes the background."""
    providers: Tuple[str, ...]
    """The providers that can make it."""


@dataclass(frozen=True, **SLOTS)
class ClockDoubt(Value):
    """Why the machine's clock is not trusted."""

    now: datetime
    """The time that the clock shows."""
    latest: datetime
    """The latest trusted time on record."""
    message: str
    """What is wrong, what follows from it, and what an operator can do."""


@dataclass(frozen=True, **SLOTS)
class Consent(Value):
    """A version of the terms of use that a person has accepted."""

    version: str
    """The version, as the operator names it."""
    accepted_at: datetime
    """When the person accepted it."""


@dataclass(frozen=True, **SLOTS)
class Coordinate(Value):
    """A position on the globe, in degrees (WGS 84)."""

    latitude: float
    """Degrees north of the equator."""
    longitude: float
    """Degrees east of Greenwich."""


@dataclass(frozen=True, **SLOTS)
class CoordinateInResult(Value):
    """A position on the globe, in degrees (WGS 84)."""

    latitude: float
    """Degrees north of the equator."""
    longitude: float
    """Degrees east of Greenwich."""


@dataclass(frozen=True, **SLOTS)
class Counters(Value):
    """Numbers of generations of this process, by how they ended; members may be added."""

    accepted: int
    """Accepted."""
    succeeded: int
    """Ended with every picture."""
    partial: int
    """Ended with some of the pictures."""
    failed: int
    """Ended with an error."""
    cancelled: int
    """Cancelled."""
    cached: int
    """Answered with an identical earlier result."""


@dataclass(frozen=True, **SLOTS)
class CredentialStatus(Value):
    """One provider and its key."""

    provider: str
    """The provider."""
    configured: bool
    """True when the provider has a key that can be used."""
    environment_variables: Tuple[str, ...]
    """The variables that can provide a key; the first one that holds a key is used."""
    source: Optional[Union[CredentialSource, str]] = None
    """Where the key comes from. Values: ``environment``, ``secret_service``, ``file``."""
    masked: Optional[str] = None
    """The last characters of the key, to recognise it by."""
    environment_variable: Optional[str] = None
    """The variable that the key comes from, if ``source`` is ``environment``."""
    reason: Optional[str] = None
    """Why a key that was given cannot be used and what to do about it, as a sentence for the person."""
    note: Optional[str] = None
    """A remark to show to the person, for example about a variable that is passed over because it holds a placeholder.
    """


@dataclass(frozen=True, **SLOTS)
class CreditBalance(Value):
    """An account's credits, and where they come from."""

    account: str
    """The account that the balance belongs to."""
    metered: bool
    """True when the account needs credits; false for ``owner``, and for every account if the operator has turned
    metering off.
    """
    tier: Union[Tier, str]
    """The account's tier. Values: ``guest``, ``free``, ``premium``, ``owner``."""
    unlimited: bool
    """True when no usage limits apply to the account; its credits are counted nevertheless."""
    available: Optional[int]
    """Credits that can be spent; null for an account that is not metered."""
    held: int
    """Credits held for generations that have not ended."""
    allocation: Optional[int]
    """Credits of the allocation that ``level`` refers to, as they were granted; null if there is no allocation."""
    buckets: Tuple[CreditBucket, ...]
    """The grants that the credits come from, in the order in which they are spent; without those that are used up or
    expired.
    """
    shortfall: int
    """Credits owed because a payment was refunded whose credits were already spent. Until they are repaid, requests
    that cost credits are refused.
    """
    level: Optional[Union[CreditBalanceLevel, str]] = None
    """How much of the allocation is left, to show to the person; absent if there is no allocation. Values: ``green``,
    ``yellow``, ``red``.
    """
    reset_at: Optional[datetime] = None
    """When the allocation of the next period is granted; absent if there is none."""


@dataclass(frozen=True, **SLOTS)
class CreditBucket(Value):
    """A grant: credits that were given together and expire together."""

    id: str
    """The id of the grant."""
    kind: Union[CreditKind, str]
    """Where the credits come from. Values: ``guest``, ``free``, ``period``, ``bundle``, ``makegood``, ``operator``."""
    amount: int
    """The number of credits granted."""
    available: int
    """Credits of the grant that can be spent."""
    held: int
    """Credits of the grant that are held for generations that have not ended."""
    created_at: datetime
    """When the credits were granted."""
    expires_at: Optional[datetime] = None
    """When the remaining credits expire; absent if they never do."""


@dataclass(frozen=True, **SLOTS)
class CreditEntry(Value):
    """One change of an account's credits."""

    id: str
    """The id of the entry."""
    date: datetime
    """When the credits changed."""
    kind: Union[CreditsHistoryEntryKind, str]
    """Why the credits changed. Values: ``use``, ``grant``, ``expiry``, ``revocation``."""
    amount: int
    """The change of the balance: negative if credits were taken."""
    balance_after: Optional[int]
    """The balance after the change; null for an account that is not metered."""
    generation_id: Optional[str] = None
    """The generation that the credits were spent on."""
    recipe: Optional[Union[Recipe, str]] = None
    """The recipe of the generation. Values: ``headshot``, ``hairstyle``, ``edit``, ``create``, ``places``."""
    prompt: Optional[str] = None
    """The beginning of the generation's prompt; absent if there was none or the generation is private."""
    bucket: Optional[Union[CreditKind, str]] = None
    """Where the credits came from; absent if they came from several buckets. Values: ``guest``, ``free``, ``period``,
    ``bundle``, ``makegood``, ``operator``.
    """
    reason: Optional[str] = None
    """The reason in words, for example the one given by the operator."""


@dataclass(frozen=True, **SLOTS)
class CreditHistoryPage(Value):
    """One page of entries, and sums over all entries."""

    entries: Tuple[CreditEntry, ...]
    """The entries, newest first."""
    total_used: int
    """All credits that the account has spent so far."""
    current_period: CreditPeriod
    """The period of the current allocation."""
    next_cursor: Optional[str] = None
    """The cursor of the next page; absent on the last page."""


@dataclass(frozen=True, **SLOTS)
class CreditPeriod(Value):
    """The period of the current allocation."""

    used: int
    """Credits spent in the period, from any bucket."""
    starts: Optional[datetime] = None
    """When the period began; absent for an allocation that is given once."""
    ends: Optional[datetime] = None
    """When the next period begins; absent if there is none."""


@dataclass(frozen=True, **SLOTS)
class CreditProduct(Value):
    """Credits that can be bought. The operator configures the products."""

    id: str
    """The service's id of the product."""
    kind: Union[CreditProductKind, str]
    """How the product is sold. Values: ``subscription``, ``bundle``."""
    title: str
    """A short title, for a button."""
    credits: int
    """The credits of the product; of a subscription, for each period."""
    price: Price
    """The price; of a subscription, for each period."""
    platforms: ProductPlatforms
    """Where the product is sold."""
    period: Optional[Union[CreditProductPeriod, str]] = None
    """The period of a subscription; absent for a bundle. Values: ``month``."""


@dataclass(frozen=True, **SLOTS)
class Credits(Value):
    """What a generation did to the credits of its account."""

    held: int
    """Credits held when the generation was accepted."""
    charged: int
    """Credits charged for the delivered pictures."""
    released: int
    """Credits released: held, but not charged."""
    balance_after: Optional[int]
    """The credits available after the end; null if no credits were held, as for an account that is not metered."""


@dataclass(frozen=True, **SLOTS)
class CreditsGrantResult(Value):
    """What was granted."""

    account: str
    """The account that has the credits."""
    granted: int
    """Credits granted by this request; 0 if they had been granted before."""
    already_granted: bool
    """True when the same grant had been made before."""
    is_new_account: bool
    """True when the account was never used before this request: it has a guest's credits as well."""
    balance: CreditBalance
    """The account's balance."""
    limits: Tuple[Limit, ...]
    """The account's usage limits from here on; empty if it has none. Those of guests end with the first grant."""


@dataclass(frozen=True, **SLOTS)
class CreditsRevokeResult(Value):
    """What was taken back."""

    account: str
    """The account that the credits were taken from."""
    revoked: int
    """Credits taken back by this request; 0 if they had been taken back before."""
    owed: int
    """Credits that this request recorded as owed, because they were not available."""
    already_revoked: bool
    """True when the same revocation had been made before."""
    waiting: bool
    """True while it waits for its payment, and has taken nothing."""
    balance: CreditBalance
    """The account's balance."""
    revoked_before: Optional[int] = None
    """Credits that this revocation took back or recorded as owed when it was made before; absent if it was not."""


@dataclass(frozen=True, **SLOTS)
class DeletedCredential(Value):
    """What was deleted."""

    provider: str
    """The provider named in the request."""
    deleted: bool
    """True when there was a key to delete."""
    environment_variable: Optional[str] = None
    """The environment variable that still provides a key, if there is one."""
    note: Optional[str] = None
    """A remark to show to the person, for example about the keyring."""


@dataclass(frozen=True, **SLOTS)
class Deletion(Value):
    """What was deleted."""

    deleted: int
    """The number of deleted generations."""
    bytes_freed: int
    """The size of the deleted files, in bytes."""
    still_running: Tuple[str, ...] = ()
    """Generations that were accepted meanwhile and are not deleted; absent if there are none."""


@dataclass(frozen=True, **SLOTS)
class DroppedPlaces(Value):
    """The places that a model named and no lookup confirmed."""

    count: int
    """How many places were left out of the result."""
    names: Tuple[str, ...]
    """Their names, as the model wrote them; at most 50. Empty in the record of a private generation."""


@dataclass(frozen=True, **SLOTS)
class Estimate(Value):
    """The estimate."""

    cost: int
    """Credits that would be held, and charged if every picture is delivered."""
    images: int
    """The number of pictures that would be made."""
    provider: str
    """The provider that would be asked first."""
    balance: CreditBalance
    """The account's balance."""
    allowed: bool
    """True when the request would be accepted now."""
    refusal: Optional[AtelierError] = None
    """The error with which the request would be refused now; absent if it is allowed."""


@dataclass(frozen=True, **SLOTS)
class Export(Value):
    """What was written."""

    path: str
    """The path of the file of records."""
    entries: int
    """The number of generations in the file, or of places with ``geojson`` and ``csv``."""
    files: int
    """The number of exported pictures and thumbnails."""
    account_path: Optional[str] = None
    """The path of a file with what is kept of the account itself: how its person signs in, and the versions of the
    terms of use that were accepted. Absent for ``owner``, for all accounts together, and with ``geojson`` and ``csv``.
    """


@dataclass(frozen=True, **SLOTS)
class Failure(Value):
    """A picture that could not be made, although others could."""

    index: int
    """The position among the requested pictures, from 0."""
    error: AtelierError
    """Why the picture could not be made."""
    view: Optional[str] = None
    """In a multi-angle generation: ``front``, ``left``, ``right`` or ``back``."""


@dataclass(frozen=True, **SLOTS)
class Feedback(Value):
    """A person's opinion of a result."""

    rating: int
    """From 1 (bad) to 5 (good)."""
    text: Optional[str] = None
    """The opinion in the person's own words."""


@dataclass(frozen=True, **SLOTS)
class FoundPlace(Value):
    """A place as a lookup describes it."""

    name: str
    """The name of the place."""
    street_address1: Optional[str] = None
    """Street and number."""
    street_address2: Optional[str] = None
    """A second line of the address, such as a floor."""
    city: Optional[str] = None
    """Town or city."""
    state: Optional[str] = None
    """State, province or region."""
    postal_code: Optional[str] = None
    """The postal code."""
    country: Optional[str] = None
    """The country's name."""
    coordinate: Optional[Coordinate] = None
    """The position. A place with neither a position nor a city, street or postal code verifies nothing."""


class GenerateOptions(TypedDict, total=False):
    """What ``generate`` and ``credits_estimate`` take besides the recipe."""

    image: Optional[Image]
    """The photo, or the result to refine; for ``headshot``, ``hairstyle`` and ``edit``."""
    references: Optional[Sequence[Image]]
    """Reference pictures, in addition to the photo."""
    prompt: Optional[str]
    """What to make, in words of any language."""
    style: Union[Style, Mapping[str, Any], None]
    """The look of a headshot. Default: the background ``auto``, with no angle named."""
    near: Union[Coordinate, Mapping[str, Any], str, None]
    """Where the places should be: a position, which then must be within 100 km of each, or an area in words; for
    ``places``.
    """
    limit: Optional[int]
    """How many places to find at most; for ``places``. Default 10."""
    language: Optional[str]
    """The language for the names of places (BCP 47); for ``places``. Default: the language of the prompt."""
    template_id: Optional[str]
    """A template of the hairstyle library; for ``hairstyle``."""
    output: Union[Output, Mapping[str, Any], None]
    """How many pictures to make, and where to put them."""
    provider: Union[str, Sequence[str], None]
    """The provider, or several in the order in which to try them. Default: a provider on this machine if it can make
    the recipe, otherwise the first one that can make it and has its key; the operator may configure another order.
    """
    model: Optional[str]
    """One of the provider's models. Default: the provider's default model."""
    temperature: Optional[float]
    """How much the model may vary the result; not for ``headshot``, where it is fixed."""
    seed: Optional[int]
    """Makes the result repeatable, if the provider supports it."""
    timeout_ms: Optional[int]
    """The time limit from the start of the work, in milliseconds. Default 60000, for ``places`` 120000, and 600000
    where a server on this machine is asked first.
    """
    account: Optional[str]
    """The account that the generation belongs to. Default: the connection's account, otherwise ``owner``."""
    idempotency_key: Optional[str]
    """Makes it safe to send a request again: the same key with the same params gives the same generation. Unique within
    an account.
    """
    cache: Optional[Literal["use", "bypass"]]
    """Whether an identical earlier result may be reused. Default ``use``. Values: ``bypass``."""
    when_offline: Optional[Literal["fail", "queue"]]
    """What to do while the provider cannot be reached. Default ``fail``. Values: ``queue``."""
    wait_ms: Optional[int]
    """With ``whenOffline`` ``queue``, the longest wait for the provider, in milliseconds. Default: a day."""
    private: Optional[bool]
    """true: neither prompt nor pictures are kept, and the pictures are returned inline or in the output directory. They
    are written nowhere else, not even for a moment. Default false.
    """
    detach: Optional[bool]
    """true: the answer comes once the request is durably accepted, ``generation/finished`` reports the end, and the
    generation outlives the connection. Default false.
    """
    progress: Optional[bool]
    """Whether to send ``generation/progress``. Default true."""
    metadata: Optional[Mapping[str, Any]]
    """Any data of the host, kept with the generation; at most 4096 bytes as JSON."""
    extra: Optional[Mapping[str, Any]]
    """Members of a newer protocol, under their own names."""


@dataclass(frozen=True, **SLOTS)
class GenerationProgress(Value):
    """The progress of a generation that has not ended."""

    sequence: int
    """The ``sequence`` of the latest progress notification."""
    phase: Union[Phase, str]
    """The current phase. Values: ``queued``, ``preparing``, ``uploading``, ``processing``, ``saving``."""
    message: str
    """What the generation is doing, as a sentence for the person."""
    overall: float
    """The part of the generation that is done, from 0 to 1 with at most three decimals. It decreases only when the
    generation returns to the phase ``queued``.
    """
    fraction: Optional[float] = None
    """The part of the phase that is done, from 0 to 1 with at most three decimals; absent if unknown."""
    queue_position: Optional[int] = None
    """The position among the waiting generations: 1 starts next. Absent if the generation is not waiting."""
    eta_ms: Optional[int] = None
    """Estimated milliseconds until the end, based on the duration of earlier generations; absent if there is no
    estimate.
    """


@dataclass(frozen=True, **SLOTS)
class GenerationResult(HasImages):
    """A generation: the request, its state and its result. It is the same object wherever a generation appears."""

    generation_id: str
    """The id of the generation."""
    state: Union[GenerationState, str]
    """The state of the generation. Values: ``queued``, ``running``, ``succeeded``, ``partial``, ``failed``,
    ``cancelled``, ``interrupted``, ``expired``.
    """
    recipe: Union[Recipe, str]
    """The kind of picture. Values: ``headshot``, ``hairstyle``, ``edit``, ``create``, ``places``."""
    account: str
    """The account that the generation belongs to."""
    created_at: datetime
    """When the generation was accepted."""
    cached: bool
    """True when an identical earlier result was reused, at no cost."""
    images: Tuple[ResultImage, ...]
    """The pictures, by index; empty if there are none yet. A generation that failed because its pictures could not be
    stored has them with their ``data`` in the answer, which is all that there is of them: save them then.
    """
    warnings: Tuple[GenerationWarning, ...]
    """What the person should know about the result."""
    failures: Tuple[Failure, ...]
    """The pictures of a partial result that could not be made."""
    credits: Credits
    """What the generation did to the credits of its account."""
    usage: Usage
    """What the provider counted and charged."""
    timings: Timings
    """How long each phase took."""
    started_at: Optional[datetime] = None
    """When the work began."""
    finished_at: Optional[datetime] = None
    """When the generation ended."""
    progress: Optional[GenerationProgress] = None
    """The progress; absent once the generation has ended."""
    prompt: Optional[str] = None
    """The prompt; absent for a private generation."""
    style: Optional[Style] = None
    """The look of a headshot."""
    template_id: Optional[str] = None
    """The template of the hairstyle library."""
    provider: Optional[str] = None
    """The provider that made the pictures or is to make them."""
    model: Optional[str] = None
    """The model that made the pictures or is to make them."""
    thumbnail: Optional[str] = None
    """The path of a small picture for lists, which is made shortly after the end."""
    text: Optional[str] = None
    """Text that the provider returned with the pictures."""
    places: Tuple[Place, ...] = ()
    """The places that a ``places`` request found."""
    dropped: Optional[DroppedPlaces] = None
    """What the model named and no lookup confirmed; of a ``places`` request that has ended."""
    error: Optional[AtelierError] = None
    """Why the generation failed, was interrupted or expired."""
    parent_generation_id: Optional[str] = None
    """The generation that this one refines or makes again."""
    original_generation_id: Optional[str] = None
    """The generation that ``regenerate`` made again."""
    private: Optional[bool] = None
    """True when neither prompt nor pictures are kept; absent otherwise."""
    favorite: Optional[bool] = None
    """True when it is marked as a favorite; absent otherwise."""
    feedback: Optional[Feedback] = None
    """The person's opinion, as stored by ``feedback/submit``."""
    metadata: Optional[Mapping[str, Any]] = None
    """The host's data, from the request or from ``history/annotate``."""


@dataclass(frozen=True, **SLOTS)
class GenerationWarning(Value):
    """Something that a person should know about a result."""

    kind: str
    """The stable name of the warning, such as ``low_resolution``, ``several_faces`` or ``tight_crop``; more may be
    added.
    """
    message: str
    """What the person should know and can do, in one or two sentences."""


@dataclass(frozen=True, **SLOTS)
class HeadshotChoices(Value):
    """The six styles with a name, which are three angles, each with two backgrounds; and what else may be chosen."""

    styles: Tuple[StyleOption, ...]
    """The professional styles first, then the casual ones; both from left to right."""
    backgrounds: Tuple[BackgroundOption, ...]
    """The backgrounds, each of which goes with every angle."""
    output: Optional[OutputChoices] = None
    """What a headshot made on this machine can be; absent if no provider here makes it so. The providers elsewhere have
    formats of their own.
    """


@dataclass(frozen=True, **SLOTS)
class HistoryPage(Value):
    """One page of generations, and sums over all that match."""

    entries: Tuple[GenerationResult, ...]
    """The generations, newest first."""
    totals: HistoryTotals
    """Sums over all generations that match, not only those of this page."""
    current_period: str
    """The current calendar month in UTC, such as ``2026-11``."""
    next_cursor: Optional[str] = None
    """The cursor of the next page; absent on the last page."""


@dataclass(frozen=True, **SLOTS)
class HistoryTotals(Value):
    """Sums over generations."""

    generations: int
    """The number of generations that match."""
    credits_used: int
    """Credits spent on them."""
    cost_usd: float
    """What the providers charged, in US dollars, as far as known."""
    at_least: Optional[bool] = None
    """True if a search was not counted to the end: the sums are at least these. Absent otherwise."""


@dataclass(frozen=True, **SLOTS)
class ImageContent(Value):
    """A picture, or a slice of it."""

    data: bytes
    """The bytes from ``offset`` on, in base64."""
    mime_type: str
    """The media type of the whole, such as ``image/jpeg``; of a sheet in PDF ``application/pdf``."""
    width: int
    """The width in pixels; of a sheet with 300 in an inch."""
    height: int
    """The height in pixels, likewise."""
    byte_count: int = field(metadata={"wire": "bytes"})
    """The size of the whole, in bytes."""
    offset: int
    """The position of the first byte in ``data``."""
    next_offset: Optional[int] = None
    """The ``offset`` of the next slice; absent in the last one."""


@dataclass(frozen=True, **SLOTS)
class ImageLink(Value):
    """A link to a picture."""

    url: str = field(repr=False)
    """The link, for GET. Whoever has it can read the picture: do not write it into a log."""
    expires_at: datetime
    """When the link ends."""
    mime_type: str
    """The media type, such as ``image/jpeg``."""
    width: int
    """The width in pixels."""
    height: int
    """The height in pixels."""
    byte_count: int = field(metadata={"wire": "bytes"})
    """The size of the file, in bytes."""
    sha256: str
    """The SHA-256 of the file, in hexadecimal."""


@dataclass(frozen=True, **SLOTS)
class Initialization(Value):
    """What the service is and what it can do."""

    protocol_version: str
    """The protocol version that the service speaks."""
    server_info: ServerInfo
    """The name and version of the service."""
    capabilities: ServerCapabilities
    """What the service can do."""
    limits: Limits
    """The limits of what the service accepts."""
    providers: Tuple[str, ...]
    """Every provider of this service, whether it is available or not."""
    locale: str
    """The language that was chosen from ``locale``, one of ``capabilities.locales``."""


@dataclass(frozen=True, **SLOTS)
class KeptFeedback(Value):
    """What was stored."""

    generation_id: str
    """The generation."""
    feedback: Feedback
    """The stored feedback."""


@dataclass(frozen=True, **SLOTS)
class Latency(Value):
    """Durations of the newest generations that delivered pictures and did not reuse an earlier result."""

    generations: int
    """The number of these generations: at most 2,000."""
    queued_ms: Percentiles
    """Waiting for a free slot or for the provider."""
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
    """A usage limit and its current count."""

    scope: str
    """What is counted: the requests within a ``minute``, an ``hour`` or a ``day``, or ``concurrent`` generations; more
    may be added.
    """
    limit: int
    """The highest count allowed."""
    used: int
    """The current count."""
    recipe: Optional[Union[Recipe, str]] = None
    """The recipe that the limit is for; absent if it is for all recipes together. Values: ``headshot``, ``hairstyle``,
    ``edit``, ``create``, ``places``.
    """
    resets_at: Optional[datetime] = None
    """When a request may be accepted again, if the limit is reached and the time is known."""


@dataclass(frozen=True, **SLOTS)
class Limits(Value):
    """The limits of what the service accepts."""

    max_message_bytes: int
    """The maximum size of a message, in bytes."""
    max_image_bytes: int
    """The maximum size of a photo for ``generate``, in bytes."""
    max_in_flight: int
    """The maximum number of requests in flight."""


@dataclass(frozen=True, **SLOTS)
class LocationQuery(Value):
    """Asks the host whether a place exists. The service sends it to a host that set ``capabilities.locationSearch`` in
    ``initialize``, while it works on a request for ``places``. The host has ten seconds. An error, an answer of another
    form, or none becomes a warning of the generation, and the operator's geocoder is asked instead. ``$/cancelRequest``
    withdraws the question.
    """

    query: str
    """The name of a place and where it is said to be, as the model wrote them: ``Houndstooth Coffee, Austin``."""
    generation_id: str
    """The generation that the place is for."""
    near: Any = None
    """Where the request for places wants them, if it says."""
    language: Optional[str] = None
    """The language that the request for places wants names in, if it says."""


@dataclass(frozen=True, **SLOTS)
class OriginalImage(Value):
    """A photo before it was prepared."""

    width: int
    """The width in pixels."""
    height: int
    """The height in pixels."""
    byte_count: int = field(metadata={"wire": "bytes"})
    """The size of the file, in bytes."""
    mime_type: str
    """The media type, recognised by the content of the file."""


@dataclass(frozen=True, **SLOTS)
class Output(Value):
    """How many pictures to make, and where to put them."""

    mode: Optional[GenerateOutputMode] = None
    """Which pictures to make. Default ``single``. Values: ``multiAngle``."""
    count: Optional[int] = None
    """The number of variations. Default 1."""
    directory: Optional[Union[str, "os.PathLike[str]"]] = None
    """An existing folder, into which the pictures are copied under new names."""
    inline: Optional[bool] = None
    """true: the answer contains the pictures, in base64. Default false."""
    aspect_ratio: Optional[AspectRatio] = None
    """The shape, as width:height, such as ``1:1`` or ``3:4``; the possible values depend on the provider. On this
    machine ``1:1`` (the default), ``4:5``, ``3:4`` and ``2:3``.
    """
    size: Optional[str] = None
    """The size, such as ``1K`` or ``1024x1024``; the possible values depend on the provider. On this machine the pixels
    of the longest side, from ``256`` to ``2048``; beyond 1024, the picture has no more than the photo shows of it, with
    the warning ``size_differs``. Default there: ``1024``. With the crop ``passport``, two sides such as ``600x750``,
    from 100 to 2048, are kept exactly.
    """
    format: Optional[PictureFormat] = None
    """The format of the file, of a headshot made on this machine; the providers elsewhere choose theirs. Default:
    ``png`` for a transparent background, otherwise ``jpeg``. Values: ``webp``.
    """
    quality: Optional[int] = None
    """How large and exact a ``jpeg`` or ``webp`` is: from 1, the smallest file, to 100, the most exact picture; of a
    headshot made on this machine. Default 92.
    """
    max_bytes: Optional[int] = None
    """The most bytes that the file of a ``jpeg`` or ``webp`` may have, as portals for passports demand: the quality is
    lowered as far as needed, but not so far that the face suffers. What does not fit is refused with
    ``image_too_large``. Of a headshot made on this machine.
    """
    min_bytes: Optional[int] = None
    """The fewest bytes that the file of a ``jpeg`` may have, as some portals demand: the quality is raised as far as
    needed, and what is still missing is filled up with a comment, which no picture shows. At most ``maxBytes``.
    """
    crop: Optional[PictureCrop] = None
    """How the person is placed, in place of ``aspectRatio``; of a headshot made on this machine. Values: ``passport``,
    ``none``.
    """
    passport_size: Optional[str] = None
    """The size of a printed photo for a passport, with the crop ``passport``. Default ``35x45``, unless ``size`` has
    two sides.
    """
    head_height: Optional[str] = None
    """The height of the head from chin to crown, in place of the rule that comes with the size, with the crop
    ``passport``.
    """
    matte: Optional[bool] = None
    """true: each picture comes with its matte, a second file that says how opaque the person is in each pixel; of a
    headshot made on this machine. It costs nothing. Default false.
    """


@dataclass(frozen=True, **SLOTS)
class OutputChoices(Value):
    """What ``output`` of a headshot made on this machine may ask for."""

    formats: Tuple[Union[PictureFormat, str], ...]
    """The formats, the default format first."""
    aspect_ratios: Tuple[str, ...]
    """The shapes, for ``aspectRatio``, the default shape first."""
    minimum_size: int
    """The smallest longest side, in pixels, for ``size``."""
    maximum_size: int
    """The largest longest side, in pixels, for ``size``."""
    default_size: int
    """The longest side, in pixels, if the request names no size."""
    crops: Tuple[Union[PictureCrop, str], ...]
    """The crops that replace an aspect ratio."""
    passport_sizes: Tuple[str, ...]
    """The sizes of photos for passports, for ``passportSize``, the default size first."""
    matte: bool
    """Whether a picture can come with its matte."""
    passport_presets: Tuple[PassportPreset, ...] = ()
    """The presets that ``passportSize`` may name, in the order of their names: what is built in, and what the operator
    has added.
    """


@dataclass(frozen=True, **SLOTS)
class PassportPreset(Value):
    """What a country, an authority or a portal asks of a photo, under a name."""

    id: str
    """The name, for ``passportSize``: in the built-in list the country's two letters (ISO 3166), and perhaps what the
    photo is for, such as ``us-visa``.
    """
    title: str
    """The country, and what the photo is for, in English."""
    size: str
    """The size in print, such as ``35x45`` or ``2x2in``."""
    head_height: Optional[str] = None
    """The height of the head from chin to crown. Default: that of the nearest size that has a rule."""
    eye_height: Optional[str] = None
    """The height of the eyes above the lower edge."""
    pixels: Optional[str] = None
    """The width and height in pixels, such as ``600x600``, if a portal asks for exactly these."""
    min_bytes: Optional[int] = None
    """The fewest bytes that a portal takes, for a request that names none."""
    max_bytes: Optional[int] = None
    """The most bytes that a portal takes, for a request that names none."""


@dataclass(frozen=True, **SLOTS)
class PausedModel(Value):
    """A model that has a cooldown, a pause that its provider asked for."""

    model: str
    """The model's name, as ``generate`` takes it."""
    until: datetime
    """The end of the cooldown; a success ends it earlier."""


@dataclass(frozen=True, **SLOTS)
class Percentiles(Value):
    """Percentiles in milliseconds; 0 if there are no generations."""

    p50: int
    """Half of the generations took no longer."""
    p95: int
    """95 % of the generations took no longer."""
    p99: int
    """99 % of the generations took no longer."""


@dataclass(frozen=True, **SLOTS)
class PictureMatte(HasFile):
    """The matte of a picture, and its file: gray levels of 8 bits, as large as the picture. 255 is the person, 0 is the
    background, and what is between is the part of the person in that pixel.
    """

    mime_type: str
    """The media type: ``image/png``."""
    byte_count: int = field(metadata={"wire": "bytes"})
    """The size of the file, in bytes."""
    sha256: str
    """The SHA-256 of the file, in hexadecimal."""
    path_or_none: Optional[str] = field(default=None, metadata={"wire": "path"})
    """The path of the file, as that of the picture."""
    stored_path: Optional[str] = None
    """The path of the service's own file, if ``path`` is the copy in the output directory."""
    data: Optional[bytes] = None
    """The file in base64, if ``output.inline`` is true or the file could not be stored."""


@dataclass(frozen=True, **SLOTS)
class Place(Value):
    """A place that a lookup has found: whatever the model says, nothing else becomes a place of a result."""

    name: str
    """The name of the place."""
    street_address1: str
    """Street and number, as the lookup wrote them; empty if it knows none."""
    city: str
    """Town or city; empty if the lookup knows none."""
    source: Union[PlaceSource, str]
    """Who answered the lookup. Values: ``host``, ``geocoder``."""
    verified_at: datetime
    """When the lookup was answered."""
    street_address2: Optional[str] = None
    """A second line of the address, such as a floor."""
    state: Optional[str] = None
    """State, province or region."""
    postal_code: Optional[str] = None
    """The postal code."""
    country: Optional[str] = None
    """The country's name."""
    coordinate: Optional[CoordinateInResult] = None
    """The position that the lookup found."""


@dataclass(frozen=True, **SLOTS)
class PreparedImage(Value):
    """The prepared photo."""

    width: int
    """The width in pixels."""
    height: int
    """The height in pixels."""
    byte_count: int = field(metadata={"wire": "bytes"})
    """The size of the prepared photo, in bytes."""
    mime_type: str
    """The media type, such as ``image/jpeg``."""
    original: OriginalImage
    """The photo before it was prepared."""
    changes: Tuple[str, ...]
    """The changes made, such as ``rotated``, ``resized`` or ``metadata_removed``; more may be added. Empty if none was
    needed.
    """
    prepared_id: Optional[str] = None
    """The id of the prepared photo, for ``generate`` as ``{"preparedId": …}``; absent if it is not kept."""
    data: Optional[bytes] = None
    """The file in base64, for ``generate`` as ``{"data": …}``, if ``inline`` is true."""
    warnings: Tuple[GenerationWarning, ...] = ()
    """What the person should know about the prepared photo, such as ``hdr_not_converted``; absent if there is nothing.
    """
    expires_at: Optional[datetime] = None
    """When the prepared photo is erased; absent if it is not kept."""


@dataclass(frozen=True, **SLOTS)
class Price(Value):
    """A price to show. Do not calculate with it: a shop may charge another amount in another country."""

    amount: str
    """The amount in decimal digits, such as ``9.99``; a string, because a binary fraction would not be exact."""
    currency: str
    """The currency code of ISO 4217, such as ``USD``."""


@dataclass(frozen=True, **SLOTS)
class ProductPlatforms(Value):
    """Where a product is sold, and its id there."""

    apple: Optional[str] = None
    """The product id in the App Store; absent if the product is not sold there."""
    google: Optional[str] = None
    """The product id in Google Play; absent if the product is not sold there."""
    web: Optional[str] = None
    """The id under which the host sells the product itself, for example by card; absent if it does not."""


@dataclass(frozen=True, **SLOTS)
class Progress(Value):
    """The progress of a generation, at least once a second until it ends."""

    generation_id: str
    """The generation."""
    sequence: int
    """Rises with every notification about the generation that is for the same request; numbers may be skipped."""
    state: Union[GenerationState, str]
    """The state of the generation: ``queued`` or ``running``. Values: ``succeeded``, ``partial``, ``failed``,
    ``cancelled``, ``interrupted``, ``expired``.
    """
    phase: Union[Phase, str]
    """The current phase. Values: ``queued``, ``preparing``, ``uploading``, ``processing``, ``saving``."""
    message: str
    """What the generation is doing, as a sentence for the person."""
    overall: float
    """The part of the generation that is done, from 0 to 1 with at most three decimals. It decreases only when the
    generation returns to the phase ``queued``.
    """
    elapsed_ms: int
    """Milliseconds since the generation was accepted."""
    request_id: Any = None
    """The id of the request that the progress is for, as it was sent: the one that started the generation, or one that
    watches it. Absent for a generation that another process has accepted and that no request watches.
    """
    fraction: Optional[float] = None
    """The part of the phase that is done, from 0 to 1 with at most three decimals; absent if unknown."""
    step: Optional[Step] = None
    """The picture that is being made; absent if there is only one."""
    places: Tuple[Place, ...] = ()
    """The places of a ``places`` request that lookups have confirmed so far, all of them each time. The list at the end
    has those that the model chose. Absent while there are none, and for a private generation.
    """
    queue_position: Optional[int] = None
    """The position among the waiting generations: 1 starts next. Absent if the generation is not waiting."""
    eta_ms: Optional[int] = None
    """Estimated milliseconds until the end, based on the duration of earlier generations; absent if there is no
    estimate.
    """


@dataclass(frozen=True, **SLOTS)
class Provider(Value):
    """One provider."""

    id: str
    """The id, for ``generate`` as ``provider``."""
    title: str
    """The provider's name for people."""
    available: bool
    """True when the provider can be used now."""
    needs_key: bool
    """True when the provider's API key is missing."""
    recipes: Tuple[Union[Recipe, str], ...]
    """The recipes that the provider can make."""
    models: Tuple[str, ...]
    """The provider's models, the default model first."""
    local: bool
    """True when the provider works on this machine, without a network."""
    reason: Optional[str] = None
    """Why the provider is not available and what to do about it, as a sentence for the person."""
    hint: Optional[str] = None
    """What whoever runs the service can do about it, in English."""
    text_models: Tuple[str, ...] = ()
    """The provider's models that answer in words, for ``places``, the default model first; absent if there are none."""
    models_error: Optional[AtelierError] = None
    """Why the models could not be fetched; ``models`` then lists those that the service knows."""
    cooldown_until: Optional[datetime] = None
    """The end of the cooldown of the provider's default model, a pause that the provider asked for; absent if there is
    none.
    """
    paused_models: Tuple[PausedModel, ...] = ()
    """The models that have a cooldown; the provider's other models can be used."""
    offers: Tuple[ProviderOffer, ...] = ()
    """The price of each recipe that the provider can make."""


@dataclass(frozen=True, **SLOTS)
class ProviderOffer(Value):
    """What a picture of one recipe, or a list of places, costs at a provider."""

    recipe: Union[Recipe, str]
    """The recipe. Values: ``headshot``, ``hairstyle``, ``edit``, ``create``, ``places``."""
    is_default: bool
    """True when a request that names no provider would be sent to this one now."""
    credits_per_image: int
    """The credits that a picture, or a list of places, costs a metered account."""
    usd_per_image: Optional[float] = None
    """What a picture of the default model in its standard size costs whoever pays the provider, in US dollars; absent
    if unknown.
    """


@dataclass(frozen=True, **SLOTS)
class ProviderStatus(Value):
    """Whether a provider can be used now."""

    id: str
    """The provider."""
    available: bool
    """True when the provider can be used now."""
    needs_key: bool
    """True when the provider's API key is missing."""
    reason: Optional[str] = None
    """Why the provider is not available and what to do about it, as a sentence for the person."""
    hint: Optional[str] = None
    """What whoever runs the service can do about it, in English."""
    cooldown_until: Optional[datetime] = None
    """The end of the cooldown of the provider's default model, a pause that the provider asked for; absent if there is
    none.
    """
    paused_models: Tuple[PausedModel, ...] = ()
    """The models that have a cooldown; the provider's other models can be used."""


@dataclass(frozen=True, **SLOTS)
class Purchase(Value):
    """What the purchase granted."""

    account: str
    """The account that has the credits."""
    product: str
    """The product that was bought."""
    transaction_id: str
    """The shop's id of the purchase."""
    granted: int
    """Credits granted by this request."""
    already_granted: bool
    """True when the purchase had been submitted before."""
    balance: CreditBalance
    """The account's balance."""
    limits: Tuple[Limit, ...]
    """The account's usage limits from here on; empty if it has none."""
    reason: Optional[Union[ReducedGrant, str]] = None
    """Why these are fewer credits than the product gives; absent if they are not. Values: ``already_granted``,
    ``month_running``, ``plan_changed``, ``not_started``.
    """


@dataclass(frozen=True, **SLOTS)
class Queue(Value):
    """The offline queue of the data directory, or an account's part of it."""

    waiting: int
    """The number of waiting generations."""
    paused: bool
    """True when they are held back until ``queue/resume``."""
    providers: Tuple[QueueLine, ...]
    """The waiting generations by provider."""
    next_probe_at: Optional[datetime] = None
    """The time of the next probe of any of the providers; absent if none is planned."""


@dataclass(frozen=True, **SLOTS)
class QueueLine(Value):
    """The generations that wait for one provider."""

    id: str
    """The provider that they wait for."""
    waiting: int
    """The number of waiting generations."""
    oldest_at: datetime
    """When the oldest of them was accepted."""
    unreachable_since: Optional[datetime] = None
    """When the provider's outage began; absent if the provider can be reached or has only asked for a pause."""
    next_probe_at: Optional[datetime] = None
    """The time of the next probe of the provider."""
    cooldown_until: Optional[datetime] = None
    """The end of the provider's cooldown; absent if there is none."""


class RegenerateOptions(TypedDict, total=False):
    """What ``regenerate`` takes besides the generation."""

    prompt: Optional[str]
    """The new prompt, in words of any language."""
    style: Union[Style, Mapping[str, Any], None]
    """The new look of a headshot."""
    template_id: Optional[str]
    """Another template of the hairstyle library; for ``hairstyle``."""
    output: Union[Output, Mapping[str, Any], None]
    """How many pictures to make, and where to put them. Members that are left out stay as they were, except for an
    earlier ``aspectRatio`` where a ``crop`` is asked for, an earlier ``crop`` where an ``aspectRatio`` is, and an
    earlier ``quality`` where the new format has none.
    """
    provider: Union[str, Sequence[str], None]
    """Another provider, or several in the order in which to try them."""
    model: Optional[str]
    """Another of the provider's models."""
    temperature: Optional[float]
    """How much the model may vary the result."""
    seed: Optional[int]
    """Makes the new result repeatable, if the provider supports it. Default: a new seed if the earlier request had one,
    otherwise none.
    """
    timeout_ms: Optional[int]
    """The time limit from the start of the work, in milliseconds."""
    account: Optional[str]
    """The account that the generation must belong to. Default: the connection's account, otherwise any."""
    idempotency_key: Optional[str]
    """Makes it safe to send a request again: the same key with the same params gives the same generation. Unique within
    an account.
    """
    when_offline: Optional[Literal["fail", "queue"]]
    """What to do while the provider cannot be reached. Values: ``fail``, ``queue``."""
    wait_ms: Optional[int]
    """With ``whenOffline`` ``queue``, the longest wait for the provider, in milliseconds."""
    private: Optional[bool]
    """true: neither prompt nor pictures of the new generation are kept."""
    detach: Optional[bool]
    """true: the answer comes once the request is durably accepted. Default false."""
    progress: Optional[bool]
    """Whether to send ``generation/progress``. Default true."""
    metadata: Optional[Mapping[str, Any]]
    """Any data of the host, kept with the new generation; at most 4096 bytes as JSON."""
    extra: Optional[Mapping[str, Any]]
    """Members of a newer protocol, under their own names."""


@dataclass(frozen=True, **SLOTS)
class ResultImage(HasFile):
    """A picture that was made, and its file."""

    index: int
    """The position among the requested pictures, from 0."""
    mime_type: str
    """The media type, such as ``image/jpeg``."""
    width: int
    """The width in pixels."""
    height: int
    """The height in pixels."""
    byte_count: int = field(metadata={"wire": "bytes"})
    """The size of the file, in bytes."""
    sha256: str
    """The SHA-256 of the file, in hexadecimal."""
    view: Optional[str] = None
    """In a multi-angle generation: ``front``, ``left``, ``right`` or ``back``."""
    path_or_none: Optional[str] = field(default=None, metadata={"wire": "path"})
    """The path of the file: the copy in the output directory if one was named, otherwise the service's own file. Absent
    if a private request named no output directory, on a confined connection if the file is outside its folders, and
    while the file is in the operator's bucket only: ``image/read`` fetches it.
    """
    stored_path: Optional[str] = None
    """The path of the service's own file, if ``path`` is the copy in the output directory."""
    data: Optional[bytes] = None
    """The file in base64, if ``output.inline`` is true or the file could not be stored."""
    matte: Optional[PictureMatte] = None
    """The matte, if ``output.matte`` was true."""


@dataclass(frozen=True, **SLOTS)
class ServerCapabilities(Value):
    """What the service can do; members may be added."""

    recipes: Tuple[Union[Recipe, str], ...]
    """The recipes that at least one provider can make, whether it is available or not."""
    methods: Tuple[str, ...]
    """Every request and notification that the service accepts."""
    notifications: Tuple[str, ...]
    """Every notification that the service sends."""
    locales: Tuple[str, ...]
    """The languages of what the person reads, as tags (BCP 47)."""
    watermark: bool
    """Whether the operator has named a watermark, so that ``image/read`` takes ``watermark``."""


@dataclass(frozen=True, **SLOTS)
class ServerInfo(Value):
    """The name and version of the service."""

    name: str
    """Always ``atelier``."""
    version: str
    """The version of the program."""


@dataclass(frozen=True, **SLOTS)
class ServiceStatus(Value):
    """The state of the service."""

    version: str
    """The version of the service."""
    uptime_ms: int
    """Milliseconds since the process started."""
    in_flight: int
    """The number of generations that this process works on."""
    queued: int
    """The number of generations of this process that wait."""
    providers: Tuple[ProviderStatus, ...]
    """Every provider of the service."""
    store: StoreStatus
    """The database of history and queue."""
    counters: Counters
    """Counts since the process started."""
    memory_bytes: int
    """The resident memory of this process, in bytes."""
    confinement: Optional[WorkerConfinement] = None
    """How the process that decodes pictures is confined; absent before the first one has started."""
    metrics: Optional[str] = None
    """The metrics in the text format of Prometheus, version 0.0.4, if the request asks for them: of this process and of
    the data directory, which all its processes share.
    """


@dataclass(frozen=True, **SLOTS)
class Session(Value):
    """One session."""

    session_id: str
    """The id of the generation with which the session began, even if that generation was deleted."""
    account: str
    """The account that the session belongs to."""
    steps: int
    """The number of its generations that are in history."""
    latest_at: datetime
    """When the newest step was accepted."""
    first: SessionStep
    """The earliest step that is in history."""
    last: SessionStep
    """The newest step."""
    thumbnail: Optional[str] = None
    """The thumbnail file of ``last`` or, if it has none, of ``first``."""


@dataclass(frozen=True, **SLOTS)
class SessionPage(Value):
    """One page of sessions."""

    sessions: Tuple[Session, ...]
    """The sessions, the one with the newest step first."""
    next_cursor: Optional[str] = None
    """The cursor of the next page; absent on the last page."""


@dataclass(frozen=True, **SLOTS)
class SessionStep(Value):
    """The members of a step that a list shows; ``history/get`` returns all of them."""

    generation_id: str
    """The generation."""
    created_at: datetime
    """When the generation was accepted."""
    recipe: Union[Recipe, str]
    """The recipe of the generation. Values: ``headshot``, ``hairstyle``, ``edit``, ``create``, ``places``."""
    state: Union[GenerationState, str]
    """The state of the generation. Values: ``queued``, ``running``, ``succeeded``, ``partial``, ``failed``,
    ``cancelled``, ``interrupted``, ``expired``.
    """
    prompt: Optional[str] = None
    """The beginning of the prompt, at most 120 characters."""


@dataclass(frozen=True, **SLOTS)
class SessionSteps(Value):
    """One page of steps."""

    session: Session
    """The session that the steps belong to."""
    entries: Tuple[GenerationResult, ...]
    """The steps, oldest first."""
    next_cursor: Optional[str] = None
    """The cursor of the next page; absent on the last page."""


@dataclass(frozen=True, **SLOTS)
class SignIn(Value):
    """The account to continue with."""

    account: str
    """The account to use from now on: the one that the identity already belonged to, otherwise the one in the request.
    """
    tier: Union[Tier, str]
    """The account's tier now. Values: ``guest``, ``free``, ``premium``, ``owner``."""
    granted: int
    """Credits granted by this request; 0 if they had been granted before."""
    is_new: bool
    """True when the identity was new."""
    merged: bool
    """True when the account in the request was merged into this one now. Requests that still name it act for this one.
    """
    balance: CreditBalance
    """The account's balance."""


class State:
    """The state of a generation."""

    QUEUED: Final = "queued"
    """Durably accepted; waits for a free slot or for its provider."""
    RUNNING: Final = "running"
    """The pictures are being made."""
    SUCCEEDED: Final = "succeeded"
    """Ended with every picture."""
    PARTIAL: Final = "partial"
    """Ended with some of the pictures; ``failures`` says what happened to the others."""
    FAILED: Final = "failed"
    """Ended without a picture; ``error`` says why."""
    CANCELLED: Final = "cancelled"
    """Cancelled; nothing was charged."""
    INTERRUPTED: Final = "interrupted"
    """The service died while it was running; nothing was charged."""
    EXPIRED: Final = "expired"
    """Waited too long for its provider; nothing was charged."""


@dataclass(frozen=True, **SLOTS)
class Step(Value):
    """Which of several pictures is being made."""

    index: int
    """The position of the picture, from 0."""
    count: int
    """The number of pictures."""


@dataclass(frozen=True, **SLOTS)
class StoreStatus(Value):
    """The state of the database."""

    schema_version: int
    """The version of the database's schema; 0 until the database is opened."""
    healthy: bool
    """False if the database or the folder of the pictures cannot be opened or written to, is no longer the one that was
    opened, or an audit of the credits found an error. While nothing can be written, requests are refused before a
    provider is asked; asking for the status also tries whether that is over.
    """
    path: Optional[str] = None
    """The data directory; absent on a confined connection."""
    problem: Optional[str] = None
    """Why it is not healthy, and what to do; absent while it is. A database that does not answer is not waited for."""
    age_ms: Optional[int] = None
    """How old this is, in milliseconds; present only while the database does not answer and this was known last."""
    clock_doubt: Optional[ClockDoubt] = None
    """Why the machine's clock is not trusted; absent while it is trusted."""
    unfinished_deletions: Optional[int] = None
    """How many pictures are still in the operator's bucket although they were deleted or not needed, because it could
    not be reached; absent while there are none. A service that runs removes them as soon as the bucket answers.
    """


@dataclass(frozen=True, **SLOTS)
class StoredCredential(Value):
    """Where the key is stored."""

    provider: str
    """The provider that the key is for."""
    source: Union[CredentialSource, str]
    """Where the key was stored. Values: ``environment``, ``secret_service``, ``file``."""
    masked: str
    """The last characters of the key, to recognise it by."""
    environment_variable: Optional[str] = None
    """The environment variable whose key is used instead of this one, for as long as it is set."""
    note: Optional[str] = None
    """A remark to show to the person, for example about the keyring."""


@dataclass(frozen=True, **SLOTS)
class Style(Value):
    """The look of a headshot: the direction in which the person looks, and the background."""

    angle: Optional[Angle] = None
    """The direction in which the person looks. Default: to the front; a provider on this machine, which cannot turn a
    head, then keeps the direction of the photo. Values: ``left``, ``front``, ``right``.
    """
    background: Optional[Background] = None
    """The background: ``auto``, a plain studio backdrop unless a headshot made on this machine cannot be cut out well
    enough, and then the photo's own, out of focus, with the warning ``background_kept``; ``professional``, a plain
    studio backdrop in every case; ``casual``, an everyday place, out of focus; ``white``, ``transparent``, or a colour
    such as ``#1e90ff``; ``keep``, the photo's own, of which a headshot made on this machine is levelled, cropped and
    lit only. Default: ``auto``, which is ``white`` for a passport.
    """


@dataclass(frozen=True, **SLOTS)
class StyleOption(Value):
    """One style and its texts for people."""

    id: str
    """The name of the style, such as ``left-casual``."""
    title: str
    """A short title, for a button."""
    description: str
    """One sentence that describes the style."""
    style: Style
    """The style, for ``generate`` as ``style``."""
    providers: Tuple[str, ...]
    """The providers that can make it; one on this machine only from a photo that shows the person so."""
    default_provider: Optional[str] = None
    """The provider that makes it if the request names none; absent if only a named provider makes it."""
    credits_per_image: Optional[int] = None
    """The credits that a picture by the default provider costs a metered account."""
    usd_per_image: Optional[float] = None
    """What a picture by the default provider costs whoever pays that provider, in US dollars; absent if unknown."""


@dataclass(frozen=True, **SLOTS)
class Template(Value):
    """A template of the hairstyle library."""

    id: str
    """The id, for ``generate`` as ``templateId``."""
    name: str
    """A short name, for a button."""
    category: Union[TemplateCategory, str]
    """The category. Values: ``short``, ``medium``, ``long``, ``curly``, ``updo``, ``braids``, ``color``, ``trendy``,
    ``beard``.
    """
    prompt: str
    """The description of the hairstyle that is sent to the provider."""
    tags: Tuple[str, ...]
    """Further terms to find the template by."""
    popularity: int
    """The initial number of uses plus the uses on this machine."""
    reference: Optional[str] = None
    """The path of a picture of the hairstyle, which is sent to the provider if the request has fewer than two
    references.
    """
    thumbnail: Optional[str] = None
    """The path of a small picture, for a list."""


@dataclass(frozen=True, **SLOTS)
class TemplatePage(Value):
    """One page of templates."""

    templates: Tuple[Template, ...]
    """The templates, most used first, then by name."""
    next_cursor: Optional[str] = None
    """The cursor of the next page; absent on the last page."""
    problems: Tuple[TemplateProblem, ...] = ()
    """The first twenty of the operator's files that are not used, and why; absent if there are none, and on a
    connection that is confined to an account.
    """


@dataclass(frozen=True, **SLOTS)
class TemplateProblem(Value):
    """Why a file of the operator's templates is not used."""

    file: str
    """The name of the file in the folder ``templates``, or the folder itself if it cannot be read."""
    message: str
    """What is wrong and what is expected, in one sentence."""
    line: Optional[int] = None
    """The line in the file, from 1; absent if the problem is not in one line."""


@dataclass(frozen=True, **SLOTS)
class Timings(Value):
    """How long each phase took, in milliseconds."""

    queued_ms: int
    """Waiting for a free slot or for the provider."""
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
    """A product to offer when there are not enough credits."""

    id: str
    """The id of the product in ``credits/products``."""
    kind: Union[CreditProductKind, str]
    """How the product is sold. Values: ``subscription``, ``bundle``."""
    title: str
    """A short title, for a button."""
    credits: int
    """The credits of the product; of a subscription, for each period."""
    price: Price
    """The price; of a subscription, for each period."""


@dataclass(frozen=True, **SLOTS)
class Usage(Value):
    """What the provider counted and charged."""

    input_tokens: int
    """Tokens sent; 0 if the provider counts none."""
    output_tokens: int
    """Tokens received; 0 if the provider counts none."""
    cost_usd: Optional[float] = None
    """What the provider charges, in US dollars; absent if unknown."""


@dataclass(frozen=True, **SLOTS)
class UsageDay(Value):
    """Sums over the generations of a day."""

    day: str
    """The day in UTC, such as ``2026-11-21``."""
    generations: int
    """The number of generations accepted on that day."""
    credits_used: int
    """Credits spent on them."""
    cost_usd: float
    """What the providers charged, in US dollars, as far as known."""


@dataclass(frozen=True, **SLOTS)
class UsageGroup(Value):
    """Sums over the generations of a group."""

    name: str
    """What they have in common: a recipe, a state, the id of a provider, or a kind of error."""
    generations: int
    """The number of generations."""
    credits_used: int
    """Credits spent on them."""
    cost_usd: float
    """What the providers charged, in US dollars, as far as known."""


@dataclass(frozen=True, **SLOTS)
class UsageStatistics(Value):
    """Sums and durations."""

    total: UsageSum
    """Sums over all of them."""
    by_recipe: Tuple[UsageGroup, ...]
    """By recipe, the most frequent first."""
    by_state: Tuple[UsageGroup, ...]
    """By state, the most frequent first."""
    by_provider: Tuple[UsageGroup, ...]
    """By provider; without generations that ended before a provider was chosen."""
    by_failure: Tuple[UsageGroup, ...]
    """By kind of error; only generations that have an error."""
    by_day: Tuple[UsageDay, ...]
    """By day, the latest first; at most 366 days."""
    latency: Latency
    """How long the generations took."""


@dataclass(frozen=True, **SLOTS)
class UsageSum(Value):
    """Sums over generations."""

    generations: int
    """The number of generations."""
    credits_used: int
    """Credits spent on them."""
    cost_usd: float
    """What the providers charged, in US dollars, as far as known."""


@dataclass(frozen=True, **SLOTS)
class WorkerConfinement(Value):
    """How the process that decodes pictures is confined, as it found itself after it had confined itself."""

    seccomp: bool
    """Whether only listed system calls are possible; any other ends the process."""
    landlock_abi: int
    """The version of Landlock that closes the file system to it; 0 where the kernel has none."""
    dumpable: bool
    """Whether other processes of the user can read its memory; true only for debugging."""
    namespaces: bool
    """Whether it is alone in its user, network and IPC namespaces, which many systems do not allow."""
