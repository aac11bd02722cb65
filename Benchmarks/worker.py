"""The imaging worker alone, stage by stage, and its networks beside LiteRT.

    python3 Benchmarks/worker.py .build/release/atelier-imaging PHOTO [ROUNDS]

Prints the minimum of each stage. Processor time counts all threads; it hardly depends on what else the machine does.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

LIMITS = {"minimumSide": 40, "maximumSide": 4096, "maximumPixels": 60_000_000, "maximumReducedPixels": 60_000_000}
SHAPE = {"width": 1, "height": 1, "longestSide": 1024, "isWholeFrame": False, "isExact": False}
HEADSHOT = {
    "limits": LIMITS, "background": "professional", "variation": 0, "format": "jpeg", "shape": SHAPE, "wantsMatte": False,
}


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

    def run(self, method: str, job: dict[str, Any], picture: bytes) -> tuple[float, bytes]:
        """Returns the milliseconds until the whole output has come, and the output."""
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
        return (time.perf_counter() - start) * 1000, output

    def end(self) -> str:
        """Ends the worker. Returns what it wrote about its jobs."""
        self.process.stdin.close()
        lines = self.process.stderr.read().decode()
        self.process.wait()
        os.close(self.pictures_in)
        os.close(self.pictures_out)
        return lines


def stages(program: Path, photo: Path, rounds: int) -> tuple[dict[str, tuple[float, float]], float]:
    """The least wall and processor time of each stage, and of the whole job from outside, in milliseconds."""
    worker = Worker(program)
    picture = photo.read_bytes()
    whole = min(worker.run("image/headshot", HEADSHOT, picture)[0] for _ in range(rounds))
    jobs: list[dict[str, tuple[float, float]]] = []
    for line in worker.end().splitlines():
        words = line.split()
        if words[:1] != ["profile"]:
            continue
        if words[2] == "begin":
            jobs.append({})
        # A job decodes twice.
        before = jobs[-1].get(words[2], (0.0, 0.0))
        jobs[-1][words[2]] = (before[0] + float(words[4]), before[1] + float(words[6]))
    least = {stage: (min(job[stage][0] for job in jobs), min(job[stage][1] for job in jobs)) for stage in jobs[0]}
    return least, whole


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


def worker(report: Any, build: Path, photo: Path, folder: Path, root: Path) -> None:
    least, whole = stages(build / "atelier-imaging", photo, 12)
    report.add("headshot in the worker, least", "worker", whole, "ms")
    for stage, (_, processor) in least.items():
        report.add(f"  {stage}, processor time", "worker", processor, "ms")
    program = [str(build / "portrait-benchmark"), str(root / "Tests/Fixtures/portraits/astronaut.ppm"), "20"]
    alone = json.loads(subprocess.run(program, check=True, capture_output=True, text=True).stdout)
    others = litert(root / "Sources/Base/CEmbedded/models", folder / "litert")
    for name, milliseconds in alone.items():
        report.add(name if name in others or "_" in name else f"small photo, {name}", "portrait", milliseconds, "ms")
        if name in others:
            report.add(name, "litert", others[name], "ms")


if __name__ == "__main__":
    found, total = stages(Path(sys.argv[1]).resolve(), Path(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 12)
    for name, (wall, processor) in found.items():
        print(f"{name:<12}{wall:>9.2f} ms{processor:>9.2f} ms of processor time")
    print(f"{'all':<12}{sum(w for w, _ in found.values()):>9.2f} ms"
          f"{sum(p for _, p in found.values()):>9.2f} ms of processor time")
    print(f"{'outside':<12}{total:>9.2f} ms")
