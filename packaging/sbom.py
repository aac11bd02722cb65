#!/usr/bin/env python3
"""Writes a bill of materials of built executables, in CycloneDX JSON: of the service, or of the web host.

    packaging/sbom.py atelier [FOLDER] > atelier.cdx.json    # FOLDER has the executables; default .build/release
    packaging/sbom.py atelier-web [FOLDER] > atelier-web.cdx.json

Names the packages whose modules the linker put into the executables, with their versions, which must be those of
dependencies.txt, and their licences from NOTICE; what these packages contain of others; the Swift toolchain's part; the
neural networks; and the Debian packages of the shared libraries. Fails where one of them is not known: a module of no
package, a work that NOTICE does not name, a licence that is not the one in the package.
"""

from __future__ import annotations

import functools
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, Iterator, List, Set

ROOT = Path(__file__).resolve().parent.parent
#: The executables of each bill.
BILLS = {"atelier": ["atelier", "atelier-imaging"], "atelier-web": ["atelier-web"]}

#: Loaded by name at their first use, so that no executable lists them.
LOADED_LATER = {"atelier": ["libcurl.so.4"]}

#: Modules in a folder of another name.
FOLDERS = {"SystemPackage": "System"}

#: The toolchain's shared libraries, which debug builds load and release builds contain.
TOOLCHAIN = re.compile(r"lib(swift|_?Foundation|dispatch|BlocksRuntime)")

#: Debian packages of the shared libraries, each with its licence.
SYSTEM_LICENCES = {
    "libc6": "LGPL-2.1-or-later",
    "libcurl4": "curl",
    "libgcc-s1": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libglib2.0-0": "LGPL-2.1-or-later",
    "libsqlite3-0": "blessing",
    "libstdc++6": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libvips42": "LGPL-2.1-or-later",
}

Component = Dict[str, Any]


