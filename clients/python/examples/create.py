"""Pictures from words alone, several at once, as files in a folder.

    python examples/create.py "a lighthouse at dusk" folder
"""

import asyncio
import sys

from atelier_studio import Atelier, AtelierError, GenerateOptions, Output


async def main(words: str, folder: str) -> None:
    options: GenerateOptions = {
        "prompt": words,
        "output": Output(count=2, directory=folder, aspect_ratio="3:4"),
    }
    async with Atelier() as studio:
        estimate = await studio.credits_estimate("create", **options)
        # The same request, of which nothing is made.
        if estimate.refusal is not None:
            raise estimate.refusal
        result = await studio.generate("create", **options)
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
