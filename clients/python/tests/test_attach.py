"""Generations of other processes, and pictures over the wire, against the real service."""

from __future__ import annotations

import asyncio
import hashlib
import pathlib

import atelier_studio
from atelier_studio import Blocking, Output, ResultReference

from .support import LIMITS, NO_KEYS, PORTRAIT, DataDirectoryCase, ServiceCase, needs_service, service


@needs_service
class AttachTests(ServiceCase):
    async def test_a_generation_of_another_process_is_followed_to_its_end(self) -> None:
        async with self.studio() as one, self.studio() as other:
            started = one.generate(image=PORTRAIT, output=Output(count=4))
            attached = other.attach(await started.accepted())
            seen = [progress async for progress in attached]
            self.assertEqual((await attached).images, (await started).images)
        self.assertEqual([p.sequence for p in seen], sorted({p.sequence for p in seen}))
        self.assertEqual({p.generation_id for p in seen}, {attached.generation_id})

    async def test_one_that_has_ended_is_there_at_once(self) -> None:
        async with self.studio() as studio:
            made = await studio.generate(image=PORTRAIT)
            self.assertEqual((await studio.attach(made.generation_id)).images, made.images)
            with self.assertRaises(atelier_studio.NotFound):
                await studio.attach("gen_nobody")

    async def test_a_failure_is_raised_as_by_generate(self) -> None:
        async with self.studio() as studio:
            started = studio.generate(image=PORTRAIT.parent.parent / "images" / "plain.png")
            with self.assertRaises(atelier_studio.AtelierError) as failed:
                await started
            assert failed.exception.generation_id is not None
            with self.assertRaises(atelier_studio.AtelierError) as attached:
                await studio.attach(failed.exception.generation_id)
        self.assertEqual(attached.exception.kind, failed.exception.kind)

    async def test_cancel_cancels_the_generation_and_nothing_else_does(self) -> None:
        env = self.holding_provider()
        async with self.studio(env=env) as one:
            started = one.generate("create", prompt="a lighthouse")
            generation_id = await started.accepted()
            async with self.studio(env=env) as other:
                # Neither a time limit nor the end of the connection.
                with self.assertRaises(asyncio.TimeoutError):
                    await asyncio.wait_for(other.attach(generation_id), 0.01)
                other.attach(generation_id)
            self.assertFalse(started.done)
            async with self.studio(env=env) as other:
                attached = other.attach(generation_id)
                attached.cancel()
                ended = await attached
            self.assertEqual(((await started).state, ended.state), ("cancelled", "cancelled"))


@needs_service
class ReadImageTests(ServiceCase):
    async def test_the_bytes_are_those_of_the_file(self) -> None:
        async with self.studio() as studio:
            made = await studio.generate(image=PORTRAIT)
            image = await studio.read_image(made)
            self.assertEqual(hashlib.sha256(image.data).hexdigest(), made.images[0].sha256)
            self.assertEqual((image.width, image.byte_count), (made.images[0].width, len(image.data)))
            small = await studio.read_image(ResultReference(made.generation_id), max_side=64)
            self.assertEqual((small.width, small.mime_type), (64, "image/jpeg"))
            with self.assertRaises(atelier_studio.NotFound):
                await studio.read_image(made.generation_id, 3)
            # This service has no watermark, and shows nothing without one that was asked for.
            with self.assertRaises(atelier_studio.NotFound):
                await studio.read_image(made, watermark=True)

    async def test_a_link_is_refused_where_the_operator_has_not_allowed_any(self) -> None:
        async with self.studio() as studio:
            made = await studio.generate(image=PORTRAIT)
            with self.assertRaises(atelier_studio.PermissionDenied) as refused:
                await studio.image_link(made, variant="full")
            self.assertIn("artifacts.presignedLinks", str(refused.exception.hint))


@needs_service
class BlockingTests(DataDirectoryCase):
    def test_works_without_an_event_loop(self) -> None:
        with Blocking(service(), data_dir=self.data_dir, env=NO_KEYS, **LIMITS) as studio:
            made = studio.generate(image=PORTRAIT).result()
            self.assertEqual(studio.attach(made.generation_id).result().images, made.images)
            self.assertEqual(studio.read_image(made).data, pathlib.Path(made.path).read_bytes())
