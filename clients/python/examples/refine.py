"""Step by step: a haircut, made shorter, then with highlights; and the last step once more.

    python examples/refine.py photo.jpg "a chin-length bob" "shorter" "add copper highlights"
"""

import asyncio
import sys

from atelier_studio import Atelier, AtelierError


async def main(photo: str, first: str, *steps: str) -> None:
    async with Atelier() as studio:
        result = await studio.generate("hairstyle", image=photo, prompt=first)
        for prompt in steps:
            result = await studio.generate("hairstyle", image=result, prompt=prompt)
        again = await studio.regenerate(result)
        # All of it is one session, with a branch where the last step was made twice.
        async for step in studio.all_steps(again.generation_id):
            print(step.images[0].path, step.prompt)


if __name__ == "__main__":
    try:
        asyncio.run(main(*sys.argv[1:]))
    except AtelierError as error:
        sys.exit(str(error))
