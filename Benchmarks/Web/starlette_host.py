"""The least of a web host that somebody writes in Python: Starlette and uvicorn on the client for Python.

    starlette_host.py PORT ATELIER DATA_DIRECTORY [CONFIG]
"""

from __future__ import annotations

import contextlib
import json
import sys
from pathlib import Path
from typing import AsyncIterator

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "clients/python/src"))

import uvicorn
from atelier_studio import Atelier, AtelierError, PreparedImage
from atelier_studio.generation import Generation
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

PORT, EXECUTABLE, DATA = int(sys.argv[1]), sys.argv[2], sys.argv[3]
CONFIG = sys.argv[4] if len(sys.argv) > 4 else None
photos: dict[str, PreparedImage] = {}
generations: dict[str, Generation] = {}
studio: Atelier


@contextlib.asynccontextmanager
async def lifespan(_: Starlette) -> AsyncIterator[None]:
    global studio
    async with Atelier(executable=EXECUTABLE, data_dir=DATA, config=CONFIG) as studio:
        print(f"http://127.0.0.1:{PORT}/", flush=True)
        yield


async def prepare(request: Request) -> Response:
    photo = await studio.prepare(await request.body(), longest_side=4096)
    photos[photo.prepared_id or ""] = photo
    return JSONResponse({"preparedId": photo.prepared_id}, 201)


async def generate(request: Request) -> Response:
    options = await request.json()
    if "image" in options:
        options["image"] = photos[options["image"]["preparedId"]]
    generation = studio.generate(options.pop("recipe"), **options)
    try:
        identifier = await generation.accepted()
    except AtelierError as error:
        return JSONResponse({"error": {"message": str(error)}}, 400)
    generations[identifier] = generation
    return JSONResponse({"generationId": identifier, "state": "queued"}, 202)


async def events(request: Request) -> Response:
    generation = generations[request.path_params["generation"]]

    async def lines() -> AsyncIterator[str]:
        async for progress in generation:
            yield f"event: progress\ndata: {json.dumps({'overall': progress.overall, 'message': progress.message})}\n\n"
        result = await generation
        yield f"event: finished\ndata: {json.dumps({'state': result.state, 'finishedAt': str(result.finished_at)})}\n\n"

    return StreamingResponse(lines(), media_type="text/event-stream")


async def image(request: Request) -> Response:
    read = await studio.read_image(await generations[request.path_params["generation"]])
    return Response(read.data, media_type=read.mime_type)


application = Starlette(
    routes=[
        Route("/api/v1/photos", prepare, methods=["POST"]),
        Route("/api/v1/generate", generate, methods=["POST"]),
        Route("/api/v1/generations/{generation}/events", events),
        Route("/api/v1/generations/{generation}/images/0", image),
    ],
    lifespan=lifespan,
)

if __name__ == "__main__":
    uvicorn.run(application, host="127.0.0.1", port=PORT, log_level="error", timeout_graceful_shutdown=1)
