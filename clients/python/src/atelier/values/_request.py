"""What is sent."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Optional, Union

from .._coding import SLOTS


@dataclass(frozen=True, **SLOTS)
class Style:
    """How a headshot looks."""

    #: From -1 (looking far left) over 0 to 1, or ``"left"``, ``"front"``, ``"right"``.
    angle: Union[float, str, None] = None
    #: ``"professional"`` for a studio, ``"casual"`` for the photo's own surroundings, softened.
    background: Optional[str] = None


@dataclass(frozen=True, **SLOTS)
class Output:
    """How many pictures, of which shape, and where they go."""

    #: ``"single"``, or ``"multiAngle"`` for front, both profiles and back.
    mode: Optional[str] = None
    #: Variations, 1 to 4.
    count: Optional[int] = None
    #: A folder that exists and receives a copy of each picture.
    directory: Union[str, os.PathLike[str], None] = None
    #: True to receive the bytes as well, in ``ResultImage.data``.
    inline: Optional[bool] = None
    #: For example ``"1:1"`` or ``"3:4"``, where the provider offers it.
    aspect_ratio: Optional[str] = None
    #: For example ``"1K"`` or ``"2K"``, where the provider offers it.
    size: Optional[str] = None


@dataclass(frozen=True, **SLOTS)
class ResultReference:
    """One picture of an earlier generation, to be used as an image or to be refined."""

    generation_id: str
    #: Which of its pictures.
    index: int = 0
