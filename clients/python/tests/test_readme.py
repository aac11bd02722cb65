"""The examples of the README, run as they stand."""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from typing import List

from .support import CLIENT, OTHER_PORTRAIT, PORTRAIT, needs_service, service


def examples() -> List[str]:
    """The fenced blocks of Python in the README."""
    return re.findall(r"^```python\n(.*?)^```$", (CLIENT / "README.md").read_text(), re.MULTILINE | re.DOTALL)


class ReadmeTests(unittest.TestCase):
    def test_every_example_compiles(self) -> None:
        self.assertGreaterEqual(len(examples()), 5)
        for number, example in enumerate(examples(), 1):
            compile(example, f"README example {number}", "exec")

    @needs_service
    def test_every_example_runs(self) -> None:
        for number, example in enumerate(examples(), 1):
            with self.subTest(number=number), tempfile.TemporaryDirectory() as name:
                folder = pathlib.Path(name)
                shutil.copy(PORTRAIT, folder / "ada.png")
                shutil.copy(OTHER_PORTRAIT, folder / "grace.jpg")
                environment = {
                    **os.environ,
                    "ATELIER": str(service()),
                    "ATELIER_DATA_DIR": str(folder / "data"),
                    "PYTHONPATH": str(CLIENT / "src"),
                }
                run = subprocess.run(
                    [sys.executable, "-c", example], cwd=folder, env=environment, capture_output=True, text=True
                )
                self.assertEqual((run.returncode, run.stderr), (0, ""), f"example {number}:\n{example}\n{run.stderr}")
                self.assertNotEqual(run.stdout, "", f"example {number} said nothing")
