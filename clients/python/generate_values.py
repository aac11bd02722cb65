"""Writes src/atelier_studio/values.py: what the protocol's JSON Schema describes, as frozen dataclasses, options and
literals. The shapes of pictures are those of the example of `styles/list` in openrpc.json, which a test plays.

    python3 clients/python/generate_values.py            # what `make schema` runs
    python3 clients/python/generate_values.py --check    # write nothing; fail when the file is out of date
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import textwrap
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, Sequence, Tuple

HERE = Path(__file__).resolve().parent
SCHEMA = HERE.parent.parent / "protocol" / "schema.json"
OPENRPC = SCHEMA.with_name("openrpc.json")
VALUES = HERE / "src" / "atelier_studio" / "values.py"

#: The definitions to begin with, besides the results of all methods; what they refer to comes along.
ROOTS = ["GenerateOutput", "GenerationProgressParams", "LocationSearchParams", "UpgradeOption"]

#: Python names, where they differ from the protocol's; two definitions of the same name are one class.
NAMES = dict(pair.split("=") for pair in """
    AccountGetLimit=Limit AccountGetResult=Account AccountSignInResult=SignIn
    CredentialsDeleteResult=DeletedCredential CredentialsSetResult=StoredCredential
    CredentialsStatusEntry=CredentialStatus CreditBalanceBucket=CreditBucket CreditProductPlatforms=ProductPlatforms
    CreditsEstimateResult=Estimate CreditsHistoryEntry=CreditEntry CreditsHistoryPeriod=CreditPeriod
    CreditsHistoryResult=CreditHistoryPage CreditsPurchaseResult=Purchase FeedbackSubmitResult=KeptFeedback
    GenerateOutput=Output GeneratedImage=ResultImage Generation=GenerationResult GenerationFeedback=Feedback
    GenerationProgressParams=Progress GenerationProgressStep=Step GenerationState=State HistoryDeleteResult=Deletion
    HistoryExportResult=Export HistoryResult=HistoryPage ImageFailure=Failure ImageReadResult=ImageContent
    ImageLinkResult=ImageLink ImagePrepareOriginal=OriginalImage
    ImagePrepareResult=PreparedImage InitializeLimits=Limits InitializeResult=Initialization
    InitializeServerCapabilities=ServerCapabilities InitializeServerInfo=ServerInfo LocationSearchParams=LocationQuery
    ProvidersListEntry=Provider ProvidersListOffer=ProviderOffer QueueStatusLine=QueueLine QueueStatusResult=Queue
    ServiceStatusClockDoubt=ClockDoubt
    ServiceStatusCounters=Counters ServiceStatusStoreHealth=StoreStatus SessionGetResult=SessionSteps
    SessionListEntry=Session SessionListResult=SessionPage SessionListStep=SessionStep StyleInResult=Style
    StylesListBackgroundEntry=BackgroundOption StylesListEntry=StyleOption StylesListOutputChoices=OutputChoices
    StylesListResult=HeadshotChoices TemplatesListResult=TemplatePage UsageStatisticsDay=UsageDay
    UsageStatisticsGroup=UsageGroup UsageStatisticsLatency=Latency UsageStatisticsPercentiles=Percentiles
    UsageStatisticsResult=UsageStatistics UsageStatisticsSum=UsageSum Warning=GenerationWarning
