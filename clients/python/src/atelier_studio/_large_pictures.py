"""Pictures at hand that are too large for ``generate``; ``image/prepare`` takes larger ones and makes them fit."""

from __future__ import annotations

import asyncio
import base64
import os
import stat
from typing import Any, Dict, Mapping, Set

from ._connection import Connection
from ._picture_sides import longest_side
from .errors import ProtocolError, cancelled_before_sent

#: The most pixels of a side that ``generate`` takes.
MAX_SIDE = 4096


async def fitting(
    request: Dict[str, Any], connection: Connection, cancelled: "asyncio.Future[None]"
) -> Dict[str, Any]:
    """The params of ``generate``, with every picture that is too large replaced by a prepared one.

    The service returns what it prepares and keeps nothing of it. Raises what ``image/prepare`` refuses, and
    ``request_cancelled``.
    """
    fitted = dict(request)
    if isinstance(request.get("image"), Mapping):
        fitted["image"] = await _fitting(request["image"], request, connection, cancelled)
    if isinstance(request.get("references"), list):
        fitted["references"] = [
            await _fitting(image, request, connection, cancelled) for image in request["references"]
        ]
    return fitted


async def _fitting(
    image: Any, request: Mapping[str, Any], connection: Connection, cancelled: "asyncio.Future[None]"
) -> Any:
    loop = asyncio.get_running_loop()
    # A disk may be slow.
    if not await loop.run_in_executor(None, _is_too_large, image, connection.max_image_bytes):
        return image
    parameters: Dict[str, Any] = {"image": image, "longestSide": MAX_SIDE, "inline": True}
    if request.get("account") is not None:
        parameters["account"] = request["account"]
    preparation = loop.create_task(connection.call("image/prepare", parameters))
    events: Set["asyncio.Future[Any]"] = {preparation, cancelled}
    try:
        await asyncio.wait(events, return_when=asyncio.FIRST_COMPLETED)
        if cancelled.done():
            raise cancelled_before_sent()
        prepared = await preparation
    finally:
        preparation.cancel()
        # After a cancel, nobody asks what it failed with.
        preparation.add_done_callback(lambda task: task.cancelled() or task.exception())
    if not isinstance(prepared, Mapping) or not {"data", "mimeType"} <= prepared.keys():
        raise ProtocolError("The service's answer is not understood: it has no prepared picture.")
    return {"data": prepared["data"], "mimeType": prepared["mimeType"]}


def _is_too_large(image: Any, max_bytes: int) -> bool:
    """Whether ``generate`` would refuse it for its size. What cannot be read here, the service judges."""
    try:
        if isinstance(image.get("path"), str):
            status = os.stat(image["path"])
            if not stat.S_ISREG(status.st_mode):
                return False
            if status.st_size > max_bytes:
                return True
            with open(image["path"], "rb") as file:
                return longest_side(file.read()) > MAX_SIDE
        if isinstance(image.get("data"), str):
            picture = base64.b64decode(image["data"])
            return len(picture) > max_bytes or longest_side(picture) > MAX_SIDE
    except (AttributeError, OSError, ValueError):
        pass
    return False
