"""Rules about the connection as a whole: its limits, its end, and hosts that read late or not at all."""

from __future__ import annotations

import signal
import time
from typing import Any, Callable, List

from .. import wire
from ..program import Program
from ..rules import Failed, Rule
from .target import Target, ping, shown

_TRANSPORT = ["PROTOCOL.md#transport", "REFERENCE.md#transport"]
_ERRORS = ["PROTOCOL.md#errors"]

#: What the protocol allows after a signal, and what a busy machine adds.
_SECONDS_AFTER_A_SIGNAL = 2 + 3

_MAXIMUM_LINE = 60 * 1024


def rules(target: Target) -> List[Rule]:
    """The rules of this file."""

    def rule(name: str, title: str, sections: List[str], check: Callable[[Target], None]) -> Rule:
        return Rule(f"connection/{name}", title, sections, lambda: check(target))

    return [
        rule(
            "first-request",
            "any request may be the first one; initialize is optional",
            ["PROTOCOL.md#initialize"],
            _first,
        ),
        rule(
            "end-of-input",
            "at the end of the input everything is answered, then the exit status is 0",
            _TRANSPORT,
            _end,
        ),
        rule("slow-reader", "a host that reads late loses no answer", _TRANSPORT, _slow_reader),
        rule("no-reader", "a program that nobody reads ends", _TRANSPORT, _no_reader),
        rule("signal", "SIGTERM, SIGINT and SIGHUP end it with 0 within two seconds", _TRANSPORT, _signals),
        rule(
            "message-too-large", "a message above limits.maxMessageBytes is refused with its id", _TRANSPORT, _too_large
        ),
        rule("batch-too-long", "a batch of more than 10,000 messages is refused as a whole", _TRANSPORT, _too_many),
        rule("id-too-long", "an id above 1,024 bytes is refused with a null id", _TRANSPORT, _long_id),
        rule("short-errors", "an error that quotes the request stays below 60 KiB", _TRANSPORT, _short_errors),
        rule(
            "after-shutdown",
            "after shutdown, requests are refused until exit ends the program",
            ["REFERENCE.md#shutdown"],
            _shutdown,
        ),
        rule("methods", "initialize names the methods of the protocol", ["PROTOCOL.md#initialize"], _methods),
        rule(
            "unknown-account", "a confined connection may not name another account", ["PROTOCOL.md#accounts"], _confined
        ),
    ]


def expect_error(answer: Any, code: int, kind: str) -> None:
    """Raises ``Failed`` unless the answer is an error of this code and kind, complete as PROTOCOL.md says."""
    error = wire.member(answer, "error")
    data = wire.member(error, "data")
    if not isinstance(data, dict):
        raise Failed(f"expected the error {code} {kind} with data\ngot: {shown(answer)}")
    wrong = [
        name
        for name, is_right in [
            ("code", wire.integer(error.get("code")) == code),
            ("data.kind", data.get("kind") == kind),
            ("data.retryable", isinstance(data.get("retryable"), bool)),
            ("message", isinstance(error.get("message"), str) and error["message"].endswith((".", "?"))),
        ]
        if not is_right
    ]
    if wrong:
        raise Failed(f"expected the error {code} {kind}; wrong: {', '.join(wrong)}\ngot: {shown(answer)}")


def _first(target: Target) -> None:
    with target.start() as program:
        answer = program.call(1, "status")
        if "result" not in answer:
            raise Failed(f"status without initialize: {shown(answer)}")
        program.close_input()
        program.expect_exit()


def _end(target: Target) -> None:
    photo = target.project / "Tests/Fixtures/portraits/astronaut.png"
    request = {
        "jsonrpc": "2.0",
        "id": "g",
        "method": "generate",
        "params": {"recipe": "headshot", "image": {"path": str(photo)}},
    }
    with target.start() as program:
        program.send(wire.text(request))
        program.send(ping("2"))
        program.close_input()
        answers = {wire.text(each.get("id")): each for each in program.answers()}
        if set(answers) != {'"g"', "2"}:
            raise Failed(f'expected answers to "g" and 2, got answers to {", ".join(answers) or "nothing"}')
        if wire.member(answers['"g"'], "result", "state") != "succeeded":
            raise Failed(f"the picture was not made: {shown(answers[chr(34) + 'g' + chr(34)])}")
        program.expect_exit()


