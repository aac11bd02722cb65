"""How do the tests speak HTTP without a browser: byte by byte, and with any header?"""

from __future__ import annotations

import dataclasses
import http.client
import json
import re
import socket
from typing import Any, Dict, Iterable, Iterator, List, Optional, Tuple

from programs import PATIENCE, WEB, Host

API = "/api/v1"
JSON = "application/json"


@dataclasses.dataclass
class Answer:
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def kind(self) -> str:
        """The kind of the error; empty for none."""
        try:
            return self.json()["error"]["kind"]
        except (ValueError, KeyError, TypeError):
            return ""

    def __repr__(self) -> str:
        return f"{self.status} {self.body[:300]!r}"


class Browser:
    """What sends requests as a browser with a cookie would; every header can be said otherwise, None leaves it out."""

    def __init__(self, host: Host, cookie: str = "", headers: Optional[Dict[str, Optional[str]]] = None) -> None:
        self.host = host
        self.cookie = cookie
        self.headers = headers or {}

    def admit(self) -> "Browser":
        """Lets it in: by the link, which one browser can use, or as a guest."""
        body = {} if self.host.is_public else {"secret": self.host.secret}
        answer = self.post("/session", body)
        assert answer.status == 204, answer
        self.keep_cookie(answer)
        self.host.cookie = self.host.cookie or self.cookie
        return self

    def keep_cookie(self, answer: Answer) -> None:
        self.cookie = (answer.headers["Set-Cookie"] or "").partition(";")[0]

    def get(self, path: str, **headers: Optional[str]) -> Answer:
        return self.ask("GET", API + path, headers=dashed(headers))

    def post(self, path: str, body: Any = None, **headers: Optional[str]) -> Answer:
        return self.write("POST", path, body, **headers)

    def delete(self, path: str, **headers: Optional[str]) -> Answer:
        return self.ask("DELETE", API + path, headers=dashed(headers))

    def write(self, method: str, path: str, body: Any = None, **headers: Optional[str]) -> Answer:
        data = json.dumps({} if body is None else body).encode()
        return self.ask(method, API + path, data, {"Content-Type": JSON, **dashed(headers)})

    def upload(self, photo: bytes, media_type: str = "image/jpeg") -> Answer:
        return self.ask("POST", API + "/photos", photo, {"Content-Type": media_type})

    def photo(self, photo: bytes) -> str:
        """The id of an uploaded photo."""
        answer = self.upload(photo)
        assert answer.status == 201, answer
        return answer.json()["preparedId"]

    def follow(self, path: str, **headers: Optional[str]) -> Tuple[http.client.HTTPConnection, Iterator[Tuple[str, Any]]]:
        """The events at a path, as they come, and their connection."""
        connection = self.connect()
        self.send(connection, "GET", API + path, headers=dashed(headers))
        answer = connection.getresponse()
        assert answer.status == 200 and answer.headers["Content-Type"] == "text/event-stream", answer.status
        return connection, events(answer)

    def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        headers: Optional[Dict[str, Optional[str]]] = None,
        chunked: bool = False,
    ) -> Answer:
        connection = self.connect()
        try:
            self.send(connection, method, path, body, headers, chunked)
            return read(connection)
        finally:
            connection.close()

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.host.port, timeout=PATIENCE)

    def send(
        self,
        connection: http.client.HTTPConnection,
        method: str,
        path: str,
        body: Any = None,
        headers: Optional[Dict[str, Optional[str]]] = None,
        chunked: bool = False,
    ) -> None:
        """Sends a request, and does not wait for its answer."""
        all_headers: Dict[str, Optional[str]] = {"Host": self.host.origin.partition("//")[2], **self.headers}
        if self.cookie:
            all_headers["Cookie"] = self.cookie
        if method not in ("GET", "HEAD"):
            all_headers["Origin"] = self.host.origin
        if chunked:
            all_headers["Transfer-Encoding"] = "chunked"
        elif body is not None:
            all_headers["Content-Length"] = str(len(body))
        all_headers.update(headers or {})
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in all_headers.items():
            if value is not None:
                connection.putheader(name, value)
        try:
            connection.endheaders(body, encode_chunked=chunked)
        except (BrokenPipeError, ConnectionResetError):
            pass  # Whoever refuses a body closes the connection; the answer is there to be read.


def read(connection: http.client.HTTPConnection) -> Answer:
    response = connection.getresponse()
    return Answer(response.status, response.headers, response.read())


def dashed(headers: Dict[str, Optional[str]]) -> Dict[str, Optional[str]]:
    """``Accept_Language`` is the header ``Accept-Language``."""
    return {name.replace("_", "-"): value for name, value in headers.items()}


def events(response: http.client.HTTPResponse) -> Iterator[Tuple[str, Any]]:
    """The server-sent events of an answer, by name and data."""
    name, data = "", ""
    for raw in response:
        line = raw.decode().rstrip("\n")
        if line.startswith("event: "):
            name = line[7:]
        elif line.startswith("data: "):
            data = line[6:]
        elif not line and name:
            yield name, json.loads(data)
            name, data = "", ""


def raw_socket(host: Host) -> socket.socket:
    return socket.create_connection(("127.0.0.1", host.port), timeout=PATIENCE)


def raw_answer(host: Host, request: bytes) -> bytes:
    """All that comes back for some bytes, which need not be HTTP."""
    with raw_socket(host) as connection:
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        parts = []
        while part := connection.recv(1 << 16):
            parts.append(part)
        return b"".join(parts)


def routes(methods: Iterable[str]) -> List[Tuple[str, str]]:
    """The methods and paths that the host's sources name: a route that is added there is tested here at once."""
    found = set()
    for source in (WEB / "Sources" / "WebHost").rglob("*.swift"):
        for method, path in re.findall(r'Route\(\s*\.(\w+), "(/[^"]*)"', source.read_text()):
            found.add((method.upper(), re.sub(r"\{\w+\}", "0", path)))
    assert len(found) > 30, "the sources look otherwise now"
    return sorted((method, path) for method, path in found if method in methods)
