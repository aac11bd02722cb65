"""The client and the service together: pictures are really made, on this machine, without a key or a network."""

from __future__ import annotations

import asyncio
import hashlib
import os
import pathlib
import signal
from typing import List

import atelier_studio
from atelier_studio import Blocking, GenerationResult, Output, ResultReference, Style

from .support import LIMITS, NO_KEYS, OTHER_PORTRAIT, PORTRAIT, DataDirectoryCase, ServiceCase, needs_service, service


@needs_service
class GenerateTests(ServiceCase):
    def assert_picture(self, result: GenerationResult) -> None:
        self.assertEqual(result.state, "succeeded")
        self.assertEqual(result.provider, "ondevice")
        image = result.images[0]
        file = pathlib.Path(image.path).read_bytes()
        self.assertEqual(len(file), image.byte_count)
        self.assertEqual(hashlib.sha256(file).hexdigest(), image.sha256)
        self.assertTrue(file.startswith(b"\xff\xd8\xff"))
        self.assertEqual(image.mime_type, "image/jpeg")

    async def test_a_headshot_is_made_with_progress(self) -> None:
        async with self.studio() as studio:
            generation = studio.generate(image=PORTRAIT, style=Style("front", "professional"))
            seen = [progress async for progress in generation]
            result = await generation
        self.assert_picture(result)
        self.assertEqual({progress.generation_id for progress in seen}, {result.generation_id})
        self.assertEqual([p.sequence for p in seen], sorted({p.sequence for p in seen}))
        phases = [progress.phase for progress in seen]
        self.assertIn("processing", phases)
        order = ["queued", "preparing", "uploading", "processing", "saving"]
        self.assertEqual(phases, sorted(phases, key=order.index))
        self.assertGreater(result.timings.total_ms, 0)

    async def test_the_same_again_is_answered_from_history_and_made_again_on_demand(self) -> None:
        async with self.studio() as studio:
            first = await studio.generate(image=PORTRAIT)
            cached = await studio.generate(image=PORTRAIT)
            self.assertTrue(cached.cached)
            self.assertEqual(cached.images, first.images)
            again = await studio.regenerate(first)
            self.assertFalse(again.cached)
            self.assertNotEqual(again.images[0].sha256, first.images[0].sha256)
            entry = await studio.history_entry(again.generation_id)
            self.assertEqual(entry.parent_generation_id, first.generation_id)
            self.assertEqual(entry.original_generation_id, first.generation_id)
            self.assertTrue((await studio.history_entry(cached.generation_id)).cached)
            with self.assertRaises(atelier_studio.AtelierError) as caught:
                await studio.regenerate("gen_nobody")
            self.assertEqual(caught.exception.kind, "not_found")

    async def test_copies_go_where_they_are_wanted(self) -> None:
        pictures = self.folder / "pictures"
        pictures.mkdir()
        async with self.studio() as studio:
            result = await studio.generate(image=PORTRAIT, output=Output(directory=pictures))
        self.assert_picture(result)
        self.assertEqual([file.stat().st_size for file in pictures.iterdir()], [result.images[0].byte_count])
        image = result.images[0]
        assert image.stored_path is not None
        self.assertEqual(pathlib.Path(image.path).parent, pictures.resolve())
        self.assertEqual(pathlib.Path(image.stored_path).read_bytes(), pathlib.Path(image.path).read_bytes())

    async def test_bytes_go_in_and_come_out_inline(self) -> None:
        async with self.studio() as studio:
            result = await studio.generate(
                image=PORTRAIT.read_bytes(), style=Style(background="casual"), output=Output(inline=True)
            )
        self.assert_picture(result)
        data = result.images[0].data
        assert data is not None
        # Such an answer is one line far beyond the 64 KiB asyncio's own line reader would take.
        self.assertGreater(len(data), 64 * 1024)
        self.assertEqual(hashlib.sha256(data).hexdigest(), result.images[0].sha256)

    async def test_a_prepared_photo_serves_as_the_image(self) -> None:
        async with self.studio() as studio:
            prepared = await studio.prepare(PORTRAIT)
            self.assertEqual((prepared.original.width, prepared.original.height), (512, 512))
            self.assertIsNotNone(prepared.expires_at)
            self.assert_picture(await studio.generate(image=prepared))

    async def test_a_result_serves_as_the_image_of_the_next(self) -> None:
        async with self.studio() as studio:
            first = studio.generate(image=PORTRAIT)
            second = await studio.generate(image=first, style=Style(background="casual"))
            self.assert_picture(second)
            reference = ResultReference((await first).generation_id, 0)
            self.assert_picture(await studio.generate(image=reference, cache="bypass"))

    async def test_several_are_made_at_once(self) -> None:
        async with self.studio() as studio:
            results = await asyncio.gather(
                *(studio.generate(image=photo, cache="bypass") for photo in [PORTRAIT, OTHER_PORTRAIT, PORTRAIT])
            )
        for result in results:
            self.assert_picture(result)
        self.assertEqual(len({result.generation_id for result in results}), 3)

    async def test_the_same_again_is_the_same_picture(self) -> None:
        async with self.studio() as studio:
            first = await studio.generate(image=PORTRAIT)
            again = await studio.generate(image=PORTRAIT)
            anew = await studio.generate(image=PORTRAIT, cache="bypass")
        self.assertEqual((first.cached, anew.cached), (False, False))
        self.assertEqual({each.images[0].sha256 for each in (again, anew)}, {first.images[0].sha256})

    async def test_the_same_key_is_the_same_generation(self) -> None:
        async with self.studio() as studio:
            first = await studio.generate(image=PORTRAIT, idempotency_key="portrait of ada")
            again = await studio.generate(image=PORTRAIT, idempotency_key="portrait of ada")
            self.assertEqual(again.generation_id, first.generation_id)
            status = await studio.generation_status(idempotency_key="portrait of ada")
            self.assertEqual((status.generation_id, status.state), (first.generation_id, "succeeded"))
            with self.assertRaises(atelier_studio.Conflict) as caught:
                await studio.generate(image=OTHER_PORTRAIT, idempotency_key="portrait of ada")
            self.assertEqual(caught.exception.kind, "idempotency_mismatch")

    async def test_what_cannot_be_is_refused_with_a_reason(self) -> None:
        text = self.folder / "photo.png"
        text.write_text("I am no picture")
        async with self.studio() as studio:
            with self.assertRaises(atelier_studio.InvalidImage) as unsupported:
                await studio.generate(image=text)
            self.assertEqual(unsupported.exception.kind, "unsupported_image")
            with self.assertRaises(atelier_studio.AtelierError) as missing:
                await studio.generate(image=self.folder / "nobody.png")
            self.assertGreater(missing.exception.code, 0)
            with self.assertRaises(atelier_studio.Rejected) as able:
                await studio.generate("edit", image=PORTRAIT, prompt="a red hat", provider="ondevice")
            self.assertEqual(able.exception.kind, "unsupported_by_provider")
            with self.assertRaises(atelier_studio.InvalidParameters) as wrong:
                await studio.generate(image=PORTRAIT, style=Style(angle=7))
            self.assertEqual(wrong.exception.path, "/style/angle")
            self.assertNotEqual(wrong.exception.expected, "")
            with self.assertRaises(atelier_studio.InvalidParameters) as unknown:
                await studio.generate(image=PORTRAIT, extra={"colour": "blue"})
            self.assertEqual(unknown.exception.path, "/colour")


