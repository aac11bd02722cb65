"""The service, for programs without an event loop."""

from __future__ import annotations

import os
from types import TracebackType
from typing import Any, Callable, Coroutine, Iterator, Mapping, Optional, Sequence, Tuple, Type, TypeVar, Union

from ._blocking_accounts import BlockingAccounts
from ._blocking_generation import BlockingGeneration, plain
from ._blocking_history import BlockingHistory
from ._loop_thread import Closed, LoopThread, each
from ._parameters import Image, Refinable, Time
from ._process import Command
from .generation import Generation
from .studio import Atelier, FinishedStream
from .values import (
    AccountStatus,
    Cancellation,
    CredentialStatus,
    DeletedCredential,
    Deletion,
    Finished,
    GenerationStatus,
    HistoryEntry,
    HistoryPage,
    Initialization,
    Output,
    PreparedImage,
    Provider,
    Queue,
    ServiceStatus,
    StoredCredential,
    Style,
    StyleOption,
    Template,
    TemplatePage,
)

__all__ = ["Blocking", "BlockingGeneration"]

T = TypeVar("T")


class Blocking(BlockingAccounts, BlockingHistory):
    """A running Atelier service, for programs without an event loop: ``with Blocking() as studio:``.

    The methods and arguments are those of :class:`Atelier`; each waits for its answer. May be used from several
    threads at once.
    """

    def __init__(
        self,
        executable: Optional[Command] = None,
        *,
        data_dir: Union[str, "os.PathLike[str]", None] = None,
        account: Optional[str] = None,
        env: Optional[Mapping[str, str]] = None,
        arguments: Sequence[str] = (),
        client_name: Optional[str] = None,
        client_version: Optional[str] = None,
        mute: Sequence[str] = (),
        on_notification: Optional[Callable[[str, Mapping[str, Any]], None]] = None,
        start_timeout: float = 30.0,
        close_timeout: float = 10.0,
    ) -> None:
        """Says how to start the service; see :class:`Atelier`. ``on_notification`` runs on the service's thread."""
        client = {"client_name": client_name, "client_version": client_version}
        named = {key: value for key, value in client.items() if value is not None}
        self._studio = Atelier(
            executable,
            data_dir=data_dir,
            account=account,
            env=env,
            arguments=arguments,
            mute=mute,
            on_notification=on_notification,
            start_timeout=start_timeout,
            close_timeout=close_timeout,
            **named,
        )
        self._loop_thread: Optional[LoopThread] = None

    def start(self) -> "Blocking":
        """Starts the service and greets it; see :meth:`Atelier.start`."""
        if self._loop_thread is not None:
            raise RuntimeError("This Blocking has been started already; make another one.")
        self._loop_thread = LoopThread()
        try:
            self._loop_thread.run(self._studio.start())
        except BaseException:
            self._loop_thread.stop()
            raise
        return self

    def close(self, *, cancel: bool = False) -> None:
        """Ends the service, after what is in flight is finished, or with ``cancel`` cancelled."""
        thread = self._loop_thread
        if thread is None:
            return
        try:
            thread.run(self._studio.close(cancel=cancel))
        except Closed:
            # By another thread, or before.
            pass
        finally:
            thread.stop()

    def __enter__(self) -> "Blocking":
        return self.start()

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close(cancel=kind is not None)

    @property
    def initialization(self) -> Initialization:
        """What the service said about itself: version, capabilities, limits, providers."""
        return self._studio.initialization

    def generate(
        self,
        recipe: str = "headshot",
        *,
        image: Union[Image, BlockingGeneration, None] = None,
        references: Sequence[Union[Image, BlockingGeneration]] = (),
        prompt: Optional[str] = None,
        style: Union[Style, Mapping[str, Any], None] = None,
        template: Optional[str] = None,
        output: Union[Output, Mapping[str, Any], None] = None,
        provider: Union[str, Sequence[str], None] = None,
        model: Optional[str] = None,
        temperature: Optional[float] = None,
        seed: Optional[int] = None,
        timeout_ms: Optional[int] = None,
        account: Optional[str] = None,
        from_result: Union[Refinable, BlockingGeneration, None] = None,
        idempotency_key: Optional[str] = None,
        cache: Optional[str] = None,
        when_offline: Optional[str] = None,
        wait_ms: Optional[int] = None,
        private: Optional[bool] = None,
        detach: Optional[bool] = None,
        progress: Optional[bool] = None,
        metadata: Optional[Mapping[str, Any]] = None,
        extra: Optional[Mapping[str, Any]] = None,
    ) -> BlockingGeneration:
        """Starts making a picture and returns at once; see :meth:`Atelier.generate` for the arguments."""
        thread = self._thread

        async def generate() -> Generation:
            return self._studio.generate(
                recipe,
                image=plain(image),
                references=[plain(reference) for reference in references],
                prompt=prompt,
                style=style,
                template=template,
                output=output,
                provider=provider,
                model=model,
                temperature=temperature,
                seed=seed,
                timeout_ms=timeout_ms,
                account=account,
                from_result=plain(from_result),
                idempotency_key=idempotency_key,
                cache=cache,
                when_offline=when_offline,
                wait_ms=wait_ms,
                private=private,
                detach=detach,
                progress=progress,
                metadata=metadata,
                extra=extra,
            )

        return BlockingGeneration(thread, thread.run(generate()))

    def regenerate(
        self,
        generation: Union[Refinable, BlockingGeneration],
        *,
        prompt: Optional[str] = None,
        style: Union[Style, Mapping[str, Any], None] = None,
        template: Optional[str] = None,
        output: Union[Output, Mapping[str, Any], None] = None,
        provider: Union[str, Sequence[str], None] = None,
        model: Optional[str] = None,
        temperature: Optional[float] = None,
        seed: Optional[int] = None,
        timeout_ms: Optional[int] = None,
        account: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        when_offline: Optional[str] = None,
        wait_ms: Optional[int] = None,
        private: Optional[bool] = None,
        detach: Optional[bool] = None,
        progress: Optional[bool] = None,
        metadata: Optional[Mapping[str, Any]] = None,
        extra: Optional[Mapping[str, Any]] = None,
    ) -> BlockingGeneration:
        """Makes the pictures of an earlier generation once more; see :meth:`Atelier.regenerate` for the arguments."""
        thread = self._thread

        async def regenerate() -> Generation:
            return self._studio.regenerate(
                plain(generation),
                prompt=prompt,
                style=style,
                template=template,
                output=output,
                provider=provider,
                model=model,
                temperature=temperature,
                seed=seed,
                timeout_ms=timeout_ms,
                account=account,
                idempotency_key=idempotency_key,
                when_offline=when_offline,
                wait_ms=wait_ms,
                private=private,
                detach=detach,
                progress=progress,
                metadata=metadata,
                extra=extra,
            )

        return BlockingGeneration(thread, thread.run(regenerate()))

    def cancel(
        self,
        generation_id: Optional[str] = None,
        *,
        idempotency_key: Optional[str] = None,
        account: Optional[str] = None,
    ) -> Cancellation:
        """Ends a generation wherever it stands, whoever started it; see :meth:`Atelier.cancel`."""
        return self._run(self._studio.cancel(generation_id, idempotency_key=idempotency_key, account=account))

    def finished(self) -> Iterator[Finished]:
        """The ends of detached generations from now on; waits for each, until the connection ends."""
        thread = self._thread

        async def subscribe() -> FinishedStream:
            return self._studio.finished()

        stream = thread.run(subscribe())
        return each(thread, lambda: stream)

    def status(self) -> ServiceStatus:
        """How the service is: version, work in flight, providers, store."""
        return self._run(self._studio.status())

    def generation_status(
        self,
        generation_id: Optional[str] = None,
        *,
        idempotency_key: Optional[str] = None,
        account: Optional[str] = None,
    ) -> GenerationStatus:
        """Where one generation stands, by its id or by its idempotency key."""
        return self._run(
            self._studio.generation_status(generation_id, idempotency_key=idempotency_key, account=account)
        )

    def account_status(self, account: str) -> AccountStatus:
        """What an account may do at this moment: tier, credits, limits, what is running."""
        return self._run(self._studio.account_status(account))

    def history(
        self,
        *,
        account: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        recipe: Optional[str] = None,
        state: Optional[str] = None,
        since: Optional[Time] = None,
        until: Optional[Time] = None,
        search: Optional[str] = None,
        parent: Optional[str] = None,
        favourite: Optional[bool] = None,
    ) -> HistoryPage:
        """One page of the history, newest first; see :meth:`Atelier.history`."""
        return self._run(
            self._studio.history(
                account=account,
                limit=limit,
                cursor=cursor,
                recipe=recipe,
                state=state,
                since=since,
                until=until,
                search=search,
                parent=parent,
                favourite=favourite,
            )
        )

    def all_history(
        self,
        *,
        account: Optional[str] = None,
        page_size: Optional[int] = None,
        recipe: Optional[str] = None,
        state: Optional[str] = None,
        since: Optional[Time] = None,
        until: Optional[Time] = None,
        search: Optional[str] = None,
        parent: Optional[str] = None,
        favourite: Optional[bool] = None,
    ) -> Iterator[HistoryEntry]:
        """Every entry that matches, newest first; pages are fetched as they are needed."""
        return each(
            self._thread,
            lambda: self._studio.all_history(
                account=account,
                page_size=page_size,
                recipe=recipe,
                state=state,
                since=since,
                until=until,
                search=search,
                parent=parent,
                favourite=favourite,
            ),
        )

    def history_entry(self, generation_id: str, *, account: Optional[str] = None) -> HistoryEntry:
        """The record of one generation."""
        return self._run(self._studio.history_entry(generation_id, account=account))

    def delete(self, generation_id: str, *, account: Optional[str] = None) -> Deletion:
        """Deletes the record and the pictures of one generation."""
        return self._run(self._studio.delete(generation_id, account=account))

    def delete_all(self, account: str) -> Deletion:
        """Deletes every record and every picture of an account."""
        return self._run(self._studio.delete_all(account))

    def prepare(self, image: Union[Image, BlockingGeneration], *, account: Optional[str] = None) -> PreparedImage:
        """Makes a photo fit to be generated from; see :meth:`Atelier.prepare`."""
        return self._run(self._studio.prepare(plain(image), account=account))

    def queue_status(self, account: Optional[str] = None) -> Queue:
        """What waits for a provider that cannot be reached; everybody's unless an account is named."""
        return self._run(self._studio.queue_status(account))

    def queue_pause(self, account: Optional[str] = None) -> Queue:
        """Holds back what waits, in every process and until it is resumed."""
        return self._run(self._studio.queue_pause(account))

    def queue_resume(self, account: Optional[str] = None) -> Queue:
        """Lets what waits begin again as soon as its provider can be reached."""
        return self._run(self._studio.queue_resume(account))

    def styles(self) -> Tuple[StyleOption, ...]:
        """The styles of headshots, to choose from."""
        return self._run(self._studio.styles())

    def templates(
        self,
        *,
        category: Optional[str] = None,
        tag: Optional[str] = None,
        search: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> TemplatePage:
        """One page of the library of hairstyles; see :meth:`Atelier.templates`."""
        return self._run(
            self._studio.templates(category=category, tag=tag, search=search, limit=limit, cursor=cursor)
        )

    def template(self, id: str) -> Template:
        """One hairstyle of the library; see :meth:`Atelier.template`."""
        return self._run(self._studio.template(id))

    def providers(self) -> Tuple[Provider, ...]:
        """Who makes pictures, and whether each can right now."""
        return self._run(self._studio.providers())

    def credentials_set(self, provider: str, key: str) -> StoredCredential:
        """Keeps a provider's API key; see :meth:`Atelier.credentials_set`."""
        return self._run(self._studio.credentials_set(provider, key))

    def credentials_status(self) -> Tuple[CredentialStatus, ...]:
        """Which providers have their API key, and from where."""
        return self._run(self._studio.credentials_status())

    def credentials_delete(self, provider: str) -> DeletedCredential:
        """Forgets a provider's API key, in the keyring and in the file. Idempotent."""
        return self._run(self._studio.credentials_delete(provider))

    def ping(self) -> float:
        """Seconds for a message to the service and back."""
        return self._run(self._studio.ping())

    def request(self, method: str, params: Optional[Mapping[str, Any]] = None) -> Any:
        """Any other request of the protocol, as it goes on the wire."""
        return self._run(self._studio.request(method, params))

    @property
    def _thread(self) -> LoopThread:
        if self._loop_thread is None:
            raise RuntimeError("Blocking has not been started; use `with Blocking() as studio:`.")
        return self._loop_thread

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        if self._loop_thread is None:
            work.close()
        return self._thread.run(work)
