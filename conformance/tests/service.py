"""A small service with one fault, which its argument names: what the kit must notice. Without an argument it has none.

It speaks the protocol in lines only, and knows `initialize`, `ping`, `status`, `history`, `shutdown` and `exit`.
"""

from __future__ import annotations

import json
import signal
import sys
from typing import Any, Dict, Optional

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""


def send(message: Any) -> None:
    if FAULT == "writes no JSON":
        print("Welcome!", flush=True)
    print(json.dumps(message, ensure_ascii=False), flush=True)
    if FAULT == "answers twice":
        print(json.dumps(message, ensure_ascii=False), flush=True)


def error(code: int, kind: str, message: str = "No.", **data: Any) -> Dict[str, Any]:
    if FAULT == "errors without data":
        return {"code": code, "message": message}
    return {"code": code, "message": message, "data": {"kind": kind, "retryable": False, **data}}


KNOWN = {
    "ping": {},
    "status": {"generationId": str},
    "history": {"account": str, "limit": int},
    "initialize": {"account": str},
    "shutdown": {},
}
state: Dict[str, Any] = {"introduced": False, "down": False, "account": None}


def refusal(method: str, params: Dict[str, Any]) -> Optional[Dict[str, Any]]:
    known = {**KNOWN[method], "_meta": None}
    for name, value in params.items():
        if name not in known and method != "initialize" and FAULT != "takes unknown params":
            return error(-32602, "invalid_params", path=f"/{name}", expected="nothing")
        kind = known.get(name)
        if kind is not None and (not isinstance(value, kind) or isinstance(value, bool)) and FAULT != "takes any type":
            return error(-32602, "invalid_params", path=f"/{name}", expected=kind.__name__)
    return None


def result(method: str, params: Dict[str, Any]) -> Dict[str, Any]:
    if state["down"] and FAULT != "works after shutdown":
        return {"error": error(-32600, "invalid_request")}
    if method not in KNOWN:
        return {"error": error(-32601, "method_not_found")}
    refused = refusal(method, params)
    if refused is not None:
        return {"error": refused}
    if method == "initialize":
        if state["introduced"]:
            return {"error": error(-32600, "invalid_request")}
        state.update(introduced=True, account=params.get("account"))
        methods = [] if FAULT == "names no methods" else list(KNOWN)
        return {"result": {"capabilities": {"methods": methods}, "limits": {"maxMessageBytes": 1000}}}
    if (
        method == "history"
        and FAULT != "serves every account"
        and state["account"] not in (None, params.get("account"))
    ):
        return {"error": error(403, "permission_denied")}
    state["down"] = method == "shutdown"
    return {"result": None if method == "shutdown" else {"odd": 1} if FAULT == "sends more" else {}}


def answer(message: Any, size: int) -> Optional[Dict[str, Any]]:
    invalid = {"jsonrpc": "2.0", "id": None, "error": error(-32600, "invalid_request")}
    if not isinstance(message, dict):
        return invalid
    request_id = message.get("id")
    if "method" not in message and ("result" in message or "error" in message):
        return None
    is_id = isinstance(request_id, (str, int, float)) and not isinstance(request_id, bool)
    if "id" in message and not (is_id and len(json.dumps(request_id)) <= 1024):
        return invalid
    head = {"jsonrpc": "2.0", "id": str(request_id) if FAULT == "rewrites ids" else request_id}
    method, params = message.get("method"), message.get("params", {})
    is_request = (
        message.get("jsonrpc") == "2.0" and isinstance(method, str) and isinstance(params, (dict, list, type(None)))
    )
    if not is_request or size > 1000:
        return {**head, **({"error": error(-32600, "invalid_request")})}
    if "id" not in message:
        if method == "exit":
            sys.exit(0)
        return None
    if isinstance(params, list) and params:
        return {**head, "error": error(-32602, "invalid_params", path="", expected="an object")}
    return {**head, **result(method, params or {})}


def main() -> None:
    if FAULT != "ignores signals":
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, lambda *_: sys.exit(0))
    else:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    for line in sys.stdin.buffer:
        if not line.strip():
            continue
        try:
            message = json.loads(line.decode("utf-8-sig").replace("\0", "\x01"))
        except (ValueError, RecursionError):
            if FAULT == "dies of garbage":
                sys.exit(9)
            send({"jsonrpc": "2.0", "id": None, "error": error(-32700, "parse_error")})
            continue
        if isinstance(message, list) and message and len(message) <= 10_000:
            answers = [each for each in (answer(one, 0) for one in message) if each is not None]
            if answers:
                send(answers)
            continue
        found = answer(message, len(line) - 1)
        if found is not None and FAULT != "never answers":
            send(found)
    sys.exit(4 if FAULT == "ends with 4" else 0)


main()
