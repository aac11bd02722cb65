"""The tasks extension with `fastmcp-tasks`, which declares it for every client once it is imported."""

from __future__ import annotations

import asyncio
import unittest

from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from fastmcp_tasks import call_tool_task

from support import PHOTO, ServerCase


class Tasks(ServerCase):
    def client(self) -> Client:
        command, *rest = self.command()
        return Client(StdioTransport(command, rest, env=self.environment))

    def test_a_task_runs_to_its_end(self) -> None:
        async def works() -> None:
            async with self.client() as client:
                made = await client.call_tool("make_headshot", {"photo": PHOTO})
                self.assertEqual(made.structured_content["state"], "succeeded")
                self.simulator.hold()
                task = await call_tool_task(client, "create_picture", {"prompt": "a lighthouse"})
                self.assertTrue(task.task_id.startswith("gen_"))
                self.assertEqual((await task.status()).status, "working")
                self.simulator.release()
                self.assertEqual((await task.result()).structured_content["generationId"], task.task_id)

        asyncio.run(works())
        self.assert_wire_is_valid()

    def test_a_task_that_fails_completes_with_an_error_and_a_cancelled_one_is_cancelled(self) -> None:
        async def works() -> None:
            async with self.client() as client:
                task = await call_tool_task(client, "create_picture", {"prompt": "blocked [[fault:finish:IMAGE_SAFETY]]"})
                while (status := await task.status()).status == "working":
                    await asyncio.sleep(0.1)
                self.assertEqual(status.status, "completed")
                self.simulator.hold()
                task = await call_tool_task(client, "create_picture", {"prompt": "unwanted"})
                await task.cancel()
                self.assertEqual((await task.status()).status, "cancelled")

        asyncio.run(works())
        self.assert_wire_is_valid()


if __name__ == "__main__":
    unittest.main()
