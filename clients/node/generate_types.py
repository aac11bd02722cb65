"""Writes src/values.d.ts: what the protocol's JSON Schema describes, as types of TypeScript.

    python3 clients/node/generate_types.py            # what `make schema` runs
    python3 clients/node/generate_types.py --check    # write nothing; fail when the file is out of date
"""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from pathlib import Path
from typing import Any, Dict, List, Mapping, Sequence, Tuple

HERE = Path(__file__).resolve().parent
SCHEMA = HERE.parent.parent / "protocol" / "schema.json"
OPENRPC = SCHEMA.with_name("openrpc.json")
TYPES = HERE / "src" / "values.d.ts"

# The clients call the same thing by the same name.
sys.path.insert(0, str(HERE.parent / "python"))
from generate_values import NAMES, described, references, shapes, with_shapes  # noqa: E402

HEADER = """\
// What is sent and what comes back. Written by generate_types.py; do not edit.
//
// Names are the protocol's. Members that end in `Ms` are whole milliseconds, and times are texts in the form of RFC 3339.
// Enumerations are open: a newer service may send values that are not listed here, and members that are not either.
"""

#: Names of the protocol that mean the same as another one.
SAME = {"GenerationFinishedParams": "Generation", "SearchAreaInResult": "SearchArea"}


class Schema:
    """The definitions of the schema, as TypeScript."""

    def __init__(self, document: Mapping[str, Any], known_shapes: Sequence[str] = ()) -> None:
        self._definitions: Mapping[str, Dict[str, Any]] = with_shapes(document["$defs"], known_shapes)

    def module(self) -> str:
        """The text of the module."""
        params = self._messages("HostMessage", with_id=True)
        notifications = self._messages("ServiceMessage", with_id=False)
        results = self._definitions["Results"]["properties"]
        details = self._definitions["Details"]["properties"]
        methods = {
            method: f"{{ params: {self._type(schema)}; result: {self._type(results[method])} }}"
            for method, schema in params.items()
        }
        blocks = [
            HEADER,
            interface("Methods", "The params and the result of each method.", methods),
            interface(
                "Notifications", "The params of each notification that the service sends.",
                {method: self._type(schema) for method, schema in notifications.items()}),
            interface(
                "Details", self._definitions["Details"]["description"],
                {kind: self._type(schema) for kind, schema in details.items()}),
        ]
        questions = self._messages("ServiceMessage", with_id=True).values()
        declared: Dict[str, str] = {}
        for name in self._reached([
            *params.values(), *results.values(), *notifications.values(), *questions, *details.values(),
        ]):
            declared.setdefault(self._name(name), self._declaration(name))
        return "\n".join(blocks + [declared[name] for name in sorted(declared)])

    def _messages(self, direction: str, with_id: bool) -> Dict[str, Dict[str, Any]]:
        """The schema of the params of each request or of each notification, by method."""
        found: Dict[str, Dict[str, Any]] = {}
        for message in self._definitions[direction]["oneOf"]:
            members = message["properties"]
            if "method" in members and ("id" in members) == with_id:
                params = members.get("params", {})
                # Null and an empty list mean no params; nobody needs three ways to say that.
                found[members["method"]["const"]] = params["anyOf"][0] if "anyOf" in params else params
        return found

    def _reached(self, schemas: List[Any]) -> List[str]:
        reached = {"ErrorBody"}
        ahead = ["ErrorBody", *references(schemas)]
        while ahead:
            for name in references(self._definitions[ahead.pop()]):
                if name not in reached:
                    reached.add(name)
                    ahead.append(name)
            reached.update(ahead)
        # Sorted, so that of two definitions of one type it is always the same that says what the type is.
        return sorted(name for name in reached if name not in SAME)

    def _name(self, definition: str) -> str:
        definition = SAME.get(definition, definition)
        return NAMES.get(definition, definition)

    def _declaration(self, name: str) -> str:
        definition = self._definitions[name]
        description = described(name, definition)
        values = definition.get("x-values", {})
        if values:
            description += "\n\n" + "\n".join(f"- `{value}`: {sentence}" for value, sentence in values.items())
        if not is_object(definition):
            return comment(description) + f"export type {self._name(name)} = {self._type(definition)};\n"
        required = definition.get("required", [])
        members = ""
        for member, schema in definition.get("properties", {}).items():
            if member != "_meta":
                optional = "" if member in required else "?"
                text = comment(described(f"{name}.{member}", schema), "  ")
                members += f"{text}  {member}{optional}: {self._type(schema)};\n"
        return comment(description) + f"export interface {self._name(name)} {{\n{members}}}\n"

    def _type(self, schema: Mapping[str, Any]) -> str:
        if "$ref" in schema:
            return self._name(schema["$ref"].rsplit("/", 1)[1])
        alternatives = schema.get("anyOf") or (None if is_object(schema) else schema.get("oneOf"))
        if alternatives:
            kinds = [self._type(each) for each in alternatives]
            # A plain `string` would swallow the values that are known, and with them what an editor can offer.
            if "string" in kinds and len(kinds) > 1:
                kinds[kinds.index("string")] = "(string & {})"
            return " | ".join(dict.fromkeys(kinds))
        if "enum" in schema:
            return " | ".join(json.dumps(value) for value in schema["enum"])
        if "const" in schema:
            return json.dumps(schema["const"])
        kind = schema.get("type")
        if isinstance(kind, list):
            return " | ".join(self._type({**schema, "type": each}) for each in kind)
        if kind == "array":
            items = self._type(schema["items"])
            return f"({items})[]" if " " in items else f"{items}[]"
        if kind == "object" and schema.get("properties"):
            required = schema.get("required", [])
            members = [
                f"{member}{'' if member in required else '?'}: {self._type(each)}"
                for member, each in schema["properties"].items() if member != "_meta"
            ]
            return "{ " + "; ".join(members) + " }"
        plain = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
        return "Record<string, unknown>" if kind == "object" else plain.get(str(kind), "unknown")


