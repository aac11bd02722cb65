"""A headshot of a photo, made on this machine: no key, no network.

    python examples/headshot.py photo.jpg [professional|casual]
"""

import asyncio
import sys

from atelier_studio import Atelier, Style


async def main(photo: str, background: str = "professional") -> None:
    async with Atelier() as studio:
        generation = studio.generate(image=photo, style=Style(background=background), provider="ondevice")
        async for progress in generation:
            print(progress.message, file=sys.stderr)
        print((await generation).path)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
