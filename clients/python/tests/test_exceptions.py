"""Whatever goes wrong is an ``AtelierError``, with a sentence."""

from __future__ import annotations

import asyncio
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import unittest
from datetime import datetime
from typing import Any, Awaitable, Callable, Dict, List, Tuple, Type
from unittest import mock

import atelier_studio
from atelier_studio import Atelier, AtelierError, Blocking, Output

from .support import CLIENT, fake_peer

CIRCLE: Dict[str, Any] = {}
CIRCLE["itself"] = CIRCLE

#: Requests that cannot be sent, each wrong in one way that a program may be.
WRONG_REQUESTS: Dict[str, Callable[[Any], Any]] = {
    "no image": lambda studio: studio.generate(image=3),
    "an open file": lambda studio: studio.generate(image=sys.stdin),
    "no list": lambda studio: studio.generate(image="a.png", references=3),
    "a text as a list": lambda studio: studio.generate(image="a.png", references="b.png"),
    "no output": lambda studio: studio.generate(output=3, metadata={"a": {1}}),
    "no directory": lambda studio: studio.generate(output=Output(directory=3)),
    "no provider": lambda studio: studio.generate(provider=3, metadata={"a": {1}}),
    "a set": lambda studio: studio.generate(metadata={"a": {1, 2}}),
    "not a number": lambda studio: studio.generate(temperature=float("nan")),
    "a circle": lambda studio: studio.generate(metadata=CIRCLE),
    "no members": lambda studio: studio.generate(extra=3),
    "half a letter": lambda studio: studio.generate("create", prompt="\ud800"),
    "nothing to regenerate": lambda studio: studio.regenerate(b"bytes"),
    "no generation": lambda studio: studio.regenerate(3),
    "a path to regenerate": lambda studio: studio.regenerate(pathlib.Path("a.png")),
    "no photo": lambda studio: studio.prepare(3),
    "no folder": lambda studio: studio.export(3),
    "before all time": lambda studio: studio.history(since=datetime.min),
    "a key of no text": lambda studio: studio.request("echo", {"a": {("b",): object()}}),
    "params in a list": lambda studio: studio.request("echo", [1, 2]),
    "no id": lambda studio: studio.generation_status(),
    "two ids": lambda studio: studio.cancel("gen_1", idempotency_key="key"),
    "an object": lambda studio: studio.account_get(object()),
}

#: Answers that are no answers to what was asked.
WRONG_ANSWERS = [
    "3", "null", "[]", '"text"', "{}", "1e999", "NaN", '{"generationId": 1e999}', '{"providers": 3}',
    '{"providers": [3]}', '{"entries": [{"createdAt": "yesterday"}]}', '{"styles": {}}', '{"timings": {"totalMs": NaN}}',
]


