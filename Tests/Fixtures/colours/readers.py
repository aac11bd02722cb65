"""Measures what other programs show for every number by which a file can name its colours, and writes `readers.json`.

Not part of the tests, which read what is written here. It needs Chromium, and Python with Pillow, pillow-heif and pyvips:
  python3 -m venv /tmp/readers && /tmp/readers/bin/pip install pillow==13.0.0 pillow-heif==1.8.1 pyvips==3.2.0
  CHROMIUM=/usr/bin/chromium /tmp/readers/bin/python readers.py

Each case is a file of this folder with one number changed. Written are, for a transfer, the eight grays, and for the other
numbers the four quarters, from the middle of each field; where a program shows them as they are stored, "stored". Of the
pictures that are turned, the four corners are written; transparency shows white.
"""
import base64
import io
import json
import os
import re
import struct
import subprocess
import tempfile
import zlib

import PIL
import pillow_heif
import pyvips
from PIL import Image, ImageOps

GREYS = [(6 + 12 * index, 6) for index in range(8)]
QUARTERS = [(24, 27), (72, 27), (24, 57), (72, 57)]
# From the right and from below where negative.
CORNERS = [(6, 6), (-6, 6), (6, -6), (-6, -6)]
# H.273, tables 2, 3 and 4; beyond the last, and 255, are reserved.
NUMBERS = {
    "primaries": [*range(13), 22, 23, 255],
    "transfer": [*range(20), 255],
    "matrix": [*range(18), 255],
    "range": [0, 1],
}
PICTURES = [
    "p3-in-data.avif", "grey-limited.avif", "grey-limited-ten-bit.avif", "grey-limited-in-data.avif", "alpha.avif",
    "alpha-premultiplied.avif", "alpha-premultiplied-ten-bit.avif"]
TURNED = ["alpha-rotated.avif", "alpha-cropped.avif", "alpha-turned.avif", "alpha-turned-tiles.avif"]
BASES = {"avif": "unspecified.avif", "heic": "unspecified.heic", "png": "srgb.png"}
MEDIA_TYPES = {"avif": "image/avif", "png": "image/png"}


def described(kind, number):
    """What a case says: all of sRGB, but one number."""
    numbers = {"primaries": 1, "transfer": 13, "matrix": 6, "range": 1}
    return {**numbers, kind: number}


def file(form, numbers):
    with open(BASES[form], "rb") as opened:
        content = opened.read()
    if form == "png":
        data = bytes([numbers["primaries"], numbers["transfer"], 0, numbers["range"]])
        chunk = b"cICP" + data
        # Behind the signature and IHDR.
        return content[:33] + struct.pack(">I", 4) + chunk + struct.pack(">I", zlib.crc32(chunk)) + content[33:]
    at = content.index(b"nclx") + 4
    nclx = struct.pack(">HHHB", numbers["primaries"], numbers["transfer"], numbers["matrix"], numbers["range"] << 7)
    return content[:at] + nclx + content[at + 7 :]


def turned(name, rotation, mirror):
    with open(name, "rb") as opened:
        content = bytearray(opened.read())
    for property, value in [(b"irot", rotation), (b"imir", mirror)]:
        if property in content:
            content[content.index(property) + 4] = value
    return bytes(content)


def cases():
    for name in PICTURES:
        with open(name, "rb") as opened:
            yield "avif", "pictures", name, opened.read()
    for name in TURNED:
        for rotation in range(4):
            for mirror in [0, 1] if "turned" in name else [0]:
                yield "avif", name, f"{rotation} {mirror}", turned(name, rotation, mirror)
    for form in BASES:
        for kind, numbers in NUMBERS.items():
            if form == "png" and kind == "matrix":
                continue
            for number in numbers:
                yield form, kind, number, file(form, described(kind, number))


def places(kind):
    return GREYS if kind == "transfer" else CORNERS if kind in TURNED else QUARTERS


def read(image, kind):
    pixels = [image.getpixel((x % image.width, y % image.height)) for x, y in places(kind)]
    return [pixel[1] for pixel in pixels] if kind == "transfer" else [list(pixel) for pixel in pixels]


def by_pillow(content, kind):
    try:
        image = ImageOps.exif_transpose(Image.open(io.BytesIO(content))).convert("RGBA")
        white = Image.new("RGBA", image.size, "white")
        white.alpha_composite(image)
        return read(white.convert("RGB"), kind)
    except Exception:
        return None


