"""An interrupt typed at the terminal ends what is in flight, and then the program."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import unittest

from .support import CLIENT, fake_peer

ASYNCIO = """
import asyncio, sys
from atelier_studio import Atelier

async def main():
    async with Atelier(sys.argv[1:], on_notification=lambda method, params: print(params["phase"], flush=True)) as studio:
        await studio.generate("create", prompt="until cancelled")

asyncio.run(main())
"""

BLOCKING = """
import sys
from atelier_studio import Blocking

with Blocking(sys.argv[1:], on_notification=lambda method, params: print(params["phase"], flush=True)) as studio:
    studio.generate("create", prompt="until cancelled").result()
"""


class InterruptTests(unittest.TestCase):
    def test_the_generation_is_cancelled_before_the_program_ends(self) -> None:
        for name, program in [("asyncio", ASYNCIO), ("blocking", BLOCKING)]:
            with self.subTest(name):
                host = subprocess.Popen(
                    [sys.executable, "-c", program, *fake_peer("talkative")],
                    env={**os.environ, "PYTHONPATH": str(CLIENT / "src")},
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    text=True,
                    # Whoever runs the tests in the background has it ignored, and so would this program.
                    preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
                )
                assert host.stdout is not None
                self.assertEqual(host.stdout.readline(), "processing\n")
                host.send_signal(signal.SIGINT)
                rest, errors = host.communicate(timeout=600)
                # The peer tells of every cancel it was asked for; the host was still there to hear it.
                self.assertEqual(rest, "cancel requested\n", errors)
                self.assertIn("KeyboardInterrupt", errors)
                self.assertNotIn("never retrieved", errors)
