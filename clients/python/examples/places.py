"""Places that exist: a model names them, and this program's own list says which there are.

    python examples/places.py "Top coffee shops in Austin"
"""

import asyncio
import sys
from typing import List

from atelier_studio import Atelier, AtelierError, Coordinate, FoundPlace, LocationQuery

#: A real host would ask a map here.
PLACES = [
    FoundPlace("Houndstooth Coffee", "401 Congress Ave", city="Austin", state="TX", postal_code="78701",
               country="United States", coordinate=Coordinate(30.2667, -97.7428)),
    FoundPlace("Epoch Coffee", "221 W North Loop Blvd", city="Austin", state="TX", postal_code="78751",
               country="United States", coordinate=Coordinate(30.3181, -97.7243)),
    FoundPlace("茶亭 羽當", "渋谷1-15-19", city="渋谷区", state="東京都", postal_code="150-0002", country="日本"),
]


async def look_up(query: LocationQuery) -> List[FoundPlace]:
    return [place for place in PLACES if place.name.lower() in query.query.lower()]


async def main(words: str) -> None:
    async with Atelier(location_search=look_up) as studio:
        result = await studio.generate("places", prompt=words, limit=5)
        for place in result.places:
            print(f"{place.name}: {place.street_address1}, {place.postal_code} {place.city}")
        if result.dropped is not None and result.dropped.count:
            print(f"{result.dropped.count} could not be verified.", file=sys.stderr)


if __name__ == "__main__":
    try:
        asyncio.run(main(*sys.argv[1:]))
    except AtelierError as error:
        sys.exit(str(error))
