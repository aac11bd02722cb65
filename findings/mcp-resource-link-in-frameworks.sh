#!/usr/bin/env bash
# A tool's result with a picture and, beside it, a link to the same picture (MCP, content of type `resource_link`).
#
# Versions: autogen-ext 0.7.5 with mcp 1.30.0; langchain-mcp-adapters 0.3.2 with mcp 1.30.0 (PyPI, 2026-11-29).
# One would guess: a client that has no use for a link leaves it out and keeps the text and the picture; the protocol has
# had links since 2025-06-18.
# Seen: AutoGen turns the whole result into an error, so that the text and the picture are lost and a model calls the tool
# again. LangChain's adapters make a second picture of the link, whose URL has the server's own scheme, which no model's
# API can fetch. Nothing tells the server so, and both name the newest version of the protocol.
# So: beside a picture in a result there must be no link to it; its URI belongs into `structuredContent`.
#
# Exits 1 when that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

install() {
  python3 -m venv "$1"
  "$1/bin/pip" install --quiet --disable-pip-version-check --no-input "${@:2}"
}
install autogen autogen-agentchat==0.7.5 'autogen-ext[mcp]==0.7.5' mcp==1.30.0
install langchain langchain-mcp-adapters==0.3.2 mcp==1.30.0

cat >server.py <<'PYTHON'
import json
import sys

# One transparent pixel.
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
CONTENT = [
    {"type": "text", "text": "The picture is ready."},
    {"type": "image", "data": PIXEL, "mimeType": "image/png"},
    {"type": "resource_link", "uri": "pictures://one", "name": "one.png", "mimeType": "image/png"},
]
TOOL = {"name": "draw", "description": "Draws a picture.", "inputSchema": {"type": "object", "properties": {}}}

for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    answers = {
        "initialize": {
            "protocolVersion": message.get("params", {}).get("protocolVersion"),
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "pictures", "version": "1"},
        },
        "tools/list": {"tools": [TOOL]},
        "tools/call": {"content": CONTENT, "isError": False},
    }
    answer = {"jsonrpc": "2.0", "id": message["id"]}
    if message["method"] in answers:
        answer["result"] = answers[message["method"]]
    else:
        answer["error"] = {"code": -32601, "message": "no such method"}
    print(json.dumps(answer), flush=True)
PYTHON

cat >with_autogen.py <<'PYTHON'
import asyncio
import sys

from autogen_ext.tools.mcp import McpWorkbench, StdioServerParams


async def main():
    async with McpWorkbench(StdioServerParams(command=sys.executable, args=["server.py"])) as workbench:
        result = await workbench.call_tool("draw", {})
        print(f"autogen: error={result.is_error}, {len(result.result)} part: {result.result[0].content.strip()}")


asyncio.run(main())
PYTHON

cat >with_langchain.py <<'PYTHON'
import asyncio
import sys

from langchain_mcp_adapters.client import MultiServerMCPClient


async def main():
    server = {"command": sys.executable, "args": ["server.py"], "transport": "stdio"}
    tool = (await MultiServerMCPClient({"pictures": server}).get_tools())[0]
    answer = await tool.ainvoke({"type": "tool_call", "id": "1", "name": "draw", "args": {}})
    print("langchain:", [(part["type"], part.get("url")) for part in answer.content])


asyncio.run(main())
PYTHON

seen=$(autogen/bin/python with_autogen.py 2>/dev/null; langchain/bin/python with_langchain.py 2>/dev/null)
expected="autogen: error=True, 1 part: Unknown content type from server: <class 'mcp.types.ResourceLink'>
langchain: [('text', None), ('image', None), ('image', 'pictures://one')]"
printf '%s\n' "$seen"
[ "$seen" = "$expected" ] || { echo "This has changed." >&2; exit 1; }