""".split())

#: Definitions without a class: lists that the client unpacks.
UNPACKED = {
    "CredentialsStatusResult", "CreditsProductsResult", "LocationSearchResult", "ProvidersListResult",
}

#: Definitions that are a type of another module.
FOREIGN = {"ErrorBody": "AtelierError", "Timestamp": "datetime"}

#: Members whose name would hide one of Python's, those that a base class has in another form, and those that are another
#: type for a caller than on the wire.
MEMBERS = {"bytes": "byte_count"}
OWN_MEMBERS = {("GeneratedImage", "path"): "path_or_none", ("PictureMatte", "path"): "path_or_none"}
TYPES = {
    ("GenerateOutput", "directory"): 'Union[str, "os.PathLike[str]"]',
    ("GeneratedImage", "data"): "bytes",
    ("ImagePrepareResult", "data"): "bytes",
    ("PictureMatte", "data"): "bytes",
    ("ImageReadResult", "data"): "bytes",
    ("LocationSearchParams", "near"): "Any",
}

#: The options of a method: the params they come from, those that the method takes by itself, and what they are.
OPTIONS = {
    "GenerateOptions": ("GenerateParams", ["recipe"], "What `generate` and `credits_estimate` take besides the recipe."),
    "RegenerateOptions": ("RegenerateParams", ["generationId"], "What `regenerate` takes besides the generation."),
}

#: Every method takes these besides.
EXTRA = "    extra: Optional[Mapping[str, Any]]\n" \
    '    """Members of a newer protocol, under their own names."""\n'

#: Classes with something beside the protocol's members.
BASES = {"Generation": "HasImages", "GeneratedImage": "HasFile", "PictureMatte": "HasFile"}

#: The type whose values an example tells: any text that names a shape.
SHAPES = "AspectRatio"

HEADER = '''\
"""What is sent and what comes back, as frozen values. Written by generate_values.py; do not edit.

Names are the protocol's in snake_case, and what is absent or null there is ``None``, or an empty tuple. Durations are
whole milliseconds and end in ``_ms``; times are aware ``datetime`` values. Enumerations are open in answers: a newer
service may send values that are not listed here, and type checkers are told so. In requests, those of which the service
takes no other value are closed, so that a type checker finds a typo. Options are the keyword arguments of a method: one
that is left out, or ``None``, is left to the service.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, Literal, Mapping, Optional, Sequence, Tuple, TypedDict, Union

from ._coding import SLOTS, HasFile, HasImages, Value
from .errors import AtelierError

if TYPE_CHECKING:
    from ._parameters import Image