@needs_service
class CancelTests(ServiceCase):
    async def test_cancelled_under_way_it_ends_as_cancelled(self) -> None:
        async with self.studio(env=self.holding_provider()) as studio:
            generation = studio.generate("create", prompt="a lighthouse")
            async for _ in generation:
                generation.cancel()
            result = await generation
            self.assertEqual((result.state, result.images), ("cancelled", ()))
            status = await generation.status()
            self.assertEqual(status.state, "cancelled")
            again = await studio.cancel(result.generation_id)
            self.assertEqual(again.state, "cancelled")

    async def test_a_cancelled_task_cancels_its_generation(self) -> None:
        async with self.studio(env=self.holding_provider()) as studio:
            generation = studio.generate("create", prompt="a lighthouse")

            async def use() -> GenerationResult:
                return await generation

            task = asyncio.create_task(use())
            await generation.accepted()
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            self.assertEqual((await generation).state, "cancelled")
            entry = await studio.history_entry(await generation.accepted())
            self.assertEqual(entry.state, "cancelled")

    async def test_after_success_cancelling_is_refused(self) -> None:
        async with self.studio() as studio:
            result = await studio.generate(image=PORTRAIT)
            with self.assertRaises(atelier_studio.Conflict) as caught:
                await studio.cancel(result.generation_id)
            self.assertEqual(caught.exception.kind, "already_finished")
            with self.assertRaises(atelier_studio.NotFound):
                await studio.cancel("gen_that_never_was")


