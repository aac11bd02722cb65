"""The parameters of requests, from what Python callers like to write."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Dict, Mapping, Optional, Sequence, Set, Union

from ._blocking_generation import BlockingGeneration
from ._coding import SLOTS, encode, without_none
from .errors import InvalidParameters, cancelled_before_sent
from .generation import Generation
from .values import GenerationResult, Output, PreparedImage, Style


@dataclass(frozen=True, **SLOTS)
class ResultReference:
    """One picture of an earlier generation, to use as an image or to refine."""

    generation_id: str
    #: The position of the picture, from 0.
    index: int = 0


#: Everything that can serve as an image: a path, the bytes of a file, a prepared image, or the result of a
#: generation (its first picture; ``ResultReference`` names another). A generation under way is waited for;
#: it belongs to the ``Atelier`` or the ``Blocking`` that it was started with.
Image = Union[
    str,
    "os.PathLike[str]",
    bytes,
    bytearray,
    memoryview,
    PreparedImage,
    Generation,
    BlockingGeneration,
    GenerationResult,
    ResultReference,
]

#: What can be made again: a result, a generation under way, or the id of either.
Refinable = Union[str, Generation, BlockingGeneration, GenerationResult, ResultReference]

Time = Union[datetime, str]


class GenerateParameters:
    """What ``generate`` was called with."""

    def __init__(
        self,
        *,
        image: Optional[Image],
        references: Sequence[Image],
        output: Union[Output, Mapping[str, Any], None],
        provider: Union[str, Sequence[str], None],
        members: Mapping[str, Any],
        extra: Optional[Mapping[str, Any]],
    ) -> None:
        self._image = image
        self._references = list(references)
        self._members: Dict[str, Any] = without_none(members)
        self._members.update(without_none({"output": _output(output), "provider": _listed(provider)}))
        self._extra = dict(extra or {})
        # What can be checked without waiting is checked at the call, where the mistake is.
        for source in [self._image, *self._references]:
            if source is not None and not isinstance(source, Generation):
                image_to_wire(source)

    async def __call__(self, cancelled: "asyncio.Future[None]") -> Dict[str, Any]:
        """The params of the request, after every generation they build on has ended."""
        params = dict(self._members)
        if self._image is not None:
            params["image"] = image_to_wire(await _settled(self._image, cancelled))
        if self._references:
            params["references"] = [image_to_wire(await _settled(image, cancelled)) for image in self._references]
        params.update(self._extra)
        return params


def generate_parameters(
    recipe: str,
    *,
    image: Optional[Image],
    references: Sequence[Image],
    prompt: Optional[str],
    style: Union[Style, Mapping[str, Any], None],
    near: Any = None,
    limit: Optional[int] = None,
    language: Optional[str] = None,
    template_id: Optional[str],
    output: Union[Output, Mapping[str, Any], None],
    provider: Union[str, Sequence[str], None],
    model: Optional[str],
    temperature: Optional[float],
    seed: Optional[int],
    timeout_ms: Optional[int],
    account: Optional[str],
    idempotency_key: Optional[str],
    cache: Optional[str],
    when_offline: Optional[str],
    wait_ms: Optional[int],
    private: Optional[bool],
    detach: Optional[bool],
    progress: Optional[bool],
    metadata: Optional[Mapping[str, Any]],
    extra: Optional[Mapping[str, Any]],
) -> GenerateParameters:
    """What ``generate`` and an estimate of it take."""
    members: Dict[str, Any] = {
        "recipe": recipe,
        "prompt": prompt,
        "style": style_to_wire(style),
        "near": near,
        "limit": limit,
        "language": language,
        "templateId": template_id,
        "model": model,
        "temperature": temperature,
        "seed": seed,
        "timeoutMs": timeout_ms,
        "account": account,
        "idempotencyKey": idempotency_key,
        "cache": cache,
        "whenOffline": when_offline,
        "waitMs": wait_ms,
        "private": private,
        "detach": detach,
        "progress": progress,
        "metadata": metadata,
    }
    return GenerateParameters(
        image=image,
        references=references,
        output=output,
        provider=provider,
        members=members,
        extra=extra,
    )


def image_to_wire(image: Any) -> Dict[str, Any]:
    """The wire's form of ``image``. Raises ``InvalidParameters`` for what cannot be one."""
    if isinstance(image, (str, os.PathLike)):
        # Absolute, because the service keeps the working directory it was started in.
        return {"path": os.path.abspath(os.fsdecode(image))}
    if isinstance(image, (bytes, bytearray, memoryview)):
        return {"data": encode(image)}
    if isinstance(image, PreparedImage):
        return {"data": encode(image.data)} if image.prepared_id is None else {"preparedId": image.prepared_id}
    if isinstance(image, ResultReference):
        return {"generationId": image.generation_id, "index": image.index}
    if isinstance(image, GenerationResult):
        return {"generationId": image.generation_id}
    expected = "a path, bytes, a PreparedImage, a Generation, a GenerationResult or a ResultReference"
    raise _wrong("/image", expected, f"A {type(image).__name__} is not an image. Give {expected}.")


def style_to_wire(style: Union[Style, Mapping[str, Any], None]) -> Any:
    """The wire's form of a style."""
    return None if style is None else encode(style)


def time_to_wire(time: Optional[Time]) -> Optional[str]:
    """RFC 3339, from a ``datetime`` or from what is RFC 3339 already."""
    return time if time is None or isinstance(time, str) else str(encode(time))


async def _settled(image: Any, cancelled: "asyncio.Future[None]") -> Any:
    if not isinstance(image, Generation):
        return image
    # Waits for it without owning it: cancelling this generation must not end the one it builds on.
    events: Set[asyncio.Future[Any]] = {image._task, cancelled}
    await asyncio.wait(events, return_when=asyncio.FIRST_COMPLETED)
    if cancelled.done():
        raise cancelled_before_sent()
    return await asyncio.shield(image._task)


def _output(output: Union[Output, Mapping[str, Any], None]) -> Any:
    members = None if output is None else encode(output)
    if members and "directory" in members:
        members["directory"] = os.path.abspath(members["directory"])
    return members


def _listed(provider: Union[str, Sequence[str], None]) -> Any:
    return provider if provider is None or isinstance(provider, str) else list(provider)


def _wrong(path: str, expected: str, message: str) -> InvalidParameters:
    return InvalidParameters(
        message, code=-32602, kind="invalid_params", data={"path": path, "expected": expected}
    )