'''


class Schema:
    """The definitions of the schema, as Python."""

    def __init__(self, document: Mapping[str, Any], shapes: Sequence[str] = ()) -> None:
        self._definitions: Dict[str, Dict[str, Any]] = with_shapes(document["$defs"], shapes)

    def module(self) -> str:
        """The text of the module."""
        classes: Dict[str, str] = {}
        for name in self._reached():
            if name not in FOREIGN and name not in UNPACKED:
                classes.setdefault(NAMES.get(name, name), self._class(name))
        classes[NAMES["GenerationState"]] = self._enumeration("GenerationState")
        classes.update((name, self._options(name)) for name in OPTIONS)
        literals = {name: self._literal(name) for name in self._definitions if self._is_literal(name)}
        names = "".join(f'    "{name}",\n' for name in sorted([*classes, *literals]))
        head = [HEADER + f"\n__all__ = [\n{names}]\n", "\n".join(literals[name] for name in sorted(literals))]
        return "\n\n".join([*head, *(classes[name] for name in sorted(classes))])

    def _is_literal(self, name: str) -> bool:
        """Whether the definition is a text, or a number, of which some values are known."""
        definition = self._definitions[name]
        return bool(self._words(definition)) and all("$ref" not in each for each in definition.get("anyOf", [{}]))

    def _literal(self, name: str) -> str:
        definition = self._definitions[name]
        return f"{name} = {self._type(definition)}\n" + textwrap.dedent(docstring(described(name, definition)))

    def _reached(self) -> List[str]:
        """The objects that the results and the roots refer to."""
        reached: List[str] = []
        ahead = [*ROOTS, *references(self._definitions["Results"])]
        while ahead:
            name = ahead.pop()
            if name in reached or name in FOREIGN:
                continue
            reached.append(name)
            ahead += references(self._definitions[name])
        # Sorted, so that of two definitions of one class it is always the same that says what the class is.
        return sorted(name for name in reached if self._definitions[name].get("properties"))

    def _class(self, name: str) -> str:
        definition = self._definitions[name]
        required: List[str] = []
        optional: List[str] = []
        for member, schema in definition["properties"].items():
            if member != "_meta":
                is_required = member in definition.get("required", [])
                (required if is_required else optional).append(self._field(name, member, schema, is_required))
        head = f"@dataclass(frozen=True, **SLOTS)\nclass {NAMES.get(name, name)}({BASES.get(name, 'Value')}):\n"
        return head + docstring(described(name, definition)) + "\n" + "".join(required + optional)

    def _field(self, owner: str, member: str, schema: Dict[str, Any], is_required: bool) -> str:
        kind = TYPES.get((owner, member)) or self._type(schema)
        name = OWN_MEMBERS.get((owner, member)) or MEMBERS.get(member) or snake_case(member)
        # Lists are there to be iterated over: an absent one is empty.
        absent = "()" if kind.startswith("Tuple") else "None"
        default = "" if is_required else f" = {absent}"
        if name != snake_case(member):
            default = f' = field({"" if is_required else "default=None, "}metadata={{"wire": "{member}"}})'
        if schema.get("x-secret"):
            default = " = field(repr=False)"
        if not is_required and not kind.startswith(("Optional", "Any", "Tuple")):
            kind = f"Optional[{kind}]"
        return f"    {name}: {kind}{default}\n" + self._explained(f"{owner}.{member}", schema)

    def _explained(self, member: str, schema: Dict[str, Any]) -> str:
        """The sentences of a member, with the values of an enumeration."""
        words = [word for word in self._words(schema) if f"`{word}`" not in schema.get("description", "")]
        values = f" Values: {', '.join(f'`{word}`' for word in words)}." if words else ""
        return docstring(described(member, schema) + values)

    def _options(self, name: str) -> str:
        """The keyword arguments of a method, each of which may be left out."""
        params, positional, sentence = OPTIONS[name]
        text = f"class {name}(TypedDict, total=False):\n{docstring(sentence)}\n"
        for member, schema in self._definitions[params]["properties"].items():
            if member != "_meta" and member not in positional:
                kinds = list(dict.fromkeys(self._given(schema)))
                kind = f"Optional[{kinds[0]}]" if len(kinds) == 1 else f"Union[{', '.join(kinds)}, None]"
                text += f"    {snake_case(member)}: {kind}\n" + self._explained(f"{params}.{member}", schema)
        return text + EXTRA

    def _given(self, schema: Dict[str, Any]) -> List[str]:
        """The types of what a caller may give: any sequence as a list, and the members of a value in its place."""
        if "$ref" in schema:
            name = schema["$ref"].rsplit("/", 1)[1]
            if name == "ImageSource":
                return ["Image"]
            if self._definitions[name].get("properties"):
                return [NAMES.get(name, name), "Mapping[str, Any]"]
            return self._given(self._definitions[name])
        if "anyOf" in schema:
            return [kind for each in schema["anyOf"] for kind in self._given(each)]
        if schema.get("type") == "array":
            kinds = self._given(schema["items"])
            return [f"Sequence[{kinds[0] if len(kinds) == 1 else 'Union[' + ', '.join(kinds) + ']'}]"]
        return [self._type(schema)]

    def _type(self, schema: Dict[str, Any]) -> str:
        if "$ref" in schema:
            name = schema["$ref"].rsplit("/", 1)[1]
            if name in FOREIGN or self._definitions[name].get("properties"):
                return FOREIGN.get(name) or NAMES.get(name, name)
            if self._is_literal(name):
                return name
            return self._type(self._definitions[name])
        if "anyOf" in schema:
            kinds = list(dict.fromkeys(self._type(each) for each in schema["anyOf"]))
            return kinds[0] if len(kinds) == 1 else f"Union[{', '.join(kinds)}]"
        if "enum" in schema:
            return f"Literal[{', '.join(json.dumps(value) for value in schema['enum'])}]"
        kind = schema.get("type")
        if isinstance(kind, list):
            return f"Optional[{self._type({**schema, 'type': next(each for each in kind if each != 'null')})}]"
        if kind == "array":
            return f"Tuple[{self._type(schema['items'])}, ...]"
        plain = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "object": "Mapping[str, Any]"}
        return plain.get(str(kind), "Any")

    def _words(self, schema: Dict[str, Any]) -> List[str]:
        """The values of an enumeration."""
        if "$ref" in schema:
            return self._words(self._definitions[schema["$ref"].rsplit("/", 1)[1]])
        alternatives = [self._words(each) for each in schema.get("anyOf", [])]
        return [str(value) for value in schema.get("enum", [])] + [word for words in alternatives for word in words]

    def _enumeration(self, name: str) -> str:
        definition = self._definitions[name]
        lines = [f"class {NAMES.get(name, name)}:\n", docstring(described(name, definition)), "\n"]
        for value in definition["enum"]:
            lines.append(f'    {value.upper()}: Final = "{value}"\n')
            lines.append(docstring(definition.get("x-values", {}).get(value, "")))
        return "".join(lines)


def shapes(document: Mapping[str, Any]) -> List[str]:
    """The shapes of pictures that the example of `styles/list` names."""
    (method,) = [each for each in document["methods"] if each["name"] == "styles/list"]
    return [str(shape) for shape in method["examples"][0]["result"]["value"]["output"]["aspectRatios"]]


def with_shapes(definitions: Mapping[str, Dict[str, Any]], known: Sequence[str]) -> Dict[str, Dict[str, Any]]:
    """The definitions, with a type of its own for the shape of a picture. Providers elsewhere may have more shapes."""
    if not known:
        return dict(definitions)
    output = definitions["GenerateOutput"]
    shape = output["properties"]["aspectRatio"]
    open_values = [{"type": "string", "enum": list(known)}, {"type": "string"}]
    properties = {
        **output["properties"],
        "aspectRatio": {"description": shape["description"], "$ref": f"#/$defs/{SHAPES}"},
    }
    sentence = "The shape of a picture, as width:height. The values that are listed are those of this machine."
    return {
        **definitions,
        "GenerateOutput": {**output, "properties": properties},
        SHAPES: {"description": sentence, "anyOf": open_values},
    }


def references(schema: Any) -> Iterator[str]:
    """The names of the definitions that a schema refers to."""
    if isinstance(schema, dict):
        if "$ref" in schema:
            yield schema["$ref"].rsplit("/", 1)[1]
        for each in schema.values():
            yield from references(each)
    elif isinstance(schema, list):
        for each in schema:
            yield from references(each)


def snake_case(member: str) -> str:
    """`generationId` → `generation_id`."""
    return re.sub("([A-Z])", lambda capital: "_" + capital.group(1).lower(), member)


def described(name: str, schema: Mapping[str, Any]) -> str:
    if not schema.get("description"):
        raise SystemExit(f"{name} has no description in the schema.")
    return str(schema["description"])


def docstring(text: str) -> str:
    """A docstring of the class body, wrapped; `code` becomes ``code``."""
    words = re.sub(r"(?<!`)`([^`]+)`(?!`)", r"``\1``", text).replace("\\", "\\\\")
    lines = textwrap.wrap(f'"""{" ".join(words.split())}', 116, break_long_words=False, break_on_hyphens=False)
    ending = '"""\n' if len(lines) == 1 and len(lines[0]) <= 113 else '\n"""\n'
    return textwrap.indent("\n".join(lines) + ending, "    ") if text else ""


def main(arguments: List[str]) -> Tuple[int, str]:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; fail when the file is out of date")
    parser.add_argument("--schema", type=Path, default=SCHEMA)
    parser.add_argument("--openrpc", type=Path, default=OPENRPC)
    parser.add_argument("--values", type=Path, default=VALUES)
    options = parser.parse_args(arguments)
    known = shapes(json.loads(options.openrpc.read_text())) if options.schema == SCHEMA else []
    text = Schema(json.loads(options.schema.read_text()), known).module()
    if not options.check:
        options.values.write_text(text)
    elif not options.values.exists() or options.values.read_text() != text:
        return 1, f"{options.values.name} is out of date. Mend it with: make schema"
    return 0, ""


if __name__ == "__main__":
    status, message = main(sys.argv[1:])
    print(message, end="\n" if message else "", file=sys.stderr)
    sys.exit(status)
