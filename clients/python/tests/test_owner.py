"""What belongs to one event loop and one process says so elsewhere, instead of waiting for ever."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
import unittest
import warnings
from typing import Any, Awaitable, Callable, Dict, List

from atelier_studio import Atelier, Blocking, Generation, InvalidUse

from .support import CLIENT, fake_peer

#: Every way to use a service and a generation that runs. Each must raise in another loop.
USES: Dict[str, Callable[[Atelier, Generation], Any]] = {
    "request": lambda studio, generation: studio.ping(),
    "generate": lambda studio, generation: studio.generate("create"),
    "regenerate": lambda studio, generation: studio.regenerate("gen_1"),
    "attach": lambda studio, generation: studio.attach("gen_1"),
    "estimate": lambda studio, generation: studio.credits_estimate("create"),
    "prepare": lambda studio, generation: studio.prepare(b""),
    "history": lambda studio, generation: studio.all_history().__anext__(),
    "finished": lambda studio, generation: studio.finished(),
    "close": lambda studio, generation: studio.close(),
    "await": lambda studio, generation: generation.__await__(),
    "progress": lambda studio, generation: generation.__aiter__().__anext__(),
    "accepted": lambda studio, generation: generation.accepted(),
    "status": lambda studio, generation: generation.status(),
    "cancel": lambda studio, generation: generation.cancel(),
}


def in_another_thread(work: Callable[[], Any]) -> Any:
    """What ``work`` returns or raises in a thread of its own, which has no loop."""
    ends: List[Any] = []

    def run() -> None:
        try:
            ends.append(work())
        except BaseException as error:
            ends.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(30)
    return ends[0] if ends else "it waits"


class LoopTests(unittest.IsolatedAsyncioTestCase):
    async def test_every_use_in_another_loop_raises(self) -> None:
        async with Atelier(fake_peer()) as studio:
            generation = studio.generate("create", prompt="until cancelled")
            stream = studio.finished()
            await generation.accepted()

            async def use(name: str) -> Any:
                used = (lambda *_: stream.__anext__())() if name == "stream" else USES[name](studio, generation)
                return await used if isinstance(used, Awaitable) else used

            for name in [*USES, "stream"]:
                with self.subTest(name):
                    raised = in_another_thread(lambda: asyncio.run(asyncio.wait_for(use(name), 20)))
                    self.assertIsInstance(raised, InvalidUse, raised)
                    self.assertIn("another event loop", str(raised))
            # Nothing of that disturbed the loop to which they belong.
            generation.cancel()
            self.assertEqual((await generation).state, "cancelled")

    async def test_a_use_outside_of_any_loop_raises(self) -> None:
        async with Atelier(fake_peer()) as studio:
            generation = studio.generate("create", prompt="until cancelled")
            for use in (lambda: studio.generate("create"), studio.finished, generation.cancel):
                raised = in_another_thread(use)
                self.assertIsInstance(raised, InvalidUse, raised)
                self.assertIn("no loop runs here", str(raised))
            generation.cancel()

    async def test_a_generation_of_another_loop_is_no_image(self) -> None:
        with Blocking(fake_peer()) as other:
            running = other.generate("create", prompt="until cancelled")._generation
            async with Atelier(fake_peer()) as studio:
                for use in (
                    lambda: studio.generate("edit", image=running),
                    lambda: studio.generate("edit", references=[running]),
                    lambda: studio.regenerate(running),
                ):
                    with self.assertRaises(InvalidUse):
                        use()
                with self.assertRaises(InvalidUse):
                    await asyncio.wait_for(studio.prepare(running), 20)
            other.close(cancel=True)

    async def test_what_has_ended_can_be_asked_for_in_every_loop(self) -> None:
        async with Atelier(fake_peer()) as studio:
            generation = studio.generate("create", prompt="a lighthouse")
            result = await generation

            async def ask() -> Any:
                generation.cancel()
                return await generation, [progress.sequence async for progress in generation]

            self.assertEqual(in_another_thread(lambda: asyncio.run(ask())), (result, [1, 2]))


class TwoRunsTests(unittest.TestCase):
    def test_a_service_of_an_ended_loop_raises_and_can_be_closed(self) -> None:
        studio = Atelier(fake_peer())

        async def start() -> None:
            await studio.start()

        asyncio.run(start())
        with self.assertRaisesRegex(InvalidUse, "another event loop"):
            asyncio.run(asyncio.wait_for(studio.ping(), 20))
        with warnings.catch_warnings():
            # The transports were left open by the loop that ended.
            warnings.simplefilter("ignore", ResourceWarning)
            asyncio.run(studio.close())
        # Without its input it ends by itself.
        self.assertEqual(studio._connection.process._process.wait(30), 0)

    def test_an_unstarted_one_may_be_started_in_any_loop(self) -> None:
        studio = Atelier(fake_peer())

        async def run() -> float:
            async with studio:
                return await studio.ping()

        self.assertGreater(asyncio.run(run()), 0)
        with self.assertRaisesRegex(InvalidUse, "started already"):
            asyncio.run(run())


BLOCKING_FORK = """
import os, sys
from atelier_studio import Blocking, InvalidUse

