"""Between the wire's camelCase JSON and this package's frozen snake_case values."""

from __future__ import annotations

import base64
import binascii
import dataclasses
import functools
import math
import os
import re
import sys
import typing
from datetime import datetime, timezone
from typing import Any, Dict, Mapping, Optional, Tuple, Type, TypeVar, Union

from .errors import AtelierError, NotFound, ProtocolError, error_from_wire, invalid_parameter

T = TypeVar("T")

#: Keyword arguments for ``dataclass``: slots came with Python 3.10.
SLOTS: Dict[str, Any] = {"slots": True} if sys.version_info >= (3, 10) else {}

NOTHING: Mapping[str, Any] = {}


class Value:
    """What the service sends, as a frozen dataclass. Members this client does not know are in ``extra``."""

    __slots__ = ("_extra",)
    _extra: Mapping[str, Any]

    @property
    def extra(self) -> Mapping[str, Any]:
        """Members a newer service sent and this client does not know, as they came."""
        return getattr(self, "_extra", NOTHING)


class HasFile(Value):
    """A value that usually has a file."""

    __slots__ = ()
    path_or_none: Optional[str]

    @property
    def path(self) -> str:
        """The path of the file. Raises ``NotFound`` (``no_file``) if there is none: a private result is in ``data`` or
        in the output directory, and a confined connection is told only paths in its folders.
        """
        if self.path_or_none is None:
            raise _no_file(
                "This picture has no path: its generation is private, or the connection is confined and the file is "
                "outside its folders. Ask for it with output=Output(inline=True)."
            )
        return self.path_or_none


class HasImages(Value):
    """A value with a member ``images``."""

    __slots__ = ()
    images: Tuple[Any, ...]
    state: str

    @property
    def path(self) -> str:
        """The path of the first picture. Raises ``NotFound`` (``no_file``) if there is none, as when the generation was
        cancelled, or if it has no file; see the ``path`` of a picture.
        """
        if not self.images:
            raise _no_file(f"This generation has no picture: its state is {self.state!r}.")
        return str(self.images[0].path)

    @property
    def path_or_none(self) -> Optional[str]:
        """The path of the first picture; ``None`` if there is no picture, or if it has no file."""
        return self.images[0].path_or_none if self.images else None


def _no_file(sentence: str) -> NotFound:
    return NotFound(sentence, code=404, kind="no_file")


def camel_case(name: str) -> str:
    """``generation_id`` → ``generationId``."""
    head, *tail = name.split("_")
    return head + "".join(part.capitalize() for part in tail)


def decode(kind: Type[T], value: Any, path: str = "") -> T:
    """The value of dataclass ``kind`` that ``value`` says.

    Raises ``ProtocolError`` with the JSON Pointer of what is missing or of the wrong type.
    """
    if not isinstance(value, Mapping):
        raise _unexpected(path, "an object")
    members: Dict[str, Any] = {}
    fields = _fields(typing.cast(type, kind))
    for name, (key, hint, required) in fields.items():
        inner = f"{path}/{key}"
        if value.get(key) is not None:
            members[name] = _decode(hint, value[key], inner)
        elif required and not _is_optional(hint):
            raise _unexpected(inner, "there")
        elif required:
            members[name] = None
    decoded = kind(**members)
    known = {key for key, _, _ in fields.values()}
    extra = {key: member for key, member in value.items() if key not in known}
    if extra and isinstance(decoded, Value):
        object.__setattr__(decoded, "_extra", extra)
    return decoded


