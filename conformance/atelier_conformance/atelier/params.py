"""Rules about params, made from openrpc.json: unknown members are refused, and so is every member of a wrong type."""

from __future__ import annotations

import json
from functools import partial
from typing import Any, Dict, List

from .. import wire
from ..program import Program
from ..rules import Failed, Rule, Skipped
from .connection import expect_error
from .target import Target, anchor, shown

#: It ignores what it does not know, because clients built on the Language Server Protocol send much.
_TOLERANT = {"initialize"}

_UNKNOWN = "unheardOf"


def rules(target: Target) -> List[Rule]:
    """One rule for each request of the protocol."""
    document = target.document("openrpc.json")
    return [
        Rule(
            f"params/{method['name']}",
            "unknown members and members of a wrong type are refused by name",
            ["PROTOCOL.md#conventions", anchor(method["name"])],
            partial(_check, target, document, method),
        )
        for method in document["methods"]
        if "result" in method
    ]


def _check(target: Target, document: Any, method: Any) -> None:
    name = method["name"]
    with target.start() as program:
        base = _example(method)
        if name not in _TOLERANT:
            _expect_refusal(program, 1, name, {**base, _UNKNOWN: 1}, f"/{_UNKNOWN}")
        mistakes = 0
        for number, param in enumerate(method["params"], 2):
            kinds = _kinds(document, param["schema"])
            wrong = next((value for kind, value in _WRONG.items() if kind not in kinds), None)
            if kinds and wrong is not None:
                mistakes += 1
                _expect_refusal(program, number, name, {**base, param["name"]: wrong}, f"/{param['name']}")
        if name in _TOLERANT and mistakes == 0:
            raise Skipped("it has no params")
        answer = program.call(1, "ping")
        if "result" not in answer:
            raise Failed(f"afterwards, ping: {shown(answer)}")


#: A value of each type, for params that are of another one. No param takes all of them.
_WRONG: Dict[str, Any] = {
    "array": [[[]]],
    "boolean": True,
    "number": wire.Number("7"),
    "string": "?",
    "object": {"?": None},
}


def _example(method: Any) -> Dict[str, Any]:
    """The params of the method's first example, so that nothing else is wrong than what is tested."""
    examples = method.get("examples", [])
    return {each["name"]: wire.parse(json.dumps(each["value"])) for each in examples[0]["params"]} if examples else {}


def _kinds(document: Any, schema: Any) -> List[str]:
    """The JSON types that a schema accepts; none when it does not say."""
    if "$ref" in schema:
        return _kinds(document, document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]])
    for choice in ("anyOf", "oneOf"):
        if choice in schema and "type" not in schema:
            return [kind for each in schema[choice] for kind in _kinds(document, each)]
    kinds = schema.get("type", [])
    return ["number" if kind == "integer" else kind for kind in ([kinds] if isinstance(kinds, str) else kinds)]


def _expect_refusal(program: Program, number: int, method: str, params: Dict[str, Any], path: str) -> None:
    answer = program.call(number, method, params)
    try:
        expect_error(answer, -32602, "invalid_params")
        found = wire.member(answer, "error", "data", "path")
        if not (isinstance(found, str) and (found == path or found.startswith(path + "/"))):
            raise Failed(f'expected data.path "{path}"\ngot: {shown(answer)}')
        if not wire.member(answer, "error", "data", "expected"):
            raise Failed(f"data.expected is missing\ngot: {shown(answer)}")
    except Failed as failure:
        raise Failed(f"{method} {wire.shortened(wire.text(params), 200)}: {failure}") from None
