"""A generation under way."""

from __future__ import annotations

import asyncio
import collections
from typing import Any, AsyncIterator, Awaitable, Callable, Deque, Dict, Generator, Mapping, Optional, Protocol

from ._coding import decode
from ._connection import Connection
from ._large_pictures import fitting
from .errors import AtelierError
from .values import GenerationResult, Progress, State

__all__ = ["Generation"]

#: How much progress is kept for iterators that are slow or late; a generation rarely reports more.
_KEPT_PROGRESS = 256

#: How often a detached generation is looked up whose end has not been told.
_LOOK_UP_SECONDS = 5.0

_FINAL_STATES = frozenset(
    [State.SUCCEEDED, State.PARTIAL, State.FAILED, State.CANCELLED, State.INTERRUPTED, State.EXPIRED]
)


class Studio(Protocol):
    """What a generation needs of the :class:`Atelier` it runs on, which needs to know generations in turn."""

    def _require_started(self) -> None:
        """Raises ``InvalidUse`` in another event loop or process."""

    async def _usable(self) -> Connection:
        """The connection, after a restart if it was lost."""

    async def cancel(self, generation_id: str) -> GenerationResult:
        """Ends the generation wherever it stands."""

    async def generation_status(self, generation_id: str) -> GenerationResult:
        """Where the generation stands."""

    def _follow(self, generation: Generation) -> None:
        """Tells the generation what the service says of it from now on."""

    def _unfollow(self, generation: Generation) -> None:
        """Tells it no more."""

    def _in_background(self, work: Awaitable[Any]) -> None:
        """Runs ``work``, whose failure concerns nobody."""


