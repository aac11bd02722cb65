"""What may happen between the client and the service, played by a scripted peer."""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import pathlib
import random
import shlex
import signal
import tempfile
import threading
import unittest
from typing import Any, Callable, Dict, List, Mapping, Tuple
from unittest import mock

import atelier_studio
from atelier_studio import Atelier, Blocking, Coordinate, FoundPlace, LocationQuery
from atelier_studio import studio as studio_module
from atelier_studio._process import LineSplitter, find_executable

from .support import fake_peer


class LineTests(unittest.TestCase):
    def test_lines_come_out_the_same_however_they_were_cut(self) -> None:
        for seed in range(200):
            dice = random.Random(seed)
            lines = [bytes(dice.choices(range(65, 91), k=dice.randrange(1, 40))) for _ in range(dice.randrange(1, 9))]
            text = b"".join(line + dice.choice([b"\n", b"\r\n", b"\n\n"]) for line in lines)
            if dice.random() < 0.3:
                text = text.rstrip()
            seen: List[bytes] = []
            splitter = LineSplitter(seen.append)
            position = 0
            while position < len(text):
                size = dice.randrange(1, 12)
                splitter.feed(text[position : position + size])
                position += size
            splitter.end()
            self.assertEqual(seen, lines, f"seed {seed}")


