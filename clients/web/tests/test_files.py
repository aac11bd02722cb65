"""What can be said of the pages without a browser: their words, their types, and how much there is to load."""

from __future__ import annotations

import pathlib
import shutil
import subprocess
import sys
import unittest

PAGES = pathlib.Path(__file__).resolve().parents[1] / "pages"


class FileTests(unittest.TestCase):
    def test_every_word_stands_in_every_language_and_is_used(self) -> None:
        command = [sys.executable, str(PAGES.parent / "scripts" / "words.py"), "check"]
        checked = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(checked.stdout, "")

    @unittest.skipIf(shutil.which("tsc") is None, "TypeScript is not installed")
    def test_the_types_are_right(self) -> None:
        checked = subprocess.run(["tsc", "-p", str(PAGES)], capture_output=True, text=True)
        self.assertEqual(checked.stdout, "")

    def test_texts_never_become_html_and_nothing_needs_an_inline_style(self) -> None:
        for file in [*PAGES.rglob("*.js"), *PAGES.rglob("*.css"), PAGES / "index.html"]:
            text = file.read_text("utf-8")
            for forbidden in ("innerHTML", "outerHTML", "insertAdjacentHTML", "eval(", ' style="', "data:image"):
                with self.subTest(file=file.name, forbidden=forbidden):
                    self.assertNotIn(forbidden, text)
