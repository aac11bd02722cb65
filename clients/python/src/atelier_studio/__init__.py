"""Portraits from Python: a typed client of the Atelier image service.

``async with Atelier() as studio:`` from asyncio, ``with Blocking() as studio:`` from everywhere else. Both start the
service as a child process and speak JSON-RPC 2.0 with it over its standard input and output.
"""

from . import errors, values
from ._parameters import Image, Refinable, ResultReference
from .blocking import Blocking, BlockingGeneration
from .errors import *  # noqa: F403
from .generation import Generation
from .studio import VERSION, Atelier, FinishedStream, LocationSearch
from .values import *  # noqa: F403

__version__ = VERSION

__all__ = [
    "Atelier",
    "Blocking",
    "BlockingGeneration",
    "FinishedStream",
    "Generation",
    "Image",
    "LocationSearch",
    "Refinable",
    "ResultReference",
    *errors.__all__,
    *values.__all__,
]
