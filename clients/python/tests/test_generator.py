"""The generator of the values, on a schema of its own."""

from __future__ import annotations

import json
import pathlib
import tempfile
import unittest
from typing import Any, Dict, Optional

import generate_values

NAME = {"type": "string", "description": "What it is called."}


def schema(options: Optional[Dict[str, Any]] = None, **members: Any) -> Dict[str, Any]:
    """A schema whose only result is a ``Thing`` with a name and ``members``, and whose requests take ``options``."""
    thing = {"description": "A thing with a `name`.", "properties": {**members, "name": NAME}, "required": ["name"]}
    state = {"description": "How it is.", "type": "string", "enum": ["on"], "x-values": {"on": "It is on."}}
    empty = {"description": "Nothing.", "properties": {}}
    asked = {"description": "What to make.", "properties": {"recipe": NAME, "_meta": {}, **(options or {})}}
    return {
        "$defs": {
            **{root: empty for root in generate_values.ROOTS},
            **{params: asked for params, _, _ in generate_values.OPTIONS.values()},
            "GenerationState": state,
            "Thing": thing,
            "Timestamp": {"type": "string", "format": "date-time"},
            "Results": {"properties": {"thing/get": {"$ref": "#/$defs/Thing"}}},
        }
    }


def generated(**members: Any) -> str:
    """The module of such a schema."""
    return generate_values.Schema(schema(None, **members)).module()


class GeneratorTests(unittest.TestCase):
    def test_a_definition_becomes_a_class_with_its_sentences(self) -> None:
        text = generated()
        self.assertIn('class Thing(Value):\n    """A thing with a ``name``."""\n', text)
        self.assertIn('    name: str\n    """What it is called."""\n', text)
        self.assertIn('    ON: Final = "on"\n    """It is on."""\n', text)
        compile(text, "values.py", "exec")

    def test_members_that_may_be_absent_come_last_and_have_a_default(self) -> None:
        several = {"type": "array", "items": {"type": "integer"}, "description": "Some."}
        text = generated(
            madeAt={"$ref": "#/$defs/Timestamp", "description": "When."},
            sizes=several,
            bytes={"type": "integer", "description": "How large."},
            state={"anyOf": [{"$ref": "#/$defs/GenerationState"}, {"type": "string"}], "description": "How."},
            left={"type": ["integer", "null"], "description": "How many."},
        )
        self.assertIn("    made_at: Optional[datetime] = None\n", text)
        self.assertIn("    sizes: Tuple[int, ...] = ()\n", text)
        self.assertIn('    byte_count: Optional[int] = field(default=None, metadata={"wire": "bytes"})\n', text)
        self.assertIn(
            '    state: Optional[Union[GenerationState, str]] = None\n    """How. Values: ``on``."""\n', text)
        self.assertIn("    left: Optional[int] = None\n", text)
        self.assertLess(text.index("    name: str"), text.index("    made_at:"))

    def test_the_params_of_a_request_become_options_of_what_a_caller_may_give(self) -> None:
        thing = {"$ref": "#/$defs/Thing"}
        options = {
            "timeoutMs": {"type": "integer", "description": "How long."},
            "thing": {**thing, "description": "Which."},
            "sizes": {"type": "array", "items": {"type": "integer"}, "description": "Some."},
            "place": {"anyOf": [thing, {"type": "string"}], "description": "Where."},
        }
        text = generate_values.Schema(schema(options)).module()
        text = text[text.index("class GenerateOptions(TypedDict, total=False):") :].split("\n\n\n")[0]
        self.assertIn('    timeout_ms: Optional[int]\n    """How long."""\n', text)
        self.assertIn("    thing: Union[Thing, Mapping[str, Any], None]\n", text)
        self.assertIn("    sizes: Optional[Sequence[int]]\n", text)
        self.assertIn("    place: Union[Thing, Mapping[str, Any], str, None]\n", text)
        self.assertIn("    extra: Optional[Mapping[str, Any]]\n", text)
        self.assertNotIn("recipe:", text)
        self.assertNotIn("_meta", text)

    def test_values_that_are_known_become_literals_open_where_others_may_come(self) -> None:
        document = schema(how={"$ref": "#/$defs/How", "description": "How."})
        document["$defs"]["How"] = {
            "description": "How it is.",
            "anyOf": [{"type": "string", "enum": ["white"]}, {"type": "string", "pattern": "#"}],
        }
        output = {"description": "What.", "properties": {"aspectRatio": {"type": "string", "description": "Which shape."}}}
        document["$defs"]["GenerateOutput"] = output
        text = generate_values.Schema(document, ["1:1", "4:5"]).module()
        self.assertIn('GenerationState = Literal["on"]\n"""How it is."""\n', text)
        self.assertIn('How = Union[Literal["white"], str]\n"""How it is."""\n', text)
        self.assertIn("    how: Optional[How] = None\n", text)
        self.assertIn('AspectRatio = Union[Literal["1:1", "4:5"], str]\n', text)
        self.assertIn("    aspect_ratio: Optional[AspectRatio] = None\n", text)
        self.assertIn('    "How",\n', text)

    def test_the_shapes_are_those_that_the_service_lists(self) -> None:
        document = json.loads(generate_values.OPENRPC.read_text())
        self.assertIn("1:1", generate_values.shapes(document))

    def test_a_member_without_a_sentence_is_named(self) -> None:
        with self.assertRaisesRegex(SystemExit, "Thing.size"):
            generated(size={"type": "integer"})

    def test_a_file_that_is_out_of_date_is_told_with_the_command_that_mends_it(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "schema.json").write_text(json.dumps(schema()))
            arguments = ["--schema", str(folder / "schema.json"), "--values", str(folder / "values.py")]
            self.assertEqual(generate_values.main([*arguments, "--check"])[0], 1)
            self.assertEqual(generate_values.main(arguments), (0, ""))
            self.assertEqual(generate_values.main([*arguments, "--check"]), (0, ""))
            (folder / "values.py").write_text("# edited by hand")
            status, message = generate_values.main([*arguments, "--check"])
            self.assertEqual(status, 1)
            self.assertIn("make schema", message)
