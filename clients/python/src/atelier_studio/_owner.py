"""What a running service belongs to: the process and the event loop that started it."""

from __future__ import annotations

import asyncio
import os

from .errors import InvalidUse


class Owner:
    """The process and the event loop in which it was created.

    Futures of one loop never wake a coroutine of another, and a forked process has no thread that reads the answers:
    without a check, whoever waits there waits for ever.
    """

    def __init__(self) -> None:
        self._process_id = os.getpid()
        self.loop = asyncio.get_running_loop()

    @property
    def is_this_process(self) -> bool:
        """False in a process that was forked later."""
        return os.getpid() == self._process_id

    def check(self) -> None:
        """Raises ``InvalidUse`` in another process, in another event loop, and outside of any."""
        check_process(self._process_id, "Atelier")
        try:
            running = asyncio.get_running_loop()
        except RuntimeError:
            raise InvalidUse(
                "This Atelier belongs to the event loop that started it, and no loop runs here. "
                "Use it in coroutines of that loop, or use Blocking, which needs no loop."
            ) from None
        if running is not self.loop:
            raise InvalidUse(
                "This Atelier belongs to another event loop, the one that started it. "
                "Start another Atelier in this loop, or use Blocking, which serves every thread."
            )


def check_process(process_id: int, name: str) -> None:
    """Raises ``InvalidUse`` in a process that is not ``process_id``. ``name`` is the class that belongs to it."""
    if os.getpid() != process_id:
        raise InvalidUse(
            f"This {name} belongs to process {process_id}, which started it, and this is process {os.getpid()}. "
            f"Start another {name} after the fork."
        )
