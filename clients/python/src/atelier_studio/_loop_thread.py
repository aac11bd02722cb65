"""An event loop for callers that have none."""

from __future__ import annotations

import asyncio
import concurrent.futures
import os
import threading
from typing import Any, Callable, Coroutine, Iterator, Set, TypeVar

from ._owner import check_process
from .errors import InvalidUse, Unavailable

T = TypeVar("T")


class Closed(InvalidUse):
    """The loop takes no more work, or has ended in the middle of it."""


class LoopThread:
    """An event loop on a thread of its own."""

    def __init__(self) -> None:
        """Raises ``Unavailable`` when the system has no thread or descriptor left."""
        self._process_id = os.getpid()
        try:
            self.loop = asyncio.new_event_loop()
        except OSError as error:
            raise _no_thread(error) from error
        self._lock = threading.Lock()
        self._has_ended = False
        self._is_stopping = False
        #: What threads wait for: nobody else tells them when the loop ends.
        self._waiting: Set["concurrent.futures.Future[Any]"] = set()
        # A daemon, so that a program that forgets to close can still end; the service notices and ends too.
        self._thread = threading.Thread(target=self._run, name="atelier-loop", daemon=True)
        try:
            self._thread.start()
        except RuntimeError as error:
            self.loop.close()
            raise _no_thread(error) from error

    @property
    def is_this_process(self) -> bool:
        """False in a process that was forked later, which has no such thread."""
        return os.getpid() == self._process_id

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        try:
            self.loop.run_forever()
        finally:
            # Stopped, or ended by an exception that a callback raised and nothing on the loop catches, as by sys.exit.
            with self._lock:
                self._has_ended = True
                waiting, self._waiting = self._waiting, set()
            for future in waiting:
                future.cancel()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Runs ``work`` on the loop and waits for it; an interrupt withdraws it."""
        try:
            # Before the lock, which another thread may have held when the process was forked.
            check_process(self._process_id, "Blocking")
        except InvalidUse:
            work.close()
            raise
        if threading.current_thread() is self._thread:
            # The loop would wait for itself.
            work.close()
            raise InvalidUse(
                "A callback of Blocking runs on the thread that would do the work: Blocking cannot be used in it. "
                "Hand the work to another thread."
            )
        with self._lock:
            if self._has_ended or self._is_stopping:
                work.close()
                raise Closed("This Blocking is closed.")
            future = asyncio.run_coroutine_threadsafe(work, self.loop)
            self._waiting.add(future)
        return self._result(future)

    def _result(self, future: "concurrent.futures.Future[T]") -> T:
        try:
            return future.result()
        except concurrent.futures.CancelledError:
            if self._has_ended or self._is_stopping:
                raise Closed("This Blocking was closed meanwhile.") from None
            raise asyncio.CancelledError() from None
        except BaseException:
            future.cancel()
            raise
        finally:
            with self._lock:
                self._waiting.discard(future)

    def stop(self) -> None:
        """Ends the loop and its thread. Threads may do so at the same time; all of them return when it has ended."""
        if threading.current_thread() is self._thread:
            raise InvalidUse("A callback of Blocking cannot close it. Close it from another thread.")
        with self._lock:
            is_first = not self._is_stopping
            self._is_stopping = True
            if is_first and not self._has_ended:
                asyncio.run_coroutine_threadsafe(self._end(), self.loop)
        self._thread.join()
        if is_first:
            self.loop.close()

    async def _end(self) -> None:
        try:
            await self._cancel_rest()
        finally:
            self.loop.stop()

    async def _cancel_rest(self) -> None:
        rest = asyncio.all_tasks() - {asyncio.current_task()}
        for task in rest:
            if task is not None:
                task.cancel()
        await asyncio.gather(*[task for task in rest if task is not None], return_exceptions=True)
        await self.loop.shutdown_asyncgens()


def _no_thread(error: Exception) -> Unavailable:
    return Unavailable(f"The thread of Blocking could not be started: {error}.", kind="start_failed", retryable=True)


def each(thread: LoopThread, begin: Callable[[], Any]) -> Iterator[Any]:
    """What the asynchronous iterable that ``begin`` makes on the loop yields, each waited for."""
    end = object()
    iterator: Any = None

    async def step() -> Any:
        nonlocal iterator
        if iterator is None:
            iterator = begin().__aiter__()
        try:
            return await iterator.__anext__()
        except StopAsyncIteration:
            return end

    while True:
        value = thread.run(step())
        if value is end:
            return
        yield value
