"""Measures the web host: the first paint, a photo of 12 megapixels from its upload to its picture, and a crowd. Beside it
stand the service without a host, and a host of 100 lines in Starlette (from PyPI: starlette, uvicorn).

    python3 Benchmarks/web.py --build .build/release

Exits 1 when a goal is missed. The first paint needs Chromium and Playwright, and is left out without them.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Optional

from photo import twelve_megapixels
from run import PORTRAIT, ROOT, Report

API = "/api/v1"
STREAMS, GENERATIONS = 1000, 200


class Host:
    """A host as a process, and one browser that is let in."""

    def __init__(self, command: list[str], secret: bool) -> None:
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self.process.stdout
        self.link = self.process.stdout.readline().strip()
        self.port = int(re.findall(r":(\d+)/", self.link)[0])
        self.headers = {"Origin": f"http://127.0.0.1:{self.port}", "Accept-Language": "en"}
        if secret:
            answer = self.ask("POST", "/session", {"secret": self.link.split("#")[1]})
            self.headers["Cookie"] = answer.headers["Set-Cookie"].split(";")[0]

    def ask(self, method: str, path: str, body: Any = None, media_type: str = "application/json") -> Any:
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        data = body if isinstance(body, (bytes, type(None))) else json.dumps(body).encode()
        connection.request(method, API + path, data, {**self.headers, **({"Content-Type": media_type} if data else {})})
        answer = connection.getresponse()
        answer.content = answer.read()  # type: ignore[attr-defined]
        if answer.status >= 400:
            raise SystemExit(f"{path}: {answer.status} {answer.content!r}")  # type: ignore[attr-defined]
        return answer

    def follow(self, generation: str) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        connection.request("GET", f"{API}/generations/{generation}/events", headers=self.headers)
        for line in connection.getresponse():
            if line.startswith(b"event: finished"):
                return

    def memory(self) -> float:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) / 1024

    def end(self) -> None:
        self.process.terminate()
        self.process.wait()


def photo_by(host: Host, photo: bytes, rounds: int) -> float:
    samples = []
    for seed in range(rounds):
        begun = time.perf_counter()
        prepared = json.loads(host.ask("POST", "/photos", photo, "image/jpeg").content)["preparedId"]
        request = {"recipe": "headshot", "image": {"preparedId": prepared}, "cache": "bypass"}
        host.follow(json.loads(host.ask("POST", "/generate", request).content)["generationId"])
        samples.append((time.perf_counter() - begun) * 1000)
    return statistics.median(samples[1:])


def photo_by_service(atelier: str, path: Path, folder: Path, rounds: int) -> float:
    """The same two requests over pipes."""
    child = subprocess.Popen([atelier, "serve", "--data-dir", str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert child.stdin and child.stdout

    def ask(number: int, method: str, params: dict[str, Any]) -> Any:
        request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        child.stdin.write(json.dumps(request).encode() + b"\n")  # type: ignore[union-attr]
        child.stdin.flush()  # type: ignore[union-attr]
        while True:
            message = json.loads(child.stdout.readline())  # type: ignore[union-attr]
            if message.get("id") == number:
                return message["result"]

    samples = []
    for number in range(rounds):
        begun = time.perf_counter()
        prepared = ask(2 * number, "image/prepare", {"image": {"path": str(path)}, "longestSide": 4096})["preparedId"]
        ask(2 * number + 1, "generate", {"recipe": "headshot", "image": {"preparedId": prepared}, "cache": "bypass"})
        samples.append((time.perf_counter() - begun) * 1000)
    child.stdin.close()
    child.wait()
    return statistics.median(samples[1:])


async def crowd(host: Host) -> tuple[list[float], float]:
    """Begins the generations, opens the streams, and waits for all ends: how late each came, and the host's memory then."""
    ids = await asyncio.gather(
        *(
            asyncio.to_thread(host.ask, "POST", "/generate", {"recipe": "create", "prompt": f"a lighthouse, number {each}"})
            for each in range(GENERATIONS)
        )
    )
    generations = [json.loads(answer.content)["generationId"] for answer in ids]
    late: list[float] = []

    async def follow(generation: str) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", host.port)
        head = "".join(f"{name}: {value}\r\n" for name, value in host.headers.items())
        writer.write(
            f"GET {API}/generations/{generation}/events HTTP/1.1\r\nHost: 127.0.0.1:{host.port}\r\n{head}\r\n".encode()
        )
        finished = False
        while line := await reader.readline():
            finished = finished or line.startswith(b"event: finished")
            if finished and (found := re.search(rb'"finishedAt": ?"([^"]+)"', line)):
                at = datetime.fromisoformat(found[1].decode().replace("Z", "+00:00"))
                late.append((datetime.now(timezone.utc) - at).total_seconds() * 1000)
                break
        writer.close()

    streams = [asyncio.create_task(follow(generations[each % GENERATIONS])) for each in range(STREAMS)]
    await asyncio.sleep(2)
    memory = host.memory()
    await asyncio.gather(*streams)
    return late, memory


