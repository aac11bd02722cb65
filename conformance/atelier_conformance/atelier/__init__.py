"""The rules of the Atelier protocol."""

from __future__ import annotations

from typing import List

from ..rules import Rule
from . import connection, params, schema, streams, transcripts
from .target import Target as Target


def rules(target: Target) -> List[Rule]:
    """Every rule, in the order in which a failure explains the most."""
    return [
        *streams.rules(target),
        *connection.rules(target),
        *params.rules(target),
        *transcripts.rules(target),
        *schema.rules(target),
    ]
