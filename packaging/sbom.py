#!/usr/bin/env python3
"""Writes the bill of materials of the built executables, in CycloneDX JSON.

    packaging/sbom.py > atelier.cdx.json

Names the packages whose modules the linker put into the executables, with their versions from Package.resolved, and the
Debian packages of the shared libraries that they load. Fails if NOTICE does not name one of the former.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, Iterator, List, Set

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / ".build" / "release"
EXECUTABLES = ["atelier", "atelier-imaging"]

#: Loaded by name at its first use, so that no executable lists it.
LOADED_LATER = ["libcurl.so.4"]

Component = Dict[str, Any]


def output(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def linked_modules() -> Set[str]:
    lists = (BUILD / f"{each}.product" / "Objects.LinkFileList" for each in EXECUTABLES)
    return {module for each in lists for module in re.findall(r"/([^/]+)\.build/", each.read_text())}


def swift_packages() -> Iterator[Component]:
    modules = linked_modules()
    checkouts = ROOT / ".build" / "checkouts"
    for pin in json.loads((ROOT / "Package.resolved").read_text())["pins"]:
        folder = checkouts / pin["location"].rstrip("/").removesuffix(".git").rpartition("/")[2]
        if not any((folder / parent / module).is_dir() for module in modules for parent in (".", "Sources")):
            continue
        state = pin["state"]
        yield {
            "type": "library",
            "name": folder.name,
            "version": state.get("version", state["revision"]),
            "purl": f"pkg:swift/{re.sub('^https://|[.]git$', '', pin['location'])}"
                    f"@{state.get('version', state['revision'])}",
            "hashes": [{"alg": "SHA-1", "content": state["revision"]}],
        }


def toolchain() -> Component:
    version = re.search(r"Swift version (\S+)", output("swift", "--version"))
    return {"type": "library", "name": "swift", "version": version[1] if version else "unknown",
            "description": "The Swift runtime, standard library and Foundation"}


def models() -> Iterator[Component]:
    notice = (ROOT / "Sources/Base/CEmbedded/models/NOTICE").read_text()
    for checksum, name in re.findall(r"^([0-9a-f]{64})  (\S+)$", notice, re.M):
        yield {"type": "machine-learning-model", "name": name, "hashes": [{"alg": "SHA-256", "content": checksum}],
               "licenses": [{"license": {"id": "Apache-2.0"}}]}


def owning_package(path: Path) -> str:
    # Where /lib is a link to /usr/lib, some packages still name their files without /usr.
    for candidate in (str(path), str(path).removeprefix("/usr")):
        found = subprocess.run(["dpkg", "-S", candidate], capture_output=True, text=True)
        if found.returncode == 0:
            return found.stdout.partition(":")[0]
    sys.exit(f"No Debian package has {path}.")


def shared_libraries() -> Iterator[Component]:
    names: Set[str] = set(LOADED_LATER)
    for each in EXECUTABLES:
        names.update(re.findall(r"NEEDED\s+(\S+)", output("objdump", "-p", str(BUILD / each))))
    paths = dict(re.findall(r"^\s+(\S+) \(.*\) => (\S+)$", output("/sbin/ldconfig", "-p"), re.M))
    packages: Dict[str, List[str]] = {}
    for name in sorted(names):
        packages.setdefault(owning_package(Path(paths[name]).resolve()), []).append(name)
    for owner, libraries in packages.items():
        version, architecture = output(
            "dpkg-query", "-W", "-f", "${Version} ${Architecture}\n", owner).splitlines()[0].split()
        yield {"type": "library", "name": owner, "version": version,
               "purl": f"pkg:deb/debian/{owner}@{version}?arch={architecture}",
               "description": f"On the machine of the build; loaded at run time: {', '.join(libraries)}"}


def main() -> None:
    packages = list(swift_packages())
    notice = (ROOT / "NOTICE").read_text()
    unnamed = [each["name"] for each in packages if each["name"] not in notice]
    if unnamed:
        sys.exit(f"NOTICE does not name what the executables contain: {', '.join(unnamed)}")
    version = output(str(BUILD / "atelier"), "--version").strip()
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {
            "type": "application", "name": "atelier", "version": version,
            "licenses": [{"license": {"id": "Apache-2.0"}}],
        }},
        "components": [*packages, toolchain(), *models(), *shared_libraries()],
    }
    json.dump(document, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
