"""The rules of MCP over standard input and output."""

from __future__ import annotations

from typing import List

from ..rules import Failed, Rule, Skipped
from . import legacy, modern
from .target import LEGACY, MODERN
from .target import Target as Target


def rules(target: Target) -> List[Rule]:
    """Every rule of both eras, and that there is one."""
    title = f"the server speaks {LEGACY}, {MODERN} or both"
    spoken = Rule("mcp/revision", title, [f"specification/{MODERN}/basic/versioning"], lambda: _check(target))
    return [spoken, *legacy.rules(target), *modern.rules(target)]


def _check(target: Target) -> None:
    reasons: List[str] = []
    for era in (LEGACY, MODERN):
        try:
            with target.session(era):
                return
        except (Failed, Skipped) as reason:
            reasons.append(str(reason))
    raise Failed("\n".join(reasons))
