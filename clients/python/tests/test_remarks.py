"""What is said and asked about what was made, against the scripted peer."""

from __future__ import annotations

import os
import unittest
from typing import Any, Mapping

import atelier_studio
from atelier_studio import Atelier, Blocking

from .support import fake_peer


class RemarkTests(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        self.studio = await Atelier(fake_peer()).start()
        self.addAsyncCleanup(self.studio.close)

    async def sent(self) -> Mapping[str, Any]:
        """The params of what was asked last."""
        message: Mapping[str, Any] = (await self.studio.request("received"))[-1]
        params: Mapping[str, Any] = message["params"]
        return params

    async def test_feedback_is_kept(self) -> None:
        kept = await self.studio.feedback("gen_1", 4, "a little dark", account="ada")
        self.assertEqual(kept, atelier_studio.Feedback(4, "a little dark"))
        self.assertEqual(
            await self.sent(), {"generationId": "gen_1", "rating": 4, "text": "a little dark", "account": "ada"}
        )

    async def test_a_favorite_is_marked_and_asked_for(self) -> None:
        entry = await self.studio.annotate("gen_1", favorite=True, metadata={"album": "sea"})
        self.assertTrue(entry.favorite)
        self.assertEqual((entry.metadata, entry.parent_generation_id), ({"album": "sea"}, "gen_0"))
        await self.studio.history(favorite=True)
        self.assertEqual(await self.sent(), {"favorite": True})

    async def test_an_export_names_its_folder_from_the_root(self) -> None:
        export = await self.studio.export("somewhere")
        self.assertEqual(export.path, os.path.abspath("somewhere") + "/atelier-history-owner.jsonl")
        self.assertEqual((export.entries, export.files), (3, 4))

    async def test_sessions_and_their_steps_are_walked(self) -> None:
        sessions = [session async for session in self.studio.all_sessions(page_size=1)]
        self.assertEqual([session.session_id for session in sessions], ["gen_0", "gen_1"])
        self.assertEqual((sessions[0].steps, sessions[0].first.recipe), (2, "edit"))
        steps = [entry.generation_id async for entry in self.studio.all_steps("gen_0", page_size=1)]
        self.assertEqual(steps, ["gen_0", "gen_1"])

    async def test_statistics_are_read(self) -> None:
        statistics = await self.studio.statistics(account="*", since="2026-11-01T00:00:00Z")
        self.assertEqual(await self.sent(), {"account": "*", "since": "2026-11-01T00:00:00Z"})
        self.assertEqual((statistics.total.generations, statistics.by_recipe[0].name), (3, "edit"))
        self.assertEqual((statistics.by_day[0].day, statistics.latency.total_ms.p95), ("2026-11-02", 9))
        self.assertEqual(statistics.by_failure, ())


class BlockingRemarkTests(unittest.TestCase):
    def test_the_same_without_a_loop(self) -> None:
        with Blocking(fake_peer()) as studio:
            self.assertEqual(studio.feedback("gen_1", 5).rating, 5)
            self.assertTrue(studio.annotate("gen_1", favorite=True).favorite)
            self.assertEqual(studio.export("/tmp").path, "/tmp/atelier-history-owner.jsonl")
            self.assertEqual(len(list(studio.all_sessions())), 2)
            self.assertEqual(len(list(studio.all_steps("gen_0"))), 2)
            self.assertEqual(studio.session("gen_0", limit=1).next_cursor, "1")
            self.assertEqual(studio.sessions(limit=1).sessions[0].account, "owner")
            self.assertEqual(studio.statistics().total.cost_usd, 0.5)
