"""The requests about what was made, beside the pages of history."""

from __future__ import annotations

import os
from typing import Any, AsyncIterator, Mapping, Optional, Union

from ._parameters import Time, absolute, time_to_wire
from ._requests import Requests
from .values import (
    Export,
    Feedback,
    GenerationResult,
    HistoryExportFormat,
    KeptFeedback,
    Session,
    SessionPage,
    SessionSteps,
    UsageStatistics,
)


class HistoryRequests(Requests):
    """The methods for feedback, notes, exports, sessions and statistics."""

    async def feedback(
        self, generation_id: str, rating: int, text: Optional[str] = None, *, account: Optional[str] = None
    ) -> Feedback:
        """Stores a person's opinion of a result, rated from 1 to 5. It replaces earlier feedback on the result."""
        params = {"generationId": generation_id, "rating": rating, "text": text, "account": account}
        return (await self._ask(KeptFeedback, "feedback/submit", params)).feedback

    async def annotate(
        self,
        generation_id: str,
        *,
        metadata: Optional[Mapping[str, Any]] = None,
        favorite: Optional[bool] = None,
        account: Optional[str] = None,
    ) -> GenerationResult:
        """Replaces the metadata, or sets the favorite mark; an argument that is left out changes nothing."""
        params = {
            "generationId": generation_id,
            "metadata": metadata,
            "favorite": favorite,
            "account": account,
        }
        return await self._ask(GenerationResult, "history/annotate", params)

    async def export(
        self,
        directory: Union[str, "os.PathLike[str]"],
        *,
        account: Optional[str] = None,
        format: Optional[HistoryExportFormat] = None,
    ) -> Export:
        """Writes history and its pictures into an existing folder; a repeated call continues the export.

        account: ``"*"`` for every account. format: ``"jsonl"``, by default, or ``"geojson"`` or ``"csv"`` for places.
        """
        params = {"directory": absolute(directory, "/directory"), "account": account, "format": format}
        return await self._ask(Export, "history/export", params)

    async def sessions(
        self, *, account: Optional[str] = None, limit: Optional[int] = None, cursor: Optional[str] = None
    ) -> SessionPage:
        """Returns a page of sessions, the one with the newest step first."""
        return await self._ask(SessionPage, "session/list", {"account": account, "limit": limit, "cursor": cursor})

    async def all_sessions(
        self, *, account: Optional[str] = None, page_size: Optional[int] = None
    ) -> AsyncIterator[Session]:
        """Yields every session; fetches pages as they are needed."""
        cursor: Optional[str] = None
        while True:
            page = await self.sessions(account=account, limit=page_size, cursor=cursor)
            for session in page.sessions:
                yield session
            cursor = page.next_cursor
            if cursor is None:
                return

    async def session(
        self,
        session_id: str,
        *,
        account: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> SessionSteps:
        """Returns a page of a session's steps, oldest first. Any generation's id names its session."""
        params = {"sessionId": session_id, "account": account, "limit": limit, "cursor": cursor}
        return await self._ask(SessionSteps, "session/get", params)

    async def all_steps(
        self, session_id: str, *, account: Optional[str] = None, page_size: Optional[int] = None
    ) -> AsyncIterator[GenerationResult]:
        """Yields every step of a session, oldest first; fetches pages as they are needed."""
        cursor: Optional[str] = None
        while True:
            page = await self.session(session_id, account=account, limit=page_size, cursor=cursor)
            for entry in page.entries:
                yield entry
            cursor = page.next_cursor
            if cursor is None:
                return

    async def statistics(
        self, *, account: Optional[str] = None, since: Optional[Time] = None, until: Optional[Time] = None
    ) -> UsageStatistics:
        """Returns counts, costs and durations of ended generations in history, by whole days in UTC.

        account: ``"*"`` for every account.
        """
        params = {"account": account, "since": time_to_wire(since), "until": time_to_wire(until)}
        return await self._ask(UsageStatistics, "usage/statistics", params)
