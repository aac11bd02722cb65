"""The parameters of ``regenerate``."""

from __future__ import annotations

import asyncio
from typing import Any, Awaitable, Callable, Dict

from ._parameters import Refinable, _settled, extra_members, image_to_wire, members_to_wire
from .errors import invalid_parameter
from .generation import Generation
from .values import RegenerateOptions

RegenerateParameters = Callable[["asyncio.Future[None]"], Awaitable[Dict[str, Any]]]


def regenerate_parameters(generation: Refinable, options: RegenerateOptions) -> RegenerateParameters:
    """What ``regenerate`` takes, once the generation it names has ended."""
    members = members_to_wire(options, RegenerateOptions)
    extra = extra_members(options.get("extra"))
    if isinstance(generation, Generation):
        generation._check_awaitable()
    elif not isinstance(generation, str):
        generation_id(generation)

    async def params(cancelled: "asyncio.Future[None]") -> Dict[str, Any]:
        named = await _settled(generation, cancelled)
        return {"generationId": named if isinstance(named, str) else generation_id(named), **members, **extra}

    return params


def generation_id(generation: Any) -> str:
    """The id of a result or of a reference to one. Raises ``InvalidParameters`` for what has none."""
    members = image_to_wire(generation) if not isinstance(generation, (bytes, bytearray, memoryview)) else {}
    if "generationId" not in members:
        expected = "an id, a Generation, a GenerationResult or a ResultReference"
        kind = type(generation).__name__
        raise invalid_parameter("/generationId", expected, f"A {kind} is not a generation. Give {expected}.")
    return str(members["generationId"])
