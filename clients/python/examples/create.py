"""Pictures from words alone, several at once, as files in a folder.

    python examples/create.py "a lighthouse at dusk" folder
"""

import asyncio
import sys

from atelier_studio import Atelier, AtelierError, Output


async def main(words: str, folder: str) -> None:
    async with Atelier() as studio:
        result = await studio.generate(
            "create", prompt=words, output=Output(count=2, directory=folder, aspect_ratio="3:4"))
        for image in result.images:
            print(image.path)
        # What could not be made costs nothing, and says why.
        for failure in result.failures:
            print(f"Picture {failure.index + 1}: {failure.error}", file=sys.stderr)


if __name__ == "__main__":
    try:
        asyncio.run(main(*sys.argv[1:]))
    except AtelierError as error:
        sys.exit(str(error))
