"""What is sent and what comes back, as frozen values.

Names are the protocol's in snake_case; durations are whole milliseconds and end in ``_ms``; times are aware
``datetime`` values. Enumerations are open: a newer service may send names that are not listed here.
"""

from ._accounts import Account, SignIn
from ._credentials import CredentialStatus, DeletedCredential, StoredCredential
from ._credits import (
    CreditBalance,
    CreditBucket,
    CreditEntry,
    CreditHistoryPage,
    CreditPeriod,
    CreditProduct,
    Estimate,
    Price,
    Purchase,
    UpgradeOption,
)
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
from ._queue import Queue, QueueLine
from ._request import Output, ResultReference, Style
from ._service import Initialization, Limits, Provider, StyleOption, Template, TemplatePage, TemplateProblem
from ._status import AccountStatus, GenerationStatus, Limit, ServiceStatus, StoreStatus

__all__ = [
    "Account",
    "AccountStatus",
    "Cancellation",
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
    "Price",
    "Progress",
    "Provider",
    "Purchase",
    "Queue",
    "QueueLine",
    "ResultImage",
    "ResultReference",
    "ServiceStatus",
    "SignIn",
    "State",
    "Step",
    "StoredCredential",
    "StoreStatus",
    "Style",
    "StyleOption",
    "Template",
    "TemplatePage",
    "TemplateProblem",
    "Timings",
    "UpgradeOption",
    "Usage",
]
