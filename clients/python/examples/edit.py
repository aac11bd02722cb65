"""A change to a photo, in words of any language.

    python examples/edit.py photo.jpg "give her a red scarf"
"""

import asyncio
import sys

from atelier_studio import Atelier, AtelierError


async def main(photo: str, prompt: str) -> None:
    async with Atelier() as studio:
        # A camera's photo is large, and says where it was taken: what goes out is small and says nothing.
        prepared = await studio.prepare(photo)
        result = await studio.generate("edit", image=prepared, prompt=prompt)
        for warning in result.warnings:
            print(warning.message, file=sys.stderr)
        print(result.path)


if __name__ == "__main__":
    try:
        asyncio.run(main(*sys.argv[1:]))
    except AtelierError as error:
        sys.exit(str(error))
