#!/usr/bin/env python3
"""Makes the wheel of the Python client together with the executables that `make build` made.

    packaging/wheel.py FOLDER    # FOLDER is what packaging/stage.sh wrote; prints the path of the wheel

The executables go where pip puts programs: `atelier` among the scripts, the worker in `libexec/atelier` beside them.
"""

from __future__ import annotations

import base64
import hashlib
import json
import platform
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import List, Tuple

ROOT = Path(__file__).resolve().parent.parent
CLIENT = ROOT / "clients" / "python"


def manylinux(executables: List[Path]) -> str:
    """The platform tag: the newest version of glibc that an executable asks for."""
    symbols = subprocess.run(["objdump", "-T", *map(str, executables)], check=True, capture_output=True, text=True).stdout
    major, minor = max((int(major), int(minor)) for major, minor in re.findall(r"\(GLIBC_(\d+)\.(\d+)", symbols))
    return f"manylinux_{major}_{minor}_{platform.machine()}"


def metadata(project: dict) -> str:
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {project['name']}",
        f"Version: {project['version']}",
        f"Summary: {project['description']}",
        f"Requires-Python: {project['requires-python']}",
        f"License-Expression: {project['license']['text']}",
        "License-File: LICENSE",
        "License-File: NOTICE",
        # The libraries that the executables load and that no package on PyPI has.
        "Requires-External: libvips (>=8.12)",
        "Requires-External: libsqlite3",
        "Requires-External: libcurl",
        *(f"Classifier: {each}" for each in project["classifiers"]),
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(lines) + "\n\n" + (CLIENT / project["readme"]).read_text()


def contents(staged: Path, project: dict) -> Tuple[str, List[Tuple[str, bytes, bool]]]:
    """The tag, and the files of the wheel: name, content, whether it is a program."""
    stem = f"{project['name'].replace('-', '_')}-{project['version']}"
    programs = {
        "scripts/atelier": staged / "bin/atelier",
        "data/libexec/atelier/atelier-imaging": staged / "libexec/atelier/atelier-imaging",
    }
    tag = f"py3-none-{manylinux(list(programs.values()))}"
    source = CLIENT / "src"
    files = [
        (str(path.relative_to(source)), path.read_bytes(), False)
        for path in sorted(source.rglob("*"))
        if path.suffix == ".py" or path.name == "py.typed"
    ]
    files += [(f"{stem}.data/{name}", path.read_bytes(), True) for name, path in programs.items()]
    information = f"{stem}.dist-info"
    entry_points = "".join(f"{name} = {target}\n" for name, target in project["scripts"].items())
    for name, text in [
        ("METADATA", metadata(project)),
        ("WHEEL", f"Wheel-Version: 1.0\nGenerator: atelier\nRoot-Is-Purelib: false\nTag: {tag}\n"),
        ("entry_points.txt", f"[console_scripts]\n{entry_points}"),
        ("licenses/LICENSE", (ROOT / "LICENSE").read_text()),
        ("licenses/NOTICE", (ROOT / "NOTICE").read_text()),
    ]:
        files.append((f"{information}/{name}", text.encode(), False))
    digests = [
        (name, base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode(), len(data))
        for name, data, _ in files
    ]
    record = "".join(f"{name},sha256={digest},{size}\n" for name, digest, size in digests) + f"{information}/RECORD,,\n"
    files.append((f"{information}/RECORD", record.encode(), False))
    return f"{stem}-{tag}", files


def main() -> None:
    staged = Path(sys.argv[1])
    project = tomllib.loads((CLIENT / "pyproject.toml").read_text())["project"]
    version = subprocess.run(
        [staged / "bin/atelier", "--version"], check=True, capture_output=True, text=True).stdout.strip()
    code = (CLIENT / "src/atelier_studio/studio.py").read_text()
    if project["version"] != version or f'VERSION = "{version}"\n' not in code:
        sys.exit(f"The service is {version}; pyproject.toml and studio.py of the Python client name another version.")
    server = json.loads((ROOT / "packaging/server.json").read_text())
    if {server["version"], *(each["version"] for each in server["packages"])} != {version}:
        sys.exit(f"The service is {version}; packaging/server.json names another version.")
    name, files = contents(staged, project)
    wheel = ROOT / ".build" / "dist" / f"{name}.whl"
    wheel.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data, is_program in files:
            entry = zipfile.ZipInfo(path)
            entry.external_attr = (0o100755 if is_program else 0o100644) << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    print(wheel.relative_to(ROOT))


if __name__ == "__main__":
    main()
