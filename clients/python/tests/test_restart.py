"""A lost connection, with and without ``restart``."""

from __future__ import annotations

import asyncio
import os
import pathlib
import signal
import tempfile
import unittest
from typing import Any, List

import atelier_studio
from atelier_studio import Atelier, Blocking, ConnectionLost

from .support import fake_peer


class RestartTests(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        self.studio = await Atelier(fake_peer(), restart=True, account="ada", locale="de").start()
        self.addAsyncCleanup(self.studio.close, cancel=True)

    async def kill(self) -> int:
        """Kills the service, waits until that is known, and returns its process id."""
        process_id: int = await self.studio.request("pid")
        os.kill(process_id, signal.SIGKILL)
        await self.studio._connection.until_lost(300)
        return process_id

    async def test_the_next_request_starts_another_service_that_is_told_the_same(self) -> None:
        killed = await self.kill()
        self.assertNotEqual(await self.studio.request("pid"), killed)
        (greeting,) = [each for each in await self.studio.request("received") if each["method"] == "initialize"]
        self.assertEqual((greeting["params"]["account"], greeting["params"]["locale"]), ("ada", "de"))
        # And again.
        await self.kill()
        self.assertEqual((await self.studio.generate("create", prompt="a lighthouse")).state, "succeeded")

    async def test_what_was_in_flight_is_lost_and_not_sent_again(self) -> None:
        holding = asyncio.ensure_future(self.studio.request("hold"))
        generation = self.studio.generate("create", prompt="until cancelled")
        detached = self.studio.generate("create", prompt="until cancelled", detach=True)
        await generation.accepted()
        await detached.accepted()
        ends = self.studio.finished()
        await self.kill()
        for lost in (holding, generation, detached):
            with self.assertRaisesRegex(ConnectionLost, "SIGKILL"):
                await lost
        self.assertEqual([end async for end in ends], [])
        methods = [each["method"] for each in await self.studio.request("received")]
        self.assertEqual(methods, ["initialize"])

    async def test_many_requests_share_one_start(self) -> None:
        await self.kill()
        starts: List[Any] = await asyncio.gather(*(self.studio.request("pid") for _ in range(20)))
        self.assertEqual(len(set(starts)), 1)

    async def test_one_that_is_cancelled_does_not_end_the_start_for_the_others(self) -> None:
        await self.kill()
        first = asyncio.ensure_future(self.studio.ping())
        second = asyncio.ensure_future(self.studio.ping())
        await asyncio.sleep(0)
        first.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await first
        self.assertGreater(await second, 0)

    async def test_nonsense_in_the_middle_ends_the_service_and_the_next_request_starts_another(self) -> None:
        first = await self.studio.request("pid")
        with self.assertRaisesRegex(atelier_studio.ProtocolError, "core dumped"):
            await self.studio.request("babble")
        self.assertNotEqual(await self.studio.request("pid"), first)
        with self.assertRaises(ProcessLookupError):
            os.kill(first, 0)

    async def test_ends_are_told_after_a_restart_to_who_asks_again(self) -> None:
        await self.kill()
        ends = self.studio.finished()
        generation = self.studio.generate("create", detach=True)
        self.assertEqual((await ends.__anext__()).generation_id, await generation.accepted())

    async def begun(self) -> "asyncio.Future[float]":
        """A request that waits for a restart."""
        await self.kill()
        asking = asyncio.ensure_future(self.studio.ping())
        while self.studio._reconnecting is None:
            await asyncio.sleep(0)
        return asking

    async def test_a_close_waits_for_a_restart_and_nothing_restarts_afterwards(self) -> None:
        asking = await self.begun()
        await self.studio.close()
        self.assertGreater(await asking, 0)
        with self.assertRaises(ConnectionLost):
            await self.studio.ping()

    async def test_a_close_that_cancels_ends_a_restart(self) -> None:
        asking = await self.begun()
        await self.studio.close(cancel=True)
        with self.assertRaisesRegex(ConnectionLost, "closed"):
            await asking


class OtherRestartTests(unittest.IsolatedAsyncioTestCase):
    async def test_a_restart_that_fails_is_told_and_the_next_request_tries_again(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "atelier"
            program.symlink_to("/bin/sh")
            command = [str(program), "-c", 'exec "$@"', "sh", *fake_peer()]
            async with Atelier(command, restart=True) as studio:
                program.unlink()
                with self.assertRaises(ConnectionLost):
                    await studio.generate("create", prompt="be killed")
                for _ in range(2):
                    with self.assertRaises(atelier_studio.ExecutableNotFound):
                        await studio.ping()
                program.symlink_to("/bin/sh")
                self.assertGreater(await studio.ping(), 0)

    async def test_without_it_a_lost_connection_stays_lost(self) -> None:
        async with Atelier(fake_peer()) as studio:
            with self.assertRaises(ConnectionLost):
                await studio.generate("create", prompt="be killed")
            with self.assertRaises(ConnectionLost):
                await studio.ping()


class BlockingRestartTests(unittest.TestCase):
    def test_the_same_without_a_loop(self) -> None:
        with Blocking(fake_peer(), restart=True) as studio:
            with self.assertRaises(ConnectionLost):
                studio.generate("create", prompt="be killed").result()
            self.assertEqual(studio.generate("create", prompt="a lighthouse").result().state, "succeeded")
