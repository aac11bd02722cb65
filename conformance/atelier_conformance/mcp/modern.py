"""The rules of the revision 2026-07-28, where every request says who asks and nothing is remembered."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Tuple

from .. import wire
from ..rules import Failed, Rule, Skipped
from .shared import shared
from .target import MODERN, Session, Target, complete_meta, meta_without, short

_SPECIFICATION = f"specification/{MODERN}"

_LISTS = [
    ("tools", "tools/list", "tools"),
    ("prompts", "prompts/list", "prompts"),
    ("resources", "resources/list", "resources"),
    ("resources", "resources/templates/list", "resourceTemplates"),
]

_REMOVED = ["ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"]

_TASKS = "io.modelcontextprotocol/tasks"


def rules(target: Target) -> List[Rule]:
    """The rules of this era; their names are those of the official suite's checks, where it has one."""

    def rule(name: str, title: str, section: str, check: Callable[[Session], None]) -> Rule:
        def run() -> None:
            with target.session(MODERN) as session:
                check(session)

        return Rule(f"mcp/{MODERN}/{name}", title, [f"{_SPECIFICATION}/{section}"], run)

    caching = [
        rule(
            f"sep-2549-{method.replace('/', '-')}-caching-hints",
            f"{method} has ttlMs and cacheScope",
            "server/utilities/caching",
            _caching(capability, method),
        )
        for capability, method, _ in _LISTS
    ]
    return [
        rule(
            "sep-2575-server-implements-discover",
            "server/discover says what the server is and can do",
            "server/discover",
            _discover,
        ),
        rule(
            "sep-2575-server-identifies-in-result-meta",
            "results name the server in _meta",
            "basic/index#meta",
            _identifies,
        ),
        rule(
            "sep-2575-discover-capabilities-match-handlers",
            "a list that is not declared is not there",
            "server/discover",
            _capabilities,
        ),
        rule(
            "sep-2575-server-unsupported-version-error",
            "an unknown version is refused with those that are known",
            "basic/versioning",
            _unsupported,
        ),
        rule(
            "sep-2575-request-meta-invalid-missing-meta",
            "a request that says nothing of who asks is refused",
            "basic/index#meta",
            lambda session: _expect_refusal(session, {}),
        ),
        rule(
            "sep-2575-request-meta-invalid-missing-protocol-version",
            "a request without a version is refused",
            "basic/index#meta",
            _missing("protocolVersion"),
        ),
        rule(
            "sep-2575-request-meta-invalid-missing-client-capabilities",
            "a request without capabilities is refused",
            "basic/index#meta",
            _missing("clientCapabilities"),
        ),
        rule(
            "sep-2575-request-meta-client-info-optional",
            "a request need not say which client it is of",
            "basic/index#meta",
            _nameless,
        ),
        rule("stdio-removed-methods", "methods that were removed are not found", "changelog", _removed),
        rule("sep-2322-result-type-included", "every result has a resultType", "basic/index#responses", _result_type),
        *caching,
        rule(
            "sep-2549-ttl-non-negative",
            "ttlMs is a whole number that is not negative",
            "server/utilities/caching",
            _ttl,
        ),
        rule("sep-2549-cache-scope-valid", "cacheScope is public or private", "server/utilities/caching", _scope),
        rule(
            "sep-2549-resources-read-caching-hints",
            "resources/read has ttlMs and cacheScope",
            "server/utilities/caching",
            _read_caching,
        ),
        rule(
            "sep-2164-error-code",
            "an unknown resource is refused with -32602 and its uri",
            "server/resources",
            _resource,
        ),
        rule(
            "sep-2663-tasks-methods-non-declaring",
            "tasks are refused to a client that does not know them",
            "extensions/tasks",
            _tasks_undeclared,
        ),
        rule(
            "sep-2663-tasks-get-invalid-task-id-32602",
            "an unknown task is refused with -32602",
            "extensions/tasks",
            _task_unknown,
        ),
        rule(
            "sep-2663-tasks-result-removed-method-not-found",
            "tasks/result and tasks/list are not there",
            "extensions/tasks",
            _tasks_removed,
        ),
        *shared(MODERN, _SPECIFICATION, rule),
        # Last, because it judges what all others have heard.
        Rule(
            f"mcp/{MODERN}/sep-2575-server-no-log-without-loglevel",
            "no log message comes that was not asked for",
            [f"{_SPECIFICATION}/server/utilities/logging"],
            lambda: _no_log(target),
        ),
    ]


def _discover(session: Session) -> None:
    found = session.introduction
    missing = [
        name
        for name, kind in [
            ("supportedVersions", list),
            ("capabilities", dict),
            ("ttlMs", wire.Number),
            ("cacheScope", str),
        ]
        if not isinstance(found.get(name), kind)
    ]
    if missing:
        raise Failed(f"missing or of a wrong type: {', '.join(missing)}\ngot: {short(found)}")