def first_paint(host: Host, rounds: int) -> Optional[tuple[float, float]]:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return None
    paints, weight = [], 0.0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        name, value = host.headers["Cookie"].split("=", 1)
        for _ in range(rounds):
            context = browser.new_context()
            context.add_cookies([{"name": name, "value": value, "url": f"http://127.0.0.1:{host.port}"}])
            page = context.new_page()
            page.goto(f"http://127.0.0.1:{host.port}/", wait_until="networkidle")
            paints.append(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
            sizes = "performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))"
            weight = page.evaluate(f"{sizes}.reduce((sum, one) => sum + one.decodedBodySize, 0)") / 1000
            context.close()
        browser.close()
    return statistics.median(paints), weight


def simulator(build: Path, folder: Path) -> tuple[subprocess.Popen[str], Path]:
    """A provider that takes four seconds for a picture, and the configuration of a service that uses it."""
    child = subprocess.Popen(
        [build / "gemini-simulator", "--local-server", "--latency-ms", "4000"], stdout=subprocess.PIPE, text=True)
    assert child.stdout
    base = json.loads(child.stdout.readline())["baseUrl"]
    config = folder / "config.json"
    config.write_text(json.dumps({"providers": {"order": ["openai"], "openai": {"baseUrl": f"{base}/v1", "model": "flux"}}}))
    return child, config


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default=".build/release", help="where the executables lie")
    parser.add_argument("--rounds", type=int, default=11)
    options = parser.parse_args()
    build = Path(options.build).resolve()
    atelier, report = str(build / "atelier"), Report()
    with tempfile.TemporaryDirectory(prefix="atelier-bench-") as name:
        folder = Path(name)
        path = twelve_megapixels(PORTRAIT, folder / "photo.jpg")
        alone = photo_by_service(atelier, path, folder / "alone", options.rounds)
        report.add("12 MP, upload to picture", "service", alone, "ms")
        provider, config = simulator(build, folder)
        environment = ["env", f"ATELIER_CONFIG={config}"]
        starlette = ROOT / "Benchmarks/Web/starlette_host.py"
        for who in ("atelier-web", "starlette"):
            def command(data: str, *more: str) -> list[str]:
                if who == "starlette":
                    return [sys.executable, str(starlette), str(free_port()), atelier, str(folder / data), *more[:1]]
                own = [str(build / "atelier-web"), "--no-browser", "--atelier", atelier, "--data-dir", str(folder / data)]
                return [*(environment if more else []), *own]

            host = Host(command(f"{who}-photo"), secret=who == "atelier-web")
            time_of_photo = photo_by(host, path.read_bytes(), options.rounds)
            report.add("12 MP, upload to picture", who, time_of_photo, "ms", alone + 60 if who == "atelier-web" else None)
            if who == "atelier-web" and (painted := first_paint(host, options.rounds)):
                report.add("first paint, cold", who, painted[0], "ms", 300)
                report.add("the first page without pictures", who, painted[1], "kB", 150)
            report.add("host's memory after it", who, host.memory(), "MiB")
            host.end()
            host = Host(command(f"{who}-crowd", str(config)), secret=who == "atelier-web")
            late, memory = asyncio.run(crowd(host))
            late.sort()
            report.add("1000 streams, 200 generations: end, p50", who, late[len(late) // 2], "ms")
            report.add("1000 streams, 200 generations: end, p99", who, late[int(len(late) * 0.99)], "ms")
            report.add("host's memory meanwhile", who, memory, "MiB")
            host.end()
        provider.terminate()
    return 1 if report.missed else 0


if __name__ == "__main__":
    sys.exit(main())
