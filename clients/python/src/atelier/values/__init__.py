"""What is sent and what comes back, as frozen values.

Names are the protocol's in snake_case; durations are whole milliseconds and end in ``_ms``; times are aware
``datetime`` values. Enumerations are open: a newer service may send names that are not listed here.
"""

from ._credentials import CredentialStatus, DeletedCredential, StoredCredential
from ._generation import (
    Cancellation,
    Credits,
    Failure,
    Finished,
    GenerationResult,
    GenerationWarning,
    Progress,
    ResultImage,
    State,
    Step,
    Timings,
    Usage,
)
from ._history import Deletion, Feedback, HistoryCredits, HistoryEntry, HistoryPage, HistoryTotals
from ._image import OriginalImage, PreparedImage
from ._request import Output, ResultReference, Style
from ._service import Initialization, Limits, Provider, StyleOption
from ._status import AccountStatus, Balance, GenerationStatus, Limit, ServiceStatus, StoreStatus

__all__ = [
    "AccountStatus",
    "Balance",
    "Cancellation",
    "CredentialStatus",
    "Credits",
    "DeletedCredential",
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
    "StoredCredential",
    "Step",
    "Style",
    "StyleOption",
    "Timings",
    "Usage",
]
