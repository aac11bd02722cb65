"""`mcp` 1.30, which begins with `initialize`."""

from __future__ import annotations

import asyncio
import unittest
from datetime import timedelta
from typing import Any

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.shared.exceptions import McpError
from mcp.types import CancelledNotification, CancelledNotificationParams, ClientNotification, ElicitResult, PromptReference

from support import LIMIT, PHOTO, ServerCase


class Session(ServerCase):
    latency_ms = 300

    def run_session(self, test: Any, **arguments: Any) -> None:
        async def main() -> None:
            command, *rest = self.command()
            async with stdio_client(StdioServerParameters(command=command, args=rest, env=self.environment)) as streams:
                async with ClientSession(*streams, **arguments) as session:
                    self.assertEqual((await session.initialize()).protocolVersion, "2025-11-25")
                    await test(session)

        asyncio.run(asyncio.wait_for(main(), LIMIT))
        self.assert_wire_is_valid()

    def test_tools_progress_errors_resources_prompts(self) -> None:
        async def works(session: ClientSession) -> None:
            told: list[float] = []

            async def progress(done: float, total: float | None, message: str | None) -> None:
                told.append(done)

            self.assertEqual(len((await session.list_tools()).tools), 12)
            made = await session.call_tool("make_headshot", {"photo": PHOTO}, progress_callback=progress)
            self.assertEqual([each.type for each in made.content], ["text", "image"])
            self.assertEqual(told, sorted(set(told)))
            self.assertTrue((await session.call_tool("make_headshot", {"photo": "/none.jpg"})).isError)
            with self.assertRaises(McpError):
                await session.read_resource("atelier://pictures/gen_none/0")
            self.assertTrue((await session.read_resource(made.structuredContent["pictures"][0]["uri"])).contents[0].blob)
            self.assertEqual(len((await session.list_resource_templates()).resourceTemplates), 1)
            self.assertEqual(len((await session.list_prompts()).prompts), 3)
            self.assertIn(PHOTO, (await session.get_prompt("headshot", {"photo": PHOTO})).messages[0].content.text)
            completed = await session.complete(
                PromptReference(type="ref/prompt", name="hairstyle_try_on"), {"name": "hairstyle", "value": "bob"})
            self.assertTrue(completed.completion.values)
            await session.send_ping()

        self.run_session(works)

    def test_a_timeout_and_a_cancelled_call(self) -> None:
        async def works(session: ClientSession) -> None:
            create = "create_picture", {"prompt": "slow"}
            self.simulator.hold()
            with self.assertRaises(McpError):
                await session.call_tool(*create, read_timeout_seconds=timedelta(seconds=0.2))
            made = await self.join(lambda told: session.call_tool(*create, progress_callback=told))
            self.assertEqual(made.structuredContent["state"], "succeeded")
            self.assertEqual(len(self.simulator.requests()), 1)
            self.simulator.hold()
            unwanted = "create_picture", {"prompt": "unwanted"}
            call = asyncio.create_task(session.call_tool(*unwanted))
            while len(self.simulator.requests()) < 2:
                await asyncio.sleep(0.02)
            # This SDK sends no cancellation by itself. Its last request is the call.
            params = CancelledNotificationParams(requestId=session._request_id - 1, reason="the person pressed Esc")
            await session.send_notification(
                ClientNotification(CancelledNotification(method="notifications/cancelled", params=params)))
            again = await self.join(lambda told: session.call_tool(*unwanted, progress_callback=told))
            self.assertEqual(again.structuredContent["state"], "succeeded")
            self.assertEqual(len(self.simulator.requests()), 2)
            self.assertFalse(call.done())
            call.cancel()

        self.run_session(works)

    def test_a_cost_is_confirmed_or_declined(self) -> None:
        async def decline(context: Any, params: Any) -> ElicitResult:
            return ElicitResult(action="decline")

        async def works(session: ClientSession) -> None:
            made = await session.call_tool("create_picture", {"prompt": "four", "count": 4})
            self.assertTrue(made.isError)
            self.assertEqual(self.simulator.requests(), [])

        self.run_session(works, elicitation_callback=decline)


if __name__ == "__main__":
    unittest.main()
