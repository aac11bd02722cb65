"""An MCP server with one tool for each shape of a result, to see what becomes of it in a framework. Standard library only.

The name of a tool says what its result consists of. Every result but that of `error` has `structuredContent` as well.
"""

from __future__ import annotations

import json
import struct
import sys
import zlib
from base64 import b64encode
from typing import Any

SAID = "SAID the picture is saved"
MEMBER = "MEMBER call get_generation"
ADDRESS = "atelier://pictures/gen_1/0"


def picture() -> str:
    """A PNG, as base64."""
    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = b"".join(b"\0" + bytes((7 * x * y) % 251 for x in range(3 * 64)) for y in range(64))
    return b64encode(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 64, 64, 8, 2, 0, 0, 0))
                     + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")).decode()


PARTS: dict[str, dict[str, Any]] = {
    "text": {"type": "text", "text": SAID},
    "image": {"type": "image", "data": picture(), "mimeType": "image/png",
              "annotations": {"audience": ["user", "assistant"], "priority": 1}},
    "link": {"type": "resource_link", "uri": ADDRESS, "name": "gen_1-0.png", "mimeType": "image/png", "size": 1234567},
    "resource": {"type": "resource", "resource": {"uri": ADDRESS, "mimeType": "image/png", "blob": picture()}},
}

SHAPES = ["text", "text_image", "text_image_image", "text_image_link", "text_link", "text_resource"]
SCHEMA = {"type": "object", "properties": {"message": {"type": "string"}}, "required": ["message"]}


def result(name: str) -> dict[str, Any]:
    if name == "error":
        return {"content": [PARTS["text"]], "isError": True}
    return {"content": [PARTS[part] for part in name.split("_")], "structuredContent": {"message": MEMBER}, "isError": False}


def answer(method: str, params: dict[str, Any]) -> dict[str, Any] | None:
    """The result of a request; None for a method that there is not."""
    if method == "initialize":
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}},
                "serverInfo": {"name": "shapes", "version": "1"}}
    if method == "tools/list":
        empty = {"type": "object", "properties": {}}
        return {"tools": [
            {"name": name, "description": f"A result of the shape {name}.", "inputSchema": empty,
             **({} if name == "error" else {"outputSchema": SCHEMA})}
            for name in [*SHAPES, "error"]]}
    if method == "tools/call":
        return result(params["name"])
    return {} if method == "ping" else None


def serve() -> None:
    for line in sys.stdin:
        request = json.loads(line)
        if "id" not in request or "method" not in request:
            continue
        found = answer(request["method"], request.get("params") or {})
        end = {"error": {"code": -32601, "message": "no such method"}} if found is None else {"result": found}
        print(json.dumps({"jsonrpc": "2.0", "id": request["id"], **end}), flush=True)


if __name__ == "__main__":
    serve()
