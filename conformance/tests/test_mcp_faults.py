"""The MCP half of the kit finds every fault of a server that has one, and none in a server that has none."""

from __future__ import annotations

import contextlib
import io
import json
import sys
import unittest
from pathlib import Path
from typing import Any, Dict, List, Tuple

from atelier_conformance.__main__ import main

SERVER = f"{sys.executable} {Path(__file__).with_name('mcp_server.py')}"

FAULTS = [
    ("takes any version", "2025-11-25/version-negotiation"),
    ("tool without an object", "2025-11-25/tools-list"),
    ("odd tool name", "2026-07-28/tools-name-format"),
    ("nameless argument", "2025-11-25/prompts-list"),
    ("nameless resource", "2026-07-28/resources-list"),
    ("empty contents", "2025-11-25/sep-2164-no-empty-contents"),
    ("empty contents", "2026-07-28/sep-2164-error-code"),
    ("completes too much", "2025-11-25/completion-complete"),
    ("takes any arguments", "2025-11-25/tools-call-invalid-arguments"),
    ("needs no capabilities", "2026-07-28/sep-2575-request-meta-invalid-missing-client-capabilities"),
    ("tasks for everybody", "2026-07-28/sep-2663-tasks-methods-non-declaring"),
    ("no hints", "2026-07-28/sep-2549-tools-list-caching-hints"),
    ("no hints", "2026-07-28/sep-2549-resources-read-caching-hints"),
    ("no hints", "2026-07-28/sep-2575-server-implements-discover"),
    ("negative ttl", "2026-07-28/sep-2549-ttl-non-negative"),
    ("odd scope", "2026-07-28/sep-2549-cache-scope-valid"),
    ("no result type", "2026-07-28/sep-2322-result-type-included"),
    ("anonymous", "2026-07-28/sep-2575-server-identifies-in-result-meta"),
    ("dies of garbage", "2025-11-25/stdio-parse-error"),
    ("answers notifications", "2025-11-25/stdio-notifications"),
    ("rewrites ids", "2025-11-25/server-initialize"),
    ("asks of itself", "2026-07-28/sep-2575-server-implements-discover"),
    ("never ends", "2025-11-25/stdio-end-of-input"),
]


def run(fault: str, *options: str) -> Tuple[int, List[Dict[str, Any]], Dict[str, int]]:
    """The exit status, the outcomes and the sums of a run against the server with this fault."""
    command = f"{SERVER} '{fault}'" if fault else SERVER
    with contextlib.redirect_stdout(io.StringIO()) as output:
        status = main(["--protocol", "mcp", "--command", command, "--json", "--timeout", "60", *options])
    lines = [json.loads(line) for line in output.getvalue().splitlines()]
    return status, lines[:-1], lines[-1]


class FaultTests(unittest.TestCase):
    def test_a_server_without_fault_passes_every_rule(self) -> None:
        status, outcomes, sums = run("")
        self.assertEqual([each for each in outcomes if each["verdict"] != "passed"], [])
        self.assertEqual(status, 0)
        self.assertGreater(sums["passed"], 55)

    def test_every_fault_is_found_by_the_rule_that_forbids_it(self) -> None:
        for fault, rule in FAULTS:
            with self.subTest(f"{fault}: {rule}"):
                limit = ["--timeout", "2"] if fault in ("never ends", "rewrites ids") else []
                status, outcomes, _ = run(fault, "--rule", f"mcp/{rule}", *limit)
                self.assertEqual((status, [each["verdict"] for each in outcomes]), (1, ["failed"]), outcomes)
                self.assertTrue(outcomes[0]["details"])

    def test_a_log_that_nobody_asked_for_is_found_whenever_it_came(self) -> None:
        _, outcomes, _ = run(
            "logs unasked", "--rule", "mcp/2026-07-28/tools-list", "--rule", "mcp/2026-07-28/sep-2575-server-no-log*"
        )
        self.assertEqual([each["verdict"] for each in outcomes], ["passed", "failed"])

    def test_a_revision_that_the_server_does_not_speak_is_skipped_but_it_must_speak_one(self) -> None:
        rules = [
            option
            for rule in ("revision", "2025-11-25/ping", "2026-07-28/tools-list")
            for option in ("--rule", f"mcp/{rule}")
        ]
        status, outcomes, _ = run("old", *rules)
        self.assertEqual((status, [each["verdict"] for each in outcomes]), (0, ["passed", "passed", "skipped"]))
        status, outcomes, _ = run("neither", *rules)
        self.assertEqual((status, [each["verdict"] for each in outcomes]), (1, ["failed", "skipped", "skipped"]))
