"""Judges recorded lines by the official schemas of MCP, which lie in Tests/Fixtures/mcp."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

FOLDER = Path(__file__).resolve().parents[1] / "Fixtures/mcp"
MODERN = "2026-07-28"
LEGACY = "2025-11-25"
TASKS = "ext-tasks"
RESULTS = {
    "server/discover": "DiscoverResult", "initialize": "InitializeResult", "ping": "EmptyResult",
    "tools/list": "ListToolsResult", "tools/call": "CallToolResult",
    "resources/list": "ListResourcesResult", "resources/templates/list": "ListResourceTemplatesResult",
    "resources/read": "ReadResourceResult", "prompts/list": "ListPromptsResult", "prompts/get": "GetPromptResult",
    "completion/complete": "CompleteResult", "tasks/get": "GetTaskResult", "tasks/update": "UpdateTaskResult",
    "tasks/cancel": "CancelTaskResult", "elicitation/create": "ElicitResult",
}


@cache
def schema(version: str) -> dict[str, Any]:
    name = "ext-tasks-draft.json" if version == TASKS else f"mcp-{version}.json"
    return json.loads((FOLDER / name).read_text())


@cache
def type_of_method(version: str, method: str) -> str | None:
    """The type of the request or notification of this name."""
    for name, definition in schema(version)["$defs"].items():
        for part in [definition, *definition.get("allOf", [])]:
            if part.get("properties", {}).get("method", {}).get("const") == method:
                return name
    return None


def faults(version: str, name: str, value: Any) -> list[str]:
    definitions = schema(version)["$defs"]
    validator = Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": definitions})
    return [f"{name}: {error.json_path}: {error.message[:200]}" for error in validator.iter_errors(value)]


def judge(lines: list[dict[str, str]]) -> list[str]:
    """What is wrong with a conversation: nothing, if all is well."""
    found: list[str] = []
    asked: dict[tuple[str, Any], tuple[str, str]] = {}
    answered: set[Any] = set()
    for number, line in enumerate(lines, 1):
        message = json.loads(line["line"])
        found += [f"line {number}: {each}" for each in judge_message(line["from"], message, asked)]
        if line["from"] == "server" and "id" in message and "method" not in message:
            if message["id"] in answered:
                found.append(f"line {number}: a second answer")
            answered.add(message["id"])
    return found


def judge_message(sender: str, message: dict[str, Any], asked: dict[tuple[str, Any], tuple[str, str]]) -> list[str]:
    if "method" in message:
        method = message["method"]
        is_modern = "io.modelcontextprotocol/protocolVersion" in message.get("params", {}).get("_meta", {})
        version = MODERN if is_modern else LEGACY
        if method.startswith("tasks/"):
            version = TASKS
        if "id" in message:
            asked[(sender, message["id"])] = (method, version)
        name = type_of_method(version, method) or type_of_method(MODERN, method)
        # A client may send what this server does not know; the server may not.
        if name is None:
            return [] if sender == "client" else [f"the unknown method {method}"]
        return faults(version if type_of_method(version, method) else MODERN, name, message)
    peer = "client" if sender == "server" else "server"
    method, version = asked.get((peer, message.get("id")), ("", LEGACY))
    if "error" in message:
        return faults(LEGACY, "JSONRPCErrorResponse", message)
    name = RESULTS.get(method)
    if name is None:
        return [f"a result for {method or 'an unknown request'}"]
    result = message["result"]
    if version == MODERN and result.get("resultType") == "input_required":
        name = "InputRequiredResult"
    if version == MODERN and result.get("resultType") == "task":
        name, version = "CreateTaskResult", TASKS
    fault = faults(version, name, result)
    if version == TASKS and "result" in result:
        fault += faults(MODERN, "CallToolResult", result["result"])
    return fault