def by_libvips(content, kind):
    try:
        image = pyvips.Image.new_from_buffer(content, "")
        if image.hasalpha():
            image = image.flatten(background=[255 if image.format == "uchar" else 65535] * 3)
        image = image.colourspace("srgb").cast("uchar")
    except Exception:
        return None
    encoded = image.pngsave_buffer(strip=True)
    return read(Image.open(io.BytesIO(encoded)).convert("RGB"), kind)


def by_chromium(all_cases):
    """Draws each file on a canvas, which has the colours of sRGB, and reads its pixels."""
    page = """<body>%s<script>
    const places = %s;
    onload = () => {
      const found = [...document.images].map((image, index) => {
        if (!image.naturalWidth) return null;
        const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
        const context = canvas.getContext("2d");
        context.drawImage(image, 0, 0);
        const pixel = ([x, y]) =>
          [...context.getImageData(x < 0 ? x + canvas.width : x, y < 0 ? y + canvas.height : y, 1, 1).data];
        // Of what it cannot decode, it draws nothing.
        if (places[index].every(place => pixel(place)[3] == 0)) return null;
        context.globalCompositeOperation = "destination-over";
        context.fillStyle = "white";
        context.fillRect(0, 0, canvas.width, canvas.height);
        return places[index].map(place => pixel(place).slice(0, 3));
      });
      document.body.textContent = JSON.stringify(found);
    };
    </script>"""
    shown = [case for case in all_cases if case[0] in MEDIA_TYPES]
    images = "".join(
        f'<img src="data:{MEDIA_TYPES[form]};base64,{base64.b64encode(content).decode()}">' for form, _, _, content in shown)
    wanted = json.dumps([places(kind) for _, kind, _, _ in shown])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "page.html")
        with open(path, "w") as opened:
            opened.write(page % (images, wanted))
        output = subprocess.run(
            [os.environ.get("CHROMIUM", "chromium"), "--headless", "--no-sandbox", "--disable-gpu",
             "--force-color-profile=srgb", f"--user-data-dir={folder}/profile", "--dump-dom",
             "file://" + path], capture_output=True, text=True, check=True).stdout
    found = json.loads(re.search("<body>(.*)</body>", output).group(1))
    result = {}
    for (form, kind, number, _), pixels in zip(shown, found):
        if pixels and kind == "transfer":
            pixels = [pixel[1] for pixel in pixels]
        result[form, kind, number] = pixels
    return result


def version(program):
    return re.search(r"[\d.]+", subprocess.run([program, "--version"], capture_output=True, text=True).stdout).group(0)


def main():
    pillow_heif.register_heif_opener()
    all_cases = list(cases())
    chromium = by_chromium(all_cases)
    found = {}
    for form, kind, number, content in all_cases:
        stored = by_pillow(file(form, described("transfer", 13)), kind) if kind in NUMBERS else []
        readings = {"pillow": by_pillow(content, kind), "libvips": by_libvips(content, kind)}
        if form in MEDIA_TYPES:
            readings["chromium"] = chromium[form, kind, number]
        # A byte more or less is a decoder's rounding.
        def flat(pixels):
            return [n for pixel in pixels for n in (pixel if isinstance(pixel, list) else [pixel])]
        for name, pixels in readings.items():
            if pixels and stored and all(abs(a - b) <= 2 for a, b in zip(flat(pixels), flat(stored))):
                readings[name] = "stored"
        found.setdefault(form, {}).setdefault(kind, {})[str(number)] = readings
    versions = {
        "chromium": version(os.environ.get("CHROMIUM", "chromium")), "pillow": PIL.__version__,
        "pillow-heif": pillow_heif.__version__, "libvips": ".".join(str(pyvips.version(part)) for part in range(3))}
    lines = [f'  "versions": {json.dumps(versions)}']
    for form, kinds in found.items():
        blocks = []
        for kind, numbers in kinds.items():
            rows = ",\n".join(f'      "{number}": {json.dumps(readings)}' for number, readings in numbers.items())
            blocks.append(f'    "{kind}": {{\n{rows}\n    }}')
        lines.append(f'  "{form}": {{\n' + ",\n".join(blocks) + "\n  }")
    with open("readers.json", "w") as opened:
        opened.write("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
