"""The scripts in examples/, run as a reader would, against the simulator of Google's API where they need one."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
import unittest
from typing import Dict, List

from .support import CLIENT, NO_KEYS, OTHER_PORTRAIT, PORTRAIT, DataDirectoryCase, needs_service, service, simulator


@needs_service
@unittest.skipIf(simulator() is None, "gemini-simulator has not been built beside the service")
class ExampleTests(DataDirectoryCase):
    simulator: subprocess.Popen[str]
    base_url: str

    @classmethod
    def setUpClass(cls) -> None:
        command = simulator()
        assert command is not None
        # Pictures large enough to be refined.
        options = ["--port", "0", "--picture-scale", "4"]
        cls.simulator = subprocess.Popen([command, *options], stdout=subprocess.PIPE, text=True)
        assert cls.simulator.stdout is not None
        cls.base_url = json.loads(cls.simulator.stdout.readline())["baseUrl"]

    @classmethod
    def tearDownClass(cls) -> None:
        cls.simulator.terminate()
        cls.simulator.communicate()

    def run_example(self, name: str, *arguments: object, **variables: str) -> List[str]:
        """The lines an example writes."""
        environment: Dict[str, str] = {
            **os.environ,
            **NO_KEYS,
            "ATELIER": service() or "",
            "ATELIER_DATA_DIR": str(self.data_dir),
            "GEMINI_API_KEY": "a-made-up-key",
            "GOOGLE_GEMINI_BASE_URL": self.base_url,
            "no_proxy": "127.0.0.1",
            "PYTHONPATH": str(CLIENT / "src"),
            **variables,
        }
        ran = subprocess.run(
            [sys.executable, str(CLIENT / "examples" / name), *map(str, arguments)],
            env=environment,
            capture_output=True,
            text=True,
            # Some of them would wait for an hour until the network is back.
            timeout=1200,
        )
        self.assertIsNone(self.simulator.poll(), "The simulator has ended; see what it wrote before.")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return ran.stdout.splitlines()

    def assert_picture(self, path: str) -> None:
        self.assertRegex(pathlib.Path(path).read_bytes()[:4], rb"\x89PNG|\xff\xd8\xff")

    def test_a_headshot_needs_neither_key_nor_network(self) -> None:
        lines = self.run_example("headshot.py", PORTRAIT, "casual", GEMINI_API_KEY="", GOOGLE_GEMINI_BASE_URL="")
        self.assertEqual(len(lines), 1)
        self.assert_picture(lines[0])

    def test_a_photo_is_edited_in_words(self) -> None:
        (line,) = self.run_example("edit.py", PORTRAIT, "dale una bufanda roja 🧣")
        self.assert_picture(line)

    def test_pictures_are_made_from_words_and_put_into_a_folder(self) -> None:
        lines = self.run_example("create.py", "a lighthouse at dusk", self.folder)
        self.assertEqual(len(set(lines)), 2)
        for line in lines:
            self.assert_picture(line)

    def test_a_hairstyle_is_tried_on_from_template_words_and_picture_and_seen_from_all_sides(self) -> None:
        lines = self.run_example(
            "hairstyle.py", PORTRAIT, "--search", "bob", "--words", "前髪あり", "--like", OTHER_PORTRAIT, "--all-sides"
        )
        self.assertEqual([line.split()[-1] for line in lines], ["front", "left", "right", "back"])
        for line in lines:
            self.assert_picture(line.split()[0])

    def test_a_result_is_refined_step_by_step_and_made_once_more(self) -> None:
        steps = ["a chin-length bob", "shorter", "add copper highlights"]
        lines = self.run_example("refine.py", PORTRAIT, *steps)
        self.assertEqual([line.split(" ", 1)[1] for line in lines], [*steps, steps[-1]])
        for line in lines:
            self.assert_picture(line.split()[0])

    def test_a_picture_can_wait_for_the_network(self) -> None:
        (line,) = self.run_example("wait.py", PORTRAIT, "a summer hat")
        self.assert_picture(line)

    def test_places_are_looked_up_in_a_list_of_the_host(self) -> None:
        lines = self.run_example("places.py", "Top coffee shops in Austin")
        self.assertEqual(
            lines,
            ["Houndstooth Coffee: 401 Congress Ave, 78701 Austin", "Epoch Coffee: 221 W North Loop Blvd, 78751 Austin"])

    def test_an_example_says_in_a_sentence_what_went_wrong(self) -> None:
        with self.assertRaises(AssertionError) as caught:
            self.run_example("edit.py", self.folder / "nothing.jpg", "a hat")
        self.assertIn("nothing.jpg", str(caught.exception))
        self.assertNotIn("Traceback", str(caught.exception))

    def test_all_of_them_are_run_here(self) -> None:
        text = pathlib.Path(__file__).read_text()
        for example in (CLIENT / "examples").glob("*.py"):
            self.assertIn(f'"{example.name}"', text)


if __name__ == "__main__":
    unittest.main()
