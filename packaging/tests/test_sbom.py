"""Package.swift, dependencies.txt, what was resolved and checked out, NOTICE and the bill name the same packages."""

from __future__ import annotations

import json
import re
import unittest
from typing import Dict, Iterator, Set
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
            exact = re.fullmatch(r'url: "([^"]+)", exact: "([^"]+)"(?:, traits: \[[^]]*\])?', each)
            self.assertIsNotNone(exact, f"Package.swift: give an exact version: {each}")
            assert exact
            identity = exact[1].removesuffix(".git").rpartition("/")[2].lower()
            self.assertEqual(sbom.named()[identity][0], exact[2], each)

    def test_what_was_resolved_is_what_is_named(self) -> None:
        self.assertEqual(sbom.resolved(), sbom.named(), "Package.swift and packaging/dependencies.txt: name what is used")

    def test_packages_that_are_not_named_are_refused(self) -> None:
        named = {**sbom.named(), "swift-log": ["1.0.0", "0" * 40]}
        with mock.patch.object(sbom, "named", return_value=named), self.assertRaisesRegex(SystemExit, "dependencies.txt"):
            sbom.bill("atelier", BUILD)

    def test_what_was_checked_out_is_what_is_resolved(self) -> None:
        state = json.loads((sbom.ROOT / ".build" / "workspace-state.json").read_text())["object"]["dependencies"]
        self.assertEqual(
            {each["packageRef"]["location"]: each["state"]["checkoutState"] for each in state},
            {pin["location"]: pin["state"] for pin in sbom.pins()})


#: The packages that are part of the service, and those of the web host.
SERVICE = {"grdb.swift", "jwt-kit", "swift-argument-parser", "swift-asn1", "swift-certificates", "swift-crypto", "swift-log"}
WEB_HOST = {
    "hummingbird", "swift-argument-parser", "swift-async-algorithms", "swift-atomics", "swift-collections", "swift-crypto",
    "swift-distributed-tracing", "swift-http-types", "swift-log", "swift-metrics", "swift-nio", "swift-nio-extras",
    "swift-service-context", "swift-service-lifecycle", "swift-system",
}


class BillTests(unittest.TestCase):
    def test_the_service_has_the_packages_that_it_says_it_has(self) -> None:
        self.assertEqual(self.packages("atelier"), self.named(SERVICE))

    def test_the_web_host_has_the_packages_that_it_says_it_has(self) -> None:
        self.assertEqual(self.packages("atelier-web"), self.named(WEB_HOST))

    @staticmethod
    def packages(name: str) -> Set[str]:
        purls = (each.get("purl", "") for each in components(sbom.bill(name, BUILD)))
        return {purl.rpartition("/")[2].lower() for purl in purls if purl.startswith("pkg:swift/")}

    @staticmethod
    def named(identities: Set[str]) -> Set[str]:
        return {f"{identity}@{sbom.named()[identity][0]}" for identity in identities}

    def test_each_part_has_a_licence_and_a_version(self) -> None:
        for name in sbom.BILLS:
            for each in components(sbom.bill(name, BUILD)):
                self.assertTrue(each["licenses"], each)
                self.assertTrue(each.get("version") or each.get("hashes") or each["name"] == "XKCP", each)

    def test_it_names_what_packages_contain_of_others(self) -> None:
        parts = self.parts("atelier")
        self.assertRegex(parts["BoringSSL"], "^[0-9a-f]{40}$")
        self.assertLessEqual({"XKCP", "ICU", "swift", "libsqlite3-0", "libcurl4", "libvips42"}, set(parts))

    def test_that_of_the_web_host_names_what_its_packages_contain_and_nothing_of_the_service(self) -> None:
        parts = self.parts("atelier-web")
        self.assertRegex(parts["llhttp"], r"^\d+\.\d+\.\d+$")
        self.assertLessEqual({"BoringSSL", "XKCP", "uSHET", "swift", "libc6"}, set(parts))
        self.assertFalse({"ICU", "libsqlite3-0", "libcurl4", "libvips42"} & set(parts))
        self.assertFalse([name for name in parts if name.endswith(".tflite")])

    @staticmethod
    def parts(name: str) -> Dict[str, str]:
        return {each["name"].removesuffix("t64"): each.get("version", "") for each in components(sbom.bill(name, BUILD))}

    def test_notice_has_the_text_of_each_licence(self) -> None:
        text = (sbom.ROOT / "NOTICE").read_text()
        identifiers = {word for licence in sbom.notice().values() for word in re.split(" AND | WITH ", licence)}
        # LICENSE has the first; the second asks for nothing.
        for each in identifiers - {"Apache-2.0", "CC0-1.0"}:
            self.assertIn(f"\n\n{each}\n\n", text)

    def test_a_work_that_notice_does_not_name_is_refused(self) -> None:
        for bill, work in (
            ("atelier", "GRDB.swift"), ("atelier", "BoringSSL"), ("atelier", "ICU"), ("atelier-web", "hummingbird"),
            ("atelier-web", "llhttp"), ("atelier-web", "swift-metrics"),
        ):
            works = {name: licence for name, licence in sbom.notice().items() if name != work}
            with mock.patch.object(sbom, "notice", return_value=works), self.assertRaisesRegex(SystemExit, work):
                sbom.bill(bill, BUILD)

    def test_another_licence_than_that_of_the_package_is_refused(self) -> None:
        works = {**sbom.notice(), "swift-log": "MIT"}
        with mock.patch.object(sbom, "notice", return_value=works), self.assertRaisesRegex(SystemExit, "swift-log"):
            sbom.bill("atelier", BUILD)

    def test_a_module_of_no_package_is_refused(self) -> None:
        with self.assertRaisesRegex(SystemExit, "Unheard"):
            list(sbom.swift_packages({"Unheard", "Store"}))


if __name__ == "__main__":
    unittest.main()
