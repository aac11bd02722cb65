"""What can go wrong, as exceptions. Every one of them is an :class:`AtelierError`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Dict, Mapping, Optional, Tuple, Type

if TYPE_CHECKING:
    from .values import UpgradeOption

__all__ = [
    "AtelierError",
    "Conflict",
    "ConnectionLost",
    "ConsentRequired",
    "CredentialsError",
    "ExecutableNotFound",
    "InsufficientCredits",
    "InternalError",
    "InvalidIdentity",
    "InvalidImage",
    "InvalidParameters",
    "InvalidReceipt",
    "InvalidRequest",
    "InvalidUse",
    "NotFound",
    "PermissionDenied",
    "ProtocolError",
    "RateLimited",
    "Rejected",
    "StorageFull",
    "TimedOut",
    "Unavailable",
]


class AtelierError(Exception):
    """A request could not be carried out.

    ``str(error)`` tells a person what is wrong and what to do about it. Programs decide by ``kind``, which is stable,
    or by the class. New kinds may be added; they have the class of their code, or are plain ``AtelierError``.
    """

    def __init__(
        self,
        message: str,
        *,
        code: int = 0,
        kind: str = "unknown",
        retryable: bool = False,
        retry_after: Optional[float] = None,
        generation_id: Optional[str] = None,
        details: Optional[Mapping[str, Any]] = None,
        data: Optional[Mapping[str, Any]] = None,
    ) -> None:
        super().__init__(message)
        #: One or two sentences for a person.
        self.message = message
        #: The code: negative for errors of JSON-RPC, otherwise with the meaning of the same HTTP status.
        self.code = code
        #: The stable name of the cause, for example ``"no_face_found"``.
        self.kind = kind
        #: True when the same request may succeed later, unchanged.
        self.retryable = retryable
        #: Seconds to wait before trying again, if known.
        self.retry_after = retry_after
        #: The generation that failed, if there is one; it stays in the history.
        self.generation_id = generation_id
        #: Facts that depend on the kind.
        self.details: Mapping[str, Any] = details if details is not None else {}
        #: Everything that the service sent, including members unknown to this client.
        self.data: Mapping[str, Any] = data if data is not None else {}
        if self.hint is not None and hasattr(self, "add_note"):  # Python 3.11: shown below the message in a traceback.
            self.add_note(self.hint)

    @property
    def hint(self) -> Optional[str]:
        """What whoever runs the service can do about it, in English."""
        hint = self.details.get("hint")
        return hint if isinstance(hint, str) else None

    def __repr__(self) -> str:
        return f"{type(self).__name__}(code={self.code}, kind={self.kind!r}, message={self.message!r})"

    def __reduce__(self) -> Any:
        return (_restore, (type(self), self.message, self.__dict__.copy()))


class InvalidRequest(AtelierError):
    """The request itself was wrong: unknown method, not allowed now, or too large to be sent."""


class InvalidParameters(InvalidRequest, ValueError):
    """A parameter was wrong: :attr:`path` says which one and :attr:`expected` what it should have been."""

    @property
    def path(self) -> str:
        """JSON Pointer to the parameter, for example ``/style/angle``."""
        return str(self.data.get("path", ""))

    @property
    def expected(self) -> str:
        """What the service expects there."""
        return str(self.data.get("expected", ""))


class InvalidImage(AtelierError):
    """The image cannot be used: it is damaged, of an unknown format, too large or too small, or one too many."""


class InvalidReceipt(AtelierError):
    """A purchase was refused, and nothing was granted. Do not finish the store's transaction."""

    @property
    def reason(self) -> Optional[str]:
        """The stable name of the reason, for example ``"wrong_account"``."""
        reason = self.details.get("reason")
        return reason if isinstance(reason, str) else None


class InvalidIdentity(AtelierError):
    """A sign-in could not be verified: let the person sign in again. ``hint`` says what was wrong with the token."""


class CredentialsError(AtelierError):
    """The provider has no API key, refused it, or does not allow it to do that."""


class InsufficientCredits(AtelierError):
    """The account has fewer credits than the request costs. Nothing was charged."""

    @property
    def required(self) -> Optional[int]:
        """The credits that the request needs."""
        return _integer(self._particular("required"))

    @property
    def available(self) -> Optional[int]:
        """The credits that the account can spend."""
        return _integer(self._particular("available"))

    @property
    def upgrade_options(self) -> Tuple[UpgradeOption, ...]:
        """Products that give more credits, in the order in which to show them."""
        # Values are made of errors, so only here can errors be told in values.
        from ._coding import decode
        from .values import UpgradeOption

        options = self._particular("upgradeOptions")
        return tuple(decode(UpgradeOption, each, "/upgradeOptions") for each in options or ())

    def _particular(self, name: str) -> Any:
        return self.details.get(name, self.data.get(name))


