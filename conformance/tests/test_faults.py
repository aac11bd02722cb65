"""The kit finds every fault of a service that has one, and none in a service that has none."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, List, Tuple

from atelier_conformance.__main__ import PROJECT, main

SERVICE = f"{sys.executable} {Path(__file__).with_name('service.py')}"

TRANSCRIPT = """# A conversation of two
--> {"jsonrpc":"2.0","id":1,"method":"ping"}
<-- {"jsonrpc":"2.0","id":1,"result":{}}
--> {"jsonrpc":"2.0","id":"*id:never*","method":"nope"}
<-- {"jsonrpc":"2.0","id":"*id:never*","error":{"code":-32601,"message":"*any*","data":{"kind":"method_not_found","…":"*any*"}}}
"""

SCHEMA: Dict[str, Any] = {
    "$defs": {
        "ServiceMessage": {
            "type": "object",
            "required": ["jsonrpc", "id"],
            "properties": {"jsonrpc": {"const": "2.0"}},
        },
        "Results": {"properties": {"ping": {"type": "object", "additionalProperties": False}}},
    }
}


def param(name: str, kind: str) -> Dict[str, Any]:
    return {"name": name, "schema": {"type": kind}}


OPENRPC: Dict[str, Any] = {
    "methods": [
        {"name": "ping", "params": [], "result": {}},
        {"name": "status", "params": [param("generationId", "string")], "result": {}},
        {"name": "history", "params": [param("account", "string"), param("limit", "integer")], "result": {}},
        {"name": "initialize", "params": [param("account", "string")], "result": {}},
        {"name": "exit", "params": []},
    ]
}


def project(folder: str) -> Path:
    """The documents of the small service's protocol."""
    protocol = Path(folder) / "protocol"
    (protocol / "transcripts").mkdir(parents=True)
    (protocol / "transcripts" / "two.jsonl").write_text(TRANSCRIPT, encoding="utf-8")
    shutil.copytree(PROJECT / "protocol" / "streams", protocol / "streams")
    (protocol / "schema.json").write_text(json.dumps(SCHEMA))
    OPENRPC["methods"][-1]["name"] = "shutdown"
    (protocol / "openrpc.json").write_text(json.dumps(OPENRPC))
    return Path(folder)


def run(fault: str, *options: str) -> Tuple[int, List[Dict[str, Any]], Dict[str, int]]:
    """The exit status, the outcomes and the sums of a run against the service with this fault."""
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as output:
        command = f"{SERVICE} '{fault}'" if fault else SERVICE
        status = main(["--command", command, "--project", str(project(folder)), "--json", "--timeout", "60", *options])
    lines = [json.loads(line) for line in output.getvalue().splitlines()]
    return status, lines[:-1], lines[-1]


# What the small service cannot do: headers, pictures, large answers, and a strict parser.
BEYOND = [
    "stream/headers/*",
    "*/headers*",
    "connection/end-of-input",
    "connection/slow-reader",
    "connection/no-reader",
    "stream/lines/a-carriage-return-alone",
    "stream/messages/lines/nesting*",
    "stream/messages/lines/ids-of-every-kind",
    "stream/messages/lines/an-escaped*",
    "stream/messages/lines/a-nul-inside*",
    "connection/batch-too-long",
    "stream/messages/lines/an-unclosed*",
    "stream/lines/only-a-byte-order-mark",
    "stream/messages/lines/responses*",
    "stream/lines/a-byte-order-mark-and*",
]
WITHIN = [option for pattern in BEYOND for option in ("--skip", pattern)]


