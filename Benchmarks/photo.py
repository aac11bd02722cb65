"""Photos made from a bundled portrait by libvips: some with the noise and size of a telephone's, and a small one."""

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
        self.library.vips_image_set_int.argtypes = [Pointer, ctypes.c_char_p, ctypes.c_int]
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

    def save(self, image: Pointer, target: Path) -> None:
        if self.library.vips_image_write_to_file(image, f"{target}[Q=88]".encode(), None) != 0:
            raise SystemExit(self.library.vips_error_buffer().decode())


def twelve_megapixels(portrait: Path, target: Path, nearness: float = 1) -> Path:
    """Writes 4000×3000 pixels: the portrait in the middle, its own edges mirrored to the sides, sensor noise on all. The
    format is that of the target's name. With a `nearness` above 1, the face is larger by it, as at arm's length.
    """
    vips = Vips()
    vips.save(scene(vips, portrait, nearness), target)
    return target


def telephone(portrait: Path, target: Path) -> Path:
    """Writes the same as telephones write it: in Display P3, on its side, with the turn in its metadata."""
    vips = Vips()
    image = vips.make("icc_transform", scene(vips, portrait, 1), "p3", "input_profile", "srgb")
    image = vips.make("copy", vips.make("rot", image, 3))
    vips.library.vips_image_set_int(image, b"orientation", 6)
    vips.save(image, target)
    return target


def scene(vips: Vips, portrait: Path, nearness: float) -> Pointer:
    image = vips.load(portrait)
    width = vips.library.vips_image_get_width(image)
    image = vips.make("resize", image, 3000.0 * nearness / width)
    side = vips.library.vips_image_get_width(image)
    image = vips.make("embed", image, (4000 - side) // 2, (3000 - side) // 4, 4000, 3000, "extend", 4)
    noise = vips.make("gaussnoise", 4000, 3000, "sigma", 6.0, "mean", 0.0)
    image = vips.make("add", image, noise)
    return vips.make("cast", image, 0)


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
