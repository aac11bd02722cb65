"""The sides of a picture, from its header."""

from __future__ import annotations

import struct
from typing import Iterator

#: Markers of JPEG that begin a frame, which tells the sides.
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


def longest_side(picture: bytes) -> int:
    """The longest side in pixels of a JPEG, PNG, WebP, HEIC or AVIF; 0 when the header does not tell."""
    try:
        if picture.startswith(b"\xff\xd8"):
            return _jpeg(picture)
        if picture.startswith(b"\x89PNG\r\n\x1a\n"):
            return int(max(struct.unpack_from(">II", picture, 16)))
        if picture[:4] == b"RIFF" and picture[8:12] == b"WEBP":
            return _webp(picture)
        if picture[4:8] == b"ftyp":
            return _media(picture)
    except (struct.error, IndexError):
        # It ends too early.
        pass
    return 0


def _jpeg(picture: bytes) -> int:
    position = 2
    while picture[position] == 0xFF:
        marker = picture[position + 1]
        if marker == 0xFF:
            # A byte that only fills.
            position += 1
        elif marker in _FRAMES:
            return int(max(struct.unpack_from(">HH", picture, position + 5)))
        else:
            position += 2 + struct.unpack_from(">H", picture, position + 2)[0]
    return 0


def _webp(picture: bytes) -> int:
    form = picture[12:16]
    if form == b"VP8X":
        return 1 + max(int.from_bytes(picture[24:27], "little"), int.from_bytes(picture[27:30], "little"))
    if form == b"VP8L":
        bits = int(struct.unpack_from("<I", picture, 21)[0])
        return 1 + max(bits & 0x3FFF, bits >> 14 & 0x3FFF)
    if form == b"VP8 ":
        return max(int(side) & 0x3FFF for side in struct.unpack_from("<HH", picture, 26))
    return 0


def _media(picture: bytes) -> int:
    longest = 0
    for meta in _boxes(picture, b"meta"):
        # Four bytes of version and flags come first, here and in ``ispe``.
        for properties in _boxes(meta[4:], b"iprp"):
            for container in _boxes(properties, b"ipco"):
                for extents in _boxes(container, b"ispe"):
                    longest = max(longest, *struct.unpack_from(">II", extents, 4))
    return longest


def _boxes(content: bytes, wanted: bytes) -> Iterator[bytes]:
    """The contents of the boxes of one type (ISO/IEC 14496-12, section 4.2)."""
    position = 0
    while position + 8 <= len(content):
        size, name = struct.unpack_from(">I4s", content, position)
        header = 16 if size == 1 else 8
        if size == 1:
            size = struct.unpack_from(">Q", content, position + 8)[0]
        elif size == 0:
            size = len(content) - position
        if size < header:
            return
        if name == wanted:
            yield content[position + header : position + size]
        position += size
