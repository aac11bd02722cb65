"""What the service is and offers."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Mapping, Optional, Tuple

from .._coding import SLOTS, Value
from ._request import Style


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
class Template(Value):
    """A hairstyle of the library."""

    #: What ``generate`` takes as ``template``.
    id: str
    #: For a button.
    name: str = ""
    #: ``"short"``, ``"medium"``, ``"long"``, ``"curly"``, ``"updo"``, ``"braids"``, ``"color"``, ``"trendy"``, ``"beard"``.
    category: str = ""
    #: The hairstyle in the words of a hairdresser.
    prompt: str = ""
    tags: Tuple[str, ...] = ()
    #: How often it was used, over what it began with.
    popularity: int = 0
    #: The file of a picture of the hair.
    reference: Optional[str] = None
    #: The file of a small picture to choose by.
    thumbnail: Optional[str] = None


@dataclass(frozen=True, **SLOTS)
class TemplateProblem(Value):
    """What keeps a file of the operator's templates from being used."""

    file: str
    message: str = ""
    line: Optional[int] = None


@dataclass(frozen=True, **SLOTS)
class TemplatePage(Value):
    """Some hairstyles of the library, most used first."""

    templates: Tuple[Template, ...] = ()
    #: Where the next page begins; None on the last.
    next_cursor: Optional[str] = None
    problems: Tuple[TemplateProblem, ...] = ()


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
