"""Package.swift, dependencies.txt, what was resolved and checked out, NOTICE and the bill name the same packages."""

from __future__ import annotations

import json
import re
import unittest
from typing import Dict, Iterator
from unittest import mock

import sbom

BUILD = sbom.ROOT / ".build" / "debug"


def components(parent: sbom.Component) -> Iterator[sbom.Component]:
    for each in parent.get("components", []):
        yield each
        yield from components(each)


class DependencyTests(unittest.TestCase):
    def test_direct_dependencies_have_the_exact_version_that_is_resolved(self) -> None:
        declared = re.findall(r"^ *\.package\((.*)\),?$", (sbom.ROOT / "Package.swift").read_text(), re.M)
        self.assertTrue(declared)
        for each in declared:
            exact = re.fullmatch(r'url: "([^"]+)", exact: "([^"]+)"', each)
            self.assertIsNotNone(exact, f"Package.swift: give an exact version: {each}")
            assert exact
            identity = exact[1].removesuffix(".git").rpartition("/")[2].lower()
            self.assertEqual(sbom.named()[identity][0], exact[2], each)

    def test_what_was_resolved_is_what_is_named(self) -> None:
        self.assertEqual(sbom.resolved(), sbom.named(), "Package.swift and packaging/dependencies.txt: name what is used")

    def test_packages_that_are_not_named_are_refused(self) -> None:
        named = {**sbom.named(), "swift-log": ["1.0.0", "0" * 40]}
        with mock.patch.object(sbom, "named", return_value=named), self.assertRaisesRegex(SystemExit, "dependencies.txt"):
            sbom.bill(BUILD)

    def test_what_was_checked_out_is_what_is_resolved(self) -> None:
        state = json.loads((sbom.ROOT / ".build" / "workspace-state.json").read_text())["object"]["dependencies"]
        self.assertEqual(
            {each["packageRef"]["location"]: each["state"]["checkoutState"] for each in state},
            {pin["location"]: pin["state"] for pin in sbom.pins()})


class BillTests(unittest.TestCase):
    def test_it_names_the_linked_packages_with_their_versions(self) -> None:
        packages = {
            each["purl"] for each in components(sbom.bill(BUILD)) if each.get("purl", "").startswith("pkg:swift/")
        }
        simulator = {"swift-atomics", "swift-collections", "swift-nio", "swift-system"}
        self.assertEqual(
            {each.rpartition("/")[2].lower() for each in packages},
            {f"{identity}@{version}" for identity, (version, _) in sbom.named().items() if identity not in simulator})

    def test_each_part_has_a_licence_and_a_version(self) -> None:
        for each in components(sbom.bill(BUILD)):
            self.assertTrue(each["licenses"], each)
            self.assertTrue(each.get("version") or each.get("hashes") or each["name"] == "XKCP", each)

    def test_it_names_what_packages_contain_of_others(self) -> None:
        parts = {each["name"]: each.get("version") for each in components(sbom.bill(BUILD))}
        self.assertRegex(parts["BoringSSL"], "^[0-9a-f]{40}$")
        self.assertLessEqual({"XKCP", "ICU", "swift", "libsqlite3-0", "libcurl4", "libvips42"}, {
            name.removesuffix("t64") for name in parts})

    def test_notice_has_the_text_of_each_licence(self) -> None:
        text = (sbom.ROOT / "NOTICE").read_text()
        identifiers = {word for licence in sbom.notice().values() for word in re.split(" AND | WITH ", licence)}
        # LICENSE has the first; the second asks for nothing.
        for each in identifiers - {"Apache-2.0", "CC0-1.0"}:
            self.assertIn(f"\n\n{each}\n\n", text)

    def test_a_work_that_notice_does_not_name_is_refused(self) -> None:
        for work in ("GRDB.swift", "BoringSSL", "ICU"):
            works = {name: licence for name, licence in sbom.notice().items() if name != work}
            with mock.patch.object(sbom, "notice", return_value=works), self.assertRaisesRegex(SystemExit, work):
                sbom.bill(BUILD)

    def test_another_licence_than_that_of_the_package_is_refused(self) -> None:
        works = {**sbom.notice(), "swift-log": "MIT"}
        with mock.patch.object(sbom, "notice", return_value=works), self.assertRaisesRegex(SystemExit, "swift-log"):
            sbom.bill(BUILD)

    def test_a_module_of_no_package_is_refused(self) -> None:
        with self.assertRaisesRegex(SystemExit, "Unheard"):
            list(sbom.swift_packages({"Unheard", "Store"}))


if __name__ == "__main__":
    unittest.main()
