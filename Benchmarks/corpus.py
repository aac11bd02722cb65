"""Prepares every picture of a folder and shows where what comes out differs from what Pillow makes of the same file.

    python3 Benchmarks/corpus.py --build .build/release FOLDER [--environment FOLDER] [--report FILE]

For folders of other people's pictures: those of decoders' tests, of cameras, of telephones. Each file is given to
`image/prepare`. What is told: a crash, a hang, a refusal of what Pillow reads, another side, a turn, and other colours.
Colours that a file names by numbers, such as light beyond white, are converted here only. Pillow and pillow-heif come from
PyPI, in the versions below, into an environment of their own. Exits 1 after a crash or a hang.
"""

from __future__ import annotations

import argparse
import base64
import concurrent.futures
import io
import json
import multiprocessing
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

PACKAGES = ["pillow==13.0.0", "pillow-heif==1.8.1"]
ENDINGS = {".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".apng", ".webp", ".heic", ".heif", ".hif", ".avif", ".avifs"}
# A preparation ends after 5 seconds, or starts a worker anew.
PATIENCE = 60
# Of 255: the mean difference of a channel that is taken for another colour, in pictures of 12 pixels.
COLOUR = 5
SIDE = 12
# Outcomes that are counted, and stand in the report alone.
QUIET = {"alike", "refused by both", "read here only", "converted here only"}


class Service:
    """One service, asked about one file at a time."""

    def __init__(self, program: Path) -> None:
        self.program = program
        self.directory = tempfile.TemporaryDirectory()
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(
            [str(self.program), "serve", "--data-dir", self.directory.name], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.answers: queue.Queue[dict[str, Any] | None] = queue.Queue()
        threading.Thread(target=self.read, args=(self.process, self.answers), daemon=True).start()
        self.identifier = 0

    @staticmethod
    def read(process: subprocess.Popen[str], answers: queue.Queue[dict[str, Any] | None]) -> None:
        for line in process.stdout:
            answers.put(json.loads(line))
        answers.put(None)

    def prepare(self, path: Path) -> dict[str, Any]:
        """The answer, or what happened instead of one."""
        self.identifier += 1
        params = {"image": {"path": str(path.resolve())}, "inline": True}
        request = {"jsonrpc": "2.0", "id": self.identifier, "method": "image/prepare", "params": params}
        end = time.monotonic() + PATIENCE
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
            while True:
                answer = self.answers.get(timeout=max(0.01, end - time.monotonic()))
                if answer is None:
                    raise BrokenPipeError
                if answer.get("id") == self.identifier:
                    return answer
        except queue.Empty:
            happened = "hang"
        except BrokenPipeError:
            happened = "crash"
        self.process.kill()
        self.process.wait()
        self.start()
        return {"happened": happened}

    def end(self) -> None:
        self.process.stdin.close()
        self.process.wait()
        self.directory.cleanup()


def opened(content: bytes) -> Any:
    """The picture upright, in sRGB, on white."""
    from PIL import Image, ImageCms, ImageOps

    Image.MAX_IMAGE_PIXELS = None
    image = Image.open(io.BytesIO(content))
    profile = image.info.get("icc_profile")
    image = ImageOps.exif_transpose(image)
    if image.mode.startswith(("I", "F")):
        # 16 bits of gray, whose upper half are the 8 bits.
        image = image.point(lambda level: level / 257).convert("L")
    if profile and image.mode in ("RGB", "RGBA", "CMYK", "L"):
        try:
            image = ImageCms.profileToProfile(
                image, ImageCms.ImageCmsProfile(io.BytesIO(profile)), ImageCms.createProfile("sRGB"),
                outputMode="RGBA" if image.mode == "RGBA" else "RGB")
        except ImageCms.PyCMSError:
            pass
    image = image.convert("RGBA")
    white = Image.new("RGBA", image.size, "white")
    white.alpha_composite(image)
    return white.convert("RGB")


# The sides, the picture squeezed into a square, and whether it has a profile.
Small = tuple[tuple[int, int], bytes, bool]


def small(content: bytes) -> Small:
    import pillow_heif
    from PIL import Image

    pillow_heif.register_heif_opener()
    has_profile = "icc_profile" in Image.open(io.BytesIO(content)).info
    image = opened(content)
    return image.size, image.resize((SIDE, SIDE), Image.Resampling.BOX).tobytes(), has_profile


def difference(first: bytes, second: bytes) -> list[float]:
    """How far each channel is apart, on average."""
    count = len(first) // 3
    return [sum(abs(first[i] - second[i]) for i in range(channel, len(first), 3)) / count for channel in range(3)]


def turns(pixels: bytes) -> dict[str, bytes]:
    """The square in the eight ways in which it can lie."""
    from PIL import Image

    image = Image.frombytes("RGB", (SIDE, SIDE), pixels)
    ways = {way.name.lower(): image.transpose(way) for way in Image.Transpose}
    return {"upright": pixels, **{name: turned.tobytes() for name, turned in ways.items()}}


class Reader:
    """Pillow in a process of its own, which may crash."""

    def __init__(self) -> None:
        self.start()

    def start(self) -> None:
        # Started anew, not forked: a copy of a process with threads may wait for ever.
        self.pool = concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))

    def read(self, content: bytes) -> Small | str:
        try:
            return self.pool.submit(small, content).result(timeout=PATIENCE)
        except (concurrent.futures.process.BrokenProcessPool, concurrent.futures.TimeoutError) as error:
            for process in multiprocessing.active_children():
                process.kill()
            self.pool.shutdown(wait=False, cancel_futures=True)
            self.start()
            return f"Pillow: {type(error).__name__}"
        except Exception as error:
            return f"Pillow: {error}"


