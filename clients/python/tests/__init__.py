"""The tests of the client: against a scripted peer, and against the service itself where it has been built."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "src"))
