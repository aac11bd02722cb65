"""What is tested: the command, and where the documents of the protocol are."""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Sequence

from .. import wire
from ..program import LINES, Program

#: What would let a program under test reach the keys, servers and settings of whoever runs the kit.
PRIVATE = (
    "GEMINI_API_KEY",
    "GOOGLE_API_KEY",
    "OPENAI_API_KEY",
    "GOOGLE_GEMINI_BASE_URL",
    "OPENAI_BASE_URL",
    "ATELIER_CONFIG",
    "ATELIER_DATA_DIR",
    "DBUS_SESSION_BUS_ADDRESS",
    "XDG_RUNTIME_DIR",
)


@dataclass
class Target:
    """A program that is to speak the protocol."""

    command: List[str]
    #: The root of this project: programs are started in it, because transcripts name its fixtures.
    project: Path
    #: Seconds that any single message may take.
    timeout: float
    #: Every message that the program sent in a transcript, with the method that it answers if it is an answer.
    seen: List["tuple[str, Any, Optional[str]]"] = field(default_factory=list)

    @property
    def protocol(self) -> Path:
        """The folder of the protocol's documents."""
        return self.project / "protocol"

    def document(self, name: str) -> Any:
        """A document for machines, such as ``openrpc.json``."""
        return json.loads((self.protocol / name).read_text(encoding="utf-8"))

    @contextmanager
    def start(
        self,
        *,
        framing: str = LINES,
        configuration: Optional[Path] = None,
        options: Sequence[str] = (),
        is_read: bool = True,
    ) -> Iterator[Program]:
        """The program with an empty data directory of its own, which is deleted when it has ended.

        ``options`` are added to the command.
        """
        with tempfile.TemporaryDirectory(prefix="atelier-conformance-") as folder:
            environment: Dict[str, str] = {name: value for name, value in os.environ.items() if name not in PRIVATE}
            environment["ATELIER_DATA_DIR"] = str(Path(folder) / "data")
            if configuration is not None:
                environment["ATELIER_CONFIG"] = str(configuration)
            with Program(
                [*self.command, *options],
                environment=environment,
                folder=str(self.project),
                timeout=self.timeout,
                framing=framing,
                is_read=is_read,
            ) as program:
                yield program


def ping(request_id: str) -> str:
    """A request that any program answers at once; ``request_id`` is JSON."""
    return f'{{"jsonrpc":"2.0","id":{request_id},"method":"ping"}}'


def slug(name: str) -> str:
    """A name as part of a rule's id."""
    return "-".join("".join(letter if letter.isalnum() else " " for letter in name.lower()).split())


def anchor(method: str) -> str:
    """Where REFERENCE.md describes a method."""
    return "REFERENCE.md#" + "".join(letter for letter in method.lower() if letter.isalnum())


def shown(message: Any) -> str:
    """A message for a report."""
    return wire.shortened(wire.text(message))
