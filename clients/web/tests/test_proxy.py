"""Is the public way usable behind nginx, set up as docs/web.md says?"""

from __future__ import annotations

import http.client
import json
import os
import pathlib
import re
import shutil
import socket
import ssl
import subprocess
from typing import Any, Callable, Dict, Iterator, Optional, Tuple

import pytest

from programs import PATIENCE, REPOSITORY, Host, Simulator, environment, until

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
pytestmark = pytest.mark.skipif(NGINX is None, reason="nginx is not installed")

NAME = "studio.example"
ORIGIN = f"https://{NAME}"
LIMITS = {"guestsPerDay": 1}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def server_block(folder: pathlib.Path, port: int, *host_ports: int) -> str:
    """What docs/web.md says for nginx, with a certificate and ports of this test; for two hosts, with the upstream."""
    text = (REPOSITORY / "docs" / "web.md").read_text()
    server, upstream = re.findall(r"^```nginx\n(.*?)^```$", text, re.M | re.S)
    block = exchanged(
        server,
        ("listen 443 ", f"listen 127.0.0.1:{port} "),
        ("/etc/ssl/studio.example.pem", str(folder / "certificate.pem")),
        ("/etc/ssl/studio.example.key", str(folder / "certificate.key")),
    )
    if len(host_ports) == 1:
        return exchanged(block, ("http://127.0.0.1:8080", f"http://127.0.0.1:{host_ports[0]}"))
    pass_on = re.findall(r"^# In `location /`:  (proxy_pass .*;)$", upstream, re.M)
    servers = zip(("one.example:8080", "two.example:8080"), (f"127.0.0.1:{each}" for each in host_ports))
    return exchanged(upstream, *servers) + exchanged(block, ("proxy_pass http://127.0.0.1:8080;", pass_on[0]))


def exchanged(text: str, *pairs: Tuple[str, str]) -> str:
    for old, new in pairs:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


class Proxy:
    """An nginx in front of one host or two."""

    def __init__(self, folder: pathlib.Path, *host_ports: int) -> None:
        self.port = free_port()
        subprocess.run(
            [
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "rsa:2048",
                "-nodes",
                "-days",
                "2",
                "-subj",
                f"/CN={NAME}",
                "-keyout",
                folder / "certificate.key",
                "-out",
                folder / "certificate.pem",
            ],
            check=True,
            capture_output=True,
        )
        temporary = "".join(
            f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "scgi", "uwsgi")
        )
        configuration = folder / "nginx.conf"
        configuration.write_text(
            f"{'user root;' if os.geteuid() == 0 else ''} daemon off; pid {folder}/nginx.pid; events {{}}\n"
            f"http {{ access_log off; {temporary}\n{server_block(folder, self.port, *host_ports)}\n}}\n"
        )
        self.log = folder / "nginx.log"
        self.process = subprocess.Popen(
            [str(NGINX), "-p", str(folder), "-e", str(self.log), "-c", str(configuration)], env=environment(folder)
        )
        until("nginx", self.answers)

    def answers(self) -> bool:
        assert self.process.poll() is None, self.log.read_text()
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def end(self) -> None:
        self.process.terminate()
        self.process.wait(PATIENCE)


class Person:
    """Somebody who comes through the proxy from an address of their own."""

    def __init__(self, proxy: Proxy, address: str) -> None:
        self.proxy = proxy
        self.address = address
        self.cookie = ""

    def connection(self) -> http.client.HTTPSConnection:
        anything = ssl.create_default_context()
        anything.check_hostname = False
        anything.verify_mode = ssl.CERT_NONE
        return http.client.HTTPSConnection(
            "127.0.0.1", self.proxy.port, timeout=PATIENCE, source_address=(self.address, 0), context=anything
        )

    def headers(self, **more: str) -> Dict[str, str]:
        named = {name.replace("_", "-"): value for name, value in more.items()}
        return {"Host": NAME, "Origin": ORIGIN, "Sec-Fetch-Site": "same-origin", "Cookie": self.cookie, **named}

    def ask(self, method: str, path: str, body: Optional[bytes] = None, **headers: str) -> http.client.HTTPResponse:
        connection = self.connection()
        connection.request(method, path, body, self.headers(**headers))
        return connection.getresponse()

    def post(self, path: str, body: Any, **headers: str) -> http.client.HTTPResponse:
        return self.ask("POST", "/api/v1" + path, json.dumps(body).encode(), Content_Type="application/json", **headers)

    def begin(self, **headers: str) -> int:
        """Continues as a guest.

        :return: the status of the answer.
        """
        answer = self.post("/session", {}, **headers)
        self.cookie = (answer.headers["Set-Cookie"] or "").partition(";")[0]
        return answer.status


