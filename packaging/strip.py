#!/usr/bin/env python3
"""Strips an executable so that it does not depend on the folder in which it was compiled.

    packaging/strip.py EXECUTABLE

Two sections do, even where the code is the same, and are overwritten in place: removing them would cost the executable its
program header GNU_RELRO.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from pathlib import Path
from typing import Dict, Tuple

#: A hash of the compiler's options for each Swift module, paths included. Nothing reads it at run time.
OPTIONS = ".swift_modhash"
#: The linker's hash of everything, what is stripped included. It becomes a hash of what is left.
BUILD_ID = ".note.gnu.build-id"
#: Sizes of the owner, of the hash and its type, and the owner's name stand before the hash.
NOTE_HEADER = 16


def sections(executable: Path) -> Dict[str, Tuple[int, int]]:
    """The offset and the size of each section, by its name."""
    listing = subprocess.run(["readelf", "-SW", executable], check=True, capture_output=True, text=True).stdout
    found = re.findall(r"^\s*\[\s*\d+\] (\S+)\s+\S+\s+[0-9a-f]+ ([0-9a-f]+) ([0-9a-f]+) ", listing, re.M)
    return {name: (int(offset, 16), int(size, 16)) for name, offset, size in found}


def main() -> None:
    executable = Path(sys.argv[1])
    subprocess.run(["strip", executable], check=True)
    content = bytearray(executable.read_bytes())
    found = sections(executable)
    if OPTIONS in found:
        offset, size = found[OPTIONS]
        content[offset:offset + size] = bytes(size)
    if BUILD_ID in found:
        offset, size = found[BUILD_ID]
        identifier = slice(offset + NOTE_HEADER, offset + size)
        content[identifier] = bytes(size - NOTE_HEADER)
        content[identifier] = hashlib.sha256(content).digest()[:size - NOTE_HEADER]
    executable.write_bytes(content)


if __name__ == "__main__":
    main()
