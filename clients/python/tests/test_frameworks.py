"""The examples of FRAMEWORKS.md. Those with a framework run in a virtual environment under .build, with the packages of
requirements-frameworks.txt; what cannot be fetched is skipped with the reason.
"""

from __future__ import annotations

import functools
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
import urllib.request
from typing import Any, Dict, List, Optional, Tuple

from .support import CLIENT, NO_KEYS, OTHER_PORTRAIT, PORTRAIT, REPOSITORY, needs_service, service

REQUIREMENTS = CLIENT / "tests" / "requirements-frameworks.txt"
ENVIRONMENT = REPOSITORY / ".build" / "python-frameworks"


def examples() -> Tuple[List[str], Dict[str, str]]:
    """The programs of the page, and its modules by their names, which their first line tells."""
    text = (CLIENT / "FRAMEWORKS.md").read_text()
    programs: List[str] = []
    modules: Dict[str, str] = {}
    for example in re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        named = re.match(r"# (\w+\.py)\n", example)
        if named:
            modules[named.group(1)] = example
        else:
            programs.append(example)
    return programs, modules


@functools.lru_cache(maxsize=None)
def frameworks() -> Tuple[Optional[str], str]:
    """A Python that has the frameworks, or the reason why there is none."""
    python = ENVIRONMENT / "bin" / "python"
    made_from = ENVIRONMENT / "made-from.txt"
    if made_from.exists() and made_from.read_text() == REQUIREMENTS.read_text():
        return str(python), ""
    shutil.rmtree(ENVIRONMENT, ignore_errors=True)
    ENVIRONMENT.parent.mkdir(exist_ok=True)
    for command in (
        [sys.executable, "-m", "venv", str(ENVIRONMENT)],
        [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", str(REQUIREMENTS)],
    ):
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode != 0:
            return None, f"the frameworks could not be installed: {(run.stderr.strip() or 'no reason').splitlines()[-1]}"
    made_from.write_text(REQUIREMENTS.read_text())
    return str(python), ""


FLASK = """
from flask_app import app

for name, status in [("ada.png", 200), ("module.txt", 415)]:
    answer = app.test_client().post("/portraits", data={"photo": open(name, "rb")})
    assert answer.status_code == status, answer.get_data(as_text=True)
    print(answer.get_json().get("path") or answer.get_json()["kind"])
"""

DJANGO = """
import django
from django.conf import settings

settings.configure(DEFAULT_CHARSET="utf-8")
django.setup()
from django.test import RequestFactory
from django_views import portraits

for name, status in [("ada.png", 200), ("module.txt", 415)]:
    answer = portraits(RequestFactory().post("/portraits", {"photo": open(name, "rb")}))
    assert answer.status_code == status, answer.content
    print(answer.content.decode())
"""

FASTAPI = """
from fastapi.testclient import TestClient
from fastapi_app import app

with TestClient(app) as client:
    for name, status in [("ada.png", 200), ("module.txt", 415)]:
        answer = client.post("/portraits", content=open(name, "rb").read())
        assert answer.status_code == status, answer.text
        print(answer.json())
"""

CELERY_APP = """
import os
from celery_tasks import app

app.conf.update(
    broker_url="filesystem://", result_backend="file://" + os.path.abspath("results"),
    broker_transport_options={"data_folder_in": "queue", "data_folder_out": "queue", "control_folder": "control"},
)
"""

CELERY = """
import os
from celery_app import app
from celery_tasks import portrait

results = [portrait.delay(os.path.abspath(name)) for name in ("ada.png", "grace.jpg")]
for result in results:
    print(result.get(timeout=1000))
"""


class FrameworkPageTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="atelier-frameworks-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        shutil.copy(PORTRAIT, self.folder / "ada.png")
        shutil.copy(OTHER_PORTRAIT, self.folder / "grace.jpg")
        (self.folder / "module.txt").write_text("no picture")
        for name, text in examples()[1].items():
            (self.folder / name).write_text(text)
        self.environment = {
            **os.environ,
            **NO_KEYS,
            "ATELIER": str(service()),
            "ATELIER_DATA_DIR": str(self.folder / "data"),
            "PYTHONPATH": str(CLIENT / "src"),
            "PYTHONWARNINGS": "ignore",
        }

    def python(self) -> str:
        """A Python that has the frameworks."""
        python, reason = frameworks()
        if python is None:
            self.skipTest(reason)
        return python

    def run_program(self, python: str, program: str) -> List[str]:
        path = self.folder / "program.py"
        path.write_text(program)
        run = subprocess.run(
            [python, str(path)], cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=3000
        )
        self.assertEqual(run.returncode, 0, f"{program}\n{run.stderr}")
        self.assertNotEqual(run.stdout, "", f"said nothing:\n{program}")
        return run.stdout.splitlines()

    def start(self, *command: str, **options: Any) -> "subprocess.Popen[str]":
        """A server, ended after the test with everything that it has started."""
        server = subprocess.Popen(
            list(command), cwd=self.folder, env=self.environment, stderr=subprocess.PIPE, text=True,
            start_new_session=True, **options)

        def end() -> None:
            server.send_signal(signal.SIGTERM)
            _, errors = server.communicate(timeout=600)
            self.assertNotIn("Traceback", errors)

        self.addCleanup(end)
        return server

    def test_every_example_compiles(self) -> None:
        programs, modules = examples()
        self.assertGreaterEqual((len(programs), len(modules)), (4, 5))
        for number, example in enumerate([*programs, *modules.values()], 1):
            compile(example, f"example {number}", "exec")

    @needs_service
    def test_every_program_runs(self) -> None:
        for program in examples()[0]:
            with self.subTest(program):
                self.run_program(sys.executable, program)

    @needs_service
    def test_the_service_of_a_module_is_started_once_in_each_process(self) -> None:
        lines = self.run_program(sys.executable, """
import multiprocessing
import atelier_worker

def service(_):
    studio = atelier_worker.studio()
    assert studio is atelier_worker.studio()
    studio.ping()
    return studio._studio._connection.process._process.pid

print(service(0))
with multiprocessing.get_context("fork").Pool(2) as pool:
    print(*set(pool.map(service, range(4))), sep="\\n")
""")
        self.assertIn(len(set(lines)), (2, 3))
        self.assertNotIn(lines[0], lines[1:])

    @needs_service
    def test_flask(self) -> None:
        path, kind = self.run_program(self.python(), FLASK)
        self.assertTrue(pathlib.Path(path).exists())
        self.assertEqual(kind, "unsupported_image")

    @needs_service
    def test_flask_in_several_workers_that_are_forked_from_a_preloaded_module(self) -> None:
        gunicorn = self.start(
            self.python(), "-m", "gunicorn", "--workers", "2", "--threads", "4", "--preload", "--bind", "127.0.0.1:0",
            "flask_app:app")
        assert gunicorn.stderr is not None
        address = next(line for line in gunicorn.stderr if "Listening at" in line).split()[-2]
        body = (
            b'--x\r\nContent-Disposition: form-data; name="photo"; filename="a.png"\r\n\r\n'
            + PORTRAIT.read_bytes() + b"\r\n--x--\r\n"
        )
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        for _ in range(4):
            request = urllib.request.Request(
                f"{address}/portraits", body, {"Content-Type": "multipart/form-data; boundary=x"})
            with opener.open(request, timeout=1000) as answer:
                self.assertIn(b'"path"', answer.read())

    @needs_service
    def test_django(self) -> None:
        made, refused = self.run_program(self.python(), DJANGO)
        self.assertIn('"path"', made)
        self.assertIn("unsupported_image", refused)

    @needs_service
    def test_fastapi(self) -> None:
        made, refused = self.run_program(self.python(), FASTAPI)
        self.assertIn("'path'", made)
        self.assertIn("unsupported_image", refused)

    @needs_service
    def test_celery_with_forked_workers(self) -> None:
        for name in ("queue", "results", "control"):
            (self.folder / name).mkdir()
        (self.folder / "celery_app.py").write_text(CELERY_APP)
        python = self.python()
        self.start(python, "-m", "celery", "-A", "celery_app", "worker", "--pool", "prefork", "-c", "2", "-l", "ERROR",
                   stdout=subprocess.DEVNULL)
        for path in self.run_program(python, CELERY):
            self.assertTrue(pathlib.Path(path).exists(), path)


if __name__ == "__main__":
    unittest.main()
