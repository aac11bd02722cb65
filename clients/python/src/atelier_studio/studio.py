"""The service, from asyncio."""

from __future__ import annotations

import asyncio
import inspect
import itertools
import os
import signal
from dataclasses import replace
from types import TracebackType
from typing import (
    TYPE_CHECKING,
    Any,
    Awaitable,
    Callable,
    Dict,
    List,
    Mapping,
    Optional,
    Sequence,
    Set,
    Type,
    Union,
)

from ._account_requests import AccountRequests
from ._coding import decode, encode, without_none
from ._connection import Connection
from ._finished_stream import FinishedStream
from ._history_requests import HistoryRequests
from ._owner import Owner
from ._parameters import GenerateParameters, Refinable, accepting
from ._process import Command, find_executable
from ._regenerate_parameters import regenerate_parameters
from .errors import AtelierError, ConnectionLost, InvalidUse
from .generation import Generation
from .values import (
    Coordinate,
    FoundPlace,
    GenerateOptions,
    GenerationResult,
    Initialization,
    LocationQuery,
    Progress,
    Recipe,
    RegenerateOptions,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["Atelier", "FinishedStream", "LocationSearch"]

#: Looks places up for the service: given a query, the places that fit it, best first; empty when there are none.
LocationSearch = Callable[[LocationQuery], Union[Sequence[FoundPlace], Awaitable[Sequence[FoundPlace]]]]

VERSION = "0.1.0"

#: How long a service that was told to end may take for it; it settles what is running within 2 s.
TERMINATION_SECONDS = 5.0


class Atelier(AccountRequests, HistoryRequests):
    """A running Atelier service. Use it as ``async with Atelier() as studio:``.

    When the block ends, the requests in flight are finished and the service ends. When an exception leaves the block,
    the requests in flight are cancelled first. Detached generations continue in either case.

    Each instance is one connection and one service process. It belongs to the event loop that started it, and to the
    process of that loop: elsewhere, its methods raise ``InvalidUse``.
    """

    def __init__(
        self,
        executable: Optional[Command] = None,
        *,
        data_dir: Union[str, "os.PathLike[str]", None] = None,
        config: Union[str, "os.PathLike[str]", None] = None,
        account: Optional[str] = None,
        confined: bool = False,
        trusted: bool = False,
        multi_account: bool = False,
        locale: Optional[str] = None,
        restart: bool = False,
        env: Optional[Mapping[str, str]] = None,
        arguments: Sequence[str] = (),
        client_name: str = "atelier-python",
        client_version: str = VERSION,
        mute: Sequence[str] = (),
        on_notification: Optional[Callable[[str, Mapping[str, Any]], None]] = None,
        location_search: Optional[LocationSearch] = None,
        start_timeout: float = 30.0,
        close_timeout: float = 10.0,
    ) -> None:
        """Sets how to start the service; ``async with`` or :meth:`start` starts it.

        executable: the program, or a command as a list, such as ``["ssh", "studio", "atelier"]``; by default
            ``$ATELIER``, otherwise the one installed with this package, otherwise ``atelier`` on the PATH.
        data_dir: the directory of history and pictures (``--data-dir``); by default the service's own choice.
        config: the configuration file, in JSON (``--config``); by default ``$ATELIER_CONFIG``, if it is set.
        account: the account that this connection acts for, by ``initialize``. It confines the connection: other accounts
            are refused, and so is what ``confined`` refuses. By default, each request may name its account.
        confined: ``True`` limits this program's files to the folders in ``access`` of the configuration, and forbids it to
            use API keys (``--confined``).
        trusted: ``True`` allows :meth:`credits_grant`, :meth:`credits_revoke` and :meth:`account_set` (``--trusted``); not
            with ``account`` or ``confined``.
        multi_account: ``True`` if every request names one of your customers: requests for ``owner``, also by default, and
            for ``"*"`` are refused, and no account exists by being read about (``--multi-account``).
        locale: the language of texts for people: a language tag, such as ``"es-MX"``, or the value of an
            ``Accept-Language`` header. A service that does not know it ignores it.
        restart: ``True`` starts a new service process with the next request after the connection was lost. Requests that
            were in flight raise ``ConnectionLost`` nevertheless, and are not sent again.
        env: variables set on top of this process's environment.
        arguments: further options of ``atelier serve``.
        mute: notifications that the service does not send, for example ``["provider/changed"]``.
        on_notification: called on the loop with method and params of every notification, as it arrives.
        location_search: looks places up for ``generate("places", ...)``, on the loop; a coroutine function or a quick
            function. It has ten seconds, and is cancelled when the answer is no longer wanted.
        start_timeout: seconds until the service must have sent its first answer.
        close_timeout: seconds until a service that does not end by itself is terminated.
        """
        self._executable = executable
        self._options: Dict[str, Union[str, os.PathLike[str], None]] = {"--data-dir": data_dir, "--config": config}
        self._switches = {"--confined": confined, "--trusted": trusted, "--multi-account": multi_account}
        self._account = account
        self._locale = locale
        self._restart = restart
        self._env = env
        self._arguments = arguments
        self._client = {"name": client_name, "version": client_version}
        self._mute = mute
        self._on_notification = on_notification
        self._start_timeout = start_timeout
        self._close_timeout = close_timeout
        self._location_search = location_search
        self._request_ids = itertools.count(1)
        self._connection = self._new_connection()
        self._owner: Optional[Owner] = None
        self._reconnecting: Optional[asyncio.Task[None]] = None
        self._generations: Set[Generation] = set()
        self._following: Dict[int, Generation] = {}
        self._streams: Set[FinishedStream] = set()
        self._background: Set[asyncio.Task[Any]] = set()
        self._closing: Optional[asyncio.Task[None]] = None
        self._initialization: Optional[Initialization] = None

    # --- Start and end ---

    async def start(self) -> "Atelier":
        """Starts the service and sends ``initialize``.

        Raises ``ExecutableNotFound``, or ``ConnectionLost`` with the service's log if the service ends at once.
        """
        if self._owner is not None:
            raise InvalidUse("This Atelier has been started already; make another one.")
        self._owner = Owner()
        await self._connect(self._connection)
        return self

    def _new_connection(self) -> Connection:
        handlers = {} if self._location_search is None else {"location/search": self._search_location}
        return Connection(self._receive, self._on_lost, handlers, self._request_ids)

    def _command(self) -> List[str]:
        """The command that starts the service, with its options."""
        try:
            command = [*find_executable(self._executable), "serve"]
            for option, path in self._options.items():
                if path is not None:
                    command += [option, os.path.abspath(os.fsdecode(path))]
            command += [switch for switch, is_on in self._switches.items() if is_on]
            if isinstance(self._arguments, str):
                raise TypeError("they are a list, and not one text")
            return [*command, *self._arguments]
        except AtelierError:
            raise
        except (OSError, TypeError, ValueError) as error:
            raise InvalidUse(f"The Atelier service cannot be started with these arguments: {error}.") from error

    def _greeting(self) -> Dict[str, Any]:
        greeting: Dict[str, Any] = {"clientInfo": self._client, "protocolVersion": "1"}
        if self._executable is None or isinstance(self._executable, (str, os.PathLike)):
            # A command may start the service in a container or on another machine, where this number means another
            # process or none.
            greeting["processId"] = os.getpid()
        if self._account is not None:
            greeting["account"] = self._account
        if self._locale is not None:
            greeting["locale"] = self._locale
        capabilities: Dict[str, Any] = {}
        if self._mute:
            capabilities["mute"] = encode(self._mute)
        if self._location_search is not None:
            capabilities["locationSearch"] = True
        if capabilities:
            greeting["capabilities"] = capabilities
        return greeting

    async def _connect(self, connection: Connection) -> None:
        """Starts the service and is introduced to it."""
        try:
            environment = {**os.environ, **(self._env or {})}
        except (TypeError, ValueError) as error:
            raise InvalidUse(f"The environment of a service is a mapping of names to texts: {error}.") from error
        await connection.start(self._command(), environment, None)
        try:
            answer = await asyncio.wait_for(connection.call("initialize", self._greeting()), self._start_timeout)
            initialization = decode(Initialization, answer)
        except asyncio.TimeoutError:
            await self._end_process(connection, wait=0)
            raise ConnectionLost(f"The Atelier service did not answer within {self._start_timeout:g} s.") from None
        except BaseException:
            await self._end_process(connection, wait=0)
            raise
        connection.max_message_bytes = initialization.limits.max_message_bytes
        connection.max_image_bytes = initialization.limits.max_image_bytes
        self._connection, self._initialization = connection, initialization

    async def _reconnect(self) -> None:
        """Starts another service in place of one that is lost."""
        lost = self._connection
        # Its input may be closed before it is known why it ended. Only one of the two works on the data directory.
        await lost.until_lost(self._close_timeout)
        await self._end_process(lost, self._close_timeout)
        lost.abandon()
        await self._connect(self._new_connection())

    async def _usable(self) -> Connection:
        self._require_started()
        if self._connection.is_usable or not self._restart or self._closing is not None:
            return self._connection
        if self._reconnecting is None or self._reconnecting.done():
            self._reconnecting = asyncio.get_running_loop().create_task(self._reconnect())
            # Whoever waits for it is told; if nobody does any more, nobody need be.
            self._reconnecting.add_done_callback(lambda task: task.cancelled() or task.exception())
        reconnecting = self._reconnecting
        # Several requests wait for the same start, and one that is cancelled must not end it for the others.
        await asyncio.wait({reconnecting})
        if reconnecting.cancelled():
            raise ConnectionLost("The connection to the Atelier service is closed.")
        reconnecting.result()
        return self._connection

    async def close(self, *, cancel: bool = False) -> None:
        """Ends the service after the requests in flight are finished or, with ``cancel``, cancelled.

        May be called more than once. A service that does not end within ``close_timeout`` is terminated. In a forked
        process it does nothing, so that a ``with`` block can be left there: the service belongs to the other process.
        """
        owner = self._owner
        if owner is None or not owner.is_this_process:
            return
        if owner.loop.is_closed():
            # Nothing can be asked any more; without its input, the service ends by itself.
            self._connection.process.let_go()
            return
        owner.check()
        if self._closing is None:
            self._closing = asyncio.get_running_loop().create_task(self._close(cancel))
        await asyncio.shield(self._closing)

    async def __aenter__(self) -> "Atelier":
        return await self.start()

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        await self.close(cancel=kind is not None)

    @property
    def initialization(self) -> Initialization:
        """The service's description of itself: version, capabilities, limits, providers."""
        if self._initialization is None:
            raise InvalidUse("Atelier has not been started; use `async with Atelier() as studio:`.")
        return self._initialization

    # --- Generating ---

    @accepting(GenerateOptions)
    def generate(self, recipe: Recipe = "headshot", **options: Unpack[GenerateOptions]) -> Generation:
        """Starts making a picture and returns at once; await the :class:`Generation` for the result.

        recipe: ``"headshot"``, ``"hairstyle"``, ``"edit"``, ``"create"`` or ``"places"``.
        image: the photo: a path, bytes or a ``PreparedImage``; or the result to refine: a ``GenerationResult``, a
            ``ResultReference``, or a ``Generation``, whose end is awaited. A local photo of more than 7 MB or 4,096
            pixels a side is prepared first, in memory, as with :meth:`prepare`.
        references: up to two reference pictures, prepared likewise.
        style: ``Style(angle, background)`` of a headshot; without an angle, this device keeps that of the photo.
        near: where the places should be: a ``Coordinate`` or an area in words.
        limit: the most places, by default 10.
        language: the language for the names of places, such as ``"es-MX"``.
        template_id: the id of a template of the hairstyle library.
        output: ``Output(...)``: how many pictures, which shape, and a folder for copies.
        provider: one id, or several in the order in which to try them; by default the service chooses.
        timeout_ms: the time limit, by default 60 s, for places 120 s.
        idempotency_key: the same request with the same key gives the same generation.
        cache: ``"bypass"`` makes new pictures even if there is an identical result.
        when_offline: with ``"queue"`` the request waits, durably, until the provider can be reached.
        wait_ms: the longest such wait, by default a day.
        private: ``True`` to keep neither prompt nor pictures.
        detach: ``True`` for a generation that outlives this connection; see :meth:`Generation.accepted` and
            :meth:`finished`.
        progress: ``False`` for no progress.
        metadata: any data to keep with the generation, up to 4 KiB as JSON.
        extra: members of a newer protocol, under their own names.
        """
        self._require_started()
        params = GenerateParameters(recipe, options)
        return self._begin(Generation(self, params, detached=options.get("detach") is True))

    @accepting(RegenerateOptions)
    def regenerate(self, generation: Refinable, **options: Unpack[RegenerateOptions]) -> Generation:
        """Starts to make an earlier generation again, with the same request and a new result.

        generation: a result, an entry of the history, a running generation, whose end is awaited, or an id.
        The other arguments are those of :meth:`generate` and replace the earlier ones; members of ``output`` that are
        left out stay as they were. Recipe, photo and references stay the same.
        """
        self._require_started()
        params = regenerate_parameters(generation, options)
        return self._begin(
            Generation(self, params, detached=options.get("detach") is True, method="regenerate")
        )

    def attach(
        self, generation_id: str, *, account: Optional[str] = None, progress: Optional[bool] = None
    ) -> Generation:
        """Returns a :class:`Generation` for one that this or another process started, running or ended.

        Iterate over it for its progress from now on, await it for its result. :meth:`Generation.cancel` cancels the
        generation; everything else that ends the wait leaves it alone, also the end of this connection.

        account: the account that the generation must belong to. progress: ``False`` for no progress.
        """
        self._require_started()
        request = without_none({"generationId": generation_id, "account": account, "progress": progress})

        async def params(cancelled: "asyncio.Future[None]") -> Dict[str, Any]:
            return request

        return self._begin(
            Generation(self, params, detached=True, method="generation/watch", attached_to=generation_id)
        )

    def _begin(self, generation: Generation) -> Generation:
        self._generations.add(generation)
        generation._task.add_done_callback(lambda _: self._generations.discard(generation))
        return generation

    def finished(self) -> FinishedStream:
        """Yields the ends of detached generations from now on, until the connection ends.

        With ``restart``, call it again after the connection was lost.
        """
        self._require_started()
        stream = FinishedStream(self._streams.discard, self._require_started)
        self._streams.add(stream)
        if self._connection.is_lost and (not self._restart or self._closing is not None):
            stream._end()
        return stream

    # --- Internal ---

    async def _search_location(self, params: Mapping[str, Any]) -> Dict[str, Any]:
        assert self._location_search is not None
        query = decode(LocationQuery, params)
        if isinstance(query.near, dict):
            query = replace(query, near=decode(Coordinate, query.near, "/near"))
        found = self._location_search(query)
        places = await found if inspect.isawaitable(found) else found
        return {"places": encode(list(places))}

    def _require_started(self) -> None:
        if self._owner is not None:
            self._owner.check()
        if self._initialization is None:
            raise InvalidUse("Atelier has not been started; use `async with Atelier() as studio:`.")

    def _receive(self, method: str, params: Mapping[str, Any]) -> None:
        if method == "generation/progress":
            progress = decode(Progress, params)
            for generation in self._followers(params.get("requestId"), progress.generation_id):
                generation._receive_progress(progress)
        elif method == "generation/finished":
            finished = decode(GenerationResult, params)
            for generation in self._followers(None, finished.generation_id):
                generation._receive_finished(finished)
            for stream in list(self._streams):
                stream._receive(finished)
        if self._on_notification is not None:
            self._on_notification(method, params)

    def _followers(self, request_id: Any, generation_id: str) -> List[Generation]:
        follower = self._following.get(request_id) if isinstance(request_id, int) else None
        if follower is not None:
            return [follower]
        return [each for each in self._following.values() if each._generation_id == generation_id]

    def _follow(self, generation: Generation) -> None:
        assert generation._request_id is not None
        self._following[generation._request_id] = generation

    def _unfollow(self, generation: Generation) -> None:
        self._following.pop(generation._request_id or 0, None)

    def _in_background(self, work: Awaitable[Any]) -> None:
        async def run() -> None:
            try:
                await work
            except AtelierError:
                # Already finished, or nobody there any more: the generation's own end tells what happened.
                pass

        task = asyncio.get_running_loop().create_task(run())
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    def _on_lost(self, error: AtelierError) -> None:
        for generation in list(self._following.values()):
            generation._receive_loss(error)
        for stream in list(self._streams):
            stream._end()

    async def _close(self, cancel: bool) -> None:
        if self._reconnecting is not None and not self._reconnecting.done():
            if cancel:
                self._reconnecting.cancel()
            await asyncio.wait({self._reconnecting})
        connection = self._connection
        if self._initialization is None:
            return
        try:
            for generation in list(self._generations):
                generation._stop_watching()
            if cancel:
                self._cancel_all()
            await self._drain(self._close_timeout if cancel else None)
            left = list(self._generations)
            for generation in left:
                generation._disregard_failure()
            if left and all(generation._detached for generation in left):
                # Only the end of input lets the service finish what is detached; nobody waits here.
                return
            if connection.process.writable:
                await asyncio.wait_for(connection.call("shutdown", {}), self._close_timeout)
                connection.notify("exit", {})
            await self._end_process(connection, self._close_timeout)
        except (AtelierError, asyncio.TimeoutError):
            await self._end_process(connection, self._close_timeout)
        finally:
            connection.abandon()

    def _cancel_all(self) -> None:
        for generation in list(self._generations):
            # Whoever left by an exception will not come back for the result.
            generation._disregard_failure()
            if not generation._detached:
                generation.cancel()

    async def _drain(self, timeout: Optional[float]) -> None:
        owed = self._owed()
        while owed:
            done, _ = await asyncio.wait(owed, timeout=timeout)
            if not done:
                return
            owed = self._owed()

    def _owed(self) -> List["asyncio.Future[Any]"]:
        settled = [generation._settled for generation in self._generations]
        return [future for future in [*settled, *self._connection.answers] if not future.done()]

    @staticmethod
    async def _end_process(connection: Connection, wait: float) -> None:
        process = connection.process
        process.close_input()
        if await process.wait(wait):
            return
        for number in (signal.SIGTERM, signal.SIGKILL):
            process.signal(number)
            if await process.wait(TERMINATION_SECONDS):
                return