class FaultTests(unittest.TestCase):
    def test_a_service_without_fault_passes(self) -> None:
        status, outcomes, sums = run("", *WITHIN)
        self.assertEqual([each for each in outcomes if each["verdict"] == "failed"], [])
        self.assertEqual((status, sums["failed"]), (0, 0))
        self.assertGreater(sums["passed"], 40)

    def test_every_fault_is_found_by_the_rule_that_forbids_it(self) -> None:
        for fault, rule, words in [
            ("writes no JSON", "connection/first-request", "not JSON"),
            ("answers twice", "stream/lines/crlf-and-lf-mixed", "unexpected answer [id, code]: [1,null]"),
            ("errors without data", "connection/after-shutdown", "with data"),
            ("takes unknown params", "params/status", 'status {"unheardOf":1}: expected the error -32602'),
            ("takes any type", "params/history", 'history {"account":[[[]]]}: expected the error -32602'),
            ("names no methods", "connection/methods", "history"),
            ("works after shutdown", "connection/after-shutdown", "-32600"),
            ("serves every account", "connection/unknown-account", "403 permission_denied"),
            ("sends more", "transcript/two/lines", 'two.jsonl:3: at "/result/odd" expected nothing, got 1'),
            ("sends more", "schema/*", 'at "/odd": must not be there'),
            ("rewrites ids", "stream/messages/lines/params-by-position", "missing answer [id, code]: [1,-32602]"),
            ("ignores signals", "connection/signal", "SIGTERM|exit status: expected 0, got -15"),
            ("dies of garbage", "stream/lines/garbage-first", "missing answer [id, code]: [1,null]"),
            ("never answers", "connection/first-request", "nothing came within 1 s"),
            ("ends with 4", "stream/lines/nothing", "exit status: expected 0, got 4"),
        ]:
            with self.subTest(fault):
                # The form of messages is judged by what came in transcripts.
                rules = ["--rule", rule] + (["--rule", "transcript/two/lines"] if rule == "schema/*" else [])
                limit = ["--timeout", "1"] if fault == "never answers" else []
                status, outcomes, _ = run(fault, *rules, *limit)
                self.assertEqual(status, 1)
                details = "\n".join(line for each in outcomes for line in each["details"])
                self.assertTrue(any(word in details for word in words.split("|")), details)

    def test_a_skipped_rule_says_why(self) -> None:
        status, outcomes, sums = run("", "--rule", "schema/*")
        self.assertEqual((status, sums), (0, {"passed": 0, "failed": 0, "skipped": 2}))
        self.assertEqual(outcomes[0]["details"], ["no transcript was played"])

    def test_a_program_that_is_not_there_is_named(self) -> None:
        with contextlib.redirect_stderr(io.StringIO()) as errors:
            self.assertEqual(main(["--command", "/nowhere/at/all"]), 2)
        self.assertIn("/nowhere/at/all", errors.getvalue())


class OptionTests(unittest.TestCase):
    def output(self, *options: str) -> Tuple[int, str]:
        with contextlib.redirect_stdout(io.StringIO()) as output, contextlib.redirect_stderr(output):
            try:
                status = main(["--command", SERVICE, *options])
            except SystemExit as exit:
                status = int(str(exit.code))
        return status, output.getvalue()

    def test_wrong_options_end_with_2(self) -> None:
        for options in (
            ["--timeout", "0"],
            ["--timeout", "soon"],
            ["--timeout", "nan"],
            ["--rule", "no/such"],
            ["--project", "/"],
            ["--protocol", "smtp"],
            ["--command", ""],
            ["--command", "'"],
        ):
            self.assertEqual(self.output(*options)[0], 2, options)

    def test_the_list_has_every_rule_once_with_where_it_is_written(self) -> None:
        status, text = self.output("--list")
        lines = [line.split("\t") for line in text.splitlines()]
        self.assertEqual(status, 0)
        self.assertEqual(len({line[0] for line in lines}), len(lines))
        self.assertGreater(len(lines), 150)
        for identifier, title, sections in lines:
            self.assertTrue(title, identifier)
            for section in filter(None, sections.split(", ")):
                self.assert_exists(section)

    def assert_exists(self, section: str) -> None:
        document, _, anchor = section.partition("#")
        text = (PROJECT / "protocol" / document).read_text(encoding="utf-8")
        headings = [
            "".join(letter for letter in line.lower() if letter.isalnum() or letter in " -").strip().replace(" ", "-")
            for line in text.splitlines()
            if line.startswith("#")
        ]
        if anchor:
            self.assertIn(anchor, headings, section)

    def test_the_report_for_people_names_the_rule_and_its_section(self) -> None:
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as output:
            command = f"{SERVICE} 'works after shutdown'"
            rules = ["--rule", "connection/after-shutdown", "--rule", "connection/first-request"]
            main(["--command", command, "--project", str(project(folder)), *rules])
        lines = output.getvalue().splitlines()
        self.assertEqual(lines[0], "passed  connection/first-request")
        self.assertEqual(lines[1], "failed  connection/after-shutdown")
        self.assertEqual(lines[3], "        see:  REFERENCE.md#shutdown")
        self.assertEqual(lines[-1], "1 passed, 1 failed, 0 skipped")
