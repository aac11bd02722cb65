"""Runs the examples of the documents, in the order of each document: every fenced block marked `sh`, `python`, `js`, `go`
or `elisp`. In docs/configuration.md, a service starts with each block marked `json`.

    python3 scripts/check-documents.py .build/debug

The argument is the folder of the built executables. Each document has a folder of its own with a photo in it, and a data
directory of its own, so that examples may build on those before them. It is the default one, and none of our variables is
set: whoever pastes an example has set nothing. Who operates a service has a history, which one headshot stands for. A block
of `js`, `go` or `elisp` is a program for one photo: it is saved under the name in its first line, and skipped where
what runs it is not installed.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = [
    "README.md", "CONTRIBUTING.md", "protocol/PROTOCOL.md", "protocol/REFERENCE.md", "clients/shell/README.md",
    "docs/privacy.md", "docs/configuration.md", "docs/troubleshooting.md", "docs/hairstyles.md", "docs/operating.md",
    "docs/accounts.md", "docs/selling.md", "docs/clients.md", "docs/command-line.md", "docs/mcp.md", "docs/places.md",
    "docs/web.md", "docs/headshots.md", "clients/web/README.md",
]
# Its blocks marked `json` are configuration files.
CONFIGURATION = "docs/configuration.md"
# The examples must not use the keys, servers and settings of whoever runs them.
UNSET = re.findall(r"^unset (.*)$", (ROOT / "scripts/without-keys.sh").read_text(), re.MULTILINE)
REMOVED = {name for names in UNSET for name in names.split()}
#: In seconds: whoever waits longer has met one that never ends. A debug build on a busy machine needs minutes for some.
LIMIT = 1200
BLOCK = re.compile(r"^```(sh|python|json|js|go|elisp)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# What runs a program, before its name and after it.
PROGRAMS = {
    "js": (["node"], ["photo.jpg"]),
    "go": (["go", "run"], ["photo.jpg"]),
    "elisp": (["emacs", "-Q", "--batch", "-l"], ["--eval", '(headshot "photo.jpg")']),
}


def is_runnable(language: str, document: Path) -> bool:
    if language == "json":
        return document == ROOT / CONFIGURATION
    return language not in PROGRAMS or shutil.which(PROGRAMS[language][0][0]) is not None


def run(language: str, code: str, folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    if language == "json":
        (folder / "example.json").write_text(code)
        language, code = "sh", "atelier --config example.json < /dev/null"
    if language in PROGRAMS:
        name = code.split()[1]
        (folder / name).write_text(code)
        before, after = PROGRAMS[language]
        command = [*before, f"./{name}", *after]
    else:
        command = ["sh", "-eu", "-c", code] if language == "sh" else [sys.executable, "-c", code]
    # What a block starts in the background may outlive it, and would keep a pipe open: it writes to a file, and ends here.
    with tempfile.TemporaryFile() as output:
        started = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=output, stderr=output, start_new_session=True)
        try:
            status, late = started.wait(LIMIT), ""
        except subprocess.TimeoutExpired:
            status, late = 124, f"It had not ended after {LIMIT} s."
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(started.pid, signal.SIGKILL)
            started.wait()
        output.seek(0)
        return subprocess.CompletedProcess(command, status, output.read().decode(errors="replace"), late)


def check(document: Path, build: Path) -> tuple[int, int, int]:
    passed = failed = skipped = 0
    text = document.read_text()
    with tempfile.TemporaryDirectory(prefix="atelier-documents-") as temporary:
        folder = Path(temporary)
        shutil.copy(ROOT / "Tests/Fixtures/portraits/grace_hopper.jpg", folder / "photo.jpg")
        for name in ("clients", "Sources", "Tests"):
            (folder / name).symlink_to(ROOT / name)
        environment = {
            **{
                name: value
                for name, value in os.environ.items()
                if name not in REMOVED and not name.startswith("ATELIER")
            },
            "PATH": f"{build}:{os.environ['PATH']}",
            "XDG_DATA_HOME": str(folder),
            "XDG_STATE_HOME": str(folder / "state"),
            # Go keeps what it has compiled, elsewhere by default.
            "GOCACHE": str(folder / "go"),
        }
        if document != ROOT / "README.md":
            environment["PYTHONPATH"] = str(ROOT / "clients/python/src")
        if document == ROOT / "docs/operating.md":
            run("sh", "atelier generate photo.jpg", folder, environment).check_returncode()
        for block in BLOCK.finditer(text):
            language, code = block.groups()
            if not is_runnable(language, document):
                skipped += language in PROGRAMS
                continue
            outcome = run(language, code, folder, environment)
            if outcome.returncode == 0:
                passed += 1
                continue
            failed += 1
            line = text[: block.start()].count("\n") + 1
            print(f"{document.relative_to(ROOT)}:{line}: the example ended with {outcome.returncode}.", file=sys.stderr)
            print(outcome.stdout + outcome.stderr, file=sys.stderr)
    return passed, failed, skipped


def main() -> int:
    build = Path(sys.argv[1]).resolve()
    results = [check(ROOT / name, build) for name in DOCUMENTS if (ROOT / name).exists()]
    passed, failed, skipped = (sum(each) for each in zip(*results))
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
