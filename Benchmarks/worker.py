"""The imaging worker alone, stage by stage, and its networks beside LiteRT.

    python3 Benchmarks/worker.py .build/release/atelier-imaging PHOTO... [--rounds ROUNDS]

Measures what the service asks for: the headshot together with the photo that is kept, and a thumbnail after each. Prints
the minimum of each stage. Processor time counts all threads; it hardly depends on what else the machine does.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from peers import memory_of

LIMITS = {"minimumSide": 40, "maximumSide": 4096, "maximumPixels": 60_000_000, "maximumReducedPixels": 60_000_000}
SHAPE = {"width": 1, "height": 1, "longestSide": 1024, "isWholeFrame": False, "isExact": False}
HEADSHOT = {
    "limits": LIMITS, "background": "auto", "variation": 0, "format": "jpeg", "shape": SHAPE, "wantsMatte": False,
    "preparation": {"limits": LIMITS, "longestSide": 1280, "quality": 70, "maximumBytes": 2_000_000},
}
THUMBNAIL = {"longestSide": 256, "quality": 75, "isPNG": False, "watermarkBytes": 0}


class Worker:
    """`atelier-imaging --profile`, which takes pictures on descriptor 3 and returns them on descriptor 4."""

    def __init__(self, program: Path) -> None:
        theirs_in, self.pictures_in = os.pipe()
        self.pictures_out, theirs_out = os.pipe()
        # The shell puts the pipes where the worker expects them; the environment of the worker must be empty.
        command = f'exec "$0" --profile 3<&{theirs_in} 4>&{theirs_out}'
        self.process = subprocess.Popen(
            ["/usr/bin/env", "-i", "/bin/sh", "-c", "unset PWD OLDPWD; " + command, str(program)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, pass_fds=[theirs_in, theirs_out])
        os.close(theirs_in)
        os.close(theirs_out)
        self.identifier = 0

    def run(self, method: str, job: dict[str, Any], picture: bytes) -> tuple[float, dict[str, Any], bytes]:
        """Returns the milliseconds until the whole output has come, the report, and the output."""
        self.identifier += 1
        request = {"jsonrpc": "2.0", "id": self.identifier, "method": method,
                   "params": {"job": job, "inputBytes": len(picture)}}
        start = time.perf_counter()
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        view = memoryview(picture)
        while view:
            view = view[os.write(self.pictures_in, view):]
        while (answer := json.loads(self.process.stdout.readline())).get("id") != self.identifier:
            pass
        if "error" in answer:
            raise SystemExit(f"The job failed: {json.dumps(answer)}")
        output = b""
        while len(output) < answer["result"]["outputBytes"]:
            output += os.read(self.pictures_out, answer["result"]["outputBytes"] - len(output))
        return (time.perf_counter() - start) * 1000, answer["result"]["report"], output

    def headshot(self, photo: bytes) -> float:
        """Returns the milliseconds of a headshot, which a thumbnail follows, as in the service."""
        milliseconds, report, output = self.run("image/headshot", HEADSHOT, photo)
        self.run("image/thumbnail", THUMBNAIL, output[: report["pictureBytes"]])
        return milliseconds

    def peak(self) -> float:
        """The most memory so far, in MiB."""
        return memory_of(self.process.pid, "VmHWM")

    def end(self) -> str:
        """Ends the worker. Returns what it wrote about its jobs."""
        self.process.stdin.close()
        lines = self.process.stderr.read().decode()
        self.process.wait()
        os.close(self.pictures_in)
        os.close(self.pictures_out)
        return lines


def stages(program: Path, photo: Path, rounds: int) -> tuple[dict[str, tuple[float, float]], float, float]:
    """The least wall and processor time of each stage of a headshot, the least of the whole from outside, in milliseconds,
    and the most memory, in MiB.
    """
    worker = Worker(program)
    picture = photo.read_bytes()
    whole = min(worker.headshot(picture) for _ in range(rounds))
    peak = worker.peak()
    jobs: list[dict[str, tuple[float, float]]] = []
    for line in worker.end().splitlines():
        words = line.split()
        if words[:2] != ["profile", "image/headshot"]:
            continue
        if words[2] == "begin":
            jobs.append({})
        # A job decodes twice.
        before = jobs[-1].get(words[2], (0.0, 0.0))
        jobs[-1][words[2]] = (before[0] + float(words[4]), before[1] + float(words[6]))
    least = {stage: (min(job[stage][0] for job in jobs), min(job[stage][1] for job in jobs)) for stage in jobs[0]}
    return least, whole, peak


def litert(models: Path, target: Path, rounds: int = 30) -> dict[str, float]:
    """The least milliseconds of a run of each network by LiteRT on one thread; empty where pip cannot fetch it."""
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(target), "ai-edge-litert"]
    if subprocess.run(install, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode != 0:
        print("ai-edge-litert is left out: pip could not fetch it.", file=sys.stderr)
        return {}
    script = """
