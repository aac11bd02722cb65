"""The API keys of the providers, as far as anybody is told of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Tuple

from .._coding import SLOTS, Value


@dataclass(frozen=True, **SLOTS)
class CredentialStatus(Value):
    """Whether a provider has its API key, and from where; never the key."""

    provider: str
    #: True when there is a key that can be used.
    configured: bool = False
    #: ``"environment"``, ``"secret_service"`` or ``"file"``.
    source: Optional[str] = None
    #: The end of the key, to recognise it by.
    masked: Optional[str] = None
    #: The variable the key comes from, where its source is the environment.
    environment_variable: Optional[str] = None
    #: The variables that can provide a key, the first one that is set winning.
    environment_variables: Tuple[str, ...] = ()
    #: Why a key that is there cannot be used, and what to do about it.
    reason: Optional[str] = None


@dataclass(frozen=True, **SLOTS)
class StoredCredential(Value):
    """Where a key that was set is now."""

    provider: str
    #: ``"secret_service"`` or ``"file"``.
    source: str
    #: The end of the key, to recognise it by.
    masked: str
    #: The environment variable whose key is used instead, for as long as it is set.
    environment_variable: Optional[str] = None
    #: What a person should know about it.
    note: Optional[str] = None


@dataclass(frozen=True, **SLOTS)
class DeletedCredential(Value):
    """What became of a key that was to be forgotten."""

    provider: str
    #: True when there was one to delete.
    deleted: bool
    #: The environment variable that still provides a key.
    environment_variable: Optional[str] = None
    #: What a person should know about it.
    note: Optional[str] = None
