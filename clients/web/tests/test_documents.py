"""Do the documents name what the host has?"""

from __future__ import annotations

import re
import subprocess
from typing import Dict, Iterator, List, Tuple

from programs import ATELIER_WEB, REPOSITORY, WEB

CONFIGURATION = WEB / "Sources" / "WebHost" / "Configuration"
DOCUMENT = (REPOSITORY / "docs" / "web.md").read_text()
README = (WEB / "README.md").read_text()


def members() -> Dict[str, List[Tuple[str, str]]]:
    """The stored members of each type of the configuration, with their types. Those of the file come first: others have
    types of the same names."""
    all_types: Dict[str, List[Tuple[str, str]]] = {}
    for path in sorted(CONFIGURATION.glob("*.swift")):
        types: Dict[str, List[Tuple[str, str]]] = {}
        opened: List[str] = []
        depth = 0
        for line in path.read_text().splitlines():
            if match := re.match(r"\s*(?:public )?(?:struct|enum|extension) (\w+).*\{$", line):
                opened = [*opened[:depth], match[1]]
            elif match := re.match(r"\s*(?:public )?var `?(\w+)`?(?:: ([\w.\[\]]+)\??| = .*)$", line):
                if opened and depth == len(opened):
                    types.setdefault(opened[-1], []).append((match[1], (match[2] or "").strip("[]").rpartition(".")[2]))
            depth += line.count("{") - line.count("}")
        all_types = {**types, **all_types}
    return all_types


def paths(types: Dict[str, List[Tuple[str, str]]], name: str, prefix: str = "") -> Iterator[str]:
    for member, kind in types[name]:
        if kind in types and kind != "SignIn":
            yield from paths(types, kind, f"{prefix}{member}.")
        else:
            yield prefix + member


def test_every_member_of_the_configuration_file_is_in_the_table() -> None:
    rows = [line for line in DOCUMENT.splitlines() if line.startswith("| `")]
    named = {name for row in rows for name in re.findall(r"`([\w.]+)`", row.split(" | ")[0])}
    types = members()
    expected = set(paths(types, "ConfigurationFile"))
    assert len(expected) > 20
    assert not expected - named
    # A dot is in no other name of a table but that of the service's own members.
    assert not {name for name in named - expected if "." in name and not name.startswith("accounts.")}


def test_every_member_of_a_place_to_sign_in_is_explained() -> None:
    rows = [line for line in DOCUMENT.splitlines() if "`public.signIn`" in line]
    for member, _ in members()["SignIn"]:
        assert any(f"`{member}`" in row for row in rows), member


def test_every_option_is_in_both_documents() -> None:
    text = subprocess.run([ATELIER_WEB, "serve", "--help"], check=True, capture_output=True, text=True).stdout
    options = set(re.findall(r"^ +(--[a-z-]+)", text, re.M)) - {"--version", "--help"}
    assert len(options) > 5
    for option in options:
        assert f"| `{option}" in DOCUMENT and f"| `{option}" in README, option


def test_every_screen_has_its_pictures() -> None:
    named = set(re.findall(r'src="(images/web/[^"]+)"', DOCUMENT))
    there = {f"images/web/{path.name}" for path in (REPOSITORY / "docs" / "images" / "web").glob("*.jpg")}
    assert named == there and len(there) > 20
    assert all((REPOSITORY / "docs" / each).stat().st_size <= 60_000 for each in there)