@functools.lru_cache
def output(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def pins() -> List[Dict[str, Any]]:
    """What Package.resolved says of each package."""
    return json.loads((ROOT / "Package.resolved").read_text())["pins"]


def named() -> Dict[str, List[str]]:
    """The version and the revision of each package in dependencies.txt, by its identity."""
    lines = (ROOT / "packaging/dependencies.txt").read_text().splitlines()
    return {line.split()[0].rpartition("/")[2].lower(): line.split()[1:] for line in lines}


def resolved() -> Dict[str, List[str]]:
    """The same of the packages that were resolved."""
    return {pin["identity"]: [pin["state"].get("version", ""), pin["state"]["revision"]] for pin in pins()}


def notice() -> Dict[str, str]:
    """The licences in NOTICE, by the name of the work."""
    text = (ROOT / "NOTICE").read_text()
    return {name.partition(",")[0]: licence for name, licence in re.findall(r"^(\S.*) \((\S[^()]*)\)$", text, re.M)}


def licensed(work: str) -> List[Component]:
    licence = notice().get(work)
    return [{"expression": licence}] if licence else sys.exit(f"NOTICE does not name {work}, which the executables contain.")


def licence_of(checkout: Path) -> str:
    """The licence that a package has, by the text in it."""
    text = next(checkout.glob("LICENSE*")).read_text()
    if "Permission is hereby granted, free of charge" in text:
        return "MIT"
    if "Apache License" not in text:
        return sys.exit(f"{checkout.name} has a licence that is not known.")
    return "Apache-2.0 WITH Swift-exception" if "Runtime Library Exception" in text else "Apache-2.0"


def linked_modules(name: str, build: Path) -> Set[str]:
    lists = (build / f"{each}.product" / "Objects.LinkFileList" for each in BILLS[name])
    return {module for each in lists for module in re.findall(r"/([^/]+)\.build/", each.read_text())}


def own_modules() -> Set[str]:
    folders = [*(ROOT / "Sources").glob("*/*"), *(ROOT / "clients").glob("*/Sources/*")]
    return {folder.name.replace("-", "_") for folder in folders}


@functools.lru_cache
def has_module(checkout: Path, module: str) -> bool:
    """Whether a package has the sources of a module. Some have a folder with documents only in its name."""
    folders = (checkout / parent / FOLDERS.get(module, module) for parent in (".", "Sources"))
    return any(each.suffix in (".swift", ".c", ".S", ".h") for folder in folders for each in folder.glob("**/*"))


def swift_packages(modules: Set[str]) -> Iterator[Component]:
    checkouts = ROOT / ".build" / "checkouts"
    unknown = modules - own_modules()
    for pin in pins():
        folder = checkouts / pin["location"].rstrip("/").removesuffix(".git").rpartition("/")[2]
        own = {module for module in modules if has_module(folder, module)}
        unknown -= own
        if not own:
            continue
        name, state = folder.name, pin["state"]
        licences = licensed(name)
        if licences != [{"expression": licence_of(folder)}]:
            sys.exit(f"NOTICE has another licence for {name} than the package, which has {licence_of(folder)}.")
        yield {
            "type": "library",
            "name": name,
            "version": state["version"],
            "purl": f"pkg:swift/{re.sub('^https://|[.]git$', '', pin['location'])}@{state['version']}",
            "hashes": [{"alg": "SHA-1", "content": state["revision"]}],
            "licenses": licences,
            **({"components": parts} if (parts := list(parts_of_others(folder, modules))) else {}),
        }
    if unknown:
        sys.exit(f"The executables contain modules of no known package: {', '.join(sorted(unknown))}")


def parts_of_others(folder: Path, modules: Set[str]) -> Iterator[Component]:
    """What a package contains of others."""
    modules = {module for module in modules if has_module(folder, module)}
    if "CCryptoBoringSSL" in modules:
        origin = (folder / "Sources/CCryptoBoringSSL/hash.txt").read_text()
        source, revision = re.findall(r"(https://\S+) at revision ([0-9a-f]{40})", origin)[0]
        yield {"type": "library", "name": "BoringSSL", "version": revision,
               "purl": f"pkg:generic/boringssl@{revision}?vcs_url=git%2B{source}%40{revision}",
               "licenses": licensed("BoringSSL")}
    if "CXKCP" in modules:
        yield {"type": "library", "name": "XKCP", "licenses": licensed("XKCP"),
               "description": "swift-crypto does not say which revision it is"}
    if "CNIOLLHTTP" in modules:
        header = (folder / "Sources/CNIOLLHTTP/include/c_nio_llhttp.h").read_text()
        version = ".".join(re.findall(r"#define LLHTTP_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header))
        yield {"type": "library", "name": "llhttp", "version": version, "purl": f"pkg:github/nodejs/llhttp@v{version}",
               "licenses": licensed("llhttp")}
    if "CNIOAtomics" in modules:
        header = (folder / "Sources/CNIOAtomics/src/cpp_magic.h").read_text()
        revision = re.findall(r"github.com/18sg/uSHET/blob/([0-9a-f]{40})", header)[0]
        yield {"type": "library", "name": "uSHET", "version": revision, "purl": f"pkg:github/18sg/ushet@{revision}",
               "licenses": licensed("uSHET"), "description": "Its file cpp_magic.h"}


def links_icu(name: str, build: Path) -> bool:
    """Whether an executable loads or contains the part of Foundation that brings ICU along."""
    part = "FoundationInternationalization"
    executables = [str(build / each) for each in BILLS[name]]
    return any(f"lib{part}" in output("objdump", "-p", each) for each in executables) or any(
        f" t $s{len(part)}{part}" in output("nm", each) for each in executables)


def toolchain(has_icu: bool) -> Component:
    swift = re.search(r"Swift version (\S+)", output("swift", "--version"))
    # The name of ICU's tables contains its version; make-dist.sh checks that the toolchain's ICU uses the same name.
    icu = re.search(r"icudt(\d+)_dat", (ROOT / "Sources/Base/CProcess/LocaleData.c").read_text())
    if not swift or not icu:
        return sys.exit("The version of Swift or of its ICU is unknown.")
    return {"type": "library", "name": "swift", "version": swift[1], "purl": f"pkg:generic/swift@{swift[1]}",
            "description": "The Swift standard library, runtime, Foundation and libdispatch",
            "licenses": licensed("Swift standard library"),
            **({"components": [{
                "type": "library", "name": "ICU", "version": icu[1], "purl": f"pkg:generic/icu@{icu[1]}",
                "description": "In Foundation, without its tables of languages", "licenses": licensed("ICU")}]}
               if has_icu else {})}


def models() -> Iterator[Component]:
    text = (ROOT / "Sources/Base/CEmbedded/models/NOTICE").read_text()
    for checksum, name in re.findall(r"^([0-9a-f]{64})  (\S+)$", text, re.M):
        yield {"type": "machine-learning-model", "name": name, "hashes": [{"alg": "SHA-256", "content": checksum}],
               "licenses": licensed("U²-Net-p" if name == "u2netp.tflite" else "Face detection")}


def owning_package(path: Path) -> str:
    # Where /lib is a link to /usr/lib, some packages still name their files without /usr.
    for candidate in (str(path), str(path).removeprefix("/usr")):
        found = subprocess.run(["dpkg", "-S", candidate], capture_output=True, text=True)
        if found.returncode == 0:
            return found.stdout.partition(":")[0]
    return sys.exit(f"No Debian package has {path}.")


def shared_libraries(name: str, build: Path) -> Iterator[Component]:
    names: Set[str] = set(LOADED_LATER.get(name, []))
    for each in BILLS[name]:
        names.update(re.findall(r"NEEDED\s+(\S+)", output("objdump", "-p", str(build / each))))
    paths = dict(re.findall(r"^\s+(\S+) \(.*\) => (\S+)$", output("/sbin/ldconfig", "-p"), re.M))
    packages: Dict[str, List[str]] = {}
    for name in sorted(name for name in names if not TOOLCHAIN.match(name)):
        packages.setdefault(owning_package(Path(paths[name]).resolve()), []).append(name)
    for owner, libraries in packages.items():
        version, architecture = output(
            "dpkg-query", "-W", "-f", "${Version} ${Architecture}\n", owner).splitlines()[0].split()
        # Debian renamed some libraries for the time after 2038.
        licence = SYSTEM_LICENCES.get(owner.removesuffix("t64"))
        if not licence:
            sys.exit(f"Add the licence of {owner}, which has {', '.join(libraries)}, to SYSTEM_LICENCES.")
        yield {"type": "library", "name": owner, "version": version,
               "purl": f"pkg:deb/debian/{owner}@{version}?arch={architecture}",
               "licenses": [{"expression": licence}],
               "description": f"On the machine of the build; loaded at run time: {', '.join(libraries)}"}


def bill(name: str, build: Path) -> Component:
    if resolved() != named():
        sys.exit("The packages that were resolved are not those of packaging/dependencies.txt.")
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {
            "type": "application", "name": name, "version": output(str(build / name), "--version").strip(),
            "licenses": [{"expression": "Apache-2.0"}],
        }},
        "components": [
            *swift_packages(linked_modules(name, build)), toolchain(links_icu(name, build)),
            # The networks are in the worker.
            *(models() if "atelier-imaging" in BILLS[name] else []), *shared_libraries(name, build),
        ],
    }


def main(name: str, folder: str = ".build/release") -> None:
    if name not in BILLS:
        sys.exit(f"There are bills of {' and '.join(BILLS)} only.")
    json.dump(bill(name, ROOT / folder), sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main(*sys.argv[1:])