class InvalidUse(AtelierError, RuntimeError):
    """The client was used in a way that cannot work: before its start, after its end, in another event loop, in a
    forked process, or with arguments with which no service can be started. Nothing was sent.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message, kind="invalid_use")


class PermissionDenied(AtelierError, PermissionError):
    """The connection may not act for the account, or the service may not use the file."""


class ConsentRequired(PermissionDenied):
    """The person has to accept the terms of use first: show them, and record the consent with ``account_consent``."""


class NotFound(AtelierError, LookupError):
    """There is no such generation, template or prepared image, or it has expired.

    Its kind is ``no_file`` if a picture has no file.
    """


class TimedOut(AtelierError, TimeoutError):
    """The time allowed for the generation was over, or the provider did not answer.

    Its kind is ``wait_timed_out`` if only the wait for the generation is over, and the generation goes on.
    """


class Conflict(AtelierError):
    """The generation has already finished, or the idempotency key belongs to another request."""


class Rejected(AtelierError):
    """The request is valid but cannot be fulfilled: no face, blocked content, or not supported by the provider."""


class RateLimited(AtelierError):
    """Too many requests, or the provider has a cooldown; ``retry_after`` says how many seconds to wait."""


class InternalError(AtelierError):
    """The service or the provider failed for a reason that is not in the request."""


class Unavailable(AtelierError):
    """The provider or the network cannot be reached, or the service has too much in flight."""


class StorageFull(AtelierError):
    """The disk of the data directory is full."""


class ProtocolError(AtelierError):
    """The service sent an answer that this client does not understand."""

    def __init__(self, message: str) -> None:
        super().__init__(message, kind="protocol_error")


class ConnectionLost(AtelierError, ConnectionError):
    """The service ended, or closed its output, before the answer arrived.

    The next service that opens the data directory settles the generations that were running;
    its ``status`` and ``history`` report their state.
    """

    def __init__(self, message: str, *, exit_status: Optional[int] = None, log: str = "") -> None:
        super().__init__(message, kind="connection_lost", retryable=True)
        #: The exit status of the process, negative for a signal, ``None`` when it is not known.
        self.exit_status = exit_status
        #: The last lines of the service's log.
        self.log = log


class ExecutableNotFound(AtelierError, FileNotFoundError):
    """The executable ``atelier`` was not found."""

    def __init__(self, message: str) -> None:
        super().__init__(message, kind="executable_not_found")


def invalid_parameter(path: str, expected: str, message: str) -> InvalidParameters:
    """Why a request cannot be sent as it is."""
    return InvalidParameters(
        message, code=-32602, kind="invalid_params", data={"path": path, "expected": expected}
    )


def cancelled_before_sent() -> AtelierError:
    """Why a generation has no result that was cancelled while what it needs was made ready."""
    return AtelierError("The generation was cancelled before it was sent.", code=-32800, kind="request_cancelled")


_BY_CODE: Dict[int, Type[AtelierError]] = {
    -32700: InvalidRequest,
    -32600: InvalidRequest,
    -32601: InvalidRequest,
    -32602: InvalidParameters,
    -32603: InternalError,
    400: InvalidImage,
    401: CredentialsError,
    402: InsufficientCredits,
    403: PermissionDenied,
    404: NotFound,
    408: TimedOut,
    409: Conflict,
    413: InvalidImage,
    415: InvalidImage,
    422: Rejected,
    429: RateLimited,
    500: InternalError,
    502: Unavailable,
    503: Unavailable,
    504: TimedOut,
    507: StorageFull,
}

#: Kinds that belong to another family than most of their code.
_BY_KIND: Dict[str, Type[AtelierError]] = {
    "consent_required": ConsentRequired,
    "invalid_identity": InvalidIdentity,
    "invalid_receipt": InvalidReceipt,
    "provider_denied": CredentialsError,
}


def error_from_wire(value: Any) -> AtelierError:
    """The exception for an error object: JSON-RPC's ``{code, message, data}``, or the same flattened."""
    if not isinstance(value, Mapping):
        return ProtocolError("The service reported an error in a form this client does not understand.")
    nested = value.get("data")
    data: Mapping[str, Any] = nested if isinstance(nested, Mapping) else value
    code = _integer(value.get("code")) or 0
    kind = data.get("kind")
    retry_after = _integer(data.get("retryAfterMs"))
    generation_id = data.get("generationId")
    details = data.get("details")
    family = _BY_KIND.get(kind) if isinstance(kind, str) else None
    return _restore(
        family or _BY_CODE.get(code, AtelierError),
        str(value.get("message", "The service gave no reason.")),
        {
            "code": code,
            "kind": kind if isinstance(kind, str) else "unknown",
            "retryable": data.get("retryable") is True,
            "retry_after": None if retry_after is None else retry_after / 1000,
            "generation_id": generation_id if isinstance(generation_id, str) else None,
            "details": details if isinstance(details, Mapping) else {},
            "data": data,
        },
    )


def _restore(kind: Type[AtelierError], message: str, members: Mapping[str, Any]) -> AtelierError:
    error = kind.__new__(kind)
    AtelierError.__init__(error, message)
    error.__dict__.update(members)
    return error


def _integer(value: Any) -> Optional[int]:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return None
    return int(value)
