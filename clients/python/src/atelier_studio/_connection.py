"""JSON-RPC 2.0 with the service, one message a line."""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
from typing import Any, Awaitable, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Set

from ._process import ServiceProcess
from .errors import (
    AtelierError,
    ConnectionLost,
    InvalidRequest,
    ProtocolError,
    error_from_wire,
    invalid_parameter,
)

_log = logging.getLogger("atelier_studio")


class Call(NamedTuple):
    """A request that has been sent, and the answer to come."""

    id: int
    answer: "asyncio.Future[Any]"


class _Pending(NamedTuple):
    answer: "asyncio.Future[Any]"
    on_result: Optional[Callable[[Any], None]]


#: Answers a request of the service.
Handler = Callable[[Mapping[str, Any]], Awaitable[Any]]


class Connection:
    """Sends requests, hands answers to whoever waits for them and notifications to ``receive``.

    ``handlers`` are the methods that the service may call. ``ids`` numbers the requests, over several connections.
    """

    def __init__(
        self,
        receive: Callable[[str, Mapping[str, Any]], None],
        lost: Callable[[AtelierError], None],
        handlers: Optional[Mapping[str, Handler]] = None,
        ids: Optional[Iterator[int]] = None,
    ) -> None:
        self._receive = receive
        self._handlers = dict(handlers or {})
        self._handling: Dict[Any, "asyncio.Task[None]"] = {}
        self._on_lost = lost
        self._ids = ids or itertools.count(1)
        self._pending: Dict[int, _Pending] = {}
        self._withdrawn: Set[int] = set()
        self._lost: Optional[AtelierError] = None
        self._loss: Optional["asyncio.Future[None]"] = None
        self._process = ServiceProcess(self._on_line, self._fail)
        self.max_message_bytes = 64 * 1024 * 1024
        self.max_image_bytes = 7_000_000

    @property
    def process(self) -> ServiceProcess:
        """The service at the other end."""
        return self._process

    async def start(
        self, command: Sequence[str], environment: Mapping[str, str], working_directory: Optional[str]
    ) -> None:
        """Starts the service and connects to it."""
        self._loss = asyncio.get_running_loop().create_future()
        await self._process.start(command, environment, working_directory)

    @property
    def is_lost(self) -> bool:
        """True once nothing more can come."""
        return self._lost is not None

    @property
    def is_usable(self) -> bool:
        """False once nothing more can be asked."""
        return self._lost is None and self._process.writable

    async def until_lost(self, timeout: float) -> None:
        """Waits until whoever waits for an answer has been told that none will come."""
        if self._loss is not None:
            await asyncio.wait({self._loss}, timeout=timeout)

    @property
    def answers(self) -> List["asyncio.Future[Any]"]:
        """The answers that are still to come."""
        return [pending.answer for pending in self._pending.values()]

    async def ready(self) -> None:
        """Waits while the service is not reading."""
        await self._process.ready()

    def send(
        self, method: str, params: Mapping[str, Any], on_result: Optional[Callable[[Any], None]] = None
    ) -> Call:
        """Sends a request, without waiting. ``on_result`` runs before anything that came after the answer is looked at.

        Raises ``ConnectionLost`` when there is nobody to send it to, ``InvalidRequest`` when it is too large.
        """
        call = Call(next(self._ids), asyncio.get_running_loop().create_future())
        self._write({"jsonrpc": "2.0", "id": call.id, "method": method, "params": params})
        self._pending[call.id] = _Pending(call.answer, on_result)
        return call

    async def call(self, method: str, params: Mapping[str, Any]) -> Any:
        """Sends a request and waits for its result; cancelling withdraws it."""
        await self.ready()
        call = self.send(method, params)
        try:
            return await call.answer
        except asyncio.CancelledError:
            self.withdraw(call.id)
            raise

    def withdraw(self, request_id: int) -> None:
        """Asks the service, once, to cancel a request that has not been answered yet."""
        if request_id in self._pending and request_id not in self._withdrawn and self._process.writable:
            self._withdrawn.add(request_id)
            self.notify("$/cancelRequest", {"id": request_id})

    def notify(self, method: str, params: Mapping[str, Any]) -> None:
        """Sends a notification, without waiting."""
        self._write({"jsonrpc": "2.0", "method": method, "params": params})

    def abandon(self) -> None:
        """Stops listening; whoever still waits for an answer is told that the connection is closed."""
        self._process.abandon()
        self._fail(ConnectionLost("The connection to the Atelier service is closed."))

    def _write(self, message: Mapping[str, Any]) -> None:
        if self._lost is not None:
            raise self._lost
        if not self._process.writable:
            raise ConnectionLost("The Atelier service takes no more requests: its input is closed.")
        try:
            line = json.dumps(message, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode("utf-8")
        except UnicodeEncodeError as error:
            raise InvalidRequest(
                f"The request cannot be sent: {error.object[error.start:error.end]!r} in it is not Unicode. "
                "A file with such a name must be renamed, or sent as bytes.",
                code=-32600,
                kind="invalid_request",
            ) from None
        except (RecursionError, TypeError, ValueError) as error:
            raise invalid_parameter("", "what JSON can say", f"The request cannot be sent: {error}.") from error
        if len(line) > self.max_message_bytes:
            # The service would skip a line this long and could not say whose answer the refusal is.
            raise InvalidRequest(
                f"The request is {len(line)} bytes long and the service takes {self.max_message_bytes}. "
                "Name images by path instead of sending their bytes.",
                code=-32600,
                kind="invalid_request",
            )
        self._process.write(line + b"\n")

    def _on_line(self, line: bytes) -> None:
        if self._lost is not None:
            return
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict) or isinstance(message.get("id"), (dict, list)):
            start = line[:80].decode("utf-8", "replace")
            self._fail(ProtocolError(f"The service sent something that is not a JSON-RPC message: {start}"))
            self._process.close_input()
        elif "method" not in message:
            self._on_answer(message)
        elif "id" in message:
            self._on_request(message)
        else:
            self._on_notification(message)

    def _on_request(self, request: Mapping[str, Any]) -> None:
        handler = self._handlers.get(str(request["method"]))
        if handler is None:
            return self._refuse(request)
        task = asyncio.get_running_loop().create_task(self._handle(handler, request))
        self._handling[request["id"]] = task
        task.add_done_callback(lambda _: self._handling.pop(request["id"], None))

    async def _handle(self, handler: Handler, request: Mapping[str, Any]) -> None:
        params = request.get("params")
        answer: Dict[str, Any] = {"jsonrpc": "2.0", "id": request["id"]}
        try:
            answer["result"] = await handler(params if isinstance(params, dict) else {})
        except asyncio.CancelledError:
            # The service has withdrawn its question.
            answer["error"] = {"code": -32800, "message": "The request was cancelled."}
        except Exception:
            _log.exception("a request of the service could not be answered: %s", request["method"])
            answer["error"] = {"code": -32603, "message": "The host failed to answer."}
        if self._lost is None and self._process.writable:
            try:
                self._write(answer)
            except AtelierError:
                _log.exception("an answer could not be sent: %s", request["method"])
                # Without any answer, the service would wait until its time limit.
                refusal = {"code": -32603, "message": "The host failed to answer."}
                self._write({"jsonrpc": "2.0", "id": request["id"], "error": refusal})

    def _refuse(self, request: Mapping[str, Any]) -> None:
        data = {"kind": "method_not_found", "retryable": False}
        refusal = {"code": -32601, "message": f"This client has no method {request['method']}.", "data": data}
        if self._process.writable:
            self._write({"jsonrpc": "2.0", "id": request["id"], "error": refusal})

    def _on_notification(self, message: Mapping[str, Any]) -> None:
        params = message.get("params")
        if message["method"] == "$/cancelRequest":
            request_id = params.get("id") if isinstance(params, dict) else None
            withdrawn = self._handling.get(request_id) if isinstance(request_id, (int, str)) else None
            if withdrawn is not None:
                withdrawn.cancel()
            return
        try:
            self._receive(str(message["method"]), params if isinstance(params, dict) else {})
        except Exception:
            # A notification that cannot be understood, or a listener that fails, must not cost the answers to come.
            _log.exception("a notification could not be dealt with: %.200r", message)

    def _on_answer(self, message: Mapping[str, Any]) -> None:
        request_id = message.get("id")
        pending: Optional[_Pending] = None
        if isinstance(request_id, int) and not isinstance(request_id, bool):
            pending = self._pending.pop(request_id, None)
            self._withdrawn.discard(request_id)
        if pending is None:
            _log.warning("the service answered a request that was not made, or not understood: %.200r", message)
        elif "error" in message:
            if not pending.answer.done():
                pending.answer.set_exception(error_from_wire(message["error"]))
        else:
            result = message.get("result")
            if pending.on_result is not None:
                pending.on_result(result)
            if not pending.answer.done():
                pending.answer.set_result(result)

    def _fail(self, error: AtelierError) -> None:
        if self._lost is not None:
            return
        self._lost = error
        for task in list(self._handling.values()):
            task.cancel()
        pending, self._pending = self._pending, {}
        for entry in pending.values():
            if not entry.answer.done():
                entry.answer.set_exception(error)
        if self._loss is not None and not self._loss.done():
            self._loss.set_result(None)
        self._on_lost(error)