class Generation:
    """A running generation: await it for its result, iterate over it for its progress, or cancel it.

    It behaves like an ``asyncio.Task``. Cancelling the task that awaits it (or iterates over it) cancels the
    generation: the client asks the service to cancel it, awaits the final answer, then raises
    ``asyncio.CancelledError``. With ``asyncio.shield(generation)`` only the wait ends. After a direct call of
    :meth:`cancel`, the awaited *result* has ``state == "cancelled"``.

    A generation that is detached, or that :meth:`Atelier.attach` returned, is never cancelled by its waiters, only by
    :meth:`cancel`.
    """

    def __init__(
        self,
        studio: Studio,
        params: Callable[["asyncio.Future[None]"], Awaitable[Dict[str, Any]]],
        *,
        detached: bool,
        method: str = "generate",
        attached_to: Optional[str] = None,
    ) -> None:
        """Created by :meth:`Atelier.generate`, ``regenerate`` and ``attach``, which describe the arguments."""
        loop = asyncio.get_running_loop()
        self._studio = studio
        self._connection: Optional[Connection] = None
        self._request_id: Optional[int] = None
        self._generation_id: Optional[str] = attached_to
        #: The request only watches the generation, which it did not start.
        self._attached = attached_to is not None
        self._method = method
        self._detached = detached
        self._progress: Deque[Progress] = collections.deque(maxlen=_KEPT_PROGRESS)
        self._cancelled: asyncio.Future[None] = loop.create_future()
        self._finished: asyncio.Future[GenerationResult] = loop.create_future()
        #: Done when this connection owes it nothing any more: it has ended, is no longer watched, or is detached and
        #: accepted.
        self._settled: asyncio.Future[None] = loop.create_future()
        self._news: asyncio.Future[None] = loop.create_future()
        self._task = loop.create_task(self._run(params))
        self._task.add_done_callback(self._ended)

    # --- For callers ---

    @property
    def generation_id(self) -> Optional[str]:
        """The id of the generation; ``None`` until the service has sent it. :meth:`accepted` waits for it."""
        return self._generation_id

    @property
    def progress(self) -> Optional[Progress]:
        """The newest progress; ``None`` if there has been none."""
        return self._progress[-1] if self._progress else None

    @property
    def done(self) -> bool:
        """True when the generation has ended, with a result or a failure."""
        return self._task.done()

    def cancel(self) -> None:
        """Cancels the generation. Does not wait, and may be called any number of times.

        Await the generation afterwards: the result has the state ``"cancelled"``, or another one if the
        generation had already ended.
        """
        if self._task.done() or self._cancelled.done():
            return
        self._studio._require_started()
        self._cancelled.set_result(None)
        if self._request_id is not None:
            self._withdraw()

    async def accepted(self) -> str:
        """Waits until the service has accepted the generation, durably if it is detached, and returns its id.

        Raises the generation's error if it fails earlier.
        """
        self._check_awaitable()
        while self._generation_id is None:
            if self._task.done():
                return (await self._wait()).generation_id
            await self._next_news()
        return self._generation_id

    async def status(self) -> GenerationResult:
        """Returns the generation as the service reports it now."""
        return await self._studio.generation_status(await self.accepted())

    def __await__(self) -> Generator[Any, None, GenerationResult]:
        self._check_awaitable()
        return self._wait().__await__()

    async def __aiter__(self) -> AsyncIterator[Progress]:
        """Yields all progress, past and future, until the generation ends.

        A failure is raised when the generation is awaited, not here. Leaving the loop early does not affect the
        generation.
        """
        self._check_awaitable()
        seen = -1
        while True:
            fresh = [progress for progress in self._progress if progress.sequence > seen]
            for progress in fresh:
                seen = progress.sequence
                yield progress
            if fresh:
                continue
            if self._task.done():
                return
            await self._next_news()

    def __repr__(self) -> str:
        state = "done" if self.done else (self.progress.phase if self.progress else "pending")
        return f"<Generation {self._generation_id or 'not yet named'}: {state}>"

    # --- For the studio ---

    def _check_awaitable(self) -> None:
        """Raises ``InvalidUse`` where nobody would wake a waiter. What has ended can be asked for everywhere."""
        if not self._task.done():
            self._studio._require_started()

    def _receive_progress(self, progress: Progress) -> None:
        self._generation_id = progress.generation_id
        if not self._progress or progress.sequence > self._progress[-1].sequence:
            self._progress.append(progress)
        self._tell()

    def _receive_finished(self, finished: GenerationResult) -> None:
        if not self._finished.done():
            self._finished.set_result(finished)

    def _receive_loss(self, error: AtelierError) -> None:
        if self._detached and not self._finished.done():
            self._finished.set_exception(error)
            self._disregard(self._finished)

    def _disregard_failure(self) -> None:
        """Nobody will ask for what it failed with, and that is as it should be."""
        self._task.add_done_callback(self._disregard)

    @staticmethod
    def _disregard(future: "asyncio.Future[Any]") -> None:
        if not future.cancelled():
            future.exception()

    # --- Internal ---

    async def _run(
        self, params: Callable[["asyncio.Future[None]"], Awaitable[Dict[str, Any]]]
    ) -> GenerationResult:
        complete = await params(self._cancelled)
        connection = self._connection = await self._studio._usable()
        request = await fitting(complete, connection, self._cancelled)
        await connection.ready()
        call = connection.send(self._method, request, on_result=self._on_answer)
        self._request_id = call.id
        self._studio._follow(self)
        try:
            if self._cancelled.done():
                self._withdraw()
            # Shielded, so that closing still waits for the answer when the loop that ends cancels this task.
            answer = await asyncio.shield(call.answer)
            return self._result_of(await self._end_of(decode(GenerationResult, answer)))
        except asyncio.CancelledError:
            if self._attached or not self._detached:
                connection.withdraw(call.id)
            raise
        finally:
            self._studio._unfollow(self)

    def _stop_watching(self) -> None:
        """Ends the request of an attached generation; the generation goes on."""
        if not self._attached or self._task.done():
            return
        self._disregard_failure()
        if self._connection is None or self._request_id is None:
            self._task.cancel()
        else:
            self._connection.withdraw(self._request_id)

    def _on_answer(self, answer: Any) -> None:
        if isinstance(answer, Mapping) and isinstance(answer.get("generationId"), str):
            self._generation_id = answer["generationId"]
            if self._detached:
                self._settle()
                if self._cancelled.done():
                    # The request to cancel may have come too late for the request, though not for the generation.
                    self._withdraw()
            self._tell()

    async def _end_of(self, accepted: GenerationResult) -> GenerationResult:
        """What became of it: at once where the answer was the end, later where it was accepted detached."""
        if accepted.state in _FINAL_STATES:
            return accepted
        while not self._finished.done():
            await asyncio.wait({self._finished}, timeout=_LOOK_UP_SECONDS)
            if not self._finished.done():
                # The service tells only the process that started it, which was another one when an idempotency
                # key was sent again.
                looked_up = await self._studio.generation_status(accepted.generation_id)
                if looked_up.state in _FINAL_STATES:
                    return looked_up
        return self._finished.result()

    @staticmethod
    def _result_of(ended: GenerationResult) -> GenerationResult:
        if ended.error is not None:
            raise ended.error
        if ended.state in (State.CANCELLED, State.SUCCEEDED, State.PARTIAL):
            return ended
        raise AtelierError(
            f"The generation ended as {ended.state}.", kind=ended.state, generation_id=ended.generation_id
        )

    def _withdraw(self) -> None:
        if self._detached and self._generation_id is not None:
            # The request that started it has been answered; only the generation itself can be cancelled now.
            self._studio._in_background(self._studio.cancel(self._generation_id))
        elif self._connection is not None and self._request_id is not None:
            self._connection.withdraw(self._request_id)

    def _ended(self, task: "asyncio.Task[GenerationResult]") -> None:
        self._settle()
        self._tell()

    def _settle(self) -> None:
        if not self._settled.done():
            self._settled.set_result(None)

    def _tell(self) -> None:
        news, self._news = self._news, self._news.get_loop().create_future()
        if not news.done():
            news.set_result(None)

    async def _next_news(self) -> None:
        try:
            await asyncio.shield(self._news)
        except asyncio.CancelledError:
            await self._end_with_waiter()
            raise

    async def _wait(self) -> GenerationResult:
        try:
            return await asyncio.shield(self._task)
        except asyncio.CancelledError:
            await self._end_with_waiter()
            raise

    async def _end_with_waiter(self) -> None:
        if self._detached or self._task.done():
            return
        self.cancel()
        # The final answer decides over charges and pictures, so it is awaited; a second cancel ends this wait.
        self._disregard_failure()
        await asyncio.wait({self._task})
