"""A haircut tried on: from a template of the library, in words, after a picture, or all of them together.

    python examples/hairstyle.py photo.jpg --search bob --words "with a fringe" --like friend.jpg --all-sides
"""

import argparse
import asyncio
import sys
from typing import Optional

from atelier_studio import Atelier, AtelierError, Output


async def main(photo: str, search: Optional[str], words: Optional[str], like: Optional[str], all_sides: bool) -> None:
    async with Atelier() as studio:
        template_id = None
        if search:
            found = await studio.templates(search=search, limit=1)
            if not found.templates:
                sys.exit(f"No template has “{search}” in it.")
            template_id = found.templates[0].id
            print(f"{found.templates[0].name}: {found.templates[0].prompt}", file=sys.stderr)
        result = await studio.generate(
            "hairstyle",
            image=photo,
            template_id=template_id,
            prompt=words,
            references=[like] if like else [],
            output=Output(mode="multiAngle") if all_sides else None,
        )
        for image in result.images:
            print(image.path, image.view or "")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photo")
    parser.add_argument("--search", help="words of a template of the library")
    parser.add_argument("--words", help="what is wanted, in words of any language")
    parser.add_argument("--like", help="a picture of the hair that is wanted")
    parser.add_argument("--all-sides", action="store_true", help="from the front, both sides and behind")
    try:
        asyncio.run(main(**vars(parser.parse_args())))
    except AtelierError as error:
        sys.exit(str(error))
