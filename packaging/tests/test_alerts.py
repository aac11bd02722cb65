"""The alerts for Prometheus ask for metrics that there are, with the labels and values that they have."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Dict, Set

ROOT = Path(__file__).resolve().parents[2]
ALERTS = ROOT / "packaging" / "monitoring" / "alerts.yml"
CASES = ROOT / "packaging" / "tests" / "alerts.test.yml"
ATELIER = Path(os.environ.get("ATELIER", ROOT / ".build/debug/atelier")).resolve()
#: A metric, with what is asked of its labels.
USE = re.compile(r"\b(atelier_[a-z_]+)(\{[^}]*\})?")


def expressions() -> str:
    """What the rules ask for: without comments, and without what people read."""
    lines = [line for line in ALERTS.read_text().splitlines() if not re.match(r" *(#|summary:|description:)", line)]
    return "\n".join(lines)


def told_by_the_service() -> Dict[str, str]:
    """The kinds of all metrics of the service, by their names."""
    request = {"jsonrpc": "2.0", "id": 1, "method": "status", "params": {"metrics": True}}
    with tempfile.TemporaryDirectory(prefix="atelier-alerts-") as folder:
        environment = {"PATH": os.environ["PATH"], "HOME": folder, "ATELIER_DATA_DIR": f"{folder}/data"}
        run = {"env": environment, "capture_output": True, "text": True, "check": True, "timeout": 600}
        answers = subprocess.run([str(ATELIER), "serve"], input=json.dumps(request) + "\n", **run).stdout
        # What the store says, without a process.
        alone = subprocess.run([str(ATELIER), "metrics"], **run).stdout
    text = next(answer["result"]["metrics"] for answer in map(json.loads, answers.splitlines()) if "result" in answer)
    return dict(re.findall(r"^# TYPE (\w+) (\w+)$", text + "\n" + alone, re.M))


def told_by_others() -> Dict[str, str]:
    """Those of the web host, and of what docs/operating.md has an operator write."""
    counters = (ROOT / "clients/web/Sources/WebHost/Counters.swift").read_text()
    guide = (ROOT / "docs/operating.md").read_text()
    written = {name: "gauge" for name in re.findall(r'^jq -r \'"(atelier_\w+) ', guide, re.M)}
    return {**dict(re.findall(r"# TYPE (\w+) (\w+)", counters)), **written}


class AlertTests(unittest.TestCase):
    def test_promtool_accepts_them_and_finds_each_fire_when_it_should(self) -> None:
        promtool = shutil.which("promtool")
        if promtool is None:
            self.skipTest("promtool is not installed")
        for arguments in (["check", "rules", str(ALERTS)], ["test", "rules", str(CASES)]):
            done = subprocess.run([promtool, *arguments], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_every_metric_is_there_and_used_as_what_it_is(self) -> None:
        if "ATELIER" not in os.environ and not ATELIER.exists():
            self.skipTest("atelier has not been built: run `swift build`, or name the executable with ATELIER")
        kinds = {**told_by_the_service(), **told_by_others()}
        text = expressions()
        uses = {name for name, _ in USE.findall(text)}
        self.assertGreater(len(uses), 8)
        for name in uses:
            base = name.removesuffix("_bucket")
            self.assertIn(base, kinds, "no such metric")
            self.assertEqual(name != base, kinds[base] == "histogram", name)
            is_rate = re.search(rf"(rate|increase)\({name}(\{{[^}}]*\}})?\[", text) is not None
            self.assertEqual(is_rate, kinds[base] != "gauge", f"{name} is a {kinds[base]}")

    def test_every_state_is_one_of_the_protocol_s(self) -> None:
        schema = json.loads((ROOT / "protocol/schema.json").read_text())
        states = set(schema["$defs"]["GenerationState"]["enum"])
        asked: Set[str] = set()
        for _, labels in USE.findall(expressions()):
            for value in re.findall(r'state=~"([^"]*)"', labels):
                asked |= set(value.split("|"))
        # All in which a generation ends, but for those that somebody wanted to end.
        self.assertEqual(asked, states - {"queued", "running", "cancelled"})

    def test_every_alert_tells_a_person_what_it_means(self) -> None:
        rules = re.split(r"^      - alert: ", ALERTS.read_text(), flags=re.M)[1:]
        for rule in rules:
            for member in ("expr:", "severity:", "summary:", "description:"):
                self.assertIn(member, rule, rule.splitlines()[0])


if __name__ == "__main__":
    unittest.main()
