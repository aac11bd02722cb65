"""One adapter for each framework: how it calls a tool of a server, and what it then hands to its model.

Each yields a function that calls a tool. The function returns what goes to the model, raises `Refused` where the model is
told of a failure, and lets through what the framework raises.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any, AsyncIterator, Awaitable, Callable

from observe import Refused

Call = Callable[[str, dict[str, Any]], Awaitable[Any]]


@dataclass
class Server:
    """How the server is started."""

    command: str
    arguments: list[str]
    environment: dict[str, str]


@dataclass
class Framework:
    name: str
    requirements: list[str]
    connect: Callable[[Server], AbstractAsyncContextManager[Call]]


ALL: dict[str, Framework] = {}


def framework(name: str, *requirements: str) -> Callable[[Callable[[Server], AsyncIterator[Call]]], None]:
    """Lists an adapter, with the packages of PyPI that it needs; the first one names the version that is shown."""
    def add(adapter: Callable[[Server], AsyncIterator[Call]]) -> None:
        ALL[name] = Framework(name, list(requirements), asynccontextmanager(adapter))

    return add


@framework("MCP SDK", "mcp==2.3.0")
async def sdk(server: Server) -> AsyncIterator[Call]:
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client

    parameters = StdioServerParameters(command=server.command, args=server.arguments, env=server.environment)
    async with Client(stdio_client(parameters)) as client:
        async def call(name: str, arguments: dict[str, Any]) -> Any:
            result = await client.call_tool(name, arguments)
            if result.is_error:
                raise Refused
            return result

        yield call


@framework("FastMCP", "fastmcp==4.2.3", "mcp==2.3.0")
async def fastmcp(server: Server) -> AsyncIterator[Call]:
    from fastmcp import Client
    from fastmcp.client.transports import StdioTransport

    async with Client(StdioTransport(server.command, server.arguments, env=server.environment)) as client:
        async def call(name: str, arguments: dict[str, Any]) -> Any:
            result = await client.call_tool(name, arguments, raise_on_error=False)
            if result.is_error:
                raise Refused
            return [result.content, result.structured_content]

        yield call


@framework("AutoGen", "autogen-ext[mcp]==0.7.5", "autogen-agentchat==0.7.5", "mcp==1.30.0")
async def autogen(server: Server) -> AsyncIterator[Call]:
    from autogen_ext.tools.mcp import McpWorkbench, StdioServerParams

    parameters = StdioServerParams(
        command=server.command, args=server.arguments, env=server.environment, read_timeout_seconds=60)
    async with McpWorkbench(server_params=parameters) as workbench:
        async def call(name: str, arguments: dict[str, Any]) -> Any:
            result = await workbench.call_tool(name, arguments)
            if result.is_error:
                raise Refused
            # Its AssistantAgent hands on a text.
            return result.to_text()

        yield call


@framework("Semantic Kernel", "semantic-kernel[mcp]==1.45.0", "mcp==1.30.0")
async def semantic_kernel(server: Server) -> AsyncIterator[Call]:
    from semantic_kernel.connectors.mcp import MCPStdioPlugin

    async with MCPStdioPlugin(
        name="server", command=server.command, args=server.arguments, env=server.environment, load_prompts=False,
    ) as plugin:
        async def call(name: str, arguments: dict[str, Any]) -> Any:
            return await plugin.call_tool(name, **arguments)

        yield call


@framework("LangChain", "langchain-mcp-adapters==0.3.2", "mcp==1.30.0")
async def langchain(server: Server) -> AsyncIterator[Call]:
    from langchain_mcp_adapters.tools import load_mcp_tools
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    parameters = StdioServerParameters(command=server.command, args=server.arguments, env=server.environment)
    async with stdio_client(parameters) as streams, ClientSession(*streams) as session:
        await session.initialize()
        tools = {tool.name: tool for tool in await load_mcp_tools(session)}

        async def call(name: str, arguments: dict[str, Any]) -> Any:
            message = await tools[name].ainvoke({"type": "tool_call", "id": "1", "name": name, "args": arguments})
            if message.status == "error":
                raise Refused
            return message.content

        yield call


@framework("OpenAI Agents", "openai-agents==0.24.0", "mcp==2.3.0")
async def openai_agents(server: Server) -> AsyncIterator[Call]:
    from agents import RunContextWrapper
    from agents.mcp import MCPServerStdio, MCPUtil

    parameters = {"command": server.command, "args": server.arguments, "env": server.environment}
    async with MCPServerStdio(parameters, client_session_timeout_seconds=60) as connected:
        tools = {tool.name: tool for tool in await connected.list_tools()}

        async def call(name: str, arguments: dict[str, Any]) -> Any:
            return await MCPUtil.invoke_mcp_tool(connected, tools[name], RunContextWrapper(None), json.dumps(arguments))

        yield call


@framework("Pydantic AI", "pydantic-ai-slim[mcp]==2.68.0", "mcp==2.3.0")
async def pydantic_ai(server: Server) -> AsyncIterator[Call]:
    from fastmcp import Client
    from fastmcp.client.transports import StdioTransport
    from pydantic_ai import Agent
    from pydantic_ai.mcp import MCPToolset
    from pydantic_ai.messages import ModelResponse, RetryPromptPart, TextPart, ToolCallPart
    from pydantic_ai.models.function import FunctionModel

    toolset = MCPToolset(Client(StdioTransport(server.command, server.arguments, env=server.environment)))

    async def call(name: str, arguments: dict[str, Any]) -> Any:
        received: list[Any] = []

        def model(messages: list[Any], info: Any) -> ModelResponse:
            if len(messages) == 1:
                return ModelResponse(parts=[ToolCallPart(name, arguments)])
            received[:] = messages[-1].parts
            return ModelResponse(parts=[TextPart("done")])

        await Agent(FunctionModel(model), toolsets=[toolset]).run("go")
        if any(isinstance(part, RetryPromptPart) for part in received):
            raise Refused
        return [part.content for part in received]

    async with toolset:
        yield call


@framework("LlamaIndex", "llama-index-tools-mcp==0.6.0", "mcp==2.3.0")
async def llama_index(server: Server) -> AsyncIterator[Call]:
    from llama_index.tools.mcp import BasicMCPClient, McpToolSpec

    client = BasicMCPClient(server.command, server.arguments, env=server.environment, timeout=60)
    tools = {tool.metadata.name: tool for tool in await McpToolSpec(client).to_tool_list_async()}

    async def call(name: str, arguments: dict[str, Any]) -> Any:
        output = await tools[name].acall(**arguments)
        if output.is_error:
            raise Refused
        return output.content

    yield call


@framework("Haystack", "mcp-haystack==2.1.1", "mcp==2.3.0")
async def haystack(server: Server) -> AsyncIterator[Call]:
    from haystack_integrations.tools.mcp import MCPTool, StdioServerInfo

    information = StdioServerInfo(command=server.command, args=server.arguments, env=dict(server.environment))

    def invoke(name: str, arguments: dict[str, Any]) -> Any:
        tool = MCPTool(name=name, server_info=information, invocation_timeout=60)
        try:
            return tool.invoke(**arguments)
        finally:
            tool.close()

    async def call(name: str, arguments: dict[str, Any]) -> Any:
        # It has an event loop of its own, which it waits for.
        return await asyncio.to_thread(invoke, name, arguments)

    yield call


@framework("Strands", "strands-agents==1.62.0", "mcp==2.1.1")
async def strands(server: Server) -> AsyncIterator[Call]:
    from mcp import StdioServerParameters
    from mcp.client.stdio import stdio_client
    from strands.tools.mcp import MCPClient

    parameters = StdioServerParameters(command=server.command, args=server.arguments, env=server.environment)
    with MCPClient(lambda: stdio_client(parameters)) as client:
        async def call(name: str, arguments: dict[str, Any]) -> Any:
            result = await client.call_tool_async("1", name, arguments)
            if result["status"] == "error":
                raise Refused
            # What it adds is for programs; to the model goes the content.
            return result["content"]

        yield call


@framework("smolagents", "smolagents==1.26.0", "mcpadapt[smolagents]==0.1.19", "mcp==1.30.0", "websockets==17.4")
async def smolagents(server: Server) -> AsyncIterator[Call]:
    from mcp import StdioServerParameters
    from mcpadapt.core import MCPAdapt
    from mcpadapt.smolagents_adapter import SmolAgentsAdapter

    parameters = StdioServerParameters(command=server.command, args=server.arguments, env=server.environment)
    with MCPAdapt(parameters, SmolAgentsAdapter()) as found:
        tools = {tool.name: tool for tool in found}

        async def call(name: str, arguments: dict[str, Any]) -> Any:
            return tools[name](**arguments)

        yield call


@framework("Google ADK", "google-adk==2.13.0", "mcp==2.3.0")
async def adk(server: Server) -> AsyncIterator[Call]:
    from google.adk.tools.mcp_tool.mcp_session_manager import StdioConnectionParams
    from google.adk.tools.mcp_tool.mcp_toolset import McpToolset
    from mcp import StdioServerParameters

    parameters = StdioServerParameters(command=server.command, args=server.arguments, env=server.environment)
    toolset = McpToolset(connection_params=StdioConnectionParams(server_params=parameters, timeout=60))
    tools = {tool.name: tool for tool in await toolset.get_tools()}

    class Context:
        """As much of an invocation as a tool looks at."""

        def __getattr__(self, name: str) -> None:
            return None

    async def call(name: str, arguments: dict[str, Any]) -> Any:
        result = await tools[name]._run_async_impl(args=arguments, tool_context=Context(), credential=None)
        if result.get("isError"):
            raise Refused
        # The response of a function is JSON.
        return json.dumps(result)

    try:
        yield call
    finally:
        await toolset.close()


@framework("mcp-use", "mcp-use==1.7.1", "mcp==1.30.0")
async def mcp_use(server: Server) -> AsyncIterator[Call]:
    from mcp_use import MCPClient
    from mcp_use.agents.adapters.langchain_adapter import LangChainAdapter

    entry = {"command": server.command, "args": server.arguments, "env": server.environment}
    client = MCPClient.from_dict({"mcpServers": {"server": entry}})
    tools = {tool.name: tool for tool in await LangChainAdapter().create_tools(client)}

    async def call(name: str, arguments: dict[str, Any]) -> Any:
        result = await tools[name].ainvoke(arguments)
        if isinstance(result, dict) and "error" in result:
            raise Refused
        return result

    try:
        yield call
    finally:
        await client.close_all_sessions()


@framework("Agno", "agno==3.1.10", "fastmcp==4.2.3", "mcp==2.3.0", "openai==3.57.0")
async def agno(server: Server) -> AsyncIterator[Call]:
    from agno.tools.mcp import MCPTools
    from mcp import StdioServerParameters

    parameters = StdioServerParameters(command=server.command, args=server.arguments, env=server.environment)
    async with MCPTools(server_params=parameters, timeout_seconds=60) as toolkit:
        async def call(name: str, arguments: dict[str, Any]) -> Any:
            result = await toolkit.functions[name].entrypoint(**arguments)
            if result.content.startswith("Error"):
                raise Refused
            return [result.content, result.images]

        yield call
