"""A peer that plays a part: what a service may do to its client, on request and always the same way.

Options: ``bytewise`` writes every byte by itself, ``stubborn`` never ends by itself, ``banner`` begins with a line
that is not JSON, ``refuses`` ends at once as a service with an unusable data directory does, ``silent`` never answers,
``talkative`` tells of cancels, ``patient`` holds what is to be prepared.
What a generation does is told by its prompt.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from typing import Any, Dict, List

OPTIONS = set(sys.argv[1:])
output_lock = threading.Lock()
received: List[Dict[str, Any]] = []
held: List[Any] = []
waiting: Dict[Any, str] = {}


def send(*messages: Dict[str, Any]) -> None:
    data = b"".join(json.dumps(message, ensure_ascii=False).encode() + b"\n" for message in messages)
    with output_lock:
        if "bytewise" in OPTIONS:
            for position in range(len(data)):
                os.write(1, data[position : position + 1])
            return
        while data:
            data = data[os.write(1, data) :]


def result(request_id: Any, value: Any) -> Dict[str, Any]:
    return {"jsonrpc": "2.0", "id": request_id, "result": value}


def failure(request_id: Any, code: int, message: str, data: Dict[str, Any]) -> Dict[str, Any]:
    return {"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": message, "data": data}}


def notification(method: str, params: Dict[str, Any]) -> Dict[str, Any]:
    return {"jsonrpc": "2.0", "method": method, "params": params}


def progress(request_id: Any, sequence: int, phase: str) -> Dict[str, Any]:
    params = {"generationId": f"gen_{request_id}", "requestId": request_id, "sequence": sequence, "state": "running"}
    params.update({"phase": phase, "message": "At it…", "overall": sequence / 4, "elapsedMs": sequence})
    return notification("generation/progress", params)


MOMENT = "2026-11-02T03:04:05.678Z"


def generation(request_id: Any, state: str = "succeeded", **members: Any) -> Dict[str, Any]:
    image = {"index": 0, "path": "/pictures/1.jpg", "mimeType": "image/jpeg", "width": 2, "height": 3, "bytes": 4}
    return {
        "generationId": f"gen_{request_id}",
        "state": state,
        "recipe": "create",
        "account": "owner",
        "createdAt": MOMENT,
        "provider": "fake",
        "model": "fake-1",
        "cached": False,
        "images": [{**image, "sha256": "00", "futureMember": True}] if state == "succeeded" else [],
        "warnings": [{"kind": "low_resolution", "message": "The face is small."}],
        "failures": [],
        "credits": {"held": 0, "charged": 0, "released": 0, "balanceAfter": None},
        "usage": {"inputTokens": 0, "outputTokens": 0},
        "timings": {"queuedMs": 1, "preparingMs": 0, "uploadingMs": 0, "processingMs": 1, "savingMs": 0, "totalMs": 2},
        "futureMember": {"deep": [1]},
        **members,
    }


def generate(request_id: Any, params: Dict[str, Any]) -> None:
    generation_id = f"gen_{request_id}"
    prompt = params.get("prompt")
    if params.get("detach"):
        accepted = result(request_id, generation(request_id, "queued"))
        if prompt == "until cancelled":
            waiting[generation_id] = "detached"
            return send(accepted)
        if prompt == "ended before":
            return send(result(request_id, generation(request_id)))
        if prompt == "fail":
            error = {"code": 500, "message": "No picture came.", "data": {"kind": "provider_error", "retryable": True}}
            ended = generation(request_id, "failed", error=error)
        else:
            ended = generation(request_id)
        send(accepted, notification("generation/finished", ended))
    elif prompt == "until cancelled":
        waiting[request_id] = "attached"
        send(progress(request_id, 1, "processing"))
    elif prompt == "in a moment":
        send(progress(request_id, 1, "processing"))
        threading.Timer(0.05, lambda: send(result(request_id, generation(request_id)))).start()
    elif prompt == "fail":
        details = {"scope": "minute", "limit": 5}
        data = {"kind": "rate_limited", "retryable": True, "retryAfterMs": 1500, "generationId": generation_id}
        message = "Too many requests. Please wait and try again in 2 seconds."
        send(progress(request_id, 1, "queued"), failure(request_id, 429, message, {**data, "details": details}))
    elif prompt == "overload":
        data = {"kind": "overloaded", "retryable": True, "retryAfterMs": 250, "details": {}}
        send(failure(request_id, 503, "Too much is in flight.", data))
    elif prompt == "die":
        send(progress(request_id, 1, "processing"))
        os.write(2, "the disk is on fire\n".encode())
        os._exit(7)
    elif prompt == "be killed":
        os.kill(os.getpid(), signal.SIGKILL)
    elif prompt == "nonsense":
        send(result(request_id, generation(request_id, images=[{"index": "one"}])))
    else:
        phases = [progress(request_id, number + 1, name) for number, name in enumerate(["preparing", "processing"])]
        again = progress(request_id, 2, "processing")
        send(*phases, again, result(request_id, generation(request_id, text=json.dumps(params))))


def status(request_id: Any, params: Dict[str, Any]) -> None:
    send(result(request_id, generation(str(params.get("generationId", "gen_0"))[4:])))


def history(request_id: Any, params: Dict[str, Any]) -> None:
    first = int(params.get("cursor", "0"))
    size = params.get("limit", 20)
    entries = [
        generation(number, recipe="headshot", style={"angle": 0.5, "background": "casual"})
        for number in range(first, min(first + size, 7))
    ]
    page: Dict[str, Any] = {"entries": entries, "totals": {"generations": 7, "creditsUsed": 0, "costUsd": 0}}
    if first + size < 7:
        page["nextCursor"] = str(first + size)
    send(result(request_id, {**page, "currentPeriod": "2026-11"}))


def queue_answer(method: str) -> Any:
    line = {"id": "gemini", "waiting": 3, "oldestAt": MOMENT, "unreachableSince": MOMENT, "nextProbeAt": MOMENT}
    return {"waiting": 3, "paused": method == "queue/pause", "nextProbeAt": MOMENT, "providers": [line]}


REMARKS = (
    "session/list",
    "session/get",
    "feedback/submit",
    "history/annotate",
    "history/export",
    "usage/statistics",
)


def remark_answer(method: str, params: Dict[str, Any]) -> Any:
    step = {"generationId": "gen_0", "createdAt": MOMENT, "recipe": "edit", "state": "succeeded"}
    page = int(params.get("cursor", "0"))
    more = {} if page else {"nextCursor": "1"}
    session = {"sessionId": f"gen_{page}", "account": "owner", "steps": 2, "latestAt": MOMENT}
    session.update({"first": step, "last": step})
    if method == "session/list":
        return {"sessions": [session], **more}
    if method == "session/get":
        return {"session": session, "entries": [generation(page, parentGenerationId="gen_0")], **more}
    if method == "feedback/submit":
        kept = {name: params[name] for name in ("rating", "text") if name in params}
        return {"generationId": params["generationId"], "feedback": kept}
    if method == "history/annotate":
        noted = {name: params[name] for name in ("metadata", "favorite") if name in params}
        return generation(1, parentGenerationId="gen_0", **noted)
    if method == "history/export":
        return {"path": params["directory"] + "/atelier-history-owner.jsonl", "entries": 3, "files": 4}
    sums = {"generations": 3, "creditsUsed": 1, "costUsd": 0.5}
    times = {"p50": 5, "p95": 9, "p99": 9}
    phases = ("queuedMs", "preparingMs", "uploadingMs", "processingMs", "savingMs", "totalMs")
    latency = {"generations": 2, **{phase: times for phase in phases}}
    groups = [{"name": "edit", **sums}]
    groupings = {"byRecipe": groups, "byState": [], "byProvider": [], "byFailure": []}
    return {"total": sums, **groupings, "byDay": [{"day": "2026-11-02", **sums}], "latency": latency}


def account_answer(method: str, params: Dict[str, Any]) -> Any:
    account = params.get("account", "owner")
    bucket = {"id": "grant_1", "kind": "bundle", "amount": 8, "available": 7, "held": 1, "createdAt": MOMENT}
    balance: Dict[str, Any] = {"account": account, "metered": True, "tier": "free", "unlimited": False}
    balance.update({"available": 7, "held": 1, "allocation": 4, "level": "green", "buckets": [bucket], "shortfall": 0})
    if method == "credits/balance":
        return balance
    if method == "account/get":
        known = {"unlimited": False, "createdAt": MOMENT, "signedInWith": ["apple"], "appAccountToken": "6f1c2f0e"}
        limit = {"scope": "minute", "recipe": "headshot", "limit": 5, "used": 1, "resetsAt": MOMENT}
        known.update({"limits": [limit], "running": ["gen_1"], "consent": {"version": "2026-11", "acceptedAt": MOMENT}})
        return {"account": account, "tier": "free", **known, "balance": balance}
    if method == "account/signIn":
        answer = {"account": account, "tier": "free", "granted": 4, "isNew": True, "merged": params.get("link") is True}
        return {**answer, "balance": balance}
    if method == "account/signOut":
        return {"account": "guest_1"}
    if method == "account/consent":
        consent = {"version": params["version"], "acceptedAt": params.get("acceptedAt", MOMENT)}
        return {"account": account, "consents": [consent], "isNew": True}
    if method == "account/delete":
        return {"account": account, "deleted": 3, "bytesFreed": 4}
    if method == "credits/history":
        number = int(params.get("cursor", "0"))
        entry = {"id": f"entry_{number}", "date": MOMENT, "kind": "use", "amount": -1, "balanceAfter": 7 - number}
        page: Dict[str, Any] = {"entries": [{**entry, "generationId": "gen_1", "bucket": "bundle"}], "totalUsed": 3}
        if number < 2:
            page["nextCursor"] = str(number + 1)
        return {**page, "currentPeriod": {"starts": MOMENT, "used": 3}}
    price = {"amount": "0.99", "currency": "USD"}
    option = {"id": "bundle_8", "kind": "bundle", "title": "8 portraits", "credits": 8, "price": price}
    if method == "credits/products":
        return {"products": [{**option, "platforms": {"apple": "studio.bundle.8"}}]}
    if method == "credits/estimate":
        details = {"required": 8, "available": 7, "upgradeOptions": [option]}
        data = {"kind": "insufficient_credits", "retryable": False, "timestamp": MOMENT, "details": details}
        refusal = {"code": 402, "message": "There are not enough credits left.", "data": data}
        return {"cost": 8, "images": 8, "provider": "fake", "balance": balance, "allowed": False, "refusal": refusal}
    purchase = {
        "account": account, "product": "bundle_8", "transactionId": "1", "granted": 0, "alreadyGranted": True, "limits": [],
    }
    return {**purchase, "balance": balance}


def sign_in(request_id: Any, params: Dict[str, Any]) -> None:
    if params.get("identityToken", "").startswith("forged"):
        data = {"kind": "invalid_identity", "retryable": False, "details": {"hint": "The token is not signed."}}
        send(failure(request_id, 401, "The sign-in could not be verified. Please sign in again.", data))
    else:
        send(result(request_id, account_answer("account/signIn", params)))


def purchase(request_id: Any, params: Dict[str, Any]) -> None:
    if params.get("signedTransaction") == "forged":
        data = {"kind": "invalid_receipt", "retryable": False, "details": {"reason": "bad_signature"}}
        send(failure(request_id, 400, "The store does not confirm this purchase.", data))
    else:
        send(
            notification("credits/changed", {"account": "ada", "available": 7, "held": 1}),
            result(request_id, account_answer("credits/purchase", params)),
        )


def cancelled(request_id: Any, generation_id: str) -> None:
    if waiting.pop(generation_id, None) == "detached":
        ended = generation(generation_id[4:], "cancelled")
        send(notification("generation/finished", ended), result(request_id, ended))
    else:
        data = {"kind": "already_finished", "retryable": False, "details": {"state": "succeeded"}}
        send(failure(request_id, 409, "The generation has already finished.", data))


def handle(message: Dict[str, Any]) -> None:
    received.append(message)
    method, request_id, params = message.get("method"), message.get("id"), message.get("params") or {}
    if "silent" in OPTIONS:
        return
    if method == "initialize":
        limits = {"maxMessageBytes": 1 << 20, "maxImageBytes": 7 << 20, "maxInFlight": 1024}
        greeting = {"protocolVersion": "1", "serverInfo": {"name": "fake", "version": "0"}}
        abilities = {"recipes": [], "methods": [], "notifications": [], "locales": ["en"], "watermark": False}
        greeting.update(capabilities=abilities, limits=limits, providers=["fake"], locale="en")
        send(result(request_id, greeting))
    elif method == "shutdown":
        send(result(request_id, None))
    elif method == "exit" and "stubborn" not in OPTIONS:
        os._exit(0)
    elif method in ("generate", "regenerate"):
        generate(request_id, params)
    elif method == "image/prepare" and "patient" in OPTIONS:
        held.append(request_id)
    elif method == "image/prepare":
        original = {"width": 8064, "height": 6048, "bytes": 9, "mimeType": "image/jpeg"}
        prepared = {"width": 4096, "height": 3072, "bytes": 3, "mimeType": "image/jpeg", "original": original}
        send(result(request_id, {**prepared, "data": "AAAA", "changes": ["resized"]}))
    elif method == "cancel":
        cancelled(request_id, params["generationId"])
    elif method == "$/cancelRequest":
        if "talkative" in OPTIONS:
            send(notification("fake/cancel", {"phase": "cancel requested"}))
        if waiting.pop(params["id"], None):
            send(result(params["id"], generation(params["id"], "cancelled")))
        elif params["id"] in held:
            held.remove(params["id"])
            data = {"kind": "request_cancelled", "retryable": False}
            send(failure(params["id"], -32800, "The request was cancelled.", data))
    elif method == "status":
        status(request_id, params)
    elif method == "history":
        history(request_id, params)
    elif method in REMARKS:
        send(result(request_id, remark_answer(method, params)))
    elif method == "account/signIn":
        sign_in(request_id, params)
    elif method == "credits/purchase":
        purchase(request_id, params)
    elif method is not None and method.startswith(("account/", "credits/")):
        send(result(request_id, account_answer(method, params)))
    elif method is not None and method.startswith("queue/"):
        send(result(request_id, queue_answer(method)))
    elif method == "ping":
        send(result(request_id, {}))
    elif method == "echo":
        send(result(request_id, params))
    elif method == "pid":
        send(result(request_id, os.getpid()))
    elif method == "arguments":
        send(result(request_id, sys.argv[1:]))
    elif method == "babble":
        # A library of the service that prints in the middle of the protocol.
        os.write(1, b"Segmentation fault (core dumped)\n")
    elif method == "answer":
        # Any answer at all, as it is written here: JSON or what looks like it.
        os.write(1, b'{"jsonrpc":"2.0","id":%d,"result":%s}\n' % (request_id, params["text"].encode()))
    elif method == "long":
        send(result(request_id, {"data": "é" * params["characters"]}))
    elif method == "hold":
        held.append(request_id)
    elif method == "release":
        # Backwards: answers come in any order.
        send(result(request_id, None), *[result(each, each) for each in reversed(held)])
        held.clear()
    elif method == "received":
        send(result(request_id, [each for each in received if each.get("method") != "received"]))
    elif method == "ask":
        send({"jsonrpc": "2.0", "id": "mine", "method": "location/search", "params": {}}, result(request_id, None))
    elif method == "look up":
        question = {"query": "Bar, Rome", "near": {"latitude": 41.9, "longitude": 12.5}, "generationId": "gen_1"}
        send(
            {
                "jsonrpc": "2.0", "id": params["id"], "method": "location/search",
                "params": {**question, **params.get("also", {})},
            },
            result(request_id, None),
        )
    elif method == "withdraw":
        send(notification("$/cancelRequest", {"id": params["id"]}), result(request_id, None))
    elif method == "disturb":
        # Things a client must survive: unknown notifications, ones it cannot read, answers to nothing.
        send(
            notification("$/unheard", {}),
            notification("generation/progress", {"generationId": 5}),
            result(987654, None),
            failure(None, -32700, "That was not JSON.", {"kind": "parse_error", "retryable": False}),
            result(request_id, "still here"),
        )
    elif request_id is not None and method is not None:
        if method == "picky":
            wrong = {"kind": "invalid_params", "retryable": False, "path": "/method", "expected": "one of mine"}
            send(failure(request_id, -32602, "No.", wrong))
        else:
            send(failure(request_id, -32601, "No.", {"kind": "method_not_found", "retryable": False}))


def main() -> None:
    if "refuses" in OPTIONS:
        os.write(2, b"The data directory /nowhere cannot be written to. Choose another with --data-dir.\n")
        sys.exit(3)
    if "banner" in OPTIONS:
        os.write(1, b"Welcome to the machine\n")
    if "stubborn" in OPTIONS:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for line in sys.stdin.buffer:
        handle(json.loads(line))
    while "stubborn" in OPTIONS:
        signal.pause()


main()
