"""`chuk-mcp`, which shares no code with the official SDKs."""

from __future__ import annotations

import asyncio
import unittest

from chuk_mcp.protocol.messages.completions.send_messages import complete_prompt_argument
from chuk_mcp.protocol.messages.initialize.send_messages import send_initialize
from chuk_mcp.protocol.messages.prompts.send_messages import send_prompts_get, send_prompts_list
from chuk_mcp.protocol.messages.resources.send_messages import send_resources_list, send_resources_read
from chuk_mcp.protocol.messages.send_message import CancellationToken, CancelledError, send_message
from chuk_mcp.protocol.messages.tools.send_messages import send_tools_call, send_tools_list
from chuk_mcp.transports.stdio import stdio_client
from chuk_mcp.transports.stdio.parameters import StdioParameters

from support import LIMIT, PHOTO, ServerCase


class Independent(ServerCase):
    def test_tools_errors_resources_prompts(self) -> None:
        async def works() -> None:
            command, *rest = self.command()
            async with stdio_client(StdioParameters(command=command, args=rest, env=self.environment)) as (read, write):
                self.assertEqual((await send_initialize(read, write)).serverInfo.name, "atelier")
                self.assertEqual(len((await send_tools_list(read, write)).tools), 12)
                made = await send_tools_call(read, write, name="make_headshot", arguments={"photo": PHOTO})
                self.assertFalse(made.isError)
                wrong = await send_tools_call(read, write, name="make_headshot", arguments={"photo": "/none.jpg"})
                self.assertTrue(wrong.isError)
                resources = await send_resources_list(read, write)
                self.assertTrue(await send_resources_read(read, write, resources.resources[0].uri))
                self.assertEqual(len((await send_prompts_list(read, write)).prompts), 3)
                self.assertTrue(await send_prompts_get(read, write, "headshot", {"photo": PHOTO}))
                completed = await complete_prompt_argument(read, write, "hairstyle_try_on", "hairstyle", "bob")
                self.assertIn("jaw-length-bob", completed.values)
                for unknown in (
                    send_tools_call(read, write, name="none", arguments={}),
                    send_resources_read(read, write, "atelier://none"),
                ):
                    with self.assertRaises(Exception):
                        await unknown

        asyncio.run(asyncio.wait_for(works(), LIMIT))
        self.assert_wire_is_valid()

    def test_progress_and_a_cancelled_call(self) -> None:
        async def works() -> None:
            command, *rest = self.command()
            told: list[float] = []
            token = CancellationToken()

            async def progress(done: float, total: float | None, message: str | None) -> None:
                told.append(done)
                if len(told) > 1:
                    token.cancel()

            async with stdio_client(StdioParameters(command=command, args=rest, env=self.environment)) as (read, write):
                await send_initialize(read, write)
                self.simulator.hold()
                call = read, write, "tools/call", {"name": "create_picture", "arguments": {"prompt": "unwanted"}}
                with self.assertRaises(CancelledError):
                    await send_message(*call, cancellation_token=token, progress_callback=progress)
                self.assertEqual(told, sorted(set(told)))
                again = await self.join(lambda told: send_message(*call, progress_callback=told))
                self.assertEqual(again["structuredContent"]["state"], "succeeded")
                self.assertEqual(len(self.simulator.requests()), 1)

        asyncio.run(asyncio.wait_for(works(), LIMIT))
        self.assert_wire_is_valid()


if __name__ == "__main__":
    unittest.main()