def encode(value: Any) -> Any:
    """JSON for ``value``: dataclasses become objects, ``None`` members are left out."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        members = {key: getattr(value, name) for name, (key, _, _) in _fields(type(value)).items()}
        return {key: encode(member) for key, member in members.items() if member is not None}
    if isinstance(value, Mapping):
        return {str(key): encode(member) for key, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [encode(member) for member in value]
    if isinstance(value, datetime):
        return timestamp(value)
    if isinstance(value, os.PathLike):
        return os.fsdecode(value)
    if isinstance(value, (bytes, bytearray, memoryview)):
        # A view may leave out bytes in between, which only a copy does not.
        return base64.b64encode(bytes(value)).decode("ascii")
    return value


def timestamp(time: datetime) -> str:
    """RFC 3339 in UTC with milliseconds. A time without a zone counts as local time."""
    return time.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@functools.lru_cache(maxsize=None)
def _fields(kind: type) -> Dict[str, Tuple[str, Any, bool]]:
    """By attribute: the member on the wire (the field's metadata may name it), its type, whether it must be there."""
    hints = typing.get_type_hints(kind)
    result: Dict[str, Tuple[str, Any, bool]] = {}
    for field in dataclasses.fields(kind):
        required = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        result[field.name] = (field.metadata.get("wire", camel_case(field.name)), hints[field.name], required)
    return result


def _is_optional(hint: Any) -> bool:
    return typing.get_origin(hint) is Union and type(None) in typing.get_args(hint)


def _decode(hint: Any, value: Any, path: str) -> Any:
    if _is_optional(hint):
        kinds = [argument for argument in typing.get_args(hint) if argument is not type(None)]
        hint = typing.Union[tuple(kinds)]
    origin = typing.get_origin(hint)
    alternatives = typing.get_args(hint) if origin is Union else (hint,)
    if all(each is str or typing.get_origin(each) is typing.Literal for each in alternatives):
        # A newer service may send other values than those that are known.
        hint, origin = str, None
    if hint is Any or origin is Union:
        return value
    if origin is tuple:
        return tuple(
            _decode(typing.get_args(hint)[0], member, f"{path}/{index}")
            for index, member in enumerate(_checked(value, (list,), path, "a list"))
        )
    if origin is not None and issubclass(origin, Mapping):
        member_hint = typing.get_args(hint)[1]
        return {
            key: _decode(member_hint, member, f"{path}/{key}")
            for key, member in _checked(value, (dict,), path, "an object").items()
        }
    if dataclasses.is_dataclass(hint):
        return decode(typing.cast(type, hint), value, path)
    if hint is AtelierError:
        return error_from_wire(value)
    return _decode_scalar(hint, value, path)


def _decode_scalar(hint: Any, value: Any, path: str) -> Any:
    if hint is str:
        return _checked(value, (str,), path, "a string")
    if hint is bool:
        return _checked(value, (bool,), path, "true or false")
    if hint is int:
        number = _checked(value, (int, float), path, "a number")
        # Python reads 1e999 and NaN, which JSON does not have or no integer holds.
        if not math.isfinite(number):
            raise _unexpected(path, "a number")
        return int(number)
    if hint is float:
        return float(_checked(value, (int, float), path, "a number"))
    if hint is datetime:
        return _time(_checked(value, (str,), path, "a time"), path)
    if hint is bytes:
        try:
            return base64.b64decode(_checked(value, (str,), path, "base64"), validate=True)
        except binascii.Error:
            raise _unexpected(path, "base64") from None
    raise TypeError(f"no way to decode {hint!r}")


def _checked(value: Any, kinds: Tuple[type, ...], path: str, expected: str) -> Any:
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        raise _unexpected(path, expected)
    return value


_FRACTION = re.compile(r"\.(\d+)")


def _time(text: str, path: str) -> datetime:
    # Before Python 3.11 fromisoformat takes neither "Z" nor any number of digits.
    plain = _FRACTION.sub(lambda match: "." + match.group(1)[:6].ljust(6, "0"), text.replace("Z", "+00:00"))
    try:
        return datetime.fromisoformat(plain)
    except ValueError:
        raise _unexpected(path, "a time") from None


def _unexpected(path: str, expected: str) -> ProtocolError:
    return ProtocolError(f"The service's answer is not understood: {path or 'it'} is not {expected}.")


def without_none(members: Mapping[str, Any]) -> Dict[str, Any]:
    """``members`` as JSON, without those that are ``None``. Raises ``InvalidParameters`` for what JSON cannot say."""
    if not isinstance(members, Mapping):
        raise invalid_parameter("", "a mapping", f"The params of a request are a mapping, and not a {_kind(members)}.")
    encoded: Dict[str, Any] = {}
    for key, member in members.items():
        try:
            if member is not None:
                encoded[key] = encode(member)
        except (ArithmeticError, OSError, RecursionError, TypeError, ValueError) as error:
            # A value that contains itself, a time before the first year, a path that is none.
            raise invalid_parameter(f"/{key}", "what JSON can say", f"{key} cannot be sent: {error}.") from error
    return encoded


def _kind(value: Any) -> str:
    return type(value).__name__
