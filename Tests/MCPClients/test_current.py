"""`mcp` 2.3 in its three modes, and `fastmcp` with its command line."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import unittest
from pathlib import Path
from typing import Any

from fastmcp import Client as FastClient
from fastmcp.client.transports import StdioTransport
from fastmcp.exceptions import ToolError
from mcp import Client, MCPError, StdioServerParameters
from mcp.types import ElicitResult, PromptReference

from support import LIMIT, PHOTO, VERSION, ServerCase

TOOLS = {
    "make_headshot", "change_hairstyle", "edit_photo", "create_picture", "list_hairstyles", "get_generation", "show_picture",
    "make_print_sheet", "cancel_generation", "list_generations", "get_credits", "find_places",
}


class OfficialSDK(ServerCase):
    latency_ms = 300

    def client(self, mode: str, *options: str, **arguments: Any) -> Client:
        command, *rest = self.command(*options)
        return Client(StdioServerParameters(command=command, args=rest, env=self.environment), mode=mode, **arguments)

    def each_mode(self, test: Any) -> None:
        for mode in ("auto", "legacy", VERSION):
            with self.subTest(mode):
                self.log.unlink(missing_ok=True)
                asyncio.run(test(mode))
                self.assert_wire_is_valid()

    def test_everything_a_host_reads(self) -> None:
        async def reads(mode: str) -> None:
            async with self.client(mode) as client:
                self.assertEqual(client.protocol_version, "2025-11-25" if mode == "legacy" else VERSION)
                tools = (await client.list_tools()).tools
                self.assertEqual({tool.name for tool in tools}, TOOLS)
                for tool in tools:
                    self.assertIsNotNone(tool.annotations and tool.annotations.destructive_hint, tool.name)
                made = await client.call_tool("make_headshot", {"photo": PHOTO})
                self.assertFalse(made.is_error, made)
                text, preview = made.content
                picture = made.structured_content["pictures"][0]
                self.assertTrue(Path(picture["path"]).is_file())
                self.assertIn(picture["path"], text.text)
                self.assertEqual(made.structured_content["message"], text.text)
                self.assertLess(len(preview.data), 200_000)
                self.assertEqual(preview.mime_type, "image/jpeg")
                listed = (await client.list_resources()).resources
                self.assertIn(picture["uri"], [str(each.uri) for each in listed])
                read = await client.read_resource(picture["uri"])
                self.assertGreater(len(read.contents[0].blob), 100_000)
                self.assertEqual(len((await client.list_resource_templates()).resource_templates), 1)
                prompts = (await client.list_prompts()).prompts
                self.assertEqual([each.name for each in prompts], ["headshot", "hairstyle_try_on", "compare"])
                prompt = await client.get_prompt("headshot", {"photo": PHOTO})
                self.assertIn(PHOTO, prompt.messages[0].content.text)
                completed = await client.complete(
                    PromptReference(type="ref/prompt", name="hairstyle_try_on"), {"name": "hairstyle", "value": "bob"})
                self.assertIn("jaw-length-bob", completed.completion.values)
                for name, arguments in [
                    ("list_hairstyles", {"search": "bob"}), ("list_generations", {}), ("get_credits", {}),
                    ("show_picture", {"generation": made.structured_content["generationId"], "max_side": 256}),
                    ("get_generation", {"generation": made.structured_content["generationId"]}),
                ]:
                    self.assertFalse((await client.call_tool(name, arguments)).is_error, name)

        self.each_mode(reads)

    def test_progress_errors_and_unknown_things(self) -> None:
        async def works(mode: str) -> None:
            told: list[float] = []

            async def progress(done: float, total: float | None, message: str | None) -> None:
                told.append(done)

            async with self.client(mode) as client:
                made = await client.call_tool(
                    "create_picture", {"prompt": f"a lighthouse {mode}"}, progress_callback=progress)
                self.assertFalse(made.is_error, made)
                self.assertEqual(told, sorted(set(told)))
                self.assertTrue(told)
                wrong = await client.call_tool("make_headshot", {"photo": "/none.jpg"})
                self.assertTrue(wrong.is_error)
                self.assertIn("/none.jpg", wrong.content[0].text)
                for request in (
                    client.call_tool("none", {}), client.read_resource("atelier://pictures/gen_none/0"),
                    client.get_prompt("none"),
                ):
                    with self.assertRaises(MCPError):
                        await request

        self.each_mode(works)

    def test_a_timeout_and_a_cancelled_call(self) -> None:
        async def cancels(mode: str) -> None:
            async with self.client(mode) as client:
                create = "create_picture", {"prompt": f"slow {mode}"}
                self.simulator.hold()
                with self.assertRaises(MCPError):
                    await client.call_tool(*create, read_timeout_seconds=0.15)
                made = await self.join(lambda told: client.call_tool(*create, progress_callback=told))
                self.assertEqual(made.structured_content["state"], "succeeded")
                unwanted = "create_picture", {"prompt": f"unwanted {mode}"}
                self.simulator.hold()
                sent = len(self.simulator.requests())
                call = asyncio.create_task(client.call_tool(*unwanted))
                while len(self.simulator.requests()) == sent:
                    await asyncio.sleep(0.02)
                call.cancel()
                await asyncio.gather(call, return_exceptions=True)
                # It may come again: the call that was cancelled is joined.
                again = await self.join(lambda told: client.call_tool(*unwanted, progress_callback=told))
                self.assertEqual(again.structured_content["state"], "succeeded")

        before = 0
        for mode in ("auto", "legacy", VERSION):
            with self.subTest(mode):
                self.log.unlink(missing_ok=True)
                asyncio.run(asyncio.wait_for(cancels(mode), LIMIT))
                self.assert_wire_is_valid()
                # A call that is cancelled before its request is sent as a whole may be begun anew: that costs nothing.
                answered = len([each for each in self.simulator.requests() if each["state"] == "answered"])
                self.assertIn(answered - before, (1, 2))
                before = answered

    def test_a_cost_is_confirmed(self) -> None:
        async def confirms(mode: str) -> None:
            asked: list[str] = []

            async def agree(context: Any, params: Any) -> ElicitResult:
                asked.append(params.message)
                return ElicitResult(action="accept", content={"ok": True})

            async with self.client(mode, elicitation_callback=agree) as client:
                made = await client.call_tool("create_picture", {"prompt": f"four {mode}", "count": 4})
                self.assertEqual(len(made.structured_content["pictures"]), 4)
            self.assertEqual(len(asked), 1)

        self.each_mode(confirms)


class FastMCP(ServerCase):
    latency_ms = 1_500

    def test_the_library(self) -> None:
        async def works() -> None:
            command, *rest = self.command()
            async with FastClient(StdioTransport(command, rest, env=self.environment)) as client:
                self.assertEqual({tool.name for tool in await client.list_tools()}, TOOLS)
                made = await client.call_tool("make_headshot", {"photo": PHOTO, "background": "casual"})
                self.assertEqual(made.structured_content["state"], "succeeded")
                resources = await client.list_resources()
                self.assertTrue((await client.read_resource(resources[0].uri))[0].blob)
                self.assertEqual(len(await client.list_prompts()), 3)
                self.assertIn(PHOTO, (await client.get_prompt("headshot", {"photo": PHOTO})).messages[0].content.text)
                with self.assertRaisesRegex(ToolError, "/none.jpg"):
                    await client.call_tool("make_headshot", {"photo": "/none.jpg"})

                told: list[float] = []

                async def progress(done: float, total: float | None, message: str | None) -> None:
                    told.append(done)

                await client.call_tool("create_picture", {"prompt": "a lighthouse"}, progress_handler=progress)
                self.assertTrue(told)
                self.assertEqual(told, sorted(set(told)))
                unwanted = "create_picture", {"prompt": "unwanted"}
                self.simulator.hold()
                call = asyncio.create_task(client.call_tool(*unwanted))
                while len(self.simulator.requests()) < 2:
                    await asyncio.sleep(0.02)
                call.cancel()
                again = await self.join(lambda told: client.call_tool(*unwanted, progress_handler=told))
                self.assertEqual(again.structured_content["state"], "succeeded")
                self.assertEqual(len(self.simulator.requests()), 2)

        asyncio.run(asyncio.wait_for(works(), LIMIT))
        self.assert_wire_is_valid()

    def test_the_command_line(self) -> None:
        program = str(Path(sys.executable).with_name("fastmcp"))
        server = " ".join(self.command())

        def run(*arguments: str) -> Any:
            done = subprocess.run([program, *arguments], env=self.environment, capture_output=True, text=True, timeout=1200)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            return json.loads(done.stdout)

        listed = run("list", "--command", server, "--json", "--resources", "--prompts")
        self.assertEqual({tool["name"] for tool in listed["tools"]}, TOOLS)
        made = run(
            "call", "--command", server, "--target", "make_headshot", "--input-json", json.dumps({"photo": PHOTO}),
            "--json")
        self.assertIn("succeeded", json.dumps(made))


if __name__ == "__main__":
    unittest.main()