import json, sys, time
import numpy
from ai_edge_litert.interpreter import Interpreter
found = {}
for path in sys.argv[2:]:
    model = Interpreter(model_path=path, num_threads=1)
    model.allocate_tensors()
    entry = model.get_input_details()[0]
    model.set_tensor(entry["index"], numpy.full(entry["shape"], 0.5, numpy.float32))
    samples = []
    for _ in range(int(sys.argv[1])):
        start = time.perf_counter()
        model.invoke()
        samples.append((time.perf_counter() - start) * 1000)
    found[path.rsplit("/", 1)[1].removesuffix(".tflite")] = min(samples)
print(json.dumps(found))
"""
    paths = [str(path) for path in sorted(models.glob("*.tflite"))]
    done = subprocess.run(
        [sys.executable, "-c", script, str(rounds), *paths], env={**os.environ, "PYTHONPATH": str(target)},
        capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1]) if done.returncode == 0 else {}


def worker(report: Any, build: Path, photos: dict[str, Path], folder: Path, root: Path) -> None:
    for what, photo in photos.items():
        least, whole, peak = stages(build / "atelier-imaging", photo, report.count(12, once=1))
        report.add(f"headshot in the worker, {what}, least", "worker", whole, "ms")
        report.add("  processor time", "worker", sum(processor for _, processor in least.values()), "ms")
        report.add("  most memory", "worker", peak, "MiB")
        for stage, (_, processor) in least.items():
            report.add(f"  {stage}, processor time", "worker", processor, "ms")
    rounds = report.count(20, once=1)
    program = [str(build / "portrait-benchmark"), str(root / "Tests/Fixtures/portraits/astronaut.ppm"), str(rounds)]
    alone = json.loads(subprocess.run(program, check=True, capture_output=True, text=True).stdout)
    # What others publish must not decide whether ours works.
    models = root / "Sources/Base/CEmbedded/models"
    others = {} if report.once else litert(models, folder / "litert")
    networks = {path.stem for path in models.glob("*.tflite")}
    for name, milliseconds in alone.items():
        report.add(name if name in networks else f"small photo, {name}", "portrait", milliseconds, "ms")
        if name in others:
            report.add(name, "litert", others[name], "ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("photos", type=Path, nargs="+", metavar="PHOTO")
    parser.add_argument("--rounds", type=int, default=12)
    options = parser.parse_args()
    for photo in options.photos:
        found, total, peak = stages(options.program.resolve(), photo, options.rounds)
        print(photo.name)
        found["all"] = (sum(wall for wall, _ in found.values()), sum(processor for _, processor in found.values()))
        for name, (wall, processor) in found.items():
            print(f"{name:<12}{wall:>9.2f} ms{processor:>9.2f} ms of processor time")
        print(f"{'outside':<12}{total:>9.2f} ms{peak:>9.2f} MiB at most")


if __name__ == "__main__":
    main()