def is_object(schema: Mapping[str, Any]) -> bool:
    """Whether it becomes an interface. The `oneOf` of such a schema says which of its members go together."""
    return schema.get("type") == "object" and "properties" in schema


def interface(name: str, description: str, members: Mapping[str, str]) -> str:
    lines = "".join(f"  {json.dumps(member)}: {kind};\n" for member, kind in members.items())
    return comment(description) + f"export interface {name} {{\n{lines}}}\n"


def comment(text: str, indent: str = "") -> str:
    """A comment as editors show it, with its lists as they stand."""
    lines: List[str] = []
    for line in text.replace("*/", "*\\/").splitlines():
        lines += textwrap.wrap(line, 114 - len(indent), break_long_words=False, break_on_hyphens=False) or [""]
    if len(lines) == 1:
        return f"{indent}/** {lines[0]} */\n"
    return f"{indent}/**\n" + "".join(f"{indent} * {line}".rstrip() + "\n" for line in lines) + f"{indent} */\n"


def main(arguments: List[str]) -> Tuple[int, str]:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; fail when the file is out of date")
    parser.add_argument("--schema", type=Path, default=SCHEMA)
    parser.add_argument("--openrpc", type=Path, default=OPENRPC)
    parser.add_argument("--types", type=Path, default=TYPES)
    options = parser.parse_args(arguments)
    known = shapes(json.loads(options.openrpc.read_text())) if options.schema == SCHEMA else []
    text = Schema(json.loads(options.schema.read_text()), known).module()
    if not options.check:
        options.types.write_text(text)
    elif not options.types.exists() or options.types.read_text() != text:
        return 1, f"{options.types.name} is out of date. Mend it with: make schema"
    return 0, ""


if __name__ == "__main__":
    status, message = main(sys.argv[1:])
    print(message, end="\n" if message else "", file=sys.stderr)
    sys.exit(status)