def judged(answer: dict[str, Any], content: bytes, reader: Reader) -> tuple[str, str]:
    """A word for the outcome, and what there is to say about it."""
    if "happened" in answer:
        return answer["happened"], ""
    theirs = reader.read(content)
    if "error" in answer:
        data = answer["error"].get("data", {})
        kind = data.get("kind", "error")
        said = f"{kind}: {answer['error'].get('message', '')} {json.dumps(data.get('details', {}))}"
        if kind in ("internal", "timed_out"):
            return "crash", said
        if isinstance(theirs, str):
            return "refused by both", said
        return "refused", f"{theirs[0][0]} x {theirs[0][1]}; {said}"
    result = answer["result"]
    if isinstance(theirs, str):
        return "read here only", theirs
    ours = reader.read(base64.b64decode(result["data"]))
    if isinstance(ours, str):
        return "crash", f"what was prepared cannot be read: {ours}"
    said = f"changes {' '.join(result['changes'])}; warnings {' '.join(w['kind'] for w in result.get('warnings', []))}"
    (width, height), (their_width, their_height) = ours[0], theirs[0]
    apart = {name: sum(difference(ours[1], pixels)) / 3 for name, pixels in turns(theirs[1]).items()}
    nearest = min(apart, key=lambda name: apart[name])
    if apart[nearest] + 2 < apart["upright"]:
        return "turned", f"as if {nearest}; {said}"
    if abs(width * their_height - height * their_width) > 2 * max(their_width, their_height, width, height):
        return "another side", f"{width} x {height}, not {their_width} x {their_height}; {said}"
    channels = difference(ours[1], theirs[1])
    if max(channels) > COLOUR:
        by_numbers = "color_converted" in result["changes"] and not theirs[2]
        outcome = "converted here only" if by_numbers else "other colours"
        return outcome, f"{' '.join(f'{channel:.0f}' for channel in channels)} of 255; {said}"
    return "alike", said


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix.lower() in ENDINGS and path.is_file())


def with_packages(environment: Path) -> None:
    """Starts this script again with the Python of an environment that has them."""
    python = environment / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
    os.execv(python, [str(python), *sys.argv])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--build", type=Path, default=Path(".build/release"))
    parser.add_argument("--environment", type=Path, default=Path(tempfile.gettempdir()) / "atelier-corpus-python")
    parser.add_argument("--report", type=Path, help="writes each file's outcome, a line of JSON for each")
    options = parser.parse_args()
    if Path(sys.prefix).resolve() != options.environment.resolve():
        with_packages(options.environment)
    service, reader = Service(options.build / "atelier"), Reader()
    totals: Counter[str] = Counter()
    report = options.report.open("w") if options.report else None
    for path in files(options.folder):
        outcome, said = judged(service.prepare(path), path.read_bytes(), reader)
        totals[outcome] += 1
        name = str(path.relative_to(options.folder))
        if report:
            report.write(json.dumps({"file": name, "outcome": outcome, "said": said}) + "\n")
            report.flush()
        if outcome not in QUIET:
            print(f"{outcome}: {name}: {said[:300]}", flush=True)
    service.end()
    print(", ".join(f"{count} {outcome}" for outcome, count in totals.most_common()))
    if totals["crash"] or totals["hang"]:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
