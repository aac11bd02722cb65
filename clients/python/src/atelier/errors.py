"""What can go wrong, as exceptions. Every one of them is an :class:`AtelierError`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Mapping, Optional, Tuple, Type

if TYPE_CHECKING:
    from .values import UpgradeOption

__all__ = [
    "AtelierError",
    "Conflict",
    "ConnectionLost",
    "CredentialsError",
    "ExecutableNotFound",
    "InsufficientCredits",
    "InternalError",
    "InvalidImage",
    "InvalidParameters",
    "InvalidReceipt",
    "InvalidRequest",
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

    ``str(error)`` is one sentence a person can act on. Programs look at ``kind``, which is stable, or at the
    class; new kinds may appear at any time and come as the class of their code, or as plain ``AtelierError``.
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
        #: One sentence for a person.
        self.message = message
        #: The JSON-RPC code: negative for the protocol's own, positive and read like HTTP for the service's.
        self.code = code
        #: The stable name of the cause, for example ``"no_face_found"``.
        self.kind = kind
        #: True when the same request may succeed later.
        self.retryable = retryable
        #: Seconds to wait before trying again, when the service knows.
        self.retry_after = retry_after
        #: The generation that failed, when there is one; its record stays in the history.
        self.generation_id = generation_id
        #: Technical particulars, different for each kind.
        self.details: Mapping[str, Any] = details if details is not None else {}
        #: Everything the service sent along, members unknown to this client included.
        self.data: Mapping[str, Any] = data if data is not None else {}

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
        """What the service would have accepted there."""
        return str(self.data.get("expected", ""))


class InvalidImage(AtelierError):
    """The image cannot be used: broken, of an unknown format, too large or too small, or one too many."""


class InvalidReceipt(AtelierError):
    """A purchase was not believed: nothing was granted. Do not finish the store's transaction."""

    @property
    def reason(self) -> Optional[str]:
        """The stable name of what is wrong with it, for example ``"wrong_account"``."""
        reason = self.details.get("reason")
        return reason if isinstance(reason, str) else None


class CredentialsError(AtelierError):
    """The provider has no key, or refused the one it was given, or does not allow it to do that."""


class InsufficientCredits(AtelierError):
    """The account has fewer credits than the request costs. Nothing was charged."""

    @property
    def required(self) -> Optional[int]:
        """What the request costs."""
        return _integer(self._particular("required"))

    @property
    def available(self) -> Optional[int]:
        """What the account has."""
        return _integer(self._particular("available"))

    @property
    def upgrade_options(self) -> Tuple[UpgradeOption, ...]:
        """Ways to more credits, in the order in which they are to be shown."""
        # Values are made of errors, so only here can errors be told in values.
        from ._coding import decode
        from .values import UpgradeOption

        options = self._particular("upgradeOptions")
        return tuple(decode(UpgradeOption, each, "/upgradeOptions") for each in options or ())

    def _particular(self, name: str) -> Any:
        return self.details.get(name, self.data.get(name))


class PermissionDenied(AtelierError, PermissionError):
    """The account or the file is not open to this connection."""


class NotFound(AtelierError, LookupError):
    """There is no such generation, template or prepared image, or it has expired."""


class TimedOut(AtelierError, TimeoutError):
    """The time allowed for the generation was over, or the provider did not answer."""


class Conflict(AtelierError):
    """The generation has already finished, or the idempotency key belongs to another request."""


class Rejected(AtelierError):
    """The request was understood and cannot be fulfilled: no face, blocked content, no such ability."""


class RateLimited(AtelierError):
    """Too many requests, or the provider is cooling down; ``retry_after`` says how many seconds to wait."""


class InternalError(AtelierError):
    """The service or the provider failed in a way that is nobody's request's fault."""


class Unavailable(AtelierError):
    """The provider or the network cannot be reached, or the service has too much in flight."""


class StorageFull(AtelierError):
    """There is no room left where the service keeps its data."""


class ProtocolError(AtelierError):
    """The service answered something this client does not understand."""

    def __init__(self, message: str) -> None:
        super().__init__(message, kind="protocol_error")


class ConnectionLost(AtelierError, ConnectionError):
    """The service ended, or its output did, before the answer came.

    Generations that were running are settled by the next service that opens the data directory;
    ``status`` and ``history`` there tell what became of them.
    """

    def __init__(self, message: str, *, exit_status: Optional[int] = None, log: str = "") -> None:
        super().__init__(message, kind="connection_lost", retryable=True)
        #: The exit status of the process, negative for a signal, ``None`` when it is not known.
        self.exit_status = exit_status
        #: The last lines the service logged.
        self.log = log


class ExecutableNotFound(AtelierError, FileNotFoundError):
    """There is no ``atelier`` to start."""

    def __init__(self, message: str) -> None:
        super().__init__(message, kind="executable_not_found")


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
_BY_KIND: Dict[str, Type[AtelierError]] = {"invalid_receipt": InvalidReceipt, "provider_denied": CredentialsError}


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
    return int(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None
