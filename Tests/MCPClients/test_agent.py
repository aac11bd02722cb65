"""An agent without a paid model: a function stands for the model, and makes a headshot with the tools that it is offered."""

from __future__ import annotations

import asyncio
import unittest
from pathlib import Path

from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from support import PHOTO, ServerCase


class AgentLoop(ServerCase):
    def test_an_agent_makes_a_headshot(self) -> None:
        offered: list[str] = []

        def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
            offered[:] = [tool.name for tool in info.function_tools]
            answers = [part for message in messages for part in message.parts if isinstance(part, ToolReturnPart)]
            if not answers:
                return ModelResponse(parts=[ToolCallPart("make_headshot", {"photo": PHOTO, "background": "casual"})])
            return ModelResponse(parts=[TextPart(answers[-1].model_response_str())])

        async def works() -> str:
            command, *rest = self.command()
            toolset = MCPToolset(Client(StdioTransport(command, rest, env=self.environment)))
            async with Agent(FunctionModel(model), toolsets=[toolset]) as agent:
                return (await agent.run("Make a headshot of me.")).output

        told = asyncio.run(works())
        self.assertEqual(len(offered), 12)
        self.assertIn("is saved: /", told)
        self.assertTrue(list(Path(self.environment["ATELIER_DATA_DIR"]).glob("artifacts/*/*/*.jpg")))
        self.assert_wire_is_valid()


if __name__ == "__main__":
    unittest.main()
