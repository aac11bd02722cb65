"""The requests of the protocol that are a question and its answer."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any, AsyncIterator, Dict, Mapping, Optional, Tuple, Type, TypeVar

from ._coding import Value, decode, without_none
from ._connection import Connection
from ._parameters import Image, Refinable, Time, image_to_wire, time_to_wire
from .errors import ProtocolError, invalid_parameter
from .generation import Generation
from .values import (
    CredentialStatus,
    DeletedCredential,
    Deletion,
    GenerationResult,
    GenerationState,
    HeadshotChoices,
    HistoryPage,
    ImageContent,
    ImageLink,
    ImageLinkVariant,
    ImageReadVariant,
    PreparedImage,
    Provider,
    Queue,
    Recipe,
    ServiceStatus,
    StoredCredential,
    StyleOption,
    Template,
    TemplateCategory,
    TemplatePage,
)

V = TypeVar("V", bound=Value)


class Requests:
    """The methods of the protocol that are plain requests."""

    async def _usable(self) -> Connection:
        """The connection to ask, after a restart if it was lost."""
        raise NotImplementedError

    async def cancel(
        self,
        generation_id: Optional[str] = None,
        *,
        idempotency_key: Optional[str] = None,
        account: Optional[str] = None,
    ) -> GenerationResult:
        """Cancels a generation that has not ended, whichever process works on it. Idempotent.

        Raises ``Conflict`` (``already_finished``) if it has ended in another way, and ``NotFound`` for an unknown one.
        """
        return await self._ask(GenerationResult, "cancel", _subject(generation_id, idempotency_key, account))

    async def status(self) -> ServiceStatus:
        """Returns the state of the service: version, work in flight, providers, store."""
        return await self._ask(ServiceStatus, "status", {})

    async def generation_status(
        self,
        generation_id: Optional[str] = None,
        *,
        idempotency_key: Optional[str] = None,
        account: Optional[str] = None,
    ) -> GenerationResult:
        """Returns one generation, by its id or by its idempotency key."""
        return await self._ask(GenerationResult, "status", _subject(generation_id, idempotency_key, account))

    async def history(
        self,
        *,
        account: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        recipe: Optional[Recipe] = None,
        state: Optional[GenerationState] = None,
        since: Optional[Time] = None,
        until: Optional[Time] = None,
        search: Optional[str] = None,
        parent_generation_id: Optional[str] = None,
        favorite: Optional[bool] = None,
    ) -> HistoryPage:
        """Returns a page of the history, newest first; ``cursor`` is the ``next_cursor`` of the previous page.

        account: ``"*"`` for all accounts. limit: up to 100, by default 20. since, until: a ``datetime``,
        or RFC 3339. parent_generation_id: only refinements and regenerations of that generation. favorite: ``True`` for
        favorites only. A search may return a short page that has a ``next_cursor``.
        """
        return await self._ask(
            HistoryPage,
            "history",
            {
                "account": account,
                "limit": limit,
                "cursor": cursor,
                "recipe": recipe,
                "state": state,
                "since": time_to_wire(since),
                "until": time_to_wire(until),
                "search": search,
                "parentGenerationId": parent_generation_id,
                "favorite": favorite,
            },
        )

    async def all_history(
        self,
        *,
        account: Optional[str] = None,
        page_size: Optional[int] = None,
        recipe: Optional[Recipe] = None,
        state: Optional[GenerationState] = None,
        since: Optional[Time] = None,
        until: Optional[Time] = None,
        search: Optional[str] = None,
        parent_generation_id: Optional[str] = None,
        favorite: Optional[bool] = None,
    ) -> AsyncIterator[GenerationResult]:
        """Yields every entry that matches, newest first; fetches pages as they are needed."""
        cursor: Optional[str] = None
        while True:
            page = await self.history(
                account=account,
                limit=page_size,
                cursor=cursor,
                recipe=recipe,
                state=state,
                since=since,
                until=until,
                search=search,
                parent_generation_id=parent_generation_id,
                favorite=favorite,
            )
            for entry in page.entries:
                yield entry
            cursor = page.next_cursor
            if cursor is None:
                return

    async def history_entry(self, generation_id: str, *, account: Optional[str] = None) -> GenerationResult:
        """Returns one generation."""
        return await self._ask(GenerationResult, "history/get", {"generationId": generation_id, "account": account})

    async def delete(self, generation_id: str, *, account: Optional[str] = None) -> Deletion:
        """Deletes one generation and its pictures."""
        return await self._ask(Deletion, "history/delete", {"generationId": generation_id, "account": account})

    async def delete_all(self, account: str) -> Deletion:
        """Deletes all generations of an account and their pictures."""
        return await self._ask(Deletion, "history/delete", {"account": account, "all": True})

    async def prepare(
        self,
        image: Image,
        *,
        longest_side: Optional[int] = None,
        inline: Optional[bool] = None,
        account: Optional[str] = None,
    ) -> PreparedImage:
        """Prepares a photo for ``generate``: upright, small enough, without metadata. Accepts up to 40 MB.

        longest_side: the longest side of the result in pixels, 256 to 4096, by default 1280; more for a headshot.
        inline: ``True`` for a result that has the picture in ``data`` and is not kept by the service.
        """
        settled: Any = await image if isinstance(image, Generation) else image
        request = {
            "image": image_to_wire(settled),
            "longestSide": longest_side,
            "inline": inline,
            "account": account,
        }
        return await self._ask(PreparedImage, "image/prepare", request)

    async def read_image(
        self,
        generation: Refinable,
        index: Optional[int] = None,
        *,
        variant: Optional[ImageReadVariant] = None,
        max_side: Optional[int] = None,
        watermark: Optional[bool] = None,
        sheet: Optional[Mapping[str, Any]] = None,
        account: Optional[str] = None,
    ) -> ImageContent:
        """Returns a picture of a generation, for programs that cannot read the service's files.

        generation: a result, a running generation, whose end is awaited, a ``ResultReference``, or an id.
        index: which of its pictures; by default the one that a ``ResultReference`` names, otherwise the first.
        variant: ``"full"``, the stored file, ``"thumbnail"``, a small JPEG, or ``"matte"``.
        max_side: the longest side of a thumbnail in pixels, by default 256.
        watermark: ``True`` for a small JPEG with the operator's watermark, of any size.
        sheet: copies of the picture on a sheet of paper, as a PDF or a JPEG: ``{"paper": "10x15", "copies": 8}``.
        """
        settled = await generation if isinstance(generation, Generation) else generation
        named = {"generationId": settled} if isinstance(settled, str) else image_to_wire(settled)
        request = {**named, "variant": variant, "maxSide": max_side, "watermark": watermark, "account": account}
        request["sheet"] = sheet
        if index is not None:
            request["index"] = index
        slices = [await self._ask(ImageContent, "image/read", request)]
        while slices[-1].next_offset is not None:
            slices.append(await self._ask(ImageContent, "image/read", {**request, "offset": slices[-1].next_offset}))
        return replace(slices[0], data=b"".join(each.data for each in slices), next_offset=None)

    async def image_link(
        self,
        generation: Refinable,
        index: Optional[int] = None,
        *,
        variant: Optional[ImageLinkVariant] = None,
        account: Optional[str] = None,
    ) -> ImageLink:
        """Returns a link with which anybody can read a picture for ten minutes, where the operator allows that.

        generation: a result, a running generation, whose end is awaited, a ``ResultReference``, or an id.
        index: which of its pictures; by default the one that a ``ResultReference`` names, otherwise the first.
        variant: ``"full"``, the stored file, by default, or ``"matte"``.
        """
        settled = await generation if isinstance(generation, Generation) else generation
        named = {"generationId": settled} if isinstance(settled, str) else image_to_wire(settled)
        request = {**named, "variant": variant, "account": account}
        if index is not None:
            request["index"] = index
        return await self._ask(ImageLink, "image/link", request)

    async def queue_status(self, account: Optional[str] = None) -> Queue:
        """Reports the generations that wait for a provider that cannot be reached.

        account: ``"*"`` for all accounts; by default the connection's own, otherwise ``owner``.
        """
        return await self._ask(Queue, "queue/status", {"account": account})

    async def queue_pause(self, account: Optional[str] = None) -> Queue:
        """Holds back the waiting generations, in every process, until ``queue_resume``."""
        return await self._ask(Queue, "queue/pause", {"account": account})

    async def queue_resume(self, account: Optional[str] = None) -> Queue:
        """Releases the waiting generations: each starts as soon as its provider can be reached."""
        return await self._ask(Queue, "queue/resume", {"account": account})

    async def styles(self) -> Tuple[StyleOption, ...]:
        """Lists the styles of headshots."""
        return await self._list(StyleOption, "styles/list", "styles")

    async def headshot_choices(self) -> HeadshotChoices:
        """Lists everything a headshot can be: the styles, the backgrounds, and what ``output`` may ask for."""
        return await self._ask(HeadshotChoices, "styles/list", {})

    async def templates(
        self,
        *,
        category: Optional[TemplateCategory] = None,
        tag: Optional[str] = None,
        search: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> TemplatePage:
        """Returns a page of the hairstyle library, most used first; ``limit`` is by default 50."""
        params = {"category": category, "tag": tag, "search": search, "limit": limit, "cursor": cursor}
        return await self._ask(TemplatePage, "templates/list", params)

    async def template(self, template_id: str) -> Template:
        """Returns one hairstyle template. Raises ``NotFound`` (``template_not_found``) for an unknown id."""
        return await self._ask(Template, "templates/get", {"templateId": template_id})

    async def providers(self) -> Tuple[Provider, ...]:
        """Lists the providers, what they can make, and whether they are available."""
        return await self._list(Provider, "providers/list", "providers")

    async def credentials_set(self, provider: str, key: str) -> StoredCredential:
        """Stores a provider's API key in the desktop's keyring or in a file that only its owner can read.

        Raises ``CredentialsError`` (``invalid_api_key``) if the string cannot be a key, ``Rejected``
        (``unsupported_by_provider``) if the provider takes none, and ``PermissionDenied`` on a connection that is
        confined to an account.
        """
        return await self._ask(StoredCredential, "credentials/set", {"provider": provider, "key": key})

    async def credentials_status(self) -> Tuple[CredentialStatus, ...]:
        """Reports which providers have an API key, and where each key comes from."""
        return await self._list(CredentialStatus, "credentials/status", "providers")

    async def credentials_delete(self, provider: str) -> DeletedCredential:
        """Deletes a provider's API key from the keyring and from the file. Idempotent."""
        return await self._ask(DeletedCredential, "credentials/delete", {"provider": provider})

    async def ping(self) -> float:
        """Returns the seconds that a message takes to the service and back."""
        begin = time.perf_counter()
        await self.request("ping")
        return time.perf_counter() - begin

    async def request(self, method: str, params: Optional[Mapping[str, Any]] = None) -> Any:
        """Sends any request of the protocol, with its own member names: ``await studio.request("rpc.discover")``."""
        encoded = without_none(params or {})
        return await (await self._usable()).call(method, encoded)

    async def _ask(self, kind: Type[V], method: str, params: Mapping[str, Any]) -> V:
        return decode(kind, await self.request(method, params))

    async def _list(self, kind: Type[V], method: str, member: str) -> Tuple[V, ...]:
        answer = await self.request(method)
        entries = answer.get(member) if isinstance(answer, dict) else None
        if not isinstance(entries, list):
            raise ProtocolError(f"The service's answer is not understood: /{member} is not a list.")
        return tuple(decode(kind, entry, f"/{member}/{index}") for index, entry in enumerate(entries))


def _subject(generation_id: Optional[str], idempotency_key: Optional[str], account: Optional[str]) -> Dict[str, Any]:
    if (generation_id is None) == (idempotency_key is None):
        raise invalid_parameter(
            "/generationId", "either this or /idempotencyKey",
            "Name the generation, either by generation_id or by idempotency_key.",
        )
    return {"generationId": generation_id, "idempotencyKey": idempotency_key, "account": account}
