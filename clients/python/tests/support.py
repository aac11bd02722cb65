"""Where the tests find what they need."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
from typing import Any, Dict, List, Optional

from atelier_studio import Atelier

CLIENT = pathlib.Path(__file__).resolve().parent.parent
REPOSITORY = CLIENT.parent.parent
PORTRAIT = REPOSITORY / "Tests" / "Fixtures" / "portraits" / "astronaut.png"
OTHER_PORTRAIT = REPOSITORY / "Tests" / "Fixtures" / "portraits" / "grace_hopper.jpg"
PICTURES = REPOSITORY / "Tests" / "Fixtures" / "images"
LARGE_PHOTO = REPOSITORY / "scripts" / "large-photo.sh"


def fake_peer(*arguments: str) -> List[str]:
    """The command of the scripted peer."""
    return [sys.executable, str(CLIENT / "tests" / "fake_peer.py"), *arguments]


def service() -> Optional[str]:
    """The service these tests run against: ``$ATELIER``, else what this repository built, else the PATH."""
    named = os.environ.get("ATELIER")
    if named:
        # Somebody who names it wants it tested: when it is not there, that is a failure and no reason to skip.
        return os.path.abspath(named)
    built = REPOSITORY / ".build" / "debug" / "atelier"
    return str(built) if built.exists() else shutil.which("atelier")


def simulator() -> Optional[str]:
    """``gemini-simulator``, where it was built beside the service."""
    found = service()
    beside = pathlib.Path(found).with_name("gemini-simulator") if found else None
    return str(beside) if beside and beside.exists() else None


#: Neither the keys, servers and settings of whoever runs the tests nor their desktop's keyring: empty variables count
#: as absent.
NO_KEYS = {
    name: ""
    for name in (
        "GEMINI_API_KEY",
        "GOOGLE_API_KEY",
        "OPENAI_API_KEY",
        "GOOGLE_GEMINI_BASE_URL",
        "OPENAI_BASE_URL",
        "ATELIER_CONFIG",
        "DBUS_SESSION_BUS_ADDRESS",
        "XDG_RUNTIME_DIR",
    )
}

#: On a busy machine, a debug build may need more than the limits that a client has by default.
LIMITS: Dict[str, Any] = {"start_timeout": 300, "close_timeout": 100}

needs_service = unittest.skipIf(
    service() is None, "atelier has not been built: run `swift build`, or name the executable with ATELIER"
)


class DataDirectoryCase(unittest.TestCase):
    """A test with a data directory of its own."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="atelier-python-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.data_dir = self.folder / "data"


class ServiceCase(DataDirectoryCase, unittest.IsolatedAsyncioTestCase):
    """A test against the real service."""

    def studio(self, **options: Any) -> Atelier:
        """A client of a service of its own, that knows no keys but its own."""
        options.setdefault("data_dir", self.data_dir)
        options.setdefault("env", NO_KEYS)
        return Atelier(service(), **{**LIMITS, **options})

    def holding_provider(self) -> Dict[str, str]:
        """The environment of a service whose provider never answers: a picture is under way until it is cancelled."""
        command = simulator()
        if command is None:
            self.skipTest("gemini-simulator has not been built beside the service")
        provider = subprocess.Popen([command, "--port", "0", "--fault", "hold"], stdout=subprocess.PIPE, text=True)
        self.addCleanup(provider.communicate)
        self.addCleanup(provider.terminate)
        assert provider.stdout is not None
        url: str = json.loads(provider.stdout.readline())["baseUrl"]
        return {**NO_KEYS, "GEMINI_API_KEY": "a-made-up-key", "GOOGLE_GEMINI_BASE_URL": url, "no_proxy": "127.0.0.1"}
