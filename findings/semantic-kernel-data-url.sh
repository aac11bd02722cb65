#!/usr/bin/env bash
# What becomes of the picture in an MCP tool's result on its way to a model's API.
#
# Versions: semantic-kernel 1.45.0 with mcp 1.30.0 (PyPI, 2026-11-29).
# One would guess: the client has the picture as base64, and model APIs take base64 in a `data:` URL, so it is put between
# `data:image/png;base64,` and the end.
# Seen: the URL begins with `data:image/png;,`. Without the word `base64`, what follows the comma is text by RFC 2397, and
# a reader that keeps to it, such as Python's urllib, gets letters in place of a picture.
# So: that a tool's result has the picture does not mean that a model sees it. What must be acted on belongs into the text
# and the members as well, and a person needs the file's path.
#
# Exits 1 when that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check --no-input 'semantic-kernel[mcp]==1.45.0' mcp==1.30.0

cat >server.py <<'PYTHON'
import asyncio

from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.types import ImageContent, Tool

# One transparent pixel.
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
server = Server("pictures")


@server.list_tools()
async def tools():
    return [Tool(name="draw", description="Draws a picture.", inputSchema={"type": "object", "properties": {}})]


@server.call_tool()
async def call(name, arguments):
    return [ImageContent(type="image", data=PIXEL, mimeType="image/png")]


async def main():
    async with stdio_server() as (reader, writer):
        await server.run(reader, writer, server.create_initialization_options())


asyncio.run(main())
PYTHON

cat >client.py <<'PYTHON'
import asyncio
import sys
import urllib.request

from semantic_kernel.connectors.mcp import MCPStdioPlugin


async def main():
    async with MCPStdioPlugin(name="pictures", command=sys.executable, args=["server.py"]) as plugin:
        picture = (await plugin.call_tool("draw"))[0]
        url = picture.to_dict()["image_url"]["url"]
        print(f"for the model: {url[:24]}…")
        content = urllib.request.urlopen(url).read()
        print(f"read as RFC 2397 says: {content[:8]!r}…, a PNG: {content.startswith(bytes.fromhex('89504e47'))}")


asyncio.run(main())
PYTHON

seen=$(python/bin/python client.py 2>/dev/null)
expected="for the model: data:image/png;,iVBORw0K…
read as RFC 2397 says: b'iVBORw0K'…, a PNG: False"
printf '%s\n' "$seen"
[ "$seen" = "$expected" ] || { echo "This has changed." >&2; exit 1; }
