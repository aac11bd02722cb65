"""`chuk-mcp`, which shares no code with the official SDKs."""

from __future__ import annotations

import asyncio
import unittest

from chuk_mcp.protocol.messages.initialize.send_messages import send_initialize
from chuk_mcp.protocol.messages.prompts.send_messages import send_prompts_get, send_prompts_list
from chuk_mcp.protocol.messages.resources.send_messages import send_resources_list, send_resources_read
from chuk_mcp.protocol.messages.tools.send_messages import send_tools_call, send_tools_list
from chuk_mcp.transports.stdio import stdio_client
from chuk_mcp.transports.stdio.parameters import StdioParameters

from support import PHOTO, ServerCase


class Independent(ServerCase):
    def test_tools_errors_resources_prompts(self) -> None:
        async def works() -> None:
            command, *rest = self.command()
            async with stdio_client(StdioParameters(command=command, args=rest, env=self.environment)) as (read, write):
                self.assertEqual((await send_initialize(read, write)).serverInfo.name, "atelier")
                self.assertEqual(len((await send_tools_list(read, write)).tools), 10)
                made = await send_tools_call(read, write, name="make_headshot", arguments={"photo": PHOTO})
                self.assertFalse(made.isError)
                wrong = await send_tools_call(read, write, name="make_headshot", arguments={"photo": "/none.jpg"})
                self.assertTrue(wrong.isError)
                resources = await send_resources_list(read, write)
                self.assertTrue(await send_resources_read(read, write, resources.resources[0].uri))
                self.assertEqual(len((await send_prompts_list(read, write)).prompts), 3)
                self.assertTrue(await send_prompts_get(read, write, "headshot", {"photo": PHOTO}))

        asyncio.run(asyncio.wait_for(works(), 60))
        self.assert_wire_is_valid()


if __name__ == "__main__":
    unittest.main()
