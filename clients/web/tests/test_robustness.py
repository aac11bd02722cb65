"""What becomes of bodies that are too large, cut or slow, of crowds, of a full disk, and when the service dies? Raw HTTP."""

from __future__ import annotations

import array
import fcntl
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import termios
import threading
from typing import Callable, List

import pytest

from http_client import API, JSON, Answer, Browser, events, raw_socket, read
from programs import FIXTURES, Host, Simulator, is_dead, noise_photo, until

MOST_JSON = 1 << 20
MOST_PHOTO = 40_000_000


def held(browser: Browser, simulator: Simulator) -> str:
    """The id of a generation that the provider holds. Its words are its own: what was made before is not made again."""
    simulator.always_meets("hold")
    answer = browser.post("/generate", {"recipe": "create", "prompt": f"a lighthouse, {os.urandom(8).hex()}"})
    assert answer.status == 202, answer
    return answer.json()["generationId"]


def head(host: Host, path: str, media_type: str, *more: str, method: str = "POST") -> bytes:
    """The head of a request, without its body."""
    lines = [
        f"{method} {API}{path} HTTP/1.1",
        f"Host: 127.0.0.1:{host.port}",
        f"Origin: {host.origin}",
        f"Cookie: {host.cookie}",
        f"Content-Type: {media_type}",
        *more,
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n"


def received(connection: socket.socket) -> bytes:
    """What comes until the host closes the connection."""
    parts: List[bytes] = []
    try:
        while part := connection.recv(1 << 16):
            parts.append(part)
    except ConnectionResetError:
        pass
    return b"".join(parts)


# --- Bodies


@pytest.mark.parametrize(
    "path, media_type, size",
    [
        ("/photos", "image/jpeg", MOST_PHOTO + 1),
        ("/generate", JSON, MOST_JSON + 1),
        ("/session", JSON, MOST_JSON + 1),
        ("/photos", "image/jpeg", 10**18),
        ("/generate", JSON, 10**18),
        ("/feedback", JSON, MOST_JSON + 1),
    ],
)
def test_a_body_that_is_said_to_be_too_large_is_refused_before_it_comes(
    browser: Browser, path: str, media_type: str, size: int
) -> None:
    connection = browser.connect()
    browser.send(connection, "POST", API + path, headers={"Content-Type": media_type, "Content-Length": str(size)})
    answer = read(connection)
    connection.close()
    assert (answer.status, answer.kind) == (413, "body_too_large"), answer
    assert answer.json()["error"]["details"]["maxBytes"] == (MOST_PHOTO if path == "/photos" else MOST_JSON)


@pytest.mark.parametrize(
    "path, media_type, most", [("/photos", "image/jpeg", MOST_PHOTO), ("/generate", JSON, MOST_JSON)]
)
def test_a_chunked_body_is_refused_as_soon_as_it_is_too_large(host: Host, path: str, media_type: str, most: int) -> None:
    part = b" " * (1 << 20)
    sent = 0
    with raw_socket(host) as connection:
        connection.sendall(head(host, path, media_type, "Transfer-Encoding: chunked"))
        connection.settimeout(0)
        answer = b""
        while not answer and sent < 20 * most:
            connection.settimeout(None)
            try:
                connection.sendall(b"%x\r\n%s\r\n" % (len(part), part))
                sent += len(part)
                connection.settimeout(0)
                answer = connection.recv(1 << 16)
            except BlockingIOError:
                continue
            except (BrokenPipeError, ConnectionResetError):
                break
    assert answer.split()[1:2] == [b"413"], (answer[:200], sent)
    assert sent < most + (64 << 20), "the rest is not taken"


@pytest.mark.parametrize(
    "extra",
    [
        "Content-Length: -1",
        "Content-Length: 1e3",
        "Content-Length: 5\r\nContent-Length: 6",
        "Content-Length: 99999999999999999999999",
        "Transfer-Encoding: gzip",
    ],
)
def test_a_length_that_is_none_is_refused(host: Host, extra: str) -> None:
    with raw_socket(host) as connection:
        connection.sendall(head(host, "/generate", JSON, extra))
        connection.shutdown(socket.SHUT_WR)
        assert received(connection).split()[1:2] in ([b"400"], [b"413"], [b"501"]), extra


@pytest.mark.parametrize("kind", ["length", "chunked"])
def test_an_upload_that_is_cut_leaves_nothing(host: Host, browser: Browser, portrait: bytes, kind: str) -> None:
    for _ in range(5):
        with raw_socket(host) as connection:
            if kind == "length":
                connection.sendall(
                    head(host, "/photos", "image/jpeg", f"Content-Length: {len(portrait)}") + portrait[:9000]
                )
            else:
                start = head(host, "/photos", "image/jpeg", "Transfer-Encoding: chunked")
                connection.sendall(start + b"%x\r\n" % 9000 + portrait[:8000])
            connection.shutdown(socket.SHUT_WR)
            answer = received(connection)
            assert b" 201 " not in answer
    assert list(host.temporary.glob("atelier-web-*")) == []
    assert browser.upload(portrait).status == 201


@pytest.mark.parametrize(
    "content, media_type, status",
    [
        (b"", "image/jpeg", (400, 415)),
        (b"hello", "image/jpeg", (400, 415)),
        (b"<svg/>", "image/svg+xml", (400, 415)),
        (b"\xff\xd8\xff\xe0" + bytes(2000), "image/jpeg", (400, 415)),
        (b"GIF89a" + bytes(50), "image/gif", (400, 415)),
        (b"\x89PNG\r\n\x1a\n" + bytes(100), "image/png", (400, 415)),
        (b"%PDF-1.7", "image/jpeg", (400, 415)),
    ],
)
def test_a_picture_that_is_none_is_refused(browser: Browser, content: bytes, media_type: str, status: tuple) -> None:
    answer = browser.upload(content, media_type)
    assert answer.status in status and answer.kind in (
        "invalid_image",
        "unsupported_image",
        "unsupported_media_type",
    ), answer
    assert answer.json()["error"]["message"]


@pytest.mark.parametrize("name, status", [("bomb.png", 413), ("too-large.png", 413)])
def test_a_picture_of_impossible_size_is_refused(browser: Browser, name: str, status: int) -> None:
    answer = browser.upload((FIXTURES / "images" / name).read_bytes(), "image/png")
    assert answer.status in (status, 400) and answer.kind in (
        "image_too_large",
        "invalid_dimensions",
        "invalid_image",
    ), answer


def test_what_the_type_says_of_a_photo_does_not_matter(browser: Browser) -> None:
    for name, media_type in (
        ("face.heic", "image/heic"),
        ("face.heic", "image/jpeg"),
        ("face.avif", "image/avif"),
        ("face.webp", "application/octet-stream"),
        ("face-rotated.jpg", "image/x-unknown"),
    ):
        answer = browser.upload((FIXTURES / "images" / name).read_bytes(), media_type)
        assert answer.status == 201 and answer.json()["width"] > 100, (name, answer)
        shown = browser.get(f"/photos/{answer.json()['preparedId']}")
        assert shown.headers["Content-Type"] in ("image/jpeg", "image/webp"), "what every browser can show"


def test_a_client_that_asks_first_is_refused_before_it_sends(browser: Browser) -> None:
    connection = browser.connect()
    browser.send(
        connection,
        "POST",
        API + "/photos",
        headers={"Content-Type": "image/jpeg", "Content-Length": str(MOST_PHOTO + 1), "Expect": "100-continue"},
    )
    assert read(connection).status == 413
    connection.close()


@pytest.mark.parametrize("more", ["", "Connection: keep-alive\r\n"])
def test_old_clients_are_answered_and_their_connection_is_closed(host: Host, more: str) -> None:
    with raw_socket(host) as connection:
        connection.sendall(f"GET /healthz HTTP/1.0\r\nHost: 127.0.0.1:{host.port}\r\n{more}\r\n".encode())
        answer = received(connection)
    first, _, rest = answer.partition(b"\r\n")
    assert first == b"HTTP/1.0 200 OK" and rest.lower().count(b"connection: close") == 1
    assert rest.endswith(b"\r\n\r\nok\n")


def test_old_clients_are_told_events_as_they_are(host: Host, browser: Browser, simulator: Simulator) -> None:
    generation = held(browser, simulator)
    with raw_socket(host) as connection:
        connection.sendall(
            head(host, f"/generations/{generation}/events", JSON, method="GET").replace(b"HTTP/1.1", b"HTTP/1.0")
        )
        assert connection.recv(1 << 16).startswith(b"HTTP/1.0 200 OK")
        simulator.release()
        told = received(connection)
    assert b"event: finished\ndata: {" in told and told.endswith(b"}\n\n"), "not in parts with their lengths"


@pytest.mark.parametrize("said", ["100-continue", "100-Continue"])
def test_who_asks_whether_to_send_a_body_is_told_to(host: Host, portrait: bytes, said: str) -> None:
    with raw_socket(host) as connection:
        asked = [f"Content-Length: {len(portrait)}", f"Expect: {said}"]
        connection.sendall(head(host, "/photos", "image/jpeg", *asked))
        # Nothing of the body has been sent: whoever waits for the answer waits for ever without it.
        first = connection.recv(1 << 16)
        assert first == b"HTTP/1.1 100 Continue\r\n\r\n", first
        connection.sendall(portrait)
        answer = connection.recv(1 << 16)
    assert answer.startswith(b"HTTP/1.1 201 Created\r\n"), answer


def test_an_old_client_is_given_one_answer(host: Host) -> None:
    with raw_socket(host) as connection:
        asked = head(host, "/session", JSON, "Content-Length: 2", "Expect: 100-continue")
        connection.sendall(asked.replace(b"HTTP/1.1", b"HTTP/1.0") + b"{}")
        answer = received(connection)
    assert answer.startswith(b"HTTP/1.0 ") and answer.count(b"HTTP/1.") == 1, answer


# --- Crowds, and those who are slow


def test_the_slow_do_not_stop_others(host: Host, browser: Browser, simulator: Simulator, portrait: bytes) -> None:
    waiting = held(browser, simulator)
    slow = []
    for _ in range(25):
        begun = raw_socket(host)  # Half of a request.
        begun.sendall(b"GET /api/v1/session HTTP/1.1\r\nHost: 127")
        sender = raw_socket(host)  # A photo that does not end.
        sender.sendall(head(host, "/photos", "image/jpeg", f"Content-Length: {MOST_PHOTO}") + portrait[:1000])
        reader = raw_socket(host)  # Answers that nobody reads.
        reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        reader.sendall(head(host, f"/generations/{waiting}/events", JSON, method="GET"))
        reader.sendall(head(host, "/history", JSON, method="GET") * 50)
        slow += [begun, sender, reader]
    try:
        assert browser.get("/session").status == 200
        assert browser.upload(portrait).status == 201
        assert browser.ask("GET", "/assets/app.js").status == 200
        assert browser.get("/history").status == 200
    finally:
        for connection in slow:
            connection.close()
        simulator.release()


def test_a_thousand_connections_are_served_at_once(host: Host, browser: Browser) -> None:
    connections = [raw_socket(host) for _ in range(1000)]
    try:
        for connection in connections:
            connection.sendall(head(host, "/session", JSON, method="GET"))
        for connection in connections:
            assert connection.recv(1 << 16).startswith(b"HTTP/1.1 200 ")
        # They stay open, and another one is still served.
        assert browser.get("/history").status == 200
    finally:
        for connection in connections:
            connection.close()


def test_connections_beyond_the_limit_are_refused_in_words(new_host: Callable[..., Host]) -> None:
    host = new_host(connections=20)
    browser = Browser(host).admit()
    idle = taken(host, 20)
    for _ in range(3):
        answer = patiently(lambda: browser.ask("POST", "/api/v1/session", b"{}", {"Content-Type": JSON}))
        assert (answer.status, answer.kind) == (503, "overloaded"), answer
        assert answer.json()["error"]["retryable"] and int(answer.headers["Retry-After"]) > 0
        assert answer.headers["Connection"] == "close" and answer.headers["Content-Security-Policy"]
    for connection in idle:
        connection.close()
    until("room for others", lambda: patiently(lambda: browser.get("/history")).status == 200)


def patiently(ask: Callable[[], Answer]) -> Answer:
    """An answer, be it a refusal. Whoever is slow to ask where all are refused finds the connection closed; ask again."""
    for _ in range(4):
        try:
            return ask()
        except ConnectionError:
            continue
    return ask()


def taken(host: Host, most: int) -> List[socket.socket]:
    """Connections that say nothing: as many as are served, and more, which are closed soon."""
    idle: List[socket.socket] = []
    # The second time for what was still taken by others at the first one.
    for closed in (20, 25):
        idle += [raw_socket(host) for _ in range(most + closed - len(idle))]
        until("the end of those beyond", lambda: sum(is_closed(connection) for connection in idle) >= closed)
    return idle


def is_closed(connection: socket.socket) -> bool:
    """Whether the host has closed a connection to which it has nothing to say."""
    connection.setblocking(False)
    try:
        return connection.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionResetError:
        return True


@pytest.mark.parametrize("files, most", [(1024, 361), (400, 67)])
def test_a_host_that_may_open_few_files_says_so_and_goes_on(new_host: Callable[..., Host], files: int, most: int) -> None:
    host = new_host(prefix=["sh", "-c", f'ulimit -n {files} && exec "$@"', "sh"])
    assert f"Only {most} connections" in host.log_text() and f"{files} open files" in host.log_text()
    browser = Browser(host).admit()
    many = taken(host, most)
    assert patiently(lambda: browser.get("/history")).kind == "overloaded"
    for connection in many:
        connection.close()
    until("room for others", lambda: patiently(lambda: browser.get("/history")).status == 200)


def test_many_photos_at_once_are_all_prepared(host: Host, browser: Browser, portrait: bytes) -> None:
    statuses: List[int] = []

    def upload() -> None:
        statuses.append(browser.upload(portrait).status)

    threads = [threading.Thread(target=upload) for _ in range(24)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statuses == [201] * 24


def test_two_viewers_of_one_generation_see_its_end(browser: Browser, simulator: Simulator) -> None:
    generation = held(browser, simulator)
    viewers = []
    for language in ("en", "de", "de"):
        connection, following = browser.follow(f"/generations/{generation}/events", Accept_Language=language)
        name, first = next(following)
        assert name == "progress" and first["generationId"] == generation
        viewers.append((connection, following))
    simulator.release()
    for connection, following in viewers:
        name, last = list(following)[-1]
        assert (name, last["state"]) == ("finished", "succeeded")
        connection.close()


def test_the_same_request_sent_twice_is_made_once(browser: Browser) -> None:
    request = {"recipe": "create", "prompt": "a lighthouse", "idempotencyKey": "3a0a7d0e-same"}
    first, second = browser.post("/generate", request), browser.post("/generate", request)
    assert first.status == second.status == 202
    assert first.json()["generationId"] == second.json()["generationId"]
    other = browser.post("/generate", {**request, "prompt": "a bridge"})
    assert (other.status, other.kind) == (409, "idempotency_mismatch")


# --- The service dies, the host ends, the disk is full


def unread_bytes(pid: int) -> int:
    """How many bytes a process has not yet read from its standard input."""
    number = os.open(f"/proc/{pid}/fd/0", os.O_RDONLY | os.O_NONBLOCK)
    try:
        count = array.array("i", [0])
        fcntl.ioctl(number, termios.FIONREAD, count)
        return count[0]
    finally:
        os.close(number)


def states(pid: int) -> List[str]:
    """The states of the threads of a process, such as `T` for one that was stopped."""
    texts = [path.read_text() for path in pathlib.Path(f"/proc/{pid}/task").glob("*/stat")]
    return [text.rpartition(")")[2].split()[0] for text in texts]


def test_a_request_that_the_service_dies_of_may_be_sent_again(new_host: Callable[..., Host]) -> None:
    host = new_host()
    browser = Browser(host).admit()
    assert browser.get("/history").status == 200
    service = host.services()[0]
    os.kill(service, signal.SIGSTOP)
    # Until then, one of its threads may still read the request.
    until("the service that stands still", lambda: all(state == "T" for state in states(service)))
    connection = browser.connect()
    browser.send(connection, "GET", API + "/history")
    until("the request at the service", lambda: unread_bytes(service) > 0)
    os.kill(service, signal.SIGKILL)
    answer = read(connection)
    connection.close()
    assert (answer.status, answer.kind) == (502, "connection_lost"), answer
    error = answer.json()["error"]
    assert error["retryable"] and error["retryAfterMs"] > 0 and int(answer.headers["Retry-After"]) > 0
    until("the end of the service", lambda: is_dead(service))
    assert browser.get("/history").status == 200, "it is started again"
    assert service not in host.services()


def test_events_go_on_when_the_service_was_killed(new_host: Callable[..., Host], simulator: Simulator) -> None:
    host = new_host()
    browser = Browser(host).admit()
    generation = held(browser, simulator)
    connection = browser.connect()
    browser.send(connection, "GET", f"{API}/generations/{generation}/events")
    following = events(connection.getresponse())
    assert next(following)[0] == "progress"
    host.kill_services()
    simulator.release()
    name, last = list(following)[-1]
    connection.close()
    # What was sent to a provider may have been paid for: it is not sent twice, and nothing is charged.
    assert name == "finished" and last["state"] in ("interrupted", "succeeded", "failed"), last


def test_the_host_ends_when_asked_whatever_is_open(new_host: Callable[..., Host], simulator: Simulator) -> None:
    host = new_host()
    browser = Browser(host).admit()
    generation = held(browser, simulator)
    stream, upload = raw_socket(host), raw_socket(host)
    stream.sendall(head(host, f"/generations/{generation}/events", JSON, method="GET"))
    assert stream.recv(4096).startswith(b"HTTP/1.1 200")
    upload.sendall(head(host, "/photos", "image/jpeg", "Content-Length: 1000") + b"x")
    services = host.services()
    assert host.end() == 0
    # What was begun goes on without the host; then the services end.
    assert not all(is_dead(pid) for pid in services)
    simulator.release()
    for pid in services:
        until("the end of the service", lambda: is_dead(pid))
    stream.close()
    upload.close()


def test_a_service_that_cannot_be_started_is_told_at_the_start(
    new_host: Callable[..., Host], folder: pathlib.Path
) -> None:
    with pytest.raises(AssertionError, match="There is no executable"):
        new_host(options=["--atelier", str(folder / "nothing")])


needs_mount = pytest.mark.skipif(
    (
        subprocess.run(["unshare", "--map-root-user", "--mount", "true"], capture_output=True).returncode != 0
        if shutil.which("unshare")
        else True
    ),
    reason="needs a mount namespace for a disk that is full",
)


def small_disk(folder: pathlib.Path, size: str) -> List[str]:
    """What starts a command that sees a small disk in place of a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    script = 'mount -t tmpfs -o size="$1" tmpfs "$2" && shift 2 && exec "$@"'
    return ["unshare", "--map-root-user", "--mount", "sh", "-c", script, "sh", size, str(folder)]


@needs_mount
def test_a_full_disk_refuses_photos_and_goes_on(
    new_host: Callable[..., Host], folder: pathlib.Path, portrait: bytes, large_photo: bytes
) -> None:
    host = new_host(prefix=small_disk(folder / "host" / "tmp", "1m"))
    browser = Browser(host).admit()
    answer = browser.upload(large_photo)
    assert answer.status in (500, 503, 507) and answer.json()["error"]["message"], answer
    assert "/" not in answer.json()["error"]["message"], "no path of the machine"
    assert browser.upload(portrait).status == 201, "what fits is taken"


@needs_mount
def test_a_full_data_directory_is_told(new_host: Callable[..., Host], folder: pathlib.Path) -> None:
    host = new_host(prefix=small_disk(folder / "host" / "data", "3m"))
    browser = Browser(host).admit()
    statuses = []
    for seed in range(20):
        answer = browser.upload(noise_photo(500, seed))
        statuses.append(answer.status)
        if answer.status != 201:
            break
    assert (answer.status, answer.kind) in ((507, "storage_full"), (503, "storage_unavailable")), (statuses, answer)
    assert browser.ask("GET", "/").status == 200, "the page is there to say so"
