"""Photos made from a bundled portrait by libvips: one with the noise and size of a telephone's, and a small one."""

from __future__ import annotations

import ctypes
import ctypes.util
from pathlib import Path

Pointer = ctypes.c_void_p


class Vips:
    """The few calls of libvips that are needed, by their C names. Every call that makes an image returns it."""

    def __init__(self) -> None:
        name = ctypes.util.find_library("vips")
        if name is None:
            raise SystemExit("libvips is missing; `make setup` installs it.")
        self.library = ctypes.CDLL(name)
        self.library.vips_image_new_from_file.restype = Pointer
        self.library.vips_error_buffer.restype = ctypes.c_char_p
        self.library.vips_init(b"photo")

    def load(self, path: Path) -> Pointer:
        image = self.library.vips_image_new_from_file(str(path).encode(), None)
        if not image:
            raise SystemExit(self.library.vips_error_buffer().decode())
        return Pointer(image)

    def make(self, operation: str, *arguments: object) -> Pointer:
        out = Pointer()
        converted = [
            ctypes.c_double(a) if isinstance(a, float) else a.encode() if isinstance(a, str) else a for a in arguments
        ]
        position = 0 if operation == "gaussnoise" else next(
            (i + 1 for i, a in reversed(list(enumerate(arguments))) if isinstance(a, Pointer)), 0)
        converted.insert(position, ctypes.byref(out))
        if getattr(self.library, f"vips_{operation}")(*converted, None) != 0:
            raise SystemExit(self.library.vips_error_buffer().decode())
        return out


def twelve_megapixels(portrait: Path, target: Path) -> Path:
    """Writes 4000×3000 pixels: the portrait in the middle, its own edges mirrored to the sides, sensor noise on all."""
    vips = Vips()
    image = vips.load(portrait)
    width = vips.library.vips_image_get_width(image)
    image = vips.make("resize", image, 3000.0 / width)
    image = vips.make("embed", image, 500, 0, 4000, 3000, "extend", 4)
    noise = vips.make("gaussnoise", 4000, 3000, "sigma", 6.0, "mean", 0.0)
    image = vips.make("add", image, noise)
    image = vips.make("cast", image, 0)
    if vips.library.vips_jpegsave(image, str(target).encode(), b"Q", 88, None) != 0:
        raise SystemExit(vips.library.vips_error_buffer().decode())
    return target


def small_photo(portrait: Path, target: Path) -> Path:
    """Writes 512 pixels without metadata: a photo that needs no preparation."""
    vips = Vips()
    image = vips.load(portrait)
    image = vips.make("resize", image, 512.0 / vips.library.vips_image_get_width(image))
    if vips.library.vips_jpegsave(image, str(target).encode(), b"Q", 80, b"strip", 1, None) != 0:
        raise SystemExit(vips.library.vips_error_buffer().decode())
    return target


if __name__ == "__main__":
    import sys

    print(twelve_megapixels(Path(sys.argv[1]), Path(sys.argv[2])).stat().st_size)
