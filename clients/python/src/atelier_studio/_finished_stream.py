"""The ends of detached generations."""

from __future__ import annotations

import asyncio
from typing import Callable, Optional

from .values import GenerationResult


class FinishedStream:
    """The ends of detached generations, one after the other; see :meth:`Atelier.finished`."""

    def __init__(self, forget: Callable[["FinishedStream"], None], check: Callable[[], None]) -> None:
        self._forget = forget
        self._check = check
        self._queue: asyncio.Queue[Optional[GenerationResult]] = asyncio.Queue()

    def __aiter__(self) -> "FinishedStream":
        return self

    async def __anext__(self) -> GenerationResult:
        # A queue wakes only the coroutines of its own loop.
        self._check()
        finished = await self._queue.get()
        if finished is None:
            self._queue.put_nowait(None)
            raise StopAsyncIteration
        return finished

    def close(self) -> None:
        """Stops listening."""
        self._end()
        self._forget(self)

    def _receive(self, finished: GenerationResult) -> None:
        self._queue.put_nowait(finished)

    def _end(self) -> None:
        self._queue.put_nowait(None)
