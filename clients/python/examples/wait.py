"""A picture that waits for the network: the request is kept, through a restart as well, until the provider is back.

    python examples/wait.py photo.jpg "a summer hat"
"""

import asyncio
import sys

from atelier_studio import Atelier, AtelierError


async def main(photo: str, prompt: str) -> None:
    async with Atelier() as studio:
        generation = studio.generate(
            "edit", image=photo, prompt=prompt, when_offline="queue", detach=True, wait_ms=3_600_000)
        print("Kept as", await generation.accepted(), file=sys.stderr)
        print((await generation).path)


if __name__ == "__main__":
    try:
        asyncio.run(main(*sys.argv[1:]))
    except AtelierError as error:
        sys.exit(str(error))