@pytest.fixture
def shop(folder: pathlib.Path, new_host: Callable[..., Host]) -> Host:
    """A host of the public way, which believes in TLS only where a proxy says so."""
    key = folder / "session.key"
    key.write_text("c2VjcmV0IG9mIGEgdGVzdCwgMzIgYnl0ZXMgbG9uZy4uLg==")
    key.chmod(0o600)
    port = free_port()
    host = new_host("shop", shop={"origin": ORIGIN, "port": port, "sessionKeyFile": str(key), "limits": LIMITS})
    host.port = port
    return host


@pytest.fixture
def proxy(folder: pathlib.Path, shop: Host) -> Iterator[Proxy]:
    program = Proxy(folder, shop.port)
    yield program
    program.end()


def of_the_machine(shop: Host, path: str, **headers: str) -> http.client.HTTPResponse:
    """What whoever operates the host is answered, past the proxy."""
    connection = http.client.HTTPConnection("127.0.0.1", shop.port, timeout=PATIENCE)
    connection.request("GET", path, headers=headers)
    return connection.getresponse()


def kind(answer: http.client.HTTPResponse) -> str:
    return json.loads(answer.read())["error"]["kind"]


def test_progress_comes_through_the_proxy_while_the_picture_is_being_made(proxy: Proxy, simulator: Simulator) -> None:
    person = Person(proxy, "127.0.0.2")
    assert person.begin() == 204
    simulator.always_meets({"fault": "hold"})
    accepted = person.post("/generate", {"recipe": "create", "prompt": "a lighthouse"})
    assert accepted.status == 202, accepted.read()
    generation = json.loads(accepted.read())["generationId"]
    events = person.ask("GET", f"/api/v1/generations/{generation}/events")
    assert events.headers["Content-Type"] == "text/event-stream"
    # The provider answers only after this line has come.
    assert events.readline().startswith((b"id:", b"event:"))
    simulator.release()
    rest = events.read().decode()
    assert "event: finished" in rest and '"state":"succeeded"' in rest


def test_a_photo_reaches_the_host_while_it_is_still_being_sent(proxy: Proxy, shop: Host, portrait: bytes) -> None:
    person = Person(proxy, "127.0.0.2")
    assert person.begin() == 204
    connection = person.connection()
    connection.putrequest("POST", "/api/v1/photos", skip_host=True)
    for name, value in person.headers(Content_Type="image/jpeg", Content_Length=str(len(portrait))).items():
        connection.putheader(name, value)
    connection.endheaders(portrait[: len(portrait) // 2])
    until("the beginning of the photo", lambda: b"atelier_web_uploads 1" in of_the_machine(shop, "/metrics").read())
    connection.send(portrait[len(portrait) // 2 :])
    answer = connection.getresponse()
    assert answer.status == 201, answer.read()


def test_a_photo_that_is_too_large_is_refused_by_the_host_in_words(proxy: Proxy) -> None:
    person = Person(proxy, "127.0.0.2")
    assert person.begin() == 204
    connection = person.connection()
    connection.putrequest("POST", "/api/v1/photos", skip_host=True)
    for name, value in person.headers(Content_Type="image/jpeg", Content_Length="50000000").items():
        connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    assert (answer.status, kind(answer)) == (413, "body_too_large")


def test_limits_count_the_addresses_of_people_and_not_that_of_the_proxy(proxy: Proxy) -> None:
    assert Person(proxy, "127.0.0.2").begin() == 204
    assert Person(proxy, "127.0.0.2").begin() == 429
    assert Person(proxy, "127.0.0.3").begin() == 204


def test_nobody_comes_from_another_address_by_saying_so(proxy: Proxy) -> None:
    assert Person(proxy, "127.0.0.2").begin() == 204
    assert Person(proxy, "127.0.0.2").begin(X_Forwarded_For="192.0.2.7") == 429
    assert Person(proxy, "127.0.0.2").begin(X_Forwarded_For="192.0.2.7, 127.0.0.1") == 429


def test_the_page_is_shown_over_tls_and_asks_browsers_to_stay_with_it(proxy: Proxy) -> None:
    answer = Person(proxy, "127.0.0.2").ask("GET", "/")
    assert answer.status == 200 and b"<html" in answer.read()
    assert "max-age=" in answer.headers["Strict-Transport-Security"]


def test_a_cookie_of_the_shop_is_for_its_name_and_tls_only(proxy: Proxy) -> None:
    answer = Person(proxy, "127.0.0.2").post("/session", {})
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith("__Host-") and {"Secure", "HttpOnly", "SameSite=Strict"} <= set(cookie.split("; "))


def test_the_host_answers_nobody_who_comes_past_the_proxy_without_tls(shop: Host) -> None:
    answer = of_the_machine(shop, "/", Host=NAME)
    assert (answer.status, kind(answer)) == (403, "tls_required")


@pytest.mark.parametrize("path", ["/healthz", "/metrics"])
def test_operators_are_answered_past_the_proxy_only(proxy: Proxy, shop: Host, path: str) -> None:
    assert of_the_machine(shop, path).status == 200
    assert Person(proxy, "127.0.0.2").ask("GET", path).status == 404
