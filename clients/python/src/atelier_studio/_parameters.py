"""The parameters of requests, from what Python callers like to write."""

from __future__ import annotations

import asyncio
import inspect
import os
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Set, TypeVar, Union

from ._blocking_generation import BlockingGeneration
from ._coding import SLOTS, camel_case, encode, without_none
from .errors import cancelled_before_sent, invalid_parameter
from .generation import Generation
from .values import GenerateOptions, GenerationResult, Output, PreparedImage, Recipe


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

F = TypeVar("F", bound=Callable[..., Any])

#: The options that are not simply members of the request.
NOT_PLAIN = {"image", "references", "extra"}


class GenerateParameters:
    """What ``generate``, and an estimate of it, was called with."""

    def __init__(self, recipe: Recipe, options: GenerateOptions) -> None:
        self._members = {"recipe": recipe, **members_to_wire(options, GenerateOptions)}
        self._extra = extra_members(options.get("extra"))
        self._image = options.get("image")
        self._references = _references(options.get("references"))
        # What can be checked without waiting is checked at the call, where the mistake is.
        for source in [self._image, *self._references]:
            if isinstance(source, Generation):
                source._check_awaitable()
            elif source is not None:
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


def accepting(kind: type) -> Callable[[F], F]:
    """Lets the signature of a method that takes ``**options`` show each of them, for ``help`` and editors."""

    def decorate(method: F) -> F:
        signature = inspect.signature(method)
        named = [each for each in signature.parameters.values() if each.kind is not inspect.Parameter.VAR_KEYWORD]
        for name, annotation in kind.__annotations__.items():
            # A forward reference in a ``TypedDict``; its text is what other parameters have.
            text = getattr(annotation, "__forward_arg__", annotation)
            named.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=text))
        method.__signature__ = signature.replace(parameters=named)  # type: ignore[attr-defined]
        return method

    return decorate


def members_to_wire(options: Mapping[str, Any], kind: type) -> Dict[str, Any]:
    """The members of a request for the options of ``kind``, but for pictures, which may be waited for, and ``extra``.

    Raises ``TypeError`` for an option that ``kind`` does not have, as Python does for a keyword argument.
    """
    for name in options:
        if name not in kind.__annotations__:
            raise TypeError(f"got an unexpected keyword argument {name!r}")
    members = {camel_case(name): member for name, member in options.items() if name not in NOT_PLAIN}
    members.update(output=_output(options.get("output")), provider=_listed(options.get("provider")))
    return without_none(members)


def image_to_wire(image: Any) -> Dict[str, Any]:
    """The wire's form of ``image``. Raises ``InvalidParameters`` for what cannot be one."""
    if isinstance(image, (str, os.PathLike)):
        # Absolute, because the service keeps the working directory it was started in.
        return {"path": absolute(image, "/image")}
    if isinstance(image, (bytes, bytearray, memoryview)):
        return {"data": encode(image)}
    if isinstance(image, PreparedImage):
        return {"data": encode(image.data)} if image.prepared_id is None else {"preparedId": image.prepared_id}
    if isinstance(image, ResultReference):
        return {"generationId": image.generation_id, "index": image.index}
    if isinstance(image, GenerationResult):
        return {"generationId": image.generation_id}
    expected = "a path, bytes, a PreparedImage, a Generation, a GenerationResult or a ResultReference"
    raise invalid_parameter("/image", expected, f"A {type(image).__name__} is not an image. Give {expected}.")


def absolute(path: Any, pointer: str) -> str:
    """``path`` from the root on. Raises ``InvalidParameters`` for what is no path, and where none can be told."""
    try:
        return os.path.abspath(os.fsdecode(path))
    except (OSError, TypeError, ValueError) as error:
        # The working directory may have been removed.
        raise invalid_parameter(pointer, "a path", f"{path!r} is not a path that can be used: {error}.") from error


def extra_members(extra: Any) -> Dict[str, Any]:
    """The members of a newer protocol, as JSON."""
    return without_none(extra or {})


def time_to_wire(time: Optional[Time]) -> Optional[str]:
    """RFC 3339, from a ``datetime`` or from what is RFC 3339 already."""
    return time if time is None or isinstance(time, str) else str(without_none({"time": time})["time"])


async def _settled(image: Any, cancelled: "asyncio.Future[None]") -> Any:
    if not isinstance(image, Generation):
        return image
    image._check_awaitable()
    # Waits for it without owning it: cancelling this generation must not end the one it builds on.
    events: Set[asyncio.Future[Any]] = {image._task, cancelled}
    await asyncio.wait(events, return_when=asyncio.FIRST_COMPLETED)
    if cancelled.done():
        raise cancelled_before_sent()
    return await asyncio.shield(image._task)


def _output(output: Union[Output, Mapping[str, Any], None]) -> Any:
    members = without_none({"output": output}).get("output")
    if isinstance(members, dict) and members.get("directory") is not None:
        members["directory"] = absolute(members["directory"], "/output/directory")
    return members


def _listed(provider: Any) -> Any:
    # What is no list either, the service refuses.
    return list(provider) if isinstance(provider, Iterable) and not isinstance(provider, str) else provider


def _references(references: Any) -> List[Any]:
    if references is None:
        return []
    # A text would count as a list of letters.
    if isinstance(references, (str, bytes, bytearray, memoryview)) or not isinstance(references, Iterable):
        raise invalid_parameter("/references", "a list of images", "References are a list of images.")
    return list(references)
