"""The parameters of ``regenerate``."""

from __future__ import annotations

import asyncio
from typing import Any, Awaitable, Callable, Dict

from ._parameters import Refinable, _settled, image_to_wire, members_to_wire
from .values import RegenerateOptions

RegenerateParameters = Callable[["asyncio.Future[None]"], Awaitable[Dict[str, Any]]]


def regenerate_parameters(generation: Refinable, options: RegenerateOptions) -> RegenerateParameters:
    """What ``regenerate`` takes, once the generation it names has ended."""
    members = members_to_wire(options, RegenerateOptions)
    extra = dict(options.get("extra") or {})

    async def params(cancelled: "asyncio.Future[None]") -> Dict[str, Any]:
        named = await _settled(generation, cancelled)
        identifier = named if isinstance(named, str) else image_to_wire(named)["generationId"]
        return {"generationId": identifier, **members, **extra}

    return params
