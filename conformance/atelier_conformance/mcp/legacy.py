"""The rules of the revision 2025-11-25, where a connection begins with initialize."""

from __future__ import annotations

from typing import Callable, List

from .. import wire
from ..rules import Failed, Rule
from .shared import shared
from .target import LEGACY, Session, Target, short

_SPECIFICATION = f"specification/{LEGACY}"


def rules(target: Target) -> List[Rule]:
    """The rules of this era; their names are those of the official suite's scenarios, where it has one."""

    def rule(name: str, title: str, section: str, check: Callable[[Session], None]) -> Rule:
        def run() -> None:
            with target.session(LEGACY) as session:
                check(session)

        return Rule(f"mcp/{LEGACY}/{name}", title, [f"{_SPECIFICATION}/{section}"], run)

    return [
        rule("server-initialize", "initialize says what the server is and can do", "basic/lifecycle", _initialize),
        rule("ping", "ping is answered with an empty result", "basic/utilities/ping", _ping),
        rule("logging-set-level", "the level of the log can be set", "server/utilities/logging", _logging),
        rule("resources-read-unknown", "an unknown resource is refused with -32002", "server/resources", _resource),
        Rule(
            f"mcp/{LEGACY}/version-negotiation",
            "an unknown version is answered with one that the server speaks",
            [f"{_SPECIFICATION}/basic/lifecycle"],
            lambda: _version(target),
        ),
        *shared(LEGACY, _SPECIFICATION, rule),
    ]


def _initialize(session: Session) -> None:
    found = session.introduction
    info = found.get("serverInfo")
    if not all(isinstance(wire.member(info, name), str) for name in ("name", "version")):
        raise Failed(f"serverInfo has no name and version: {short(found)}")
    if not isinstance(found.get("capabilities"), dict):
        raise Failed(f"capabilities is missing: {short(found)}")


def _ping(session: Session) -> None:
    session.result("ping")


def _logging(session: Session) -> None:
    session.require("logging")
    session.result("logging/setLevel", {"level": "warning"})


def _resource(session: Session) -> None:
    session.require("resources")
    # The later revision made it -32602, and servers of both eras may use one code.
    session.expect_error(session.ask("resources/read", {"uri": "conformance://nothing/here"}), -32002, -32602)


def _version(target: Target) -> None:
    with target.start() as program:
        answer = program.call(
            1,
            "initialize",
            {"protocolVersion": "1900-01-01", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}},
        )
        version = wire.member(answer, "result", "protocolVersion")
        if not isinstance(version, str) or version == "1900-01-01":
            raise Failed(f"expected a version that the server speaks\ngot: {short(answer)}")
