"""The parameters of ``regenerate``."""

from __future__ import annotations

import asyncio
from typing import Any, Awaitable, Callable, Dict, Mapping, Optional, Sequence, Union

from ._coding import without_none
from ._parameters import Refinable, _listed, _output, _settled, image_to_wire, style_to_wire
from .values import Output, Style

RegenerateParameters = Callable[["asyncio.Future[None]"], Awaitable[Dict[str, Any]]]


def regenerate_parameters(
    generation: Refinable,
    *,
    prompt: Optional[str],
    style: Union[Style, Mapping[str, Any], None],
    template_id: Optional[str],
    output: Union[Output, Mapping[str, Any], None],
    provider: Union[str, Sequence[str], None],
    model: Optional[str],
    temperature: Optional[float],
    seed: Optional[int],
    timeout_ms: Optional[int],
    account: Optional[str],
    idempotency_key: Optional[str],
    when_offline: Optional[str],
    wait_ms: Optional[int],
    private: Optional[bool],
    detach: Optional[bool],
    progress: Optional[bool],
    metadata: Optional[Mapping[str, Any]],
    extra: Optional[Mapping[str, Any]],
) -> RegenerateParameters:
    """What ``regenerate`` takes, once the generation it names has ended."""
    members = without_none(
        {
            "prompt": prompt,
            "style": style_to_wire(style),
            "templateId": template_id,
            "output": _output(output),
            "provider": _listed(provider),
            "model": model,
            "temperature": temperature,
            "seed": seed,
            "timeoutMs": timeout_ms,
            "account": account,
            "idempotencyKey": idempotency_key,
            "whenOffline": when_offline,
            "waitMs": wait_ms,
            "private": private,
            "detach": detach,
            "progress": progress,
            "metadata": metadata,
        }
    )

    async def params(cancelled: "asyncio.Future[None]") -> Dict[str, Any]:
        named = await _settled(generation, cancelled)
        identifier = named if isinstance(named, str) else image_to_wire(named)["generationId"]
        return {"generationId": identifier, **members, **dict(extra or {})}

    return params
