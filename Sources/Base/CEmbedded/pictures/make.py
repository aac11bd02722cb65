"""Makes the two pictures of this folder, which `atelier doctor` reads, with heif-enc 1.15 and Python's standard library.

`telephone.heic` is what telephones have written since 2024: beside the picture a gain map for bright screens, and an
item `tmap` that joins both. The gain map (`auxl`) and EXIF (`cdsc`) refer to two items each. libheif 1.15 refuses such a
file as it is. `plain.avif` is an AVIF like any other. Both show a red and a green half.
"""
import os
import struct
import subprocess
import tempfile
import zlib

SIDE = 64
HALVES = [(208, 40, 40), (40, 176, 56)]


def png(path):
    row = b"\0" + b"".join(bytes(HALVES[x * 2 // SIDE]) for x in range(SIDE))

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", SIDE, SIDE, 8, 2, 0, 0, 0))
                   + chunk(b"IDAT", zlib.compress(row * SIDE)) + chunk(b"IEND", b""))


def encoded(name, *options):
    """The file that heif-enc makes of the picture."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = os.path.join(folder, "source.png"), os.path.join(folder, name)
        png(source)
        subprocess.run(["heif-enc", *options, source, "-o", target], check=True, capture_output=True)
        with open(target, "rb") as file:
            return file.read()


def content(file, name):
    """The content of the first box of that name."""
    at = file.index(name)
    return file[at + 4 : at - 4 + struct.unpack(">I", file[at - 4 : at])[0]]


def box(name, *content):
    content = b"".join(content)
    return struct.pack(">I", 8 + len(content)) + name + content


def full(name, version, flags, *content):
    return box(name, struct.pack(">I", version << 24 | flags), *content)


def telephone():
    source = encoded("source.heic", "-q", "50", "-p", "x265:info=0")
    pixels, configuration = content(source, b"mdat"), content(source, b"hvcC")
    exif = struct.pack(">I", 6) + b"Exif\0\0II*\0" + struct.pack("<IHI", 8, 0, 0)
    tone_map = bytes(62)
    picture, gain_map, joined, metadata = 1, 2, 3, 4

    def item(number, kind, name=b"\0", hidden=0):
        return full(b"infe", 2, hidden, struct.pack(">HH4s", number, 0, kind), name)

    def reference(kind, number, *others):
        return box(kind, struct.pack(f">HH{len(others)}H", number, len(others), *others))

    def meta(start):
        """With the data from `start` on; the gain map has the pixels of the picture."""
        places = [(picture, 0, len(pixels)), (gain_map, 0, len(pixels)), (joined, len(pixels), len(tone_map)),
                  (metadata, len(pixels) + len(tone_map), len(exif))]
        extents = b"".join(
            struct.pack(">HHHII", number, 0, 1, start + offset, length) for number, offset, length in places)
        properties = [box(b"hvcC", configuration), full(b"ispe", 0, 0, struct.pack(">II", SIDE, SIDE)),
                      full(b"auxC", 0, 0, b"urn:com:apple:photo:2020:aux:hdrgainmap\0")]
        associations = b"".join(
            struct.pack(">HB", number, len(indices)) + bytes(indices)
            for number, indices in [(picture, [0x81, 2]), (gain_map, [0x81, 2, 3]), (joined, [2])])
        return full(
            b"meta", 0, 0, full(b"hdlr", 0, 0, struct.pack(">I4s12xx", 0, b"pict")),
            full(b"pitm", 0, 0, struct.pack(">H", picture)),
            full(b"iloc", 0, 0, b"\x44\0", struct.pack(">H", len(places)), extents),
            full(b"iinf", 0, 0, struct.pack(">H", 4), item(picture, b"hvc1"), item(gain_map, b"hvc1", hidden=1),
                 item(joined, b"tmap"), item(metadata, b"Exif")),
            full(b"iref", 0, 0, reference(b"auxl", gain_map, picture, joined),
                 reference(b"dimg", joined, picture, gain_map), reference(b"cdsc", metadata, picture, joined)),
            box(b"iprp", box(b"ipco", *properties), full(b"ipma", 0, 0, struct.pack(">I", 3), associations)),
            box(b"grpl", full(b"altr", 0, 0, struct.pack(">4I", 5, 2, joined, picture))))

    kind = box(b"ftyp", b"heic\0\0\0\0mif1heictmap")
    start = len(kind) + len(meta(0)) + 8
    return kind + meta(start) + box(b"mdat", pixels, tone_map, exif)


if __name__ == "__main__":
    folder = os.path.dirname(os.path.abspath(__file__))
    files = {"telephone.heic": telephone(), "plain.avif": encoded("source.avif", "-A", "-q", "50")}
    for name, file in files.items():
        with open(os.path.join(folder, name), "wb") as target:
            target.write(file)
