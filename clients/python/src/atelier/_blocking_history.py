"""The requests about what was made, for programs without an event loop."""

from __future__ import annotations

import os
from typing import Any, Coroutine, Iterator, Mapping, Optional, TypeVar, Union

from ._loop_thread import LoopThread, each
from ._parameters import Time
from .studio import Atelier
from .values import Export, Feedback, HistoryEntry, Session, SessionPage, SessionSteps, UsageStatistics

T = TypeVar("T")


class BlockingHistory:
    """What can be said and asked about what was made; each request waits for its answer."""

    _studio: Atelier

    @property
    def _thread(self) -> LoopThread:
        raise NotImplementedError

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        raise NotImplementedError

    def feedback(
        self, generation_id: str, rating: int, text: Optional[str] = None, *, account: Optional[str] = None
    ) -> Feedback:
        """Keeps what a person thought of a result, from 1 to 5; said again, it takes the place of what was said."""
        return self._run(self._studio.feedback(generation_id, rating, text, account=account))

    def annotate(
        self,
        generation_id: str,
        *,
        metadata: Optional[Mapping[str, Any]] = None,
        favourite: Optional[bool] = None,
        account: Optional[str] = None,
    ) -> HistoryEntry:
        """Notes metadata in place of what was there, or marks a favourite; what is not given stays."""
        return self._run(
            self._studio.annotate(generation_id, metadata=metadata, favourite=favourite, account=account)
        )

    def export(self, directory: Union[str, "os.PathLike[str]"], *, account: Optional[str] = None) -> Export:
        """Writes history and its pictures into a folder that is there; called again it goes on."""
        return self._run(self._studio.export(directory, account=account))

    def sessions(
        self, *, account: Optional[str] = None, limit: Optional[int] = None, cursor: Optional[str] = None
    ) -> SessionPage:
        """One page of chains of refinements, the one that went on last first."""
        return self._run(self._studio.sessions(account=account, limit=limit, cursor=cursor))

    def all_sessions(self, *, account: Optional[str] = None, page_size: Optional[int] = None) -> Iterator[Session]:
        """Every session; pages are fetched as they are needed."""
        return each(self._thread, lambda: self._studio.all_sessions(account=account, page_size=page_size))

    def session(
        self,
        session_id: str,
        *,
        account: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> SessionSteps:
        """Steps of a session, the first ones first; its id, or that of any of its generations."""
        return self._run(self._studio.session(session_id, account=account, limit=limit, cursor=cursor))

    def all_steps(
        self, session_id: str, *, account: Optional[str] = None, page_size: Optional[int] = None
    ) -> Iterator[HistoryEntry]:
        """Every step of a session, the first ones first; pages are fetched as they are needed."""
        return each(self._thread, lambda: self._studio.all_steps(session_id, account=account, page_size=page_size))

    def statistics(
        self, *, account: Optional[str] = None, since: Optional[Time] = None, until: Optional[Time] = None
    ) -> UsageStatistics:
        """Counts, costs and times of what has ended and is in history, of whole days in UTC."""
        return self._run(self._studio.statistics(account=account, since=since, until=until))