def _identifies(session: Session) -> None:
    info = wire.member(session.introduction, "_meta", "io.modelcontextprotocol/serverInfo")
    if not all(isinstance(wire.member(info, name), str) for name in ("name", "version")):
        raise Failed(f"_meta has no serverInfo with name and version: {short(session.introduction)}")


def _capabilities(session: Session) -> None:
    for capability, method, _ in _LISTS:
        answer = session.ask(method)
        if capability in session.capabilities and "error" in answer:
            raise Failed(f"{capability} is declared, but {method} is refused: {short(answer)}")
        if capability not in session.capabilities and "result" in answer:
            raise Failed(f"{method} is answered, but {capability} is not declared")


def _unsupported(session: Session) -> None:
    answer = session.ask("tools/list", meta=complete_meta("1900-01-01"))
    data = session.expect_error(answer, -32022).get("data")
    if MODERN not in (wire.member(data, "supported") or []) or wire.member(data, "requested") != "1900-01-01":
        raise Failed(f"data has not what is supported and what was requested\ngot: {short(answer)}")


def _missing(name: str) -> Callable[[Session], None]:
    return lambda session: _expect_refusal(session, meta_without(name))


def _expect_refusal(session: Session, meta: Dict[str, Any]) -> None:
    session.expect_error(session.ask("tools/list", meta=meta), -32602)


def _nameless(session: Session) -> None:
    answer = session.ask("server/discover", meta=meta_without("clientInfo"))
    if "result" not in answer:
        raise Failed(f"it was refused: {short(answer)}")


def _removed(session: Session) -> None:
    for method in _REMOVED:
        session.expect_error(session.ask(method, {"level": "info", "uri": "x:y"}), -32601)


def _results(session: Session) -> List[Tuple[str, Dict[str, Any]]]:
    """The result of every list that the server offers."""
    found = [("server/discover", session.introduction)]
    return found + [
        (method, session.result(method)) for capability, method, _ in _LISTS if capability in session.capabilities
    ]


def _result_type(session: Session) -> None:
    for method, result in _results(session):
        if result.get("resultType") != "complete":
            raise Failed(f'{method}: expected resultType "complete"\ngot: {short(result)}')


def _caching(capability: str, method: str) -> Callable[[Session], None]:
    def check(session: Session) -> None:
        session.require(capability)
        _expect_hints(method, session.result(method))

    return check


def _expect_hints(method: str, result: Dict[str, Any]) -> None:
    missing = [name for name in ("ttlMs", "cacheScope") if name not in result]
    if missing:
        raise Failed(f"{method}: {' and '.join(missing)} missing\ngot: {short(result)}")


def _read_caching(session: Session) -> None:
    session.require("resources")
    resources = session.listed("resources/list", "resources")
    if not resources:
        raise Skipped("the server lists no resource")
    _expect_hints("resources/read", session.result("resources/read", {"uri": resources[0].get("uri")}))


def _ttl(session: Session) -> None:
    for method, result in _results(session):
        number = wire.integer(result.get("ttlMs"))
        if number is None or number < 0:
            raise Failed(f"{method}: ttlMs is {wire.text(result.get('ttlMs'))}")


def _scope(session: Session) -> None:
    for method, result in _results(session):
        if result.get("cacheScope") not in ("public", "private"):
            raise Failed(f"{method}: cacheScope is {wire.text(result.get('cacheScope'))}")


def _resource(session: Session) -> None:
    session.require("resources")
    uri = "conformance://nothing/here"
    answer = session.ask("resources/read", {"uri": uri})
    error = session.expect_error(answer, -32602)
    if wire.member(error.get("data"), "uri") != uri:
        raise Failed(f"data does not name the uri\ngot: {short(answer)}")


def _has_tasks(session: Session) -> Dict[str, Any]:
    """The declaration of a client that knows tasks. Raises ``Skipped`` if the server does not."""
    if _TASKS not in (session.capabilities.get("extensions") or {}):
        raise Skipped("the server has no tasks")
    return {**complete_meta(), "io.modelcontextprotocol/clientCapabilities": {"extensions": {_TASKS: {}}}}


def _tasks_undeclared(session: Session) -> None:
    _has_tasks(session)
    for method in ("tasks/get", "tasks/update", "tasks/cancel"):
        session.expect_error(session.ask(method, {"taskId": "none", "inputResponses": {}}), -32021)


def _task_unknown(session: Session) -> None:
    meta = _has_tasks(session)
    for method in ("tasks/get", "tasks/update", "tasks/cancel"):
        session.expect_error(session.ask(method, {"taskId": "none", "inputResponses": {}}, meta), -32602)


def _tasks_removed(session: Session) -> None:
    meta = _has_tasks(session)
    for method in ("tasks/result", "tasks/list"):
        session.expect_error(session.ask(method, {"taskId": "none"}, meta), -32601)


def _no_log(target: Target) -> None:
    if "notifications/message" in target.notifications:
        raise Failed("notifications/message came, though no request had a logLevel")
