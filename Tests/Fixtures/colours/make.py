"""Makes the pictures of this folder, with avifenc 0.11, heif-enc 1.15, cjpeg 2.1 and Python's standard library.

All show what `sRGB` says: four quarters in colours that sRGB has, below a strip of greys. What a file's own numbers are
follows from the colours that it names (ITU-R BT.709, BT.2020, BT.2100; SMPTE EG 432-1; IEC 61966-2-1).
"""
import math
import struct
import subprocess
import zlib

WIDTH, HEIGHT = 96, 72
QUARTERS = [(208, 40, 40), (40, 176, 56), (48, 64, 200), (216, 216, 216)]
GREYS = [16, 48, 80, 112, 144, 176, 200, 224]
DIFFUSE_WHITE = 203.0
# Columns: the XYZ of red, green and blue.
PRIMARIES = {
    "srgb": [(0.64, 0.33), (0.30, 0.60), (0.15, 0.06)],
    "p3": [(0.68, 0.32), (0.265, 0.69), (0.15, 0.06)],
    "2020": [(0.708, 0.292), (0.170, 0.797), (0.131, 0.046)],
    "adobe": [(0.64, 0.33), (0.21, 0.71), (0.15, 0.06)],
}
WHITE = (0.3127, 0.3290)


def inverse(m):
    def minor(r, c):
        rows = [(r + 1) % 3, (r + 2) % 3]
        columns = [(c + 1) % 3, (c + 2) % 3]
        return m[rows[0]][columns[0]] * m[rows[1]][columns[1]] - m[rows[0]][columns[1]] * m[rows[1]][columns[0]]

    determinant = sum(m[0][c] * minor(0, c) for c in range(3))
    return [[minor(c, r) / determinant for c in range(3)] for r in range(3)]


def times(m, v):
    return [sum(m[r][c] * v[c] for c in range(3)) for r in range(3)]


def to_xyz(name):
    points = PRIMARIES[name]
    m = [[p[0] for p in points], [p[1] for p in points], [1 - p[0] - p[1] for p in points]]
    x, y = WHITE
    parts = times(inverse(m), [x / y, 1, (1 - x - y) / y])
    return [[m[r][c] * parts[c] for c in range(3)] for r in range(3)]


def srgb(byte):
    value = byte / 255
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def srgb_number(light):
    return light * 12.92 if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055


def pq(light):
    y = (light * DIFFUSE_WHITE / 10000) ** (2610 / 16384)
    return ((3424 / 4096 + 2413 / 128 * y) / (1 + 2392 / 128 * y)) ** (2523 / 32)


def hlg(light):
    return math.sqrt(3 * light) if light <= 1 / 12 else 0.17883277 * math.log(12 * light - 0.28466892) + 0.55991073


def numbers(colour, primaries, transfer):
    """The numbers, 0 to 1, that stand for a colour of sRGB."""
    light = [max(0, c) for c in times(inverse(to_xyz(primaries)), times(to_xyz("srgb"), [srgb(c) for c in colour]))]
    if transfer == "hlg":
        # The scene of which a screen of 1000 cd/m2 makes that light.
        screen = [c * DIFFUSE_WHITE / 1000 for c in light]
        brightness = sum(p * c for p, c in zip(to_xyz(primaries)[1], screen))
        return [hlg(c * brightness ** (1 / 1.2 - 1)) if brightness > 0 else 0 for c in screen]
    function = {"srgb": srgb_number, "pq": pq, "adobe": lambda c: c ** (256 / 563),
                "gamma18": lambda c: c ** (1 / 1.8)}[transfer]
    return [function(c) for c in light]


