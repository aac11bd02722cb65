"""Photos that were prepared."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Optional, Tuple

from .._coding import SLOTS, Value


@dataclass(frozen=True, **SLOTS)
class OriginalImage(Value):
    """A photo as it was before it was prepared."""

    width: Optional[int] = None
    height: Optional[int] = None
    byte_count: Optional[int] = field(default=None, metadata={"wire": "bytes"})
    mime_type: Optional[str] = None


@dataclass(frozen=True, **SLOTS)
class PreparedImage(Value):
    """A photo made upright, small enough and free of metadata, kept until ``expires_at``."""

    prepared_id: str
    width: int
    height: int
    byte_count: int = field(metadata={"wire": "bytes"})
    mime_type: str
    original: OriginalImage = OriginalImage()
    #: What was done to it, for example ``("rotated", "metadata_removed")``.
    changes: Tuple[str, ...] = ()
    expires_at: Optional[datetime] = None
