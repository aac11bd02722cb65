"""The rules that are the same in both eras: tools, prompts, resources, completion, and the transport."""

from __future__ import annotations

import re
from typing import Any, Callable, List, Set

from .. import wire
from ..rules import Failed, Rule, Skipped
from .target import MODERN, Session, complete_meta, short

MakeRule = Callable[[str, str, str, Callable[[Session], None]], Rule]

_TOOL_NAME = re.compile(r"[A-Za-z0-9_./-]{1,64}")


def shared(era: str, specification: str, rule: MakeRule) -> List[Rule]:
    """The rules of this file, made by ``rule`` for one era."""
    return [
        rule("tools-list", "every tool has a name, a description and a schema of an object", "server/tools", _tools),
        rule(
            "tools-name-format",
            "the names of tools have 1 to 64 letters, digits and _ . / -, each once",
            "server/tools",
            _tool_names,
        ),
        rule(
            "tools-call-unknown", "an unknown tool is refused with -32602", "server/tools#error-handling", _unknown_tool
        ),
        rule(
            "tools-call-invalid-arguments",
            "arguments that a tool cannot use are refused in its result",
            "server/tools#error-handling",
            _bad_arguments,
        ),
        rule("prompts-list", "every prompt has a name, and its arguments have", "server/prompts", _prompts),
        rule(
            "prompts-get-unknown",
            "an unknown prompt is refused with -32602",
            "server/prompts#error-handling",
            _unknown_prompt,
        ),
        rule("resources-list", "every resource has a uri and a name", "server/resources", _resources),
        rule("resources-templates-list", "every template has a uriTemplate and a name", "server/resources", _templates),
        rule(
            "sep-2164-no-empty-contents", "an unknown resource is refused, not empty", "server/resources", _no_contents
        ),
        rule(
            "completion-complete",
            "a prompt's argument is completed with at most 100 values",
            "server/utilities/completion",
            _completion,
        ),
        rule("stdio-method-not-found", "an unknown method is refused with -32601", "basic/index", _unknown_method),
        rule("stdio-ids", "ids come back as they were sent", "basic/index#requests", _ids),
        rule(
            "stdio-notifications", "unknown notifications are not answered", "basic/index#notifications", _notifications
        ),
        rule(
            "stdio-parse-error", "a line that is no message does not end the connection", "basic/transports", _garbage
        ),
        rule("stdio-large-message", "a message of 1 MB is answered", "basic/transports", _large),
        rule("stdio-many-requests", "a hundred requests at once are answered, each once", "basic/transports", _many),
        rule("stdio-end-of-input", "at the end of its input the server ends", "basic/lifecycle#shutdown", _end),
    ]


def _tools(session: Session) -> None:
    session.require("tools")
    for tool in session.listed("tools/list", "tools"):
        schema = tool.get("inputSchema")
        if not isinstance(tool.get("name"), str) or not isinstance(tool.get("description", ""), str):
            raise Failed(f"a tool without a name, or with a description that is no text: {short(tool)}")
        for member in ("inputSchema", "outputSchema"):
            if (member in tool or member == "inputSchema") and wire.member(tool.get(member), "type") != "object":
                raise Failed(f'{tool["name"]}: the type of {member} is not "object"\ngot: {short(schema)}')
        for name, value in (tool.get("annotations") or {}).items():
            if name.endswith("Hint") and not isinstance(value, bool):
                raise Failed(f"{tool['name']}: {name} is neither true nor false")


def _tool_names(session: Session) -> None:
    session.require("tools")
    seen: Set[str] = set()
    for tool in session.listed("tools/list", "tools"):
        name = tool.get("name")
        if not isinstance(name, str) or not _TOOL_NAME.fullmatch(name) or name in seen:
            raise Failed(f"{wire.text(name)} is no such name, or not the only one")
        seen.add(name)


def _unknown_tool(session: Session) -> None:
    session.require("tools")
    session.expect_error(session.ask("tools/call", {"name": "no_such_tool_here", "arguments": {}}), -32602)


def _bad_arguments(session: Session) -> None:
    session.require("tools")
    demanding = [tool for tool in session.listed("tools/list", "tools") if wire.member(tool, "inputSchema", "required")]
    if not demanding:
        raise Skipped("no tool needs arguments")
    answer = session.ask("tools/call", {"name": demanding[0]["name"], "arguments": {}})
    if "error" in answer:
        # Earlier revisions let a server choose; the call is refused in any case.
        session.expect_error(answer, -32602)
        return
    content = wire.member(answer, "result", "content")
    if wire.member(answer, "result", "isError") is not True or not content:
        raise Failed(f"expected isError and a content that says what is wrong\ngot: {short(answer)}")


