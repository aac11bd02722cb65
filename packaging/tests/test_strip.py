"""What strip.py overwrites depends on where an executable was compiled; all else stays."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import strip

ROOT = Path(__file__).resolve().parent.parent.parent


class StripTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.executable = Path(shutil.copy(ROOT / ".build/debug/atelier-imaging", folder.name))

    def run_strip(self) -> None:
        subprocess.run([sys.executable, ROOT / "packaging/strip.py", self.executable], check=True)

    def protection(self) -> list[str]:
        headers = subprocess.run(["readelf", "-lW", self.executable], check=True, capture_output=True, text=True).stdout
        return [line.split()[0] for line in headers.splitlines() if "GNU_RELRO" in line or "GNU_STACK" in line]

    def test_the_hash_of_the_options_is_gone_and_the_memory_stays_protected(self) -> None:
        before = self.protection()
        self.run_strip()
        offset, size = strip.sections(self.executable)[strip.OPTIONS]
        self.assertEqual(self.executable.read_bytes()[offset:offset + size], bytes(size))
        self.assertEqual(self.protection(), before)
        self.assertIn("GNU_RELRO", before)

    def test_the_build_id_follows_from_what_is_left(self) -> None:
        self.run_strip()
        once = self.executable.read_bytes()
        offset, size = strip.sections(self.executable)[strip.BUILD_ID]
        self.assertNotEqual(once[offset + strip.NOTE_HEADER:offset + size], bytes(size - strip.NOTE_HEADER))
        changed = bytearray(once)
        changed[offset + strip.NOTE_HEADER] ^= 1
        self.executable.write_bytes(changed)
        self.run_strip()
        self.assertEqual(self.executable.read_bytes(), once)


if __name__ == "__main__":
    unittest.main()
