"""An event loop for callers that have none."""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
from typing import Any, Callable, Coroutine, Iterator, TypeVar

T = TypeVar("T")


class LoopThread:
    """An event loop on a thread of its own."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        # A daemon, so that a program that forgets to close can still end; the service notices and ends too.
        self._thread = threading.Thread(target=self._run, name="atelier-loop", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        self.loop.run_forever()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Runs ``work`` on the loop and waits for it; an interrupt withdraws it."""
        if threading.current_thread() is self._thread:
            # The loop would wait for itself.
            work.close()
            raise RuntimeError(
                "A callback of Blocking runs on the thread that would do the work: Blocking cannot be used in it. "
                "Hand the work to another thread."
            )
        if not self._thread.is_alive() or self.loop.is_closed():
            work.close()
            raise RuntimeError("This Blocking is closed.")
        future = asyncio.run_coroutine_threadsafe(work, self.loop)
        try:
            return future.result()
        except concurrent.futures.CancelledError:
            raise asyncio.CancelledError() from None
        except BaseException:
            future.cancel()
            raise

    def stop(self) -> None:
        """Ends the loop and its thread."""
        if threading.current_thread() is self._thread:
            raise RuntimeError("A callback of Blocking cannot close it. Close it from another thread.")
        if self._thread.is_alive():
            self.run(self._cancel_rest())
            self.loop.call_soon_threadsafe(self.loop.stop)
            self._thread.join()
        if not self.loop.is_closed():
            self.loop.close()

    async def _cancel_rest(self) -> None:
        rest = asyncio.all_tasks() - {asyncio.current_task()}
        for task in rest:
            if task is not None:
                task.cancel()
        await asyncio.gather(*[task for task in rest if task is not None], return_exceptions=True)
        await self.loop.shutdown_asyncgens()


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
