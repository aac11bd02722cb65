"""A small MCP server of both eras with one fault, which its argument names. Without an argument it has none."""

from __future__ import annotations

import json
import sys
from typing import Any, Dict, Optional

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""
MODERN, LEGACY = "2026-07-28", "2025-11-25"
META = "io.modelcontextprotocol/"
TASKS = "io.modelcontextprotocol/tasks"

INFO = {"name": "small", "version": "1"}
CAPABILITIES: Dict[str, Any] = {
    "tools": {},
    "prompts": {},
    "resources": {},
    "completions": {},
    "extensions": {TASKS: {}},
    "logging": {},
}
SCHEMA = {"type": "array" if FAULT == "tool without an object" else "object", "required": ["words"]}
LISTS: Dict[str, Any] = {
    "tools/list": {"tools": [{"name": "say it" if FAULT == "odd tool name" else "say", "inputSchema": SCHEMA}]},
    "prompts/list": {
        "prompts": [{"name": "greet", "arguments": [{} if FAULT == "nameless argument" else {"name": "who"}]}]
    },
    "resources/list": {"resources": [{"uri": "small://1", "name": "" if FAULT == "nameless resource" else "one"}]},
    "resources/templates/list": {"resourceTemplates": [{"uriTemplate": "small://{n}", "name": "any"}]},
}


class Refused(Exception):
    def __init__(self, code: int, data: Any = None) -> None:
        self.error = {"code": code, "message": "No.", **({"data": data} if data is not None else {})}


def send(message: Any) -> None:
    print(json.dumps(message), flush=True)


def era(method: str, params: Dict[str, Any]) -> str:
    meta = params.get("_meta", {})
    version = meta.get(META + "protocolVersion")
    if method == "server/discover" or version is not None or any(name.startswith(META) for name in meta):
        if version != MODERN:
            raise Refused(*((-32602,) if version is None else (-32022, {"supported": [MODERN], "requested": version})))
        if META + "clientCapabilities" not in meta and FAULT != "needs no capabilities":
            raise Refused(-32602)
        return MODERN
    if method == "initialize" or state["initialized"]:
        return LEGACY
    raise Refused(-32602)


state = {"initialized": False}


def result(method: str, params: Dict[str, Any]) -> Dict[str, Any]:
    if FAULT == "neither" or (FAULT == "old" and method == "server/discover"):
        raise Refused(-32601)
    spoken = era(method, params)
    if spoken == LEGACY and method in ("initialize", "ping", "logging/setLevel"):
        state["initialized"] = True
        if method != "initialize":
            return {}
        version = params["protocolVersion"] if FAULT == "takes any version" else LEGACY
        return {"protocolVersion": version, "capabilities": CAPABILITIES, "serverInfo": INFO}
    if method == "server/discover":
        return cached({"supportedVersions": [MODERN], "capabilities": CAPABILITIES})
    if method in LISTS:
        return cached(LISTS[method])
    if method == "resources/read":
        if params["uri"] == "small://1":
            return cached({"contents": [{"uri": "small://1", "text": "1"}]})
        if FAULT == "empty contents":
            return cached({"contents": []})
        raise Refused(-32602, {"uri": params["uri"]})
    if method == "completion/complete":
        return {
            "completion": {"values": ["x"] * (101 if FAULT == "completes too much" else 1)},
            "resultType": "complete",
        }
    if method == "tools/call" and params["name"] == "say":
        return (
            {"content": [], "isError": False} if FAULT == "takes any arguments" else {"content": [{}], "isError": True}
        )
    if method.startswith("tasks/") and method in ("tasks/get", "tasks/update", "tasks/cancel"):
        knows = TASKS in params["_meta"][META + "clientCapabilities"].get("extensions", {})
        raise Refused(-32602 if knows or FAULT == "tasks for everybody" else -32021)
    raise Refused(-32602 if method in ("tools/call", "prompts/get") else -32601)


def cached(value: Dict[str, Any]) -> Dict[str, Any]:
    whole = {
        **value,
        "resultType": "complete",
        "ttlMs": 0,
        "cacheScope": "public",
        "_meta": {META + "serverInfo": INFO},
    }
    for fault, name, wrong in [
        ("no hints", "ttlMs", None),
        ("negative ttl", "ttlMs", -1),
        ("odd scope", "cacheScope", "mine"),
        ("no result type", "resultType", None),
        ("anonymous", "_meta", {}),
    ]:
        if FAULT == fault:
            whole.update({name: wrong})
            if wrong is None:
                del whole[name]
    return whole


def answer(line: str) -> Optional[Dict[str, Any]]:
    try:
        message = json.loads(line)
    except ValueError:
        if FAULT == "dies of garbage":
            sys.exit(9)
        return {"jsonrpc": "2.0", "id": None, "error": Refused(-32700).error}
    if not isinstance(message, dict) or "method" not in message:
        return {"jsonrpc": "2.0", "id": None, "error": Refused(-32600).error}
    if "id" not in message:
        return {"jsonrpc": "2.0", "id": 0, "result": {}} if FAULT == "answers notifications" else None
    head = {"jsonrpc": "2.0", "id": str(message["id"]) if FAULT == "rewrites ids" else message["id"]}
    if FAULT == "logs unasked":
        send({"jsonrpc": "2.0", "method": "notifications/message", "params": {}})
    if FAULT == "asks of itself":
        send({"jsonrpc": "2.0", "id": 1, "method": "roots/list"})
    try:
        return {**head, "result": result(message["method"], message.get("params", {}))}
    except Refused as refused:
        return {**head, "error": refused.error}


for line in sys.stdin:
    found = answer(line)
    if found is not None:
        send(found)
if FAULT == "never ends":
    import signal

    signal.pause()