def _slow_reader(target: Target) -> None:
    # rpc.discover has the largest answer that needs no picture: all of them are more than any pipe holds. The requests
    # fit into one, so that nobody waits for anybody yet.
    numbers = [str(number) for number in range(1, 51)]
    with target.start(is_read=False) as program:
        program.write(
            "".join(f'{{"jsonrpc":"2.0","id":{number},"method":"rpc.discover"}}\n' for number in numbers).encode()
        )
        program.close_input()
        program.begin_reading()
        found = [wire.text(each.get("id")) for each in program.answers() if "result" in each]
        if sorted(found) != sorted(numbers):
            raise Failed(f"expected {len(numbers)} results, each once, got {len(found)}")
        program.expect_exit()


def _no_reader(target: Target) -> None:
    with target.start(is_read=False) as program:
        program.close_output()
        program.send(ping("1"))
        # Output that nobody ever read is lost; a host that stops reading later is no failure.
        program.expect_exit(0, 1)


def _signals(target: Target) -> None:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_IGN:
            continue  # Started by nohup or the like, the program inherits that it is to ignore the signal.
        with target.start() as program:
            program.call(1, "ping")
            began = time.monotonic()
            program.signal(number)
            program.expect_exit()
            took = time.monotonic() - began
            if took > _SECONDS_AFTER_A_SIGNAL:
                raise Failed(f"{number.name}: it took {took:.1f} s to end")


def _introduced(program: Program) -> Any:
    answer = program.call(1, "initialize", {})
    if not isinstance(wire.member(answer, "result"), dict):
        raise Failed(f"initialize was not answered with a result: {shown(answer)}")
    return answer["result"]


def _too_large(target: Target) -> None:
    with target.start() as program:
        limit = wire.integer(wire.member(_introduced(program), "limits", "maxMessageBytes")) or 0
        head, tail = b'{"jsonrpc":"2.0","id":"large","method":"ping","params":{"_meta":"', b'"}}'
        fits = head.replace(b"large", b"fits!") + b"x" * (limit - len(head) - len(tail)) + tail
        program.send(fits)
        if "result" not in program.answer("fits!"):
            raise Failed(f"a message of exactly {limit} bytes was refused")
        program.send(fits.replace(b"fits!", b"large", 1).replace(b"x", b"xx", 1))
        expect_error(program.answer("large"), -32600, "invalid_request")
        if "result" not in program.call(2, "ping"):
            raise Failed("the next request was not answered")


def _too_many(target: Target) -> None:
    with target.start() as program:
        program.send("[" + ",".join(['{"jsonrpc":"2.0","method":"nope"}'] * 10_001) + "]")
        expect_error(program.answer(None), -32600, "invalid_request")
        program.call(2, "ping")


def _long_id(target: Target) -> None:
    with target.start() as program:
        program.send(ping('"' + "x" * 1_022 + '"'))
        program.answer("x" * 1_022)
        program.send(ping('"' + "x" * 1_023 + '"'))
        expect_error(program.answer(None), -32600, "invalid_request")


def _short_errors(target: Target) -> None:
    with target.start() as program:
        long = 'é"' * 40_000
        for params in ({long: True}, {"recipe": long}, {"recipe": "create", "prompt": "x", "provider": long}):
            request = {"jsonrpc": "2.0", "id": "long", "method": "generate", "params": params}
            program.send(wire.text(request))
            line = program.next_line() or b""
            if len(line) > _MAXIMUM_LINE:
                raise Failed(f"an error of {len(line)} bytes: {wire.shortened(line.decode())}")


def _shutdown(target: Target) -> None:
    with target.start() as program:
        answer = program.call(1, "shutdown")
        if answer.get("result", 0) is not None:
            raise Failed(f"shutdown: expected the result null, got {shown(answer)}")
        expect_error(program.call(2, "status"), -32600, "invalid_request")
        program.send('{"jsonrpc":"2.0","method":"exit"}')
        program.expect_exit()


def _methods(target: Target) -> None:
    document = target.document("openrpc.json")
    with target.start() as program:
        named = set(wire.member(_introduced(program), "capabilities", "methods") or [])
        missing = sorted({method["name"] for method in document["methods"]} - named)
        if missing:
            raise Failed(f"not in capabilities.methods: {', '.join(missing)}")
        second = program.call(2, "initialize", {})
        expect_error(second, -32600, "invalid_request")


def _confined(target: Target) -> None:
    with target.start() as program:
        program.call(1, "initialize", {"account": "anna"})
        expect_error(program.call(2, "history", {"account": "ben"}), 403, "permission_denied")
        if "result" not in program.call(3, "history", {"account": "anna"}):
            raise Failed("its own account was refused")
