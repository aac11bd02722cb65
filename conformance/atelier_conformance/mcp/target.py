"""An MCP server under test, and conversations with it in each era of the protocol."""

from __future__ import annotations

import os
import re
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Dict, Iterator, List, Optional

from .. import wire
from ..program import Program
from ..rules import Failed, Skipped

MODERN = "2026-07-28"
LEGACY = "2025-11-25"

_META = "io.modelcontextprotocol/"
_CLIENT = {"name": "atelier-conformance", "version": "1"}


@dataclass
class Target:
    """A program that is to speak MCP over its standard input and output."""

    command: List[str]
    #: Seconds that any single message may take.
    timeout: float
    #: The names of what the server sent without being asked, by all rules together.
    notifications: List[str] = field(default_factory=list)

    @contextmanager
    def start(self) -> Iterator[Program]:
        """The server with an empty home of its own, in which it may keep what it likes."""
        with tempfile.TemporaryDirectory(prefix="mcp-conformance-") as home:
            environment = {**os.environ, "HOME": home, "XDG_DATA_HOME": home, "ATELIER_DATA_DIR": f"{home}/atelier"}
            with Program(self.command, environment=environment, folder=home, timeout=self.timeout) as program:
                yield program

    @contextmanager
    def session(self, era: str) -> Iterator["Session"]:
        """A conversation in one era. Raises ``Skipped`` for an era that the server does not speak."""
        with self.start() as program:
            session = Session(self, program, era)
            session.begin()
            yield session


class Session:
    """Requests and their answers, in one era."""

    def __init__(self, target: Target, program: Program, era: str) -> None:
        self._target = target
        self._last = 0
        self.program = program
        self.era = era
        self.capabilities: Dict[str, Any] = {}
        #: What the server says of itself first: the result of server/discover, or of initialize.
        self.introduction: Dict[str, Any] = {}

    def begin(self) -> None:
        """Asks the server for what it can do."""
        if self.era == MODERN:
            answer = self.ask("server/discover")
            versions = wire.member(answer, "result", "supportedVersions")
            if not (isinstance(versions, list) and MODERN in versions):
                raise Skipped(f"the server does not speak {MODERN}: {short(answer)}")
        else:
            answer = self.ask(
                "initialize", {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": dict(_CLIENT)}
            )
            if wire.member(answer, "result", "protocolVersion") != LEGACY:
                raise Skipped(f"the server does not speak {LEGACY}: {short(answer)}")
            self.program.send('{"jsonrpc":"2.0","method":"notifications/initialized"}')
        self.introduction = answer["result"]
        capabilities = self.introduction.get("capabilities")
        self.capabilities = capabilities if isinstance(capabilities, dict) else {}

    def require(self, capability: str) -> None:
        """Raises ``Skipped`` if the server does not have a capability."""
        if capability not in self.capabilities:
            raise Skipped(f"the server does not declare the capability {capability}")

    def ask(self, method: str, params: Optional[Dict[str, Any]] = None, meta: Optional[Dict[str, Any]] = None) -> Any:
        """Sends a request and returns its answer. ``meta`` replaces what says who asks; an empty one is left out."""
        self._last += 1
        request_id = wire.Number(str(self._last))
        whole: Dict[str, Any] = dict(params or {})
        if self.era == MODERN and meta != {}:
            whole["_meta"] = complete_meta() if meta is None else meta
        self.program.send(wire.text({"jsonrpc": "2.0", "id": request_id, "method": method, "params": whole}))
        return self.answer(request_id)

    def answer(self, request_id: Any) -> Any:
        """The answer to a request. Everything before it must be a message that a server may send."""
        while True:
            message = self.program.next()
            if message is None:
                raise Failed(f"the server ended with {self.program.wait()} before its answer{self.program.log()}")
            if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
                raise Failed(f"not a message of JSON-RPC 2.0: {short(message)}")
            if "method" in message:
                self._notice(message)
            elif message.get("id") == request_id:
                if ("result" in message) == ("error" in message):
                    raise Failed(f"an answer has either a result or an error: {short(message)}")
                return message

    def _notice(self, message: Any) -> None:
        self._target.notifications.append(str(message["method"]))
        if "id" in message and self.era == MODERN:
            raise Failed(f"the server sent a request of its own: {short(message)}")

    def result(self, method: str, params: Optional[Dict[str, Any]] = None) -> Dict[str, Any]:
        """The result of a request. Raises ``Failed`` for an error."""
        answer = self.ask(method, params)
        if not isinstance(answer.get("result"), dict):
            raise Failed(f"{method}: expected a result that is an object\ngot: {short(answer)}")
        found: Dict[str, Any] = answer["result"]
        return found

    def listed(self, method: str, member: str) -> List[Dict[str, Any]]:
        """Every entry of a list, page by page."""
        entries: List[Dict[str, Any]] = []
        cursor: Optional[str] = None
        for _ in range(1_000):
            page = self.result(method, {} if cursor is None else {"cursor": cursor})
            found = page.get(member)
            if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
                raise Failed(f"{method}: {member} is not a list of objects: {short(page)}")
            entries += found
            cursor = page.get("nextCursor")
            if cursor is None:
                return entries
        raise Failed(f"{method}: the pages do not end")

    def expect_error(self, answer: Any, *codes: int) -> Any:
        """The error of an answer. Raises ``Failed`` unless it has one of the codes."""
        error = answer.get("error")
        code = wire.integer(wire.member(error, "code"))
        if code not in codes or not isinstance(error.get("message"), str):
            raise Failed(f"expected the error {' or '.join(map(str, codes))} with a message\ngot: {short(answer)}")
        return error


def complete_meta(version: str = MODERN) -> Dict[str, Any]:
    """What every modern request says of who asks."""
    return {
        f"{_META}protocolVersion": version,
        f"{_META}clientInfo": dict(_CLIENT),
        f"{_META}clientCapabilities": {},
    }


def meta_without(name: str) -> Dict[str, Any]:
    """The same without one member."""
    return {key: value for key, value in complete_meta().items() if key != _META + name}


def short(message: Any) -> str:
    """A message for a report, without the bytes of pictures."""
    return wire.shortened(re.sub(r"[A-Za-z0-9+/=]{200,}", "…", wire.text(message)))
