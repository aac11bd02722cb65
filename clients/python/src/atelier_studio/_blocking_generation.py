"""A generation under way, for programs without an event loop."""

from __future__ import annotations

import asyncio
from typing import Iterator, Optional

from ._loop_thread import LoopThread, each
from .errors import TimedOut
from .generation import Generation
from .values import GenerationResult, Progress


class BlockingGeneration:
    """A running generation: iterate over it for its progress, then call :meth:`result`."""

    def __init__(self, thread: LoopThread, generation: Generation) -> None:
        """Created by :meth:`Blocking.generate`, ``regenerate`` and ``attach``."""
        self._thread = thread
        self._generation = generation

    @property
    def generation_id(self) -> Optional[str]:
        """The id of the generation; ``None`` until the service has sent it. :meth:`accepted` waits for it."""
        return self._generation.generation_id

    @property
    def progress(self) -> Optional[Progress]:
        """The newest progress; ``None`` if there has been none."""
        return self._generation.progress

    @property
    def done(self) -> bool:
        """True when the generation has ended, with a result or a failure."""
        return self._generation.done

    def result(self, timeout: Optional[float] = None) -> GenerationResult:
        """Waits for the result, at most ``timeout`` seconds. Raises the ``AtelierError`` of a failed generation.

        Raises ``TimedOut`` (``wait_timed_out``), which is a ``TimeoutError``, when the time is over; the generation
        continues, and can be waited for again.
        """

        async def wait() -> GenerationResult:
            task = self._generation._task
            await asyncio.wait({task}, timeout=timeout)
            if not task.done():
                raise TimedOut(
                    f"The generation has not ended within {timeout:g} s; it goes on.", kind="wait_timed_out",
                    generation_id=self._generation.generation_id,
                )
            return task.result()

        return self._thread.run(wait())

    def cancel(self) -> None:
        """Cancels the generation. :meth:`result` then has the state ``"cancelled"``."""

        async def cancel() -> None:
            self._generation.cancel()

        self._thread.run(cancel())

    def accepted(self) -> str:
        """Waits until the service has accepted the generation, durably if it is detached; returns its id."""
        return self._thread.run(self._generation.accepted())

    def status(self) -> GenerationResult:
        """Returns the generation as the service reports it now."""
        return self._thread.run(self._generation.status())

    def __iter__(self) -> Iterator[Progress]:
        """Yields all progress, past and future, until the generation ends."""
        return each(self._thread, self._generation.__aiter__)

    def __repr__(self) -> str:
        return f"<Blocking{repr(self._generation)[1:]}"
