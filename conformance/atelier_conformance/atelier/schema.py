"""Rules about the form of messages: whatever came in the transcripts agrees with schema.json."""

from __future__ import annotations

import re
from typing import Any, Dict, List, Optional

from .. import wire
from ..rules import Failed, Rule, Skipped
from .target import Target, shown


def rules(target: Target) -> List[Rule]:
    """One rule for everything that is sent, one for the results."""
    return [
        Rule(
            "schema/messages",
            "every message agrees with ServiceMessage in schema.json",
            ["schema.json"],
            lambda: _check(target, lambda method: {"$ref": "#/$defs/ServiceMessage"}, whole=True),
        ),
        Rule(
            "schema/results",
            "every result agrees with that of its method in schema.json",
            ["schema.json"],
            lambda: _check(target, lambda method: _result(target, method), whole=False),
        ),
    ]


def _result(target: Target, method: Optional[str]) -> Any:
    return target.document("schema.json")["$defs"]["Results"]["properties"].get(method, {})


def _check(target: Target, schema_of: Any, whole: bool) -> None:
    if not target.seen:
        raise Skipped("no transcript was played")
    checker = Checker(target.document("schema.json"))
    problems: Dict[str, str] = {}
    for source, message, method in target.seen:
        value = message if whole else wire.member(message, "result")
        if not whole and (not isinstance(message, dict) or "result" not in message):
            continue
        problem = checker.problem(value, schema_of(method))
        if problem:
            problems.setdefault(problem, f"{source}: {problem}\ngot: {shown(message)}")
    if problems:
        raise Failed("\n".join(problems.values()))


class Checker:
    """Checks values against a JSON Schema, as far as schema.json uses the language."""

    def __init__(self, document: Any) -> None:
        self._definitions: Dict[str, Any] = document["$defs"]

    def problem(self, value: Any, schema: Any, path: str = "") -> Optional[str]:
        """What is wrong with a value; None if nothing is."""
        if isinstance(schema, bool):
            return None if schema else f'at "{path}": must not be there'
        if "$ref" in schema:
            found = self.problem(value, self._definitions[schema["$ref"].rsplit("/", 1)[1]], path)
            if found:
                return found
        return (
            self._plain_problem(value, schema, path)
            or self._choice_problem(value, schema, path)
            or self._object_problem(value, schema, path)
            or self._list_problem(value, schema, path)
        )

    def _plain_problem(self, value: Any, schema: Any, path: str) -> Optional[str]:
        kinds = schema.get("type")
        if kinds is not None and not any(_is(value, kind) for kind in ([kinds] if isinstance(kinds, str) else kinds)):
            return f'at "{path}": expected {kinds}, got {wire.shortened(wire.text(value), 100)}'
        if "const" in schema and not _same(value, schema["const"]):
            return f'at "{path}": expected {schema["const"]!r}, got {wire.shortened(wire.text(value), 100)}'
        if "enum" in schema and not any(_same(value, each) for each in schema["enum"]):
            return f'at "{path}": {wire.shortened(wire.text(value), 100)} is none of {schema["enum"]}'
        if isinstance(value, str):
            if not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value)):
                return f'at "{path}": a string of {len(value)} characters'
            if "pattern" in schema and not re.search(schema["pattern"], value):
                return f'at "{path}": {wire.shortened(value, 100)} does not match {schema["pattern"]}'
            if schema.get("format") == "date-time" and not _TIME.fullmatch(value):
                return f'at "{path}": {wire.shortened(value, 100)} is not a time'
        if isinstance(value, wire.Number):
            number = float(value.text)
            if not schema.get("minimum", number) <= number <= schema.get("maximum", number):
                return f'at "{path}": {value.text} is out of range'
        return None

    def _choice_problem(self, value: Any, schema: Any, path: str) -> Optional[str]:
        for choice in ("anyOf", "oneOf"):
            if choice in schema:
                found = [self.problem(value, each, path) for each in schema[choice]]
                passing = found.count(None)
                if passing == 0:
                    # The alternative that gets deepest is the one that was meant.
                    return max((each for each in found if each), key=lambda each: each.split(":")[0].count("/"))
                if choice == "oneOf" and passing > 1:
                    return f'at "{path}": agrees with {passing} alternatives, not with one'
        if "not" in schema and self.problem(value, schema["not"], path) is None:
            return f'at "{path}": agrees with what it must not'
        return None

    def _object_problem(self, value: Any, schema: Any, path: str) -> Optional[str]:
        if not isinstance(value, dict):
            return None
        for name in schema.get("required", []):
            if name not in value:
                return f'at "{path}": {name} is missing'
        members = schema.get("properties", {})
        for name, inner in value.items():
            if name in members:
                found = self.problem(inner, members[name], f"{path}/{name}")
            else:
                found = self.problem(inner, schema.get("additionalProperties", True), f"{path}/{name}")
            if found:
                return found
        return None

    def _list_problem(self, value: Any, schema: Any, path: str) -> Optional[str]:
        if not isinstance(value, list):
            return None
        for index, each in enumerate(value):
            found = self.problem(each, schema.get("items", True), f"{path}/{index}")
            if found:
                return found
        return None


_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")


def _is(value: Any, kind: str) -> bool:
    if kind == "integer":
        return isinstance(value, wire.Number) and float(value.text).is_integer()
    types = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None), "number": wire.Number}
    return isinstance(value, types[kind])


def _same(value: Any, plain: Any) -> bool:
    if isinstance(value, wire.Number):
        return not isinstance(plain, bool) and isinstance(plain, (int, float)) and float(value.text) == plain
    return type(value) is type(plain) and value == plain