def picture():
    for y in range(HEIGHT):
        for x in range(WIDTH):
            if y < 12:
                yield (GREYS[x * len(GREYS) // WIDTH],) * 3
            else:
                yield QUARTERS[(y - 12) * 2 // (HEIGHT - 12) * 2 + x * 2 // WIDTH]


def opacity(index):
    """Of the file's alpha: the picture is opaque but for its two lower quarters."""
    x, y = index % WIDTH, index // WIDTH
    return 255 if (y - 12) * 2 // (HEIGHT - 12) < 1 else 128 if x * 2 // WIDTH == 0 else 0


def png(path, primaries, transfer, bits=8, chunks=(), grey=False, narrow=False, alpha=False):
    most = (1 << bits) - 1
    low, high = (16 << bits - 8, 235 << bits - 8) if narrow else (0, most)
    known = {}
    rows = b""
    for index, colour in enumerate(picture()):
        if index % WIDTH == 0:
            rows += b"\0"
        if grey:
            colour = (colour[1],) * 3
        if colour not in known:
            found = numbers(colour, primaries, transfer)[: 1 if grey else 3]
            known[colour] = b"".join(
                round(low + (high - low) * min(1, n)).to_bytes(bits // 8, "big") for n in found)
        rows += known[colour]
        if alpha:
            rows += bytes([opacity(index)])

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, bits, (0 if grey else 2) + (4 if alpha else 0), 0, 0, 0)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + b"".join(chunk(*c) for c in chunks)
                   + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))
    return path


def adobe_rgb_jpeg(name):
    """As cameras write it: no profile, but the Interoperability index R03 in EXIF."""
    pixels = b"".join(bytes(round(255 * min(1, n)) for n in numbers(c, "adobe", "adobe")) for c in picture())
    ppm = b"P6 %d %d 255\n" % (WIDTH, HEIGHT) + pixels
    jpeg = subprocess.run(["cjpeg", "-quality", "95", "-sample", "1x1"], input=ppm, check=True, capture_output=True).stdout

    def entry(tag, kind, value):
        return struct.pack("<HHI4s", tag, kind, 1 if kind == 4 else 4, value)

    def directory(*entries):
        return struct.pack("<H", len(entries)) + b"".join(entries) + bytes(4)

    size = len(directory(entry(0, 4, b"")))
    exif = (b"Exif\0\0II*\0" + struct.pack("<I", 8) + directory(entry(0x8769, 4, struct.pack("<I", 8 + size)))
            + directory(entry(0xA005, 4, struct.pack("<I", 8 + 2 * size))) + directory(entry(1, 2, b"R03\0")))
    with open(name, "wb") as file:
        file.write(jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + jpeg[2:])


def avif(name, source, cicp, *options):
    subprocess.run(["avifenc", "-s", "4", "--min", "0", "--max", "4", "--cicp", cicp, *options, source, name],
                   check=True, capture_output=True)


def without_colr(name):
    """Leaves the numbers to the header of the AV1 data."""
    with open(name, "rb") as file:
        content = file.read()
    with open(name, "wb") as file:
        file.write(content.replace(b"colrnclx", b"freenclx"))


def box(name, content):
    return struct.pack(">I", 8 + len(content)) + name + content


def with_colr(file, colr):
    """The HEIC file with one more property of its primary item, which has few and comes first in `ipma`."""
    def find(name, start=0):
        at = file.index(name, start) - 4
        return at, struct.unpack(">I", file[at : at + 4])[0]

    added = box(b"colr", colr)
    ipco, length = find(b"ipco")
    count, at = 0, ipco + 8
    while at < ipco + length:
        at += struct.unpack(">I", file[at : at + 4])[0]
        count += 1
    ipma, ipma_length = find(b"ipma")
    associated = ipma + 18
    result = bytearray(file)
    result[associated] += 1
    end = associated + 1 + file[associated]
    result[end:end] = bytes([count + 1])
    result[ipco + length : ipco + length] = added
    grown = len(added) + 1
    for name, more in [(b"ipco", len(added)), (b"ipma", 1), (b"iprp", grown), (b"meta", grown)]:
        at = result.index(name) - 4
        result[at : at + 4] = struct.pack(">I", struct.unpack(">I", result[at : at + 4])[0] + more)
    # What is in `mdat` has moved by as much.
    at, length = find(b"iloc")
    at = bytes(result).index(b"iloc") - 4
    extents = [i for i in range(at + 16, at + length - 3)
               if struct.unpack(">I", result[i : i + 4])[0] == file.index(b"mdat") + 4]
    assert len(extents) == 1, extents
    result[extents[0] : extents[0] + 4] = struct.pack(">I", file.index(b"mdat") + 4 + grown)
    return bytes(result)


def heic(name, source, primaries, transfer, matrix, *options, full=True):
    """heif-enc leaves `colr` out of HEIC files, and takes the matrix 6 whatever is asked for."""
    subprocess.run(["heif-enc", "-q", "100", "-p", "chroma=444", "--colour_primaries", str(primaries),
                    "--transfer_characteristic", str(transfer), "--matrix_coefficients", str(matrix), *options,
                    source, "-o", name], check=True, capture_output=True)
    with open(name, "rb") as file:
        content = file.read()
    with open(name, "wb") as file:
        file.write(with_colr(content, b"nclx" + struct.pack(">HHHB", primaries, transfer, matrix, 0x80 if full else 0)))


def display_p3_profile():
    """The one of libvips 8.14, embedded in another fixture."""
    with open("../images/display-p3.jpg", "rb") as file:
        jpeg = file.read()
    at = jpeg.index(b"ICC_PROFILE\0")
    length = struct.unpack(">H", jpeg[at - 2 : at])[0]
    return jpeg[at + 14 : at - 2 + length]


def scanner_profile():
    """Display P3 in a table for the perceptual intent, and none for another (ICC.1:2001-04, 6.5.8: lut16Type)."""
    # XYZ of red, green and blue beside D50.
    columns = [(0.51512, 0.24120, 0), (0.29198, 0.69225, 0.04189), (0.15710, 0.06657, 0.78407)]
    corners = [[sum(columns[c][k] for c in range(3) if bits >> 2 - c & 1) for k in range(3)] for bits in range(8)]
    unity = struct.pack(">9i", *(65536 if index % 4 == 0 else 0 for index in range(9)))
    light = struct.pack(">256H", *(round(65535 * srgb(byte)) for byte in range(256)))
    table = (b"mft2" + bytes(4) + bytes([3, 3, 2, 0]) + unity + struct.pack(">HH", 256, 2) + light * 3
             + b"".join(struct.pack(">3H", *(round(32768 * n) for n in corner)) for corner in corners)
             + struct.pack(">2H", 0, 65535) * 3)
    header = (struct.pack(">I4sI", 144 + len(table), b"", 0x02400000) + b"scnrRGB XYZ " + bytes(12) + b"acsp" + bytes(28)
              + struct.pack(">3i", 63190, 65536, 54061) + bytes(48))
    return header + struct.pack(">I4sII", 1, b"A2B0", 144, len(table)) + table


CHROMATICITIES = struct.pack(
    ">8I", *(round(n * 100000) for point in [WHITE, *PRIMARIES["p3"]] for n in point))

if __name__ == "__main__":
    png("srgb.png", "srgb", "srgb")
    temporary = "/tmp/source.png"
    avif("p3.avif", png(temporary, "p3", "srgb"), "12/13/6", "-y", "444", "-d", "8")
    avif("p3-limited.avif", temporary, "12/13/1", "-y", "420", "-d", "8", "-r", "limited")
    heic("p3.heic", temporary, 12, 13, 6)
    avif("unspecified.avif", png(temporary, "srgb", "srgb"), "2/2/6", "-y", "444", "-d", "8")
    heic("unspecified.heic", temporary, 2, 2, 6)
    avif("television.avif", temporary, "1/1/1", "-y", "444", "-d", "8")
    # Without `colr`, the numbers are those of the data.
    avif("p3-in-data.avif", png(temporary, "p3", "srgb"), "12/13/6", "-y", "444", "-d", "8")
    without_colr("p3-in-data.avif")
    avif("grey-limited.avif", png(temporary, "srgb", "srgb", grey=True), "1/13/6", "-y", "400", "-d", "8", "-r", "limited")
    avif("grey-limited-ten-bit.avif", temporary, "1/13/6", "-y", "400", "-d", "10", "-r", "limited")
    avif("grey-limited-in-data.avif", temporary, "1/13/6", "-y", "400", "-d", "8", "-r", "limited")
    without_colr("grey-limited-in-data.avif")
    heic("grey-limited.heic", png(temporary, "srgb", "srgb", grey=True, narrow=True), 1, 13, 6, full=False)
    transparent = png(temporary, "srgb", "srgb", alpha=True)
    avif("alpha.avif", transparent, "1/13/6", "-y", "444", "-d", "8")
    avif("alpha-premultiplied.avif", transparent, "1/13/6", "-y", "444", "-d", "8", "--premultiply")
    avif("alpha-premultiplied-ten-bit.avif", transparent, "1/13/6", "-y", "444", "-d", "10", "--premultiply")
    # The opacity has no turn of its own, and the tiles have one too many. Tests put others in place of these.
    avif("alpha-turned.avif", transparent, "1/13/6", "-y", "444", "-d", "8", "--irot", "1", "--imir", "0")
    avif("alpha-rotated.avif", transparent, "1/13/6", "-y", "444", "-d", "8", "--irot", "1")
    avif("alpha-cropped.avif", transparent, "1/13/6", "-y", "444", "-d", "8", "--crop", "24,0,48,60", "--irot", "1")
    avif("alpha-turned-tiles.avif", transparent, "1/13/6", "-y", "444", "-d", "8", "--irot", "1", "--imir", "0", "-g", "2x1",
         transparent)
    avif("grey-pq.avif", png(temporary, "2020", "pq", 16, grey=True), "9/16/9", "-y", "400", "-d", "10")
    avif("2020-pq.avif", png(temporary, "2020", "pq", 16), "9/16/9", "-y", "444", "-d", "10")
    avif("2020-pq-limited.avif", temporary, "9/16/9", "-y", "444", "-d", "12", "-r", "limited")
    avif("2020-pq-turned.avif", temporary, "9/16/9", "-y", "444", "-d", "10", "--irot", "1")
    heic("2020-pq.heic", temporary, 9, 16, 6, "-b", "10")
    avif("2020-hlg.avif", png(temporary, "2020", "hlg", 16), "9/18/9", "-y", "444", "-d", "10")
    heic("2020-hlg.heic", temporary, 9, 18, 6, "-b", "10")
    adobe_rgb_jpeg("adobe-rgb.jpg")
    png("cicp-p3.png", "p3", "srgb", chunks=[(b"cICP", bytes([12, 13, 0, 1]))])
    png("cicp-pq.png", "2020", "pq", 16, [(b"cICP", bytes([9, 16, 0, 1]))])
    png("cicp-hlg-narrow.png", "2020", "hlg", 16, [(b"cICP", bytes([9, 18, 0, 0]))], narrow=True)
    png("cicp-grey.png", "srgb", "pq", 16, [(b"cICP", bytes([1, 16, 0, 1]))], grey=True)
    profile = display_p3_profile()
    with open("/tmp/p3.icc", "wb") as file:
        file.write(profile)
    # The profile is right and the numbers are wrong; in PNG the other way round.
    avif("profile-and-numbers.avif", png(temporary, "p3", "srgb"), "9/16/9", "-y", "444", "-d", "8", "--icc", "/tmp/p3.icc")
    embedded = (b"iCCP", b"Display P3\0\0" + zlib.compress(profile, 9))
    png("profile-and-cicp.png", "2020", "pq", 16, [(b"cICP", bytes([9, 16, 0, 1])), embedded])
    embedded = (b"iCCP", b"Scanner\0\0" + zlib.compress(scanner_profile(), 9))
    png("profile-of-a-scanner.png", "p3", "srgb", chunks=[embedded])
    png("chrm-p3.png", "p3", "gamma18", chunks=[(b"gAMA", struct.pack(">I", 55556)), (b"cHRM", CHROMATICITIES)])
