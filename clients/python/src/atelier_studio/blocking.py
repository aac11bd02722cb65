"""The service, for programs without an event loop: the methods of :class:`Atelier`, each of which waits."""

from __future__ import annotations

import functools
import inspect
import os
from types import TracebackType
from typing import (
    TYPE_CHECKING,
    Any,
    AsyncIterator,
    Callable,
    Coroutine,
    Dict,
    Iterator,
    List,
    Mapping,
    Optional,
    Sequence,
    Tuple,
    Type,
    TypeVar,
    Union,
)

from ._blocking_generation import BlockingGeneration
from ._loop_thread import Closed, LoopThread, each
from ._process import Command
from .errors import InvalidUse
from .generation import Generation
from .studio import VERSION, Atelier, FinishedStream, LocationSearch
from .values import GenerationResult, Initialization

if TYPE_CHECKING:
    from typing_extensions import Concatenate, ParamSpec

    P = ParamSpec("P")

__all__ = ["Blocking", "BlockingGeneration"]

T = TypeVar("T")
C = TypeVar("C", bound=Callable[..., Any])


def waiting(
    method: Callable[Concatenate[Atelier, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[Blocking, P], T]:
    """A coroutine method of :class:`Atelier` as a method that waits for its answer."""

    def call(self: Blocking, /, *arguments: Any, **named: Any) -> T:
        positional, keywords = plain(arguments, named)
        return self._thread.run(method(self._studio, *positional, **keywords))

    return like(method, call)


def walking(
    method: Callable[Concatenate[Atelier, P], AsyncIterator[T]],
) -> Callable[Concatenate[Blocking, P], Iterator[T]]:
    """An asynchronous iterator of :class:`Atelier` as an iterator that waits for each value."""

    def call(self: Blocking, /, *arguments: Any, **named: Any) -> Iterator[T]:
        positional, keywords = plain(arguments, named)
        return each(self._thread, lambda: method(self._studio, *positional, **keywords))

    return like(method, call)


def starting(
    method: Callable[Concatenate[Atelier, P], Generation],
) -> Callable[Concatenate[Blocking, P], BlockingGeneration]:
    """A method of :class:`Atelier` that starts a generation, started on the thread of the loop."""

    def call(self: Blocking, /, *arguments: Any, **named: Any) -> BlockingGeneration:
        thread = self._thread
        positional, keywords = plain(arguments, named)

        async def start() -> Generation:
            return method(self._studio, *positional, **keywords)

        return BlockingGeneration(thread, thread.run(start()))

    return like(method, call)


def like(method: Callable[..., Any], call: C) -> C:
    """``call`` with the name, the docstring and the signature of ``method``, and what it returns without a loop."""
    signature = inspect.signature(method)
    returned = str(signature.return_annotation)
    returned = "BlockingGeneration" if returned == "Generation" else returned.replace("AsyncIterator", "Iterator")
    functools.update_wrapper(call, method)
    call.__module__ = __name__
    call.__qualname__ = f"Blocking.{method.__name__}"
    call.__signature__ = signature.replace(return_annotation=returned)  # type: ignore[attr-defined]
    return call


def plain(arguments: Sequence[Any], named: Mapping[str, Any]) -> Tuple[List[Any], Dict[str, Any]]:
    """Arguments with the generations themselves in place of those for callers without a loop."""
    return [_plain(each) for each in arguments], {name: _plain(each) for name, each in named.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_of_loop(member) for member in value]
    return _of_loop(value)


def _of_loop(value: Any) -> Any:
    return value._generation if isinstance(value, BlockingGeneration) else value


class Blocking:
    """A running Atelier service, for programs without an event loop: ``with Blocking() as studio:``.

    It has the methods of :class:`Atelier`, with the same arguments; each waits for its answer, and a
    :class:`BlockingGeneration` takes the place of a :class:`Generation`. Several threads may use it at once; in a forked
    process, its methods raise ``InvalidUse``.
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
        """Sets how to start the service; see :class:`Atelier`. ``on_notification`` and
        ``location_search`` run on the service's thread."""
        self._studio = Atelier(
            executable,
            data_dir=data_dir,
            config=config,
            account=account,
            confined=confined,
            trusted=trusted,
            multi_account=multi_account,
            locale=locale,
            restart=restart,
            env=env,
            arguments=arguments,
            client_name=client_name,
            client_version=client_version,
            mute=mute,
            on_notification=on_notification,
            location_search=location_search,
            start_timeout=start_timeout,
            close_timeout=close_timeout,
        )
        self._loop_thread: Optional[LoopThread] = None

    def start(self) -> "Blocking":
        """Starts the service and sends ``initialize``; see :meth:`Atelier.start`."""
        if self._loop_thread is not None:
            raise InvalidUse("This Blocking has been started already; make another one.")
        self._loop_thread = LoopThread()
        try:
            self._loop_thread.run(self._studio.start())
        except BaseException:
            self._loop_thread.stop()
            raise
        return self

    def close(self, *, cancel: bool = False) -> None:
        """Ends the service after the requests in flight are finished or, with ``cancel``, cancelled.

        In a forked process it does nothing; see :meth:`Atelier.close`.
        """
        thread = self._loop_thread
        if thread is None or not thread.is_this_process:
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
        """The service's description of itself: version, capabilities, limits, providers."""
        return self._studio.initialization

    def finished(self) -> Iterator[GenerationResult]:
        """Yields the ends of detached generations from now on; waits for each, until the connection ends."""
        thread = self._thread

        async def subscribe() -> FinishedStream:
            return self._studio.finished()

        stream = thread.run(subscribe())
        return each(thread, lambda: stream)

    generate = starting(Atelier.generate)
    regenerate = starting(Atelier.regenerate)
    attach = starting(Atelier.attach)

    cancel = waiting(Atelier.cancel)
    status = waiting(Atelier.status)
    generation_status = waiting(Atelier.generation_status)
    history = waiting(Atelier.history)
    all_history = walking(Atelier.all_history)
    history_entry = waiting(Atelier.history_entry)
    delete = waiting(Atelier.delete)
    delete_all = waiting(Atelier.delete_all)
    feedback = waiting(Atelier.feedback)
    annotate = waiting(Atelier.annotate)
    export = waiting(Atelier.export)
    sessions = waiting(Atelier.sessions)
    all_sessions = walking(Atelier.all_sessions)
    session = waiting(Atelier.session)
    all_steps = walking(Atelier.all_steps)
    statistics = waiting(Atelier.statistics)
    prepare = waiting(Atelier.prepare)
    read_image = waiting(Atelier.read_image)
    image_link = waiting(Atelier.image_link)
    queue_status = waiting(Atelier.queue_status)
    queue_pause = waiting(Atelier.queue_pause)
    queue_resume = waiting(Atelier.queue_resume)
    styles = waiting(Atelier.styles)
    headshot_choices = waiting(Atelier.headshot_choices)
    templates = waiting(Atelier.templates)
    template = waiting(Atelier.template)
    providers = waiting(Atelier.providers)
    credentials_set = waiting(Atelier.credentials_set)
    credentials_status = waiting(Atelier.credentials_status)
    credentials_delete = waiting(Atelier.credentials_delete)
    account_get = waiting(Atelier.account_get)
    account_sign_in = waiting(Atelier.account_sign_in)
    account_sign_out = waiting(Atelier.account_sign_out)
    account_consent = waiting(Atelier.account_consent)
    account_delete = waiting(Atelier.account_delete)
    credits_balance = waiting(Atelier.credits_balance)
    credits_history = waiting(Atelier.credits_history)
    all_credits_history = walking(Atelier.all_credits_history)
    credits_estimate = waiting(Atelier.credits_estimate)
    credits_products = waiting(Atelier.credits_products)
    credits_purchase = waiting(Atelier.credits_purchase)
    credits_grant = waiting(Atelier.credits_grant)
    credits_revoke = waiting(Atelier.credits_revoke)
    account_set = waiting(Atelier.account_set)
    ping = waiting(Atelier.ping)
    request = waiting(Atelier.request)

    @property
    def _thread(self) -> LoopThread:
        if self._loop_thread is None:
            raise InvalidUse("Blocking has not been started; use `with Blocking() as studio:`.")
        return self._loop_thread