class TransportTests(unittest.IsolatedAsyncioTestCase):
    async def test_answers_arrive_whole_when_they_are_written_byte_by_byte(self) -> None:
        async with Atelier(fake_peer("bytewise")) as studio:
            self.assertEqual(await studio.request("echo", {"text": "日本語 🙂"}), {"text": "日本語 🙂"})

    async def test_a_line_may_be_far_longer_than_64_kib(self) -> None:
        async with Atelier(fake_peer()) as studio:
            answer = await studio.request("long", {"characters": 3_000_000})
            self.assertEqual(answer["data"], "é" * 3_000_000)

    async def test_answers_find_their_requests_in_whatever_order_they_come(self) -> None:
        async with Atelier(fake_peer()) as studio:
            holding = [asyncio.create_task(studio.request("hold")) for _ in range(50)]
            await asyncio.sleep(0)
            await studio.request("release")
            answers = await asyncio.gather(*holding)
            self.assertEqual(answers, sorted(answers))
            self.assertEqual(len(set(answers)), 50)

    async def test_much_can_be_written_while_the_peer_is_slow_to_read(self) -> None:
        async with Atelier(fake_peer()) as studio:
            text = "x" * 500_000
            answers = await asyncio.gather(*(studio.request("echo", {"text": text, "n": n}) for n in range(20)))
            self.assertEqual([answer["n"] for answer in answers], list(range(20)))
            self.assertTrue(all(answer["text"] == text for answer in answers))

    async def test_strange_messages_disturb_nothing(self) -> None:
        async with Atelier(fake_peer()) as studio:
            with self.assertLogs("atelier_studio", "WARNING") as logs:
                self.assertEqual(await studio.request("disturb"), "still here")
            self.assertEqual(len(logs.records), 3)

    async def test_a_request_from_the_service_is_refused_politely(self) -> None:
        async with Atelier(fake_peer()) as studio:
            await studio.request("ask")
            refusal = [each for each in await studio.request("received") if each.get("id") == "mine"]
            self.assertEqual(refusal[0]["error"]["code"], -32601)

    async def answer_to(self, studio: Atelier, request_id: str) -> Any:
        """What the client answered to a request of the service."""
        for _ in range(200):
            answers = [each for each in await studio.request("received") if each.get("id") == request_id]
            if answers:
                return answers[0]
        self.fail("There was no answer.")

    async def test_lookups_are_answered_by_a_function_of_either_kind(self) -> None:
        asked: List[LocationQuery] = []
        bar = FoundPlace("Bar", "Via Roma 1", city="Rome", coordinate=Coordinate(41.9, 12.5))

        def look_up(query: LocationQuery) -> List[FoundPlace]:
            asked.append(query)
            return [bar]

        async def look_up_later(query: LocationQuery) -> List[FoundPlace]:
            await asyncio.sleep(0)
            return look_up(query)

        for search in (look_up, look_up_later):
            async with Atelier(fake_peer(), location_search=search) as studio:
                await studio.request("look up", {"id": "a"})
                answer = await self.answer_to(studio, "a")
            place = {"name": "Bar", "streetAddress1": "Via Roma 1", "city": "Rome"}
            self.assertEqual(
                answer["result"], {"places": [{**place, "coordinate": {"latitude": 41.9, "longitude": 12.5}}]})
        self.assertEqual(asked[0].near, Coordinate(41.9, 12.5))
        self.assertEqual((asked[0].query, asked[0].generation_id), ("Bar, Rome", "gen_1"))

    async def test_a_lookup_that_fails_or_is_withdrawn_is_answered_with_an_error(self) -> None:
        async def look_up(query: LocationQuery) -> List[FoundPlace]:
            if query.query == "fail":
                raise ValueError("not my day")
            if query.query == "nonsense":
                return [FoundPlace("Bar", object())]  # type: ignore[arg-type]
            await asyncio.sleep(3600)
            return []

        async with Atelier(fake_peer(), location_search=look_up) as studio:
            with self.assertLogs("atelier_studio", "ERROR"):
                await studio.request("look up", {"id": "a", "also": {"query": "fail"}})
                self.assertEqual((await self.answer_to(studio, "a"))["error"]["code"], -32603)
            with self.assertLogs("atelier_studio", "ERROR"):
                await studio.request("look up", {"id": "n", "also": {"query": "nonsense"}})
                self.assertEqual((await self.answer_to(studio, "n"))["error"]["code"], -32603)
            await studio.request("look up", {"id": "b"})
            await studio.request("withdraw", {"id": "b"})
            self.assertEqual((await self.answer_to(studio, "b"))["error"]["code"], -32800)
            await studio.request("look up", {"id": "c"})

    async def test_every_notification_can_be_heard(self) -> None:
        heard: List[str] = []
        async with Atelier(fake_peer(), on_notification=lambda method, params: heard.append(method)) as studio:
            await studio.generate("create", prompt="a lighthouse")
        self.assertEqual(heard, ["generation/progress"] * 3)

    async def test_a_listener_that_fails_costs_no_answer(self) -> None:
        def fail(method: str, params: Any) -> None:
            raise ValueError("not my day")

        async with Atelier(fake_peer(), on_notification=fail) as studio:
            with self.assertLogs("atelier_studio", "ERROR"):
                result = await studio.generate("create", prompt="a lighthouse")
        self.assertEqual(result.state, "succeeded")

    async def test_cancelling_a_request_withdraws_it(self) -> None:
        async with Atelier(fake_peer()) as studio:
            holding = asyncio.create_task(studio.request("hold"))
            await studio.ping()
            holding.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await holding
            messages = await studio.request("received")
            held = next(each["id"] for each in messages if each["method"] == "hold")
            self.assertEqual(messages[-1], {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": held}})


class ProcessTests(unittest.IsolatedAsyncioTestCase):
    async def test_the_greeting_tells_who_asks(self) -> None:
        async with Atelier(fake_peer(), account="ada", client_name="test", mute=["provider/changed"]) as studio:
            greeting = (await studio.request("received"))[0]
            self.assertEqual(greeting["params"]["account"], "ada")
            self.assertEqual(greeting["params"]["clientInfo"]["name"], "test")
            self.assertEqual(greeting["params"]["capabilities"], {"mute": ["provider/changed"]})
            self.assertEqual(studio.initialization.limits.max_message_bytes, 1 << 20)

    async def test_the_options_of_the_service_have_arguments_of_their_own(self) -> None:
        studio = Atelier(
            fake_peer(), data_dir=pathlib.Path("data"), config="c.json", confined=True, multi_account=True,
            arguments=["--log-level", "debug"],
        )
        async with studio:
            self.assertEqual(
                await studio.request("arguments"),
                ["serve", "--data-dir", os.path.abspath("data"), "--config", os.path.abspath("c.json"), "--confined",
                 "--multi-account", "--log-level", "debug"],
            )
            (greeting,) = [each for each in await studio.request("received") if each["method"] == "initialize"]
            self.assertNotIn("locale", greeting["params"])
        async with Atelier(fake_peer(), trusted=True, locale="es-MX,es;q=0.9") as studio:
            self.assertEqual(await studio.request("arguments"), ["serve", "--trusted"])
            (greeting,) = [each for each in await studio.request("received") if each["method"] == "initialize"]
            self.assertEqual(greeting["params"]["locale"], "es-MX,es;q=0.9")

    def test_both_clients_take_the_same_arguments(self) -> None:
        self.assertEqual(inspect.signature(Atelier.__init__), inspect.signature(Blocking.__init__))

    async def test_only_a_program_on_this_machine_is_told_the_process_to_watch(self) -> None:
        command = fake_peer()
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "peer"
            program.write_text("#!/bin/sh\nexec " + " ".join(shlex.quote(part) for part in command) + ' "$@"\n')
            program.chmod(0o755)
            with mock.patch.dict(os.environ, {"ATELIER": str(program)}):
                for executable, told in [(command, None), (program, os.getpid()), (None, os.getpid())]:
                    async with Atelier(executable) as studio:
                        greeting = (await studio.request("received"))[0]
                        self.assertEqual(greeting["params"].get("processId"), told, executable)

    async def test_a_service_that_does_not_start_says_why(self) -> None:
        with self.assertRaises(atelier_studio.ConnectionLost) as caught:
            await Atelier(fake_peer("refuses")).start()
        self.assertEqual(caught.exception.exit_status, 3)
        self.assertIn("Choose another with --data-dir", str(caught.exception))

    async def test_a_service_that_dies_ends_every_wait(self) -> None:
        async with Atelier(fake_peer()) as studio:
            holding = asyncio.create_task(studio.request("hold"))
            generation = studio.generate("create", prompt="die")
            phases = [progress.phase async for progress in generation]
            with self.assertRaises(atelier_studio.ConnectionLost) as caught:
                await generation
            self.assertEqual(phases, ["processing"])
            self.assertEqual(caught.exception.exit_status, 7)
            self.assertEqual(caught.exception.log, "the disk is on fire")
            with self.assertRaises(atelier_studio.ConnectionLost):
                await holding
            with self.assertRaises(atelier_studio.ConnectionLost):
                await studio.ping()

    async def test_a_killed_service_is_told_from_one_that_ended(self) -> None:
        async with Atelier(fake_peer()) as studio:
            with self.assertRaises(atelier_studio.ConnectionLost) as caught:
                await studio.generate("create", prompt="be killed")
        self.assertIn("SIGKILL", str(caught.exception))

    async def test_a_banner_before_the_protocol_is_a_clear_error(self) -> None:
        with self.assertRaises(atelier_studio.ProtocolError) as caught:
            await Atelier(fake_peer("banner")).start()
        self.assertIn("Welcome to the machine", str(caught.exception))

    async def test_a_service_that_never_answers_is_given_up(self) -> None:
        with self.assertRaises(atelier_studio.ConnectionLost):
            await Atelier(fake_peer("silent"), start_timeout=0.2).start()

    async def test_a_service_that_does_not_end_is_ended(self) -> None:
        studio = Atelier(fake_peer("stubborn"), close_timeout=0.2)
        with mock.patch.object(studio_module, "TERMINATION_SECONDS", 0.2):
            async with studio:
                await studio.ping()
        self.assertTrue(await studio._connection.process.wait(60))
        self.assertEqual(studio._connection.process.exit_status, -9)

    async def test_a_service_that_hangs_is_ended_whatever_it_still_owed(self) -> None:
        studio = await Atelier(fake_peer(), close_timeout=0.2).start()
        generation = studio.generate("create", prompt="until cancelled")
        await generation.accepted()
        studio._connection.process.signal(signal.SIGSTOP)
        with mock.patch.object(studio_module, "TERMINATION_SECONDS", 0.2):
            await studio.close(cancel=True)
        self.assertTrue(await studio._connection.process.wait(60))
        self.assertEqual(studio._connection.process.exit_status, -9)

    async def test_the_service_ends_with_the_block(self) -> None:
        async with Atelier(fake_peer()) as studio:
            await studio.ping()
        self.assertEqual(studio._connection.process.exit_status, 0)
        await studio.close()
        with self.assertRaises(atelier_studio.ConnectionLost):
            await studio.ping()

    async def test_a_start_that_is_cancelled_leaves_no_process(self) -> None:
        for steps in range(8):
            studio = Atelier(fake_peer())
            starting = asyncio.ensure_future(studio.start())
            for _ in range(steps):
                await asyncio.sleep(0)
            starting.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await starting
            process = getattr(studio._connection.process, "_process", None)
            if process is not None:
                self.assertIsNotNone(await asyncio.get_running_loop().run_in_executor(None, process.wait))

    async def test_a_missing_executable_is_named(self) -> None:
        with self.assertRaises(atelier_studio.ExecutableNotFound) as caught:
            await Atelier("/nowhere/atelier").start()
        self.assertIn("/nowhere/atelier", str(caught.exception))
        self.assertIsInstance(caught.exception, FileNotFoundError)

    async def test_the_environment_names_the_executable(self) -> None:
        with mock.patch.dict(os.environ, {"ATELIER": "/nowhere/else"}):
            with self.assertRaisesRegex(atelier_studio.ExecutableNotFound, "/nowhere/else"):
                await Atelier().start()

    async def test_the_installed_executable_comes_before_the_path(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            installed = pathlib.Path(folder) / "atelier"
            installed.write_text("#!/bin/sh\n")
            installed.chmod(0o755)
            with mock.patch.dict(os.environ, {"ATELIER": "", "PATH": "/nowhere"}):
                with mock.patch("sysconfig.get_path", return_value=folder):
                    self.assertEqual(find_executable(None), [str(installed)])
                with mock.patch("sysconfig.get_path", return_value="/nowhere"):
                    with self.assertRaises(atelier_studio.ExecutableNotFound):
                        find_executable(None)

    async def test_an_option_that_does_not_exist_is_refused_as_python_refuses_an_argument(self) -> None:
        async with Atelier(fake_peer()) as studio:
            for call in (studio.generate, studio.credits_estimate):
                with self.assertRaisesRegex(TypeError, "unexpected keyword argument 'promt'"):
                    await call("create", promt="a lighthouse")  # type: ignore[call-arg]
            with self.assertRaisesRegex(TypeError, "unexpected keyword argument 'cache'"):
                studio.regenerate("gen_1", cache="bypass")  # type: ignore[call-arg]

    def test_the_signature_of_a_method_shows_its_options_and_what_is_left_out_is_left_to_the_service(self) -> None:
        for method, options in [
            (Atelier.generate, atelier_studio.GenerateOptions),
            (Atelier.credits_estimate, atelier_studio.GenerateOptions),
            (Atelier.regenerate, atelier_studio.RegenerateOptions),
        ]:
            named = list(inspect.signature(method).parameters.values())[2:]
            self.assertEqual([each.name for each in named], list(options.__annotations__))
            self.assertEqual({(each.kind, each.default) for each in named}, {(inspect.Parameter.KEYWORD_ONLY, None)})

    async def test_options_are_one_value_for_an_estimate_and_the_generation(self) -> None:
        options: atelier_studio.GenerateOptions = {
            "prompt": "a lighthouse",
            "provider": ("gemini", "openai"),
            "timeout_ms": 5000,
            "seed": None,
            "extra": {"newer": 1},
        }
        async with Atelier(fake_peer()) as studio:
            sent = json.loads((await studio.generate("create", **options)).text or "")
        self.assertEqual(
            sent,
            {
                "recipe": "create",
                "prompt": "a lighthouse",
                "provider": ["gemini", "openai"],
                "timeoutMs": 5000,
                "newer": 1,
            },
        )

    async def test_nothing_works_before_it_is_started(self) -> None:
        studio = Atelier(fake_peer())
        with self.assertRaisesRegex(atelier_studio.InvalidUse, "not been started"):
            studio.generate("create")
        with self.assertRaisesRegex(atelier_studio.InvalidUse, "not been started"):
            await studio.ping()
        with self.assertRaisesRegex(atelier_studio.InvalidUse, "not been started"):
            studio.initialization

    async def test_a_request_that_is_too_large_never_leaves(self) -> None:
        async with Atelier(fake_peer()) as studio:
            with self.assertRaisesRegex(atelier_studio.InvalidRequest, "by path"):
                await studio.generate("edit", image=b"\0" * (1 << 20))
            self.assertGreater(await studio.ping(), 0)


class BlockingTests(unittest.TestCase):
    def test_every_method_has_one_that_waits_with_the_same_signature_and_docstring(self) -> None:
        for name, method in inspect.getmembers(Atelier, inspect.isfunction):
            if name.startswith("_") or name in ("start", "close", "finished"):
                continue
            waits = getattr(Blocking, name)
            self.assertFalse(inspect.iscoroutinefunction(waits) or inspect.isasyncgenfunction(waits), name)
            self.assertEqual((waits.__name__, waits.__doc__), (name, method.__doc__))
            signature, original = inspect.signature(waits), inspect.signature(method)
            self.assertEqual(signature.parameters, original.parameters, name)
            self.assertNotRegex(str(signature.return_annotation), "Async|Coroutine|^Generation$", name)

    def test_a_generation_under_way_is_an_image_and_one_of_several(self) -> None:
        with Blocking(fake_peer()) as studio:
            first = studio.generate("create", prompt="in a moment")
            second = studio.generate("edit", image=first, references=[first, "/r.png"])
            named = {"generationId": first.accepted()}
            params = json.loads(second.result().text or "")
            self.assertEqual((params["image"], params["references"]), (named, [named, {"path": "/r.png"}]))

    def test_threads_may_close_it_at_the_same_time(self) -> None:
        for _ in range(5):
            studio = Blocking(fake_peer()).start()
            failures: List[BaseException] = []

            def close() -> None:
                try:
                    studio.close()
                except BaseException as error:
                    failures.append(error)

            threads = [threading.Thread(target=close, daemon=True) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(30)
                self.assertFalse(thread.is_alive())
            self.assertEqual(failures, [])
            with self.assertRaisesRegex(RuntimeError, "closed"):
                studio.ping()

    def test_a_callback_that_leaves_the_program_ends_every_wait(self) -> None:
        def leave(method: str, params: Mapping[str, Any]) -> None:
            raise SystemExit(3)

        with mock.patch("threading.excepthook"):
            with Blocking(fake_peer(), on_notification=leave) as studio:
                with self.assertRaisesRegex(RuntimeError, "closed"):
                    studio.generate("create", prompt="a lighthouse").result()

    def test_the_ends_end_where_the_connection_was_lost_before(self) -> None:
        with Blocking(fake_peer()) as studio:
            with self.assertRaises(atelier_studio.ConnectionLost):
                studio.generate("create", prompt="be killed").result()
            self.assertEqual(list(studio.finished()), [])

    def test_used_in_its_own_callback_it_raises_instead_of_waiting_for_itself(self) -> None:
        generations: List[Any] = []
        uses: List[Tuple[str, Callable[[], Any]]] = []
        raised: Dict[str, str] = {}

        def hear(method: str, params: Mapping[str, Any]) -> None:
            for name, use in uses:
                try:
                    use()
                except RuntimeError as error:
                    raised[name] = str(error)

        with Blocking(fake_peer(), on_notification=hear) as studio:
            uses += [
                ("ping", studio.ping),
                ("request", lambda: studio.request("received")),
                ("generate", lambda: studio.generate("create", prompt="again")),
                ("close", studio.close),
                ("finished", lambda: next(iter(studio.finished()))),
                ("result", lambda: [each.result() for each in generations]),
                ("cancel", lambda: [each.cancel() for each in generations]),
                ("progress", lambda: [next(iter(each)) for each in generations]),
            ]
            generations.append(studio.generate("create", prompt="until cancelled"))
            # Whatever is heard of this one finds the other one there.
            self.assertEqual(studio.generate("create", prompt="a lighthouse").result().state, "succeeded")
            generations[0].cancel()
            self.assertEqual(generations[0].result().state, "cancelled")
        self.assertEqual({name for name, _ in uses} - set(raised), set())
        for sentence in raised.values():
            self.assertIn("callback", sentence)

    def test_the_blocking_client_needs_no_loop(self) -> None:
        with Blocking(fake_peer()) as studio:
            generation = studio.generate("create", prompt="a lighthouse")
            self.assertEqual([progress.sequence for progress in generation], [1, 2])
            self.assertEqual(generation.result(timeout=300).state, "succeeded")
            self.assertEqual(len(list(studio.all_history(page_size=3))), 7)
            self.assertTrue(generation.done)
        with self.assertRaises(RuntimeError):
            studio.ping()

    def test_waiting_with_a_limit_leaves_the_generation_alone(self) -> None:
        with Blocking(fake_peer()) as studio:
            generation = studio.generate("create", prompt="until cancelled")
            with self.assertRaises(TimeoutError):
                generation.result(timeout=0.01)
            self.assertFalse(generation.done)
            generation.cancel()
            self.assertEqual(generation.result(timeout=300).state, "cancelled")

    def test_detached_ends_are_told(self) -> None:
        with Blocking(fake_peer()) as studio:
            ends = studio.finished()
            generation = studio.generate("create", detach=True)
            self.assertEqual(next(ends).generation_id, generation.accepted())

    def test_an_exception_in_the_block_cancels_what_is_in_flight(self) -> None:
        with self.assertRaisesRegex(ValueError, "changed my mind"):
            with Blocking(fake_peer()) as studio:
                generation = studio.generate("create", prompt="until cancelled")
                raise ValueError("changed my mind")
        self.assertTrue(generation.done)

    def test_a_failed_start_is_told_and_leaves_nothing_running(self) -> None:
        with self.assertRaises(atelier_studio.ConnectionLost):
            with Blocking(fake_peer("refuses")):
                self.fail("started")
