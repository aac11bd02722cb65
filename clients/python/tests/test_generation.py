"""The life of a generation as the client shows it, against a scripted peer."""

from __future__ import annotations

import asyncio
import json
import pathlib
import unittest
from dataclasses import replace
from datetime import datetime, timezone
from typing import Any, Dict

import atelier_studio
from atelier_studio import Atelier, OriginalImage, Output, PreparedImage, ResultReference, Style

from .support import fake_peer


async def sent(studio: Atelier, **arguments: Any) -> Dict[str, Any]:
    """The params the service received for a generation called like this."""
    result = await studio.generate(**arguments)
    params: Dict[str, Any] = json.loads(result.text or "{}")
    return params


class GenerationTests(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        self.studio = Atelier(fake_peer())
        await self.studio.start()
        self.addAsyncCleanup(self.studio.close, cancel=True)

    async def test_the_result_is_awaited_and_progress_iterated(self) -> None:
        generation = self.studio.generate("create", prompt="a lighthouse")
        self.assertIsNone(generation.generation_id)
        seen = [(progress.sequence, progress.phase, progress.overall) async for progress in generation]
        self.assertEqual(seen, [(1, "preparing", 0.25), (2, "processing", 0.5)])
        result = await generation
        self.assertEqual(result.state, "succeeded")
        self.assertEqual(result.path, "/pictures/1.jpg")
        self.assertEqual(result.images[0].byte_count, 4)
        self.assertEqual(result.warnings[0].kind, "low_resolution")
        self.assertEqual(result.timings.total_ms, 2)
        self.assertEqual(generation.generation_id, result.generation_id)

    async def test_progress_can_be_watched_twice_and_late(self) -> None:
        generation = self.studio.generate("create", prompt="a lighthouse")
        await generation
        for _ in range(2):
            self.assertEqual([progress.sequence async for progress in generation], [1, 2])

    async def test_members_of_a_newer_service_are_kept(self) -> None:
        result = await self.studio.generate("create")
        self.assertEqual(result.extra["futureMember"], {"deep": [1]})
        self.assertEqual(result.images[0].extra, {"futureMember": True})

    async def test_failure_is_an_exception_with_all_that_is_known(self) -> None:
        generation = self.studio.generate("create", prompt="fail")
        self.assertEqual([progress.phase async for progress in generation], ["queued"])
        with self.assertRaises(atelier_studio.RateLimited) as caught:
            await generation
        error = caught.exception
        self.assertEqual((error.code, error.kind, error.retryable, error.retry_after), (429, "rate_limited", True, 1.5))
        self.assertEqual(error.details["limit"], 5)
        self.assertEqual(error.generation_id, generation.generation_id)
        self.assertIn("Please wait", str(error))

    async def test_overload_says_when_to_come_back(self) -> None:
        with self.assertRaises(atelier_studio.Unavailable) as caught:
            await self.studio.generate("create", prompt="overload")
        self.assertEqual((caught.exception.kind, caught.exception.retry_after), ("overloaded", 0.25))

    async def test_an_answer_that_makes_no_sense_says_where(self) -> None:
        with self.assertRaisesRegex(atelier_studio.ProtocolError, "/images/0/index"):
            await self.studio.generate("create", prompt="nonsense")

    async def test_cancel_makes_the_state_cancelled(self) -> None:
        generation = self.studio.generate("create", prompt="until cancelled")
        async for _ in generation:
            generation.cancel()
            generation.cancel()
        self.assertEqual((await generation).state, "cancelled")
        generation.cancel()
        requests = await self.studio.request("received")
        self.assertEqual(sum(each["method"] == "$/cancelRequest" for each in requests), 1)

    async def test_cancel_before_it_was_even_sent(self) -> None:
        generation = self.studio.generate("create", prompt="until cancelled")
        generation.cancel()
        self.assertEqual((await generation).state, "cancelled")

    async def test_cancelling_the_task_that_awaits_it_waits_for_the_final_answer(self) -> None:
        generation = self.studio.generate("create", prompt="until cancelled")
        await generation.accepted()

        async def use() -> None:
            await generation

        task = asyncio.create_task(use())
        await asyncio.sleep(0)
        task.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await task
        self.assertTrue(generation.done)
        self.assertEqual((await generation).state, "cancelled")

    async def test_cancelling_the_task_that_iterates_cancels_it_as_well(self) -> None:
        generation = self.studio.generate("create", prompt="until cancelled")
        first = asyncio.Event()

        async def watch() -> None:
            async for _ in generation:
                first.set()

        task = asyncio.create_task(watch())
        await first.wait()
        task.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await task
        self.assertEqual((await generation).state, "cancelled")

    async def test_a_time_limit_cancels_it(self) -> None:
        generation = self.studio.generate("create", prompt="until cancelled")
        with self.assertRaises(asyncio.TimeoutError):
            await asyncio.wait_for(generation, 0.05)
        self.assertEqual((await generation).state, "cancelled")

    async def test_shielded_it_goes_on(self) -> None:
        generation = self.studio.generate("create", prompt="until cancelled")
        with self.assertRaises(asyncio.TimeoutError):
            await asyncio.wait_for(asyncio.shield(generation), 0.05)
        self.assertFalse(generation.done)
        generation.cancel()
        self.assertEqual((await generation).state, "cancelled")

    async def test_one_generation_is_the_image_of_the_next(self) -> None:
        first = self.studio.generate("create", prompt="in a moment")
        second = self.studio.generate("edit", image=first, prompt="brighter")
        third = self.studio.generate("edit", image=ResultReference(await second.accepted(), 1), prompt="and longer")
        second_params = json.loads((await second).text or "")
        third_params = json.loads((await third).text or "")
        self.assertEqual(second_params["image"], {"generationId": (await first).generation_id})
        self.assertEqual(third_params["image"], {"generationId": (await second).generation_id, "index": 1})

    async def test_made_again_it_names_the_earlier_one_and_only_what_is_to_be_different(self) -> None:
        first = self.studio.generate("create", prompt="in a moment")
        again = self.studio.regenerate(first, output=Output(count=2), style=Style("left"), seed=7, provider=["a", "b"])
        named = (await first).generation_id
        self.assertEqual(
            json.loads((await again).text or ""),
            {
                "generationId": named,
                "style": {"angle": "left"},
                "output": {"count": 2},
                "seed": 7,
                "provider": ["a", "b"],
            },
        )
        for earlier in (await first, named, ResultReference(named, 1)):
            params = json.loads((await self.studio.regenerate(earlier)).text or "")
            self.assertEqual(params, {"generationId": named})
        detached = self.studio.regenerate(named, detach=True)
        self.assertEqual((await detached).state, "succeeded")

    async def test_what_builds_on_a_failure_fails_with_it(self) -> None:
        first = self.studio.generate("create", prompt="fail")
        with self.assertRaises(atelier_studio.RateLimited):
            await self.studio.generate("edit", image=first)
        with self.assertRaises(atelier_studio.RateLimited):
            await first

    async def test_cancelling_what_waits_for_another_leaves_the_other_alone(self) -> None:
        first = self.studio.generate("create", prompt="until cancelled")
        second = self.studio.generate("edit", image=first)
        await first.accepted()
        second.cancel()
        with self.assertRaises(atelier_studio.AtelierError) as caught:
            await second
        self.assertEqual(caught.exception.kind, "request_cancelled")
        self.assertFalse(first.done)

    async def test_leaving_the_block_finishes_what_is_in_flight(self) -> None:
        async with Atelier(fake_peer()) as studio:
            first = studio.generate("create", prompt="in a moment")
            second = studio.generate("edit", image=first)
        self.assertEqual((await second).state, "succeeded")

    async def test_leaving_the_block_by_an_exception_cancels_what_is_in_flight(self) -> None:
        with self.assertRaises(KeyError):
            async with Atelier(fake_peer()) as studio:
                generation = studio.generate("create", prompt="until cancelled")
                raise KeyError
        self.assertEqual((await generation).state, "cancelled")


class DetachedTests(unittest.IsolatedAsyncioTestCase):
    async def test_acceptance_and_end_are_two_things(self) -> None:
        async with Atelier(fake_peer()) as studio:
            ends = studio.finished()
            generation = studio.generate("create", detach=True)
            self.assertEqual(await generation.accepted(), generation.generation_id)
            self.assertEqual((await generation).state, "succeeded")
            finished = await ends.__anext__()
            self.assertEqual((finished.generation_id, finished.state), (generation.generation_id, "succeeded"))
        self.assertEqual([finished async for finished in ends], [])

    async def test_one_that_fails_fails_its_waiters(self) -> None:
        async with Atelier(fake_peer()) as studio:
            ends = studio.finished()
            with self.assertRaises(atelier_studio.InternalError) as caught:
                await studio.generate("create", prompt="fail", detach=True)
            self.assertEqual(caught.exception.kind, "provider_error")
            self.assertEqual((await ends.__anext__()).state, "failed")

    async def test_one_that_had_ended_before_answers_at_once(self) -> None:
        async with Atelier(fake_peer()) as studio:
            generation = studio.generate("create", prompt="ended before", detach=True, idempotency_key="once")
            self.assertEqual((await generation).state, "succeeded")

    async def test_its_waiters_do_not_cancel_it(self) -> None:
        async with Atelier(fake_peer()) as studio:
            generation = studio.generate("create", prompt="until cancelled", detach=True)
            await generation.accepted()
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(generation, 0.05)
            self.assertFalse(generation.done)
            generation.cancel()
            self.assertEqual((await generation).state, "cancelled")

    async def test_cancelled_before_it_was_accepted_it_is_cancelled_all_the_same(self) -> None:
        async with Atelier(fake_peer()) as studio:
            generation = studio.generate("create", prompt="until cancelled", detach=True)
            generation.cancel()
            self.assertEqual((await generation).state, "cancelled")

    async def test_leaving_the_block_does_not_wait_for_it(self) -> None:
        async with Atelier(fake_peer()) as studio:
            generation = studio.generate("create", prompt="until cancelled", detach=True)
        self.assertIsNotNone(generation.generation_id)
        with self.assertRaises(atelier_studio.ConnectionLost):
            await generation

    async def test_cancelling_by_id_after_success_is_a_conflict(self) -> None:
        async with Atelier(fake_peer()) as studio:
            result = await studio.generate("create")
            with self.assertRaises(atelier_studio.Conflict) as caught:
                await studio.cancel(result.generation_id)
            self.assertEqual(caught.exception.kind, "already_finished")


class ParameterTests(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        self.studio = Atelier(fake_peer())
        await self.studio.start()
        self.addAsyncCleanup(self.studio.close)

    async def test_only_what_was_said_is_sent(self) -> None:
        self.assertEqual(await sent(self.studio), {"recipe": "headshot"})

    async def test_every_parameter_has_its_name_on_the_wire(self) -> None:
        params = await sent(
            self.studio,
            recipe="headshot",
            image="photo.png",
            references=[pathlib.Path("/r.png")],
            prompt="p",
            style=Style(angle=0.5, background="casual"),
            template_id="t",
            output=Output(mode="single", count=2, directory="out", inline=False, aspect_ratio="1:1"),
            provider=("gemini", "ondevice"),
            model="m",
            temperature=0.5,
            seed=7,
            timeout_ms=1000,
            account="ada",
            idempotency_key="k",
            cache="bypass",
            when_offline="queue",
            wait_ms=90_000,
            private=True,
            progress=False,
            metadata={"shot_number": 1},
            extra={"newer": True},
        )
        here = pathlib.Path.cwd()
        self.assertEqual(
            params,
            {
                "recipe": "headshot",
                "image": {"path": str(here / "photo.png")},
                "references": [{"path": "/r.png"}],
                "prompt": "p",
                "style": {"angle": 0.5, "background": "casual"},
                "templateId": "t",
                "output": {
                    "mode": "single",
                    "count": 2,
                    "directory": str(here / "out"),
                    "inline": False,
                    "aspectRatio": "1:1",
                },
                "provider": ["gemini", "ondevice"],
                "model": "m",
                "temperature": 0.5,
                "seed": 7,
                "timeoutMs": 1000,
                "account": "ada",
                "idempotencyKey": "k",
                "cache": "bypass",
                "whenOffline": "queue",
                "waitMs": 90_000,
                "private": True,
                "progress": False,
                "metadata": {"shot_number": 1},
                "newer": True,
            },
        )

    async def test_images_come_in_every_form(self) -> None:
        original = OriginalImage(width=1, height=2, byte_count=3, mime_type="image/jpeg")
        moment = datetime(2026, 11, 2, tzinfo=timezone.utc)
        inline = PreparedImage(
            width=1, height=2, byte_count=3, mime_type="image/jpeg", original=original, changes=(), data=b"\xff\xd8"
        )
        prepared = replace(inline, data=None, prepared_id="pre_1", expires_at=moment)
        result = await self.studio.generate("create")
        forms = [
            (b"\xff\xd8", {"data": "/9g="}),
            (prepared, {"preparedId": "pre_1"}),
            (inline, {"data": "/9g="}),
            (result, {"generationId": result.generation_id}),
            (ResultReference("gen_9"), {"generationId": "gen_9", "index": 0}),
        ]
        for image, expected in forms:
            self.assertEqual((await sent(self.studio, image=image))["image"], expected)

    async def test_what_is_no_image_is_refused_where_it_is_written(self) -> None:
        with self.assertRaises(atelier_studio.InvalidParameters) as caught:
            self.studio.generate(image=3.5)  # type: ignore[arg-type]
        self.assertIn("float", str(caught.exception))
        self.assertIsInstance(caught.exception, ValueError)

    async def test_a_name_that_is_not_unicode_is_refused_with_advice(self) -> None:
        with self.assertRaisesRegex(atelier_studio.InvalidRequest, "renamed"):
            await self.studio.generate(image="/photos/caf\udce9.png")

    async def test_the_path_of_a_wrong_parameter_is_told(self) -> None:
        with self.assertRaises(atelier_studio.InvalidParameters) as caught:
            await self.studio.request("picky")
        self.assertEqual((caught.exception.path, caught.exception.expected), ("/method", "one of mine"))

    async def test_history_is_paged_and_walked(self) -> None:
        page = await self.studio.history(limit=3)
        self.assertEqual([entry.generation_id for entry in page.entries], ["gen_0", "gen_1", "gen_2"])
        self.assertEqual((page.next_cursor, page.totals.generations, page.current_period), ("3", 7, "2026-11"))
        self.assertEqual(page.entries[0].created_at.isoformat(), "2026-11-02T03:04:05.678000+00:00")
        self.assertEqual(page.entries[0].style, Style(0.5, "casual"))
        everything = [entry.generation_id async for entry in self.studio.all_history(page_size=3)]
        self.assertEqual(everything, [f"gen_{number}" for number in range(7)])

    async def test_a_generation_is_named_in_one_way(self) -> None:
        with self.assertRaises(ValueError):
            await self.studio.generation_status()
        with self.assertRaises(ValueError):
            await self.studio.cancel("gen_1", idempotency_key="k")
