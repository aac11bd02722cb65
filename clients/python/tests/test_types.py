"""What a type checker finds in a program that uses the client. Needs mypy: ``pip install mypy``, or ``$MYPY``."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from .support import CLIENT

CHECKER = os.environ.get("MYPY") or shutil.which("mypy")

GOOD = """
from atelier_studio import Atelier, Blocking, GenerateOptions, Output, Recipe, State, Style

async def main(colour: str, recipe: Recipe) -> str:
    options: GenerateOptions = {"image": "a.png", "style": Style(background=colour), "cache": "bypass"}
    async with Atelier(trusted=True, restart=True, locale="de", config="c.json") as studio:
        await studio.generate(recipe, **options)
        await studio.generate(output=Output(aspect_ratio="16:9", crop="passport", format="png"))
        page = await studio.history(state=State.FAILED, recipe="edit")
        await studio.credits_grant("anna", 3, reason="invoice", idempotency_key="7")
        for entry in page.entries:
            if entry.state == "cancelled" or entry.recipe == "a newer recipe":
                print(entry.path_or_none)
        result = await studio.generate("create", prompt="a lighthouse")
        return result.path.upper() + result.images[0].path.upper()

with Blocking() as blocking:
    print(blocking.generate("create", prompt="a lighthouse").result().path.upper())
"""

#: Each is a mistake in the body of a function of ``studio``.
MISTAKES = [
    'studio.generate("headshoot")',
    'studio.generate(cache="bypas")',
    'studio.generate(output=Output(mode="multiangle"))',
    'studio.generate(output=Output(crop="square"))',
    'studio.generate(output=Output(format="gif"))',
    'studio.generate(when_offline="wait")',
    'studio.generate(promt="a hat")',
    'studio.history(recipe="portrait")',
    'studio.history(state="done")',
    'studio.credits_purchase("amazon")',
    'studio.credits_grant("anna", 3)',
    'studio.read_image("gen_1", variant="small")',
    'Atelier(trusted="yes")',
]


@unittest.skipIf(CHECKER is None, "mypy is not installed")
class TypeTests(unittest.TestCase):
    def check(self, text: str) -> str:
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "program.py"
            program.write_text(text)
            command = [str(CHECKER), "--strict", "--cache-dir", str(self.cache), "--no-error-summary", str(program)]
            environment = {**os.environ, "MYPYPATH": str(CLIENT / "src")}
            return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True).stdout

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.cache = pathlib.Path(folder.name)

    def test_a_program_is_accepted_and_its_mistakes_are_found(self) -> None:
        self.assertEqual(self.check(GOOD), "")
        head = "from atelier_studio import Atelier, Output\n\ndef use(studio: Atelier) -> None:\n"
        # One run for all of them: each is on a line of its own.
        found = self.check(head + "".join(f"    {mistake}\n" for mistake in MISTAKES))
        for line, mistake in enumerate(MISTAKES, head.count("\n") + 1):
            self.assertRegex(found, rf"program\.py:{line}: error:", mistake)

    def test_the_client_itself_is_accepted(self) -> None:
        run = subprocess.run(
            [str(CHECKER), "--cache-dir", str(self.cache)], cwd=CLIENT, capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stdout)