@needs_service
class DetachTests(ServiceCase):
    async def test_acceptance_comes_first_and_the_end_is_told(self) -> None:
        async with self.studio() as studio:
            ends = studio.finished()
            generation = studio.generate(image=PORTRAIT, detach=True)
            generation_id = await generation.accepted()
            finished = await ends.__anext__()
            self.assertEqual((finished.generation_id, finished.state), (generation_id, "succeeded"))
            self.assertEqual((await generation).state, "succeeded")

    async def test_it_outlives_the_connection_that_started_it(self) -> None:
        async with self.studio() as studio:
            generation_id = await studio.generate(image=PORTRAIT, detach=True).accepted()
        process = studio._connection.process
        self.assertTrue(await process.wait(600), "the service did not end after its detached work")
        self.assertEqual(process.exit_status, 0)
        async with self.studio() as studio:
            status = await studio.generation_status(generation_id)
            self.assertEqual(status.state, "succeeded")
            self.assertIsNotNone(status.path_or_none)


@needs_service
class AskingTests(ServiceCase):
    async def test_the_service_introduces_itself(self) -> None:
        async with self.studio() as studio:
            self.assertEqual(studio.initialization.protocol_version, "1")
            self.assertEqual(studio.initialization.server_info.name, "atelier")
            self.assertIn("ondevice", studio.initialization.providers)
            self.assertGreater(await studio.ping(), 0)
            document = await studio.request("rpc.discover")
            self.assertIn("openrpc", document)

    async def test_status_is_of_the_service_or_of_a_generation(self) -> None:
        async with self.studio() as studio:
            result = await studio.generate(image=PORTRAIT)
            service_status = await studio.status()
            self.assertTrue(service_status.store.healthy)
            self.assertEqual(service_status.counters.succeeded, 1)
            generation = await studio.generation_status(result.generation_id)
            self.assertEqual((generation.state, generation.recipe), ("succeeded", "headshot"))
            self.assertEqual(generation.images, result.images)
            account = await studio.account_get()
            self.assertEqual((account.account, account.running), ("owner", ()))
            self.assertIsNone(account.balance.available)

    async def test_styles_and_providers_are_listed(self) -> None:
        async with self.studio() as studio:
            styles = await studio.styles()
            self.assertEqual(len(styles), 6)
            self.assertEqual({style.style.background for style in styles}, {"professional", "casual"})
            choices = await studio.headshot_choices()
            self.assertEqual(choices.styles, styles)
            self.assertEqual(
                [background.id for background in choices.backgrounds],
                ["auto", "professional", "casual", "white", "transparent", "keep", "#rrggbb"],
            )
            self.assertEqual(choices.output.formats, ("jpeg", "png", "webp"))
            providers = {provider.id: provider for provider in await studio.providers()}
            self.assertTrue(providers["ondevice"].available)
            self.assertFalse(providers["ondevice"].needs_key)

    async def test_the_library_is_listed_searched_and_read(self) -> None:
        async with self.studio() as studio:
            page = await studio.templates(limit=3)
            self.assertEqual((len(page.templates), page.problems), (3, ()))
            rest = await studio.templates(limit=100, cursor=page.next_cursor)
            self.assertIsNone(rest.next_cursor)
            self.assertGreaterEqual(len({each.id for each in page.templates + rest.templates}), 50)
            found = (await studio.templates(category="curly", search="ROUND afro")).templates
            self.assertEqual([each.id for each in found], ["rounded-afro"])
            self.assertEqual(await studio.template("rounded-afro"), found[0])
            with self.assertRaises(atelier_studio.NotFound) as caught:
                await studio.template("no-such-hair")
            self.assertEqual(caught.exception.kind, "template_not_found")

    async def test_keys_are_kept_shown_by_their_end_and_forgotten(self) -> None:
        key = "an-invented-key-9a7c"
        async with self.studio() as studio:
            self.assertFalse(any(entry.configured for entry in await studio.credentials_status()))
            stored = await studio.credentials_set("gemini", key)
            self.assertEqual((stored.provider, stored.source, stored.masked), ("gemini", "file", "…9a7c"))
            entries = {entry.provider: entry for entry in await studio.credentials_status()}
            self.assertEqual((entries["gemini"].configured, entries["gemini"].source), (True, "file"))
            self.assertEqual(entries["gemini"].environment_variables, ("GEMINI_API_KEY", "GOOGLE_API_KEY"))
            self.assertFalse(entries["openai"].configured)
            self.assertNotIn(key, repr((stored, entries)))
            with self.assertRaises(atelier_studio.CredentialsError) as caught:
                await studio.credentials_set("gemini", "two words")
            self.assertEqual(caught.exception.kind, "invalid_api_key")
            with self.assertRaises(atelier_studio.Rejected):
                await studio.credentials_set("ondevice", key)
        async with self.studio(env={**NO_KEYS, "GOOGLE_API_KEY": "another-invented-key-04d2"}) as studio:
            gemini = (await studio.credentials_status())[0]
            self.assertEqual((gemini.source, gemini.environment_variable), ("environment", "GOOGLE_API_KEY"))
            deleted = await studio.credentials_delete("gemini")
            self.assertTrue(deleted.deleted)
            self.assertEqual(deleted.environment_variable, "GOOGLE_API_KEY")
            self.assertFalse((await studio.credentials_delete("gemini")).deleted)
        async with self.studio(account="ada") as studio:
            with self.assertRaises(atelier_studio.PermissionDenied):
                await studio.credentials_status()

    async def test_history_is_walked_page_by_page_and_deleted(self) -> None:
        async with self.studio() as studio:
            made: List[str] = []
            for _ in range(5):
                result = await studio.generate(image=PORTRAIT, cache="bypass", metadata={"album": "tests"})
                made.insert(0, result.generation_id)
            walked = [entry async for entry in studio.all_history(page_size=2)]
            self.assertEqual([entry.generation_id for entry in walked], made)
            self.assertEqual(walked[0].metadata, {"album": "tests"})
            self.assertGreaterEqual(walked[0].created_at, walked[1].created_at)
            page = await studio.history(limit=2)
            self.assertEqual((len(page.entries), page.totals.generations), (2, 5))
            deletion = await studio.delete(made[0])
            self.assertEqual(deletion.deleted, 1)
            with self.assertRaises(atelier_studio.NotFound):
                await studio.history_entry(made[0])
            self.assertEqual((await studio.delete_all("owner")).deleted, 4)
            self.assertEqual([entry async for entry in studio.all_history()], [])

    async def test_a_connection_is_confined_to_its_account(self) -> None:
        async with self.studio() as studio:
            result = await studio.generate(image=PORTRAIT)
        async with self.studio(account="ada") as studio:
            with self.assertRaises(atelier_studio.NotFound):
                await studio.generation_status(result.generation_id)
            with self.assertRaises(atelier_studio.PermissionDenied):
                await studio.account_get("owner")

    async def test_a_killed_service_leaves_a_truthful_record(self) -> None:
        studio = self.studio(env=self.holding_provider())
        await studio.start()
        generation = studio.generate("create", prompt="a lighthouse")
        async for _ in generation:
            break
        generation_id = await generation.accepted()
        studio._connection.process.signal(signal.SIGKILL)
        with self.assertRaises(atelier_studio.ConnectionLost) as caught:
            await generation
        self.assertEqual(caught.exception.exit_status, -signal.SIGKILL)
        await studio.close()
        async with self.studio() as studio:
            status = await studio.generation_status(generation_id)
            self.assertEqual(status.state, "interrupted")
            assert status.error is not None
            self.assertEqual((status.error.kind, status.error.retryable), ("interrupted", True))

    async def test_a_data_directory_that_cannot_be_used_ends_in_an_error(self) -> None:
        in_the_way = self.folder / "file"
        in_the_way.write_text("not a folder")
        studio = self.studio(data_dir=in_the_way)
        with self.assertRaises(atelier_studio.AtelierError):
            async with studio:
                await studio.history()
        self.assertIsNotNone(studio._connection.process.exit_status)
        self.assertEqual(in_the_way.read_text(), "not a folder")


@needs_service
class BlockingServiceTests(DataDirectoryCase):
    def test_a_headshot_without_an_event_loop(self) -> None:
        with Blocking(service(), data_dir=self.data_dir, env=NO_KEYS, **LIMITS) as studio:
            self.assertEqual(studio.credentials_set("openai", "an-invented-key-9a7c").masked, "…9a7c")
            self.assertEqual([entry.provider for entry in studio.credentials_status() if entry.configured], ["openai"])
            self.assertTrue(studio.credentials_delete("openai").deleted)
            generation = studio.generate(image=PORTRAIT)
            self.assertIn("processing", [progress.phase for progress in generation])
            path = generation.result(timeout=600).path
            assert path is not None
            self.assertTrue(os.path.exists(path))
            self.assertEqual(len(list(studio.all_history())), 1)