class ExceptionTests(unittest.IsolatedAsyncioTestCase):
    async def assert_atelier_error(self, work: Callable[[], Any], kind: Type[AtelierError] = AtelierError) -> None:
        with self.assertRaises(kind) as caught:
            made = work()
            if isinstance(made, Awaitable):
                await asyncio.wait_for(made, 30)
        self.assertIsInstance(caught.exception, AtelierError)
        self.assertRegex(str(caught.exception), r"\w+ \w+ \w+")

    async def test_a_request_that_cannot_be_sent(self) -> None:
        async with Atelier(fake_peer()) as studio:
            for name, request in WRONG_REQUESTS.items():
                with self.subTest(name):
                    await self.assert_atelier_error(lambda: request(studio), atelier_studio.InvalidRequest)
            self.assertGreater(await studio.ping(), 0)

    def test_the_same_without_a_loop(self) -> None:
        with Blocking(fake_peer()) as studio:
            for name, request in WRONG_REQUESTS.items():
                with self.subTest(name), self.assertRaises(atelier_studio.InvalidRequest):
                    made = request(studio)
                    if isinstance(made, atelier_studio.BlockingGeneration):
                        made.result()

    async def test_an_answer_that_is_none(self) -> None:
        async with Atelier(fake_peer()) as studio:
            asked = studio.request

            for text in WRONG_ANSWERS:

                async def ask(method: str, params: Any = None) -> Any:
                    return await asked("answer", {"text": text})

                with self.subTest(text), mock.patch.object(studio, "request", ask):
                    requests = [studio.status, studio.history, studio.providers, studio.styles, studio.credits_balance]
                    for request in requests:
                        await self.assert_atelier_error(request, atelier_studio.ProtocolError)

    async def test_a_line_that_is_no_message(self) -> None:
        for text in ["", "[[[", "}{", "[" * 100_000, '1,"id":[]', '1,"id":{}', "1" * 5000 + "x"]:
            with self.subTest(text[:20]):
                async with Atelier(fake_peer()) as studio:
                    await self.assert_atelier_error(lambda: studio.request("answer", {"text": text}))

    async def test_a_service_that_cannot_be_started(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            program = folder / "program"
            program.write_bytes(b"\x7fELF and then nothing")
            program.chmod(0o755)
            plain = folder / "plain"
            plain.write_text("no program")
            for executable in (
                "/nowhere", "", "a\0b", folder, plain, program, [], ["/nowhere"], 3, [3], ["/bin/sh", "a\0b"],
                "/bin/true", "/bin/false", ["/bin/echo", "hello"],
            ):
                with self.subTest(executable=executable), mock.patch.dict(os.environ, {"ATELIER": "/nowhere"}):
                    await self.assert_atelier_error(lambda: Atelier(executable).start())  # type: ignore[arg-type]

    async def test_a_service_that_is_told_what_it_cannot_be(self) -> None:
        wrong: List[Tuple[str, Any]] = [
            ("data_dir", 3), ("config", 3), ("env", 3), ("env", {"A": 3}), ("arguments", 3), ("arguments", [3]),
            ("arguments", "--log-level debug"), ("locale", {1}), ("account", object()), ("mute", [{1}]),
        ]
        for name, value in wrong:
            with self.subTest(name, value=value):
                await self.assert_atelier_error(lambda: Atelier(fake_peer(), **{name: value}).start())
        await self.assert_atelier_error(lambda: Atelier(fake_peer(), env={"A": "\0"}).start(), atelier_studio.InvalidUse)
        await self.assert_atelier_error(lambda: Atelier(fake_peer(), data_dir="\0").start(), atelier_studio.InvalidUse)

    async def test_a_working_directory_that_is_gone(self) -> None:
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        async with Atelier(fake_peer()) as studio:
            with tempfile.TemporaryDirectory() as folder:
                os.chdir(folder)
            for use in (
                lambda: studio.generate(image="a.png"),
                lambda: studio.generate(output=Output(directory="pictures")),
                lambda: studio.export("pictures"),
                lambda: Atelier(fake_peer(), data_dir="data").start(),
            ):
                await self.assert_atelier_error(use)

    async def test_no_descriptors_are_left(self) -> None:
        before = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (len(os.listdir("/proc/self/fd")), before[1]))
        try:
            await self.assert_atelier_error(lambda: Atelier(fake_peer()).start(), atelier_studio.Unavailable)
            await self.assert_atelier_error(lambda: Blocking(fake_peer()).start(), atelier_studio.Unavailable)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, before)

    async def test_no_thread_is_left(self) -> None:
        with mock.patch("threading.Thread.start", side_effect=RuntimeError("can't start new thread")):
            studio = Atelier(fake_peer())
            await self.assert_atelier_error(studio.start, atelier_studio.Unavailable)
            await self.assert_atelier_error(lambda: Blocking(fake_peer()).start(), atelier_studio.Unavailable)
        # The process that was begun does not stay behind.
        self.assertEqual(studio._connection.process._process.wait(30), -9)

    def test_a_wait_that_is_over(self) -> None:
        with Blocking(fake_peer()) as studio:
            generation = studio.generate("create", prompt="until cancelled")
            with self.assertRaises(atelier_studio.TimedOut) as caught:
                generation.result(timeout=0)
            self.assertIsInstance(caught.exception, TimeoutError)
            self.assertEqual(caught.exception.kind, "wait_timed_out")
            generation.cancel()

    def test_the_program_beside_the_package(self) -> None:
        run = subprocess.run(
            [sys.executable, "-m", "atelier_studio"],
            env={"PYTHONPATH": str(CLIENT / "src"), "ATELIER": str(CLIENT / "README.md")},
            capture_output=True, text=True,
        )
        self.assertEqual((run.returncode, run.stderr.count("\n")), (1, 1), run.stderr)


if __name__ == "__main__":
    unittest.main()
