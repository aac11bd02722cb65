"""What waits for a provider, against the scripted peer."""

from __future__ import annotations

import unittest
from datetime import datetime, timezone

from atelier_studio import Atelier, Blocking, Queue, QueueLine

from .support import fake_peer

MOMENT = datetime(2026, 11, 2, 3, 4, 5, 678000, tzinfo=timezone.utc)


class QueueTests(unittest.IsolatedAsyncioTestCase):
    async def test_the_queue_is_seen_held_back_and_let_go(self) -> None:
        async with Atelier(fake_peer()) as studio:
            queue = await studio.queue_status()
            line = QueueLine("gemini", 3, oldest_at=MOMENT, unreachable_since=MOMENT, next_probe_at=MOMENT)
            self.assertEqual(queue, Queue(3, False, (line,), next_probe_at=MOMENT))
            self.assertTrue((await studio.queue_pause("ada")).paused)
            self.assertFalse((await studio.queue_resume("ada")).paused)
            received = await studio.request("received")
            self.assertEqual([message["method"] for message in received[-2:]], ["queue/pause", "queue/resume"])
            self.assertEqual([message["params"] for message in received[-2:]], [{"account": "ada"}] * 2)


class BlockingQueueTests(unittest.TestCase):
    def test_the_same_without_a_loop(self) -> None:
        with Blocking(fake_peer()) as studio:
            self.assertEqual(studio.queue_status().waiting, 3)
            self.assertTrue(studio.queue_pause().paused)
            self.assertFalse(studio.queue_resume("ada").paused)