def _prompts(session: Session) -> None:
    session.require("prompts")
    for prompt in session.listed("prompts/list", "prompts"):
        named = [prompt, *(prompt.get("arguments") or [])]
        if not all(isinstance(wire.member(each, "name"), str) for each in named):
            raise Failed(f"a prompt or an argument without a name: {short(prompt)}")


def _unknown_prompt(session: Session) -> None:
    session.require("prompts")
    session.expect_error(session.ask("prompts/get", {"name": "no_such_prompt_here"}), -32602)


def _resources(session: Session) -> None:
    session.require("resources")
    _expect_members(session.listed("resources/list", "resources"), "uri")


def _templates(session: Session) -> None:
    session.require("resources")
    _expect_members(session.listed("resources/templates/list", "resourceTemplates"), "uriTemplate")


def _expect_members(entries: List[Any], identifier: str) -> None:
    for entry in entries:
        if not all(isinstance(entry.get(name), str) and entry[name] for name in (identifier, "name")):
            raise Failed(f"an entry without {identifier} or name: {short(entry)}")


def _no_contents(session: Session) -> None:
    session.require("resources")
    answer = session.ask("resources/read", {"uri": "conformance://nothing/here"})
    if "error" not in answer:
        raise Failed(f"expected an error\ngot: {short(answer)}")


def _completion(session: Session) -> None:
    session.require("completions")
    session.require("prompts")
    prompts = [each for each in session.listed("prompts/list", "prompts") if each.get("arguments")]
    if not prompts:
        raise Skipped("no prompt has arguments")
    argument = {"name": prompts[0]["arguments"][0]["name"], "value": ""}
    found = session.result(
        "completion/complete", {"ref": {"type": "ref/prompt", "name": prompts[0]["name"]}, "argument": argument}
    )
    values = wire.member(found, "completion", "values")
    if not isinstance(values, list) or len(values) > 100 or not all(isinstance(each, str) for each in values):
        raise Failed(f"completion.values is not a list of at most 100 texts\ngot: {short(found)}")


def _unknown_method(session: Session) -> None:
    session.expect_error(session.ask("no/such/method"), -32601)


def _request(session: Session, request_id: Any) -> str:
    """A request that any server answers in some way, with an id of the rule's own."""
    params = {"_meta": complete_meta()} if session.era == MODERN else {}
    return wire.text({"jsonrpc": "2.0", "id": request_id, "method": "no/such/method", "params": params})


def _ids(session: Session) -> None:
    for request_id in ("a text", "", wire.Number("0"), wire.Number("9007199254740991")):
        session.program.send(_request(session, request_id))
        session.answer(request_id)


def _notifications(session: Session) -> None:
    session.program.send('{"jsonrpc":"2.0","method":"notifications/nobody/knows"}')
    session.program.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"none"}}')
    session.program.send(_request(session, "next"))
    while True:
        message = session.program.next()
        if message is None:
            raise Failed("the server ended")
        if isinstance(message, dict) and "method" not in message:
            if message.get("id") != "next":
                raise Failed(f"a notification was answered: {short(message)}")
            return


def _garbage(session: Session) -> None:
    for line in ("this is not JSON", "{", "[]", "7"):
        session.program.send(line)
    session.program.send(_request(session, "next"))
    session.answer("next")


def _large(session: Session) -> None:
    session.ask("no/such/method", {"padding": "x" * 1_000_000})


def _many(session: Session) -> None:
    ids = [f"many-{number}" for number in range(100)]
    session.program.write("".join(_request(session, each) + "\n" for each in ids).encode())
    # Answers may come in any order: every other one is passed over on the way to the one that is waited for.
    left = set(ids)
    while left:
        message = session.program.next()
        if message is None:
            raise Failed(f"the server ended before {len(left)} answers")
        answered = message.get("id") if isinstance(message, dict) and "method" not in message else None
        if answered is not None:
            if answered not in left:
                raise Failed(f"answered twice, or not asked: {short(message)}")
            left.discard(answered)


def _end(session: Session) -> None:
    session.program.close_input()
    session.program.rest()
    session.program.wait()