with Blocking(sys.argv[1:]) as studio:
    generation = studio.generate("create", prompt="until cancelled")
    generation.accepted()
    child = os.fork()
    if child == 0:
        uses = [studio.ping, lambda: studio.generate("create"), generation.result, generation.cancel,
                lambda: next(generation.__iter__()), lambda: next(studio.finished()), lambda: next(studio.all_history())]
        for use in uses:
            try:
                use()
            except InvalidUse as error:
                assert f"process {os.getppid()}" in str(error), error
            else:
                sys.exit("a use did not raise")
        # Leaves the block as well, which is none of its business.
        sys.exit(0)
    assert os.waitpid(child, 0)[1] == 0
    generation.cancel()
    print(generation.result().state)
"""

ASYNCIO_FORK = """
import asyncio, os, sys
from atelier_studio import Atelier, InvalidUse

async def use(studio):
    try:
        await asyncio.wait_for(studio.ping(), 20)
    except InvalidUse as error:
        assert f"process {os.getppid()}" in str(error), error
        await studio.close()
        return
    sys.exit("the use did not raise")

async def main():
    async with Atelier(sys.argv[1:]) as studio:
        child = os.fork()
        if child == 0:
            asyncio.run(use(studio))
            os._exit(0)
        # In a thread: this loop goes on meanwhile, and the child must not disturb it.
        status = await asyncio.get_running_loop().run_in_executor(None, os.waitpid, child, 0)
        assert status[1] == 0
        print((await studio.generate("create", prompt="a lighthouse")).state)

asyncio.run(main())
"""

MULTIPROCESSING = """
import multiprocessing, sys
from atelier_studio import Blocking, InvalidUse

studio = None

def inherited(_):
    try:
        studio.ping()
    except InvalidUse:
        return "raised"

def own(_):
    with Blocking(sys.argv[1:]) as mine:
        return mine.generate("create", prompt="a lighthouse").result().state

with Blocking(sys.argv[1:]) as studio:
    with multiprocessing.get_context("fork").Pool(2) as pool:
        print(set(pool.map(inherited, range(4))) | set(pool.map(own, range(2))))
"""

#: The child lives until it is killed, and has inherited the pipes.
HELD_PIPES = """
import os, signal, subprocess, sys
from atelier_studio import Blocking

studio = Blocking(sys.argv[1:]).start()
child = os.fork()
if child == 0:
    signal.pause()
process = studio._studio._connection.process
studio._thread.loop.call_soon_threadsafe(process.close_input)
try:
    print(process._process.wait(200))
except subprocess.TimeoutExpired:
    print("still running")
    process._process.kill()
os.kill(child, 9)
"""


class ForkTests(unittest.TestCase):
    def run_program(self, program: str) -> str:
        command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", program, *fake_peer()]
        run = subprocess.run(
            command,
            env={**os.environ, "PYTHONPATH": str(CLIENT / "src")},
            capture_output=True,
            text=True,
            timeout=600,
        )
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        return run.stdout.strip()

    def test_a_forked_process_is_told_that_the_service_is_not_its_own(self) -> None:
        self.assertEqual(self.run_program(BLOCKING_FORK), "cancelled")
        self.assertEqual(self.run_program(ASYNCIO_FORK), "succeeded")

    def test_each_worker_of_a_pool_may_have_its_own(self) -> None:
        self.assertIn(self.run_program(MULTIPROCESSING), ["{'raised', 'succeeded'}", "{'succeeded', 'raised'}"])

    def test_a_forked_process_does_not_keep_the_service_from_seeing_the_end_of_its_input(self) -> None:
        self.assertEqual(self.run_program(HELD_PIPES), "0")


if __name__ == "__main__":
    unittest.main()
