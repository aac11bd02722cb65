"""Who is let in, from where requests may come, and what they may say. Raw HTTP, in the personal way."""

from __future__ import annotations

import base64
import http.client
import json
import re
import socket
from typing import Callable, Dict, Optional

import pytest

from http_client import API, JSON, Browser, raw_answer, read, routes
from programs import SERVICE_KEY, Host, until

WRITING = routes(["POST", "PUT", "PATCH", "DELETE"])
ALL_ROUTES = routes(["GET", "POST", "PUT", "PATCH", "DELETE"])
#: In the personal way there is no shop; and the sign-in of a person, and the reports of payments, are answered by none.
SHOP_ONLY = {("POST", "/session/sign-in"), ("POST", "/payments")}
PUBLIC_READING = {("GET", "/session"), ("POST", "/session"), ("GET", "/openapi.json"), *SHOP_ONLY}


def of_route(route: object) -> Optional[str]:
    return " ".join(route) if isinstance(route, tuple) else None


# --- The link and the cookie


def test_a_link_lets_one_browser_in_once(new_host: Callable[..., Host]) -> None:
    host = new_host()
    nobody = Browser(host)
    for wrong in (
        {},
        {"secret": ""},
        {"secret": "A" * 43},
        {"secret": host.secret[:-1]},
        {"secret": 1},
        {"secret": None},
    ):
        answer = nobody.post("/session", wrong)
        assert (answer.status, answer.kind) == (401, "link_used"), wrong
        assert answer.headers["Set-Cookie"] is None
    # What was tried in vain has not used the link up.
    first = Browser(host).admit()
    assert first.get("/session").json()["admitted"]
    replayed = nobody.post("/session", {"secret": host.secret})
    assert (replayed.status, replayed.kind) == (401, "link_used")
    assert first.get("/history").status == 200, "the first browser stays"


def test_a_link_is_of_256_bits_and_in_the_fragment(new_host: Callable[..., Host]) -> None:
    host = new_host()
    address, _, secret = host.link.partition("#")
    assert address == f"http://127.0.0.1:{host.port}/"
    assert len(base64.urlsafe_b64decode(secret + "=")) == 32


def test_a_cookie_is_for_pages_of_this_port_only(browser: Browser, new_host: Callable[..., Host]) -> None:
    host = new_host()
    answer = Browser(host).post("/session", {"secret": host.secret})
    name, _, rest = answer.headers["Set-Cookie"].partition("=")
    attributes = {part.strip().lower() for part in rest.split(";")[1:]}
    assert name == f"atelier-{host.port}"
    assert {"httponly", "samesite=strict", "path=/"} <= attributes
    assert "secure" not in attributes, "a machine's own address has no TLS"
    assert not any(part.startswith("domain") for part in attributes)


@pytest.mark.parametrize("route", [each for each in ALL_ROUTES if each not in PUBLIC_READING], ids=of_route)
def test_nothing_is_answered_without_a_cookie(host: Host, route: tuple) -> None:
    answer = Browser(host).write(*route) if route[0] != "GET" else Browser(host).get(route[1])
    assert (answer.status, answer.kind) == (401, "not_admitted")


def changed_cookies(cookie: str) -> Dict[str, str]:
    name, _, value = cookie.partition("=")
    account, kind, issued, code = value.split(".")
    other = base64.urlsafe_b64encode(b"anna").decode().rstrip("=")
    return {
        "no value": f"{name}=",
        "another account": f"{name}={other}.{kind}.{issued}.{code}",
        "another kind": f"{name}={account}.g.{issued}.{code}",
        "a later time": f"{name}={account}.{kind}.{int(issued) + 10}.{code}",
        "no signature": f"{name}={account}.{kind}.{issued}.",
        "no parts": f"{name}={account}",
        "a shorter signature": f"{name}={value[:-2]}",
        "a changed signature": f"{name}={account}.{kind}.{issued}.{'B' if code[0] == 'A' else 'A'}{code[1:]}",
        "another name": f"atelier={value}",
        "the name of another port": f"{name}1={value}",
        "a longer value": f"{name}={value}.x",
    }


@pytest.mark.parametrize("change", list(changed_cookies("a=b.s.1.c")))
def test_an_altered_cookie_is_nobodys(host: Host, change: str) -> None:
    stranger = Browser(host, changed_cookies(host.cookie)[change])
    assert (stranger.get("/history").status, stranger.get("/history").kind) == (401, "not_admitted")
    assert stranger.get("/session").json()["admitted"] is False


def test_the_cookie_of_another_host_is_nobodys(browser: Browser, new_host: Callable[..., Host]) -> None:
    other = new_host()
    theirs = Browser(other).admit().cookie
    value = theirs.partition("=")[2]
    for cookie in (theirs, f"atelier-{browser.host.port}={value}"):
        assert Browser(browser.host, cookie).get("/history").kind == "not_admitted"


def test_a_cookie_outlives_a_restart_of_the_host(new_host: Callable[..., Host]) -> None:
    host = new_host()
    browser = Browser(host).admit()
    port, secret = host.port, host.secret
    host.restart()
    assert host.port == port, "an open page goes on at the same address"
    assert browser.get("/history").status == 200
    assert Browser(host).post("/session", {"secret": secret}).kind == "link_used", "the old link is of no use"


def test_signing_out_takes_the_cookie_away(new_host: Callable[..., Host]) -> None:
    host = new_host()
    browser = Browser(host).admit()
    answer = browser.delete("/session")
    assert answer.status == 204
    assert "Max-Age=0" in answer.headers["Set-Cookie"]


# --- From where requests come


@pytest.mark.parametrize(
    "name",
    [
        "evil.test",
        "127.0.0.1",
        "localhost",
        "127.0.0.1:1",
        "evil.test:{port}",
        "localhost.:{port}",
        "0.0.0.0:{port}",
        "127.0.0.1:{port}.evil.test",
        "[::1]",
        "2130706433:{port}",
        "127.1:{port}",
        "",
    ],
)
def test_another_name_of_this_machine_is_refused(host: Host, browser: Browser, name: str) -> None:
    for path in ("/", API + "/session", "/assets/app.js", "/history"):
        answer = browser.ask("GET", path, headers={"Host": name.format(port=host.port)})
        assert answer.status in (400, 421), (path, answer)
        assert b"<html" not in answer.body


def test_a_request_without_a_host_is_refused(host: Host) -> None:
    assert raw_answer(host, b"GET /api/v1/session HTTP/1.1\r\n\r\n").split()[1] in (b"400", b"421")


@pytest.mark.parametrize("name", ["127.0.0.1:{port}", "localhost:{port}", "[::1]:{port}", "LOCALHOST:{port}"])
def test_the_names_of_this_machine_are_answered(host: Host, browser: Browser, name: str) -> None:
    assert browser.get("/session", Host=name.format(port=host.port)).status == 200


def test_the_host_listens_to_this_machine_only(host: Host) -> None:
    addresses = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    for address in addresses - {"127.0.0.1", "127.0.1.1"}:
        with pytest.raises(OSError):
            socket.create_connection((address, host.port), timeout=2)


@pytest.mark.parametrize("route", [each for each in WRITING if each != ("POST", "/payments")], ids=of_route)
def test_writing_needs_the_origin_of_our_own_pages(host: Host, browser: Browser, route: tuple) -> None:
    origins = [
        None,
        "null",
        "",
        "http://evil.test",
        f"https://127.0.0.1:{host.port}",
        "http://127.0.0.1",
        "http://127.0.0.1:1",
        f"http://127.0.0.1:{host.port}.evil.test",
        f"http://127.0.0.1:{host.port}/",
        f"http://evil.test#{host.origin}",
        f"{host.origin}, {host.origin}",
        "file://",
    ]
    for origin in origins:
        answer = browser.write(*route, Origin=origin)
        assert (answer.status, answer.kind) == (403, "origin_refused"), origin


@pytest.mark.parametrize("site", ["cross-site", "same-site", "none"])
def test_writing_from_another_site_is_refused_whatever_its_origin(browser: Browser, site: str) -> None:
    for route in WRITING:
        if route != ("POST", "/payments"):
            assert browser.write(*route, Sec_Fetch_Site=site).kind == "origin_refused", route


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_another_site_can_read_nothing(browser: Browser, site: str) -> None:
    for mode, destination in (("no-cors", "image"), ("cors", "empty"), ("no-cors", "script"), ("navigate", "iframe")):
        for path in (API + "/history", API + "/session", "/", "/assets/app.js", "/vendor/leaflet/leaflet.js"):
            answer = browser.ask(
                "GET", path, headers={"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": destination}
            )
            assert (answer.status, answer.kind) == (403, "origin_refused"), (path, mode, destination)


def test_another_site_may_lead_people_here(browser: Browser) -> None:
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    answer = browser.ask("GET", "/", headers=headers)
    assert answer.status == 200 and b"<html" in answer.body


@pytest.mark.parametrize(
    "media_type", ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x"]
)
def test_the_form_of_another_site_does_nothing(browser: Browser, media_type: str) -> None:
    body = b'{"recipe":"create","prompt":"a forged lighthouse"}'
    foreign = browser.ask("POST", API + "/generate", body, {"Content-Type": media_type, "Origin": "http://evil.test"})
    assert foreign.kind == "origin_refused"
    # Even where a browser says nothing of where the form comes from, its type betrays it.
    own = browser.ask("POST", API + "/generate", body, {"Content-Type": media_type})
    assert (own.status, own.kind) == (415, "unsupported_media_type")
    upload = browser.upload(body, media_type)
    assert (upload.status, upload.kind) == (415, "unsupported_media_type")
    assert b"forged" not in browser.get("/history").body


def test_no_other_origin_is_allowed_to_read(browser: Browser) -> None:
    for headers in (
        {"Origin": "http://evil.test"},
        {"Origin": "null"},
        {
            "Origin": "http://evil.test",
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "content-type",
        },
    ):
        for method in ("GET", "OPTIONS", "POST"):
            answer = browser.ask(method, API + "/session", headers=headers)
            assert not [name for name in answer.headers if name.lower().startswith("access-control-")], (method, headers)


# --- What every answer has


SECURITY_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Permissions-Policy": "camera=(self), geolocation=(self), microphone=()",
}
POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' blob:",
    "media-src": "blob:",
    "connect-src": "'self'",
    "manifest-src": "'self'",
    "frame-ancestors": "'none'",
    "base-uri": "'none'",
    "form-action": "'none'",
}


@pytest.mark.parametrize(
    "method, path",
    [
        ("GET", "/"),
        ("GET", "/history"),
        ("GET", "/assets/app.js"),
        ("GET", "/assets/nothing.js"),
        ("GET", API + "/session"),
        ("GET", API + "/history"),
        ("GET", API + "/nothing"),
        ("POST", API + "/generate"),
        ("GET", "/healthz"),
        ("GET", "/metrics"),
        ("PUT", "/"),
        ("OPTIONS", API + "/session"),
        ("HEAD", "/"),
        ("POST", API + "/session"),
        ("DELETE", API + "/photos"),
        ("GET", "/vendor/leaflet/nothing"),
        ("GET", "/..%2f..%2fetc/passwd"),
    ],
)
def test_every_answer_has_the_security_headers(browser: Browser, host: Host, method: str, path: str) -> None:
    for someone in (browser, Browser(host)):
        for headers in ({}, {"Origin": "http://evil.test"}, {"Host": "evil.test"}):
            answer = someone.ask(method, path, headers=headers)
            for name, value in SECURITY_HEADERS.items():
                assert answer.headers[name] == value, (name, headers, answer)
            parts = (part.strip().partition(" ") for part in answer.headers["Content-Security-Policy"].split(";"))
            assert {name: value for name, _, value in parts} == POLICY
            assert answer.headers["Server"] is None, "nobody needs to know what answers"
            assert answer.headers["Strict-Transport-Security"] is None, "a machine's own address has no TLS"


def test_answers_of_the_interface_and_pictures_are_kept_nowhere(browser: Browser, portrait: bytes) -> None:
    photo = browser.photo(portrait)
    for path in ("/session", "/history", "/nothing", f"/photos/{photo}", "/credentials", "/account"):
        assert browser.get(path).headers["Cache-Control"] == "no-store", path


def test_secrets_are_in_no_answer_and_no_log(new_host: Callable[..., Host], portrait: bytes) -> None:
    host = new_host()
    browser = Browser(host).admit()
    key = "AIzaSyNobodyMustSeeThisKey0123456789abcd"
    set_answer = browser.write("PUT", "/credentials/openai", {"key": key})
    assert set_answer.status == 200, set_answer
    answers = [browser.get(path).body for method, path in ALL_ROUTES if method == "GET" and "events" not in path]
    answers += [set_answer.body, browser.write("PUT", "/credentials/openai", {"kez": key}).body]
    answers += [browser.write("PUT", "/credentials/nobody", {"key": key}).body, browser.upload(portrait).body]
    answers += [browser.ask("GET", f"/?tkn={host.secret}").body, browser.get(f"/{key}").body]
    assert browser.delete("/credentials/openai").status == 200
    host.end()
    seen = (
        b"".join(answers)
        + host.log.read_bytes()
        + b"".join(each.read_bytes() for each in host.data.rglob("*.log") if each.is_file())
    )
    cookie = browser.cookie.partition("=")[2]
    for secret in (host.secret, key, SERVICE_KEY, cookie, base64.b64encode(portrait[:300]).decode()[:300]):
        assert secret.encode() not in seen, secret


def test_what_the_host_remembers_is_for_its_owner_only(host: Host) -> None:
    state = host.data / "web" / "web.json"
    assert state.stat().st_mode & 0o077 == 0
    assert host.secret not in state.read_text(), "the link is not kept"


# --- Whose things, and which


@pytest.mark.parametrize(
    "route",
    [
        each
        for each in ALL_ROUTES
        if "generations/0" in each[1] or "sessions/0" in each[1] or "photos/0" in each[1] or "hairstyles/0" in each[1]
    ],
    ids=of_route,
)
def test_ids_that_do_not_exist_are_not_found(browser: Browser, route: tuple) -> None:
    method, path = route
    for wrong in ("gen_01m8d73hj0hpngmncf7827300f", "0", "x" * 256, "%F0%9F%92%87", "a%20b"):
        address = path.replace("/0", f"/{wrong}", 1)
        body = {"favorite": True} if method == "PATCH" else {}
        answer = browser.get(address) if method == "GET" else browser.write(method, address, body)
        if method == "DELETE" and len(wrong) < 200:
            # Nothing is left to do.
            assert answer.status == 204, (address, answer)
            continue
        # A prepared photo is gone after a day, and the answer says only that it is gone. What is too long is no id at all.
        kinds = ["not_found", "template_not_found", "input_expired"] + (["invalid_params"] if len(wrong) > 200 else [])
        assert answer.status in (400, 404) and answer.kind in kinds, (address, answer)


PATHS = [
    "..%2f..%2f..%2fetc%2fpasswd",
    "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
    "%2fetc%2fpasswd",
    "..",
    "%00",
    "a%00.js",
    "..%5c..%5cx",
    "%252e%252e%252fetc%252fpasswd",
    "....//....//etc/passwd",
    "file:%2f%2f%2fetc%2fpasswd",
    "x" * 5000,
    "%ff%fe",
    "%",
]


@pytest.mark.parametrize("path", PATHS)
def test_a_path_in_a_parameter_reaches_no_file(browser: Browser, path: str) -> None:
    addresses = [
        f"{API}/photos/{path}",
        f"{API}/generations/{path}",
        f"{API}/generations/{path}/images/0",
        f"{API}/generations/{path}/original",
        f"{API}/generations/gen_1/images/{path}",
        f"{API}/sessions/{path}",
        f"{API}/hairstyles/{path}",
        f"{API}/hairstyles/{path}/thumbnail",
        f"/assets/{path}",
        f"/vendor/leaflet/{path}",
        f"/assets/screens/{path}",
        f"/{path}",
        f"{API}/history?cursor={path}",
        f"{API}/hairstyles?category={path}",
        f"{API}/generations/gen_1/events?x={path}",
        f"{API}/generations/gen_1/images/0?variant={path}",
    ]
    for address in addresses:
        answer = browser.ask("GET", address)
        assert b"root:" not in answer.body, address
        assert answer.status < 500 and (answer.status != 200 or b"<html" in answer.body or "?" in address), (
            address,
            answer,
        )
    for route in ("PUT", "DELETE"):
        assert browser.write(route, f"/credentials/{path}", {"key": "x"}).status in (204, 400, 404, 405, 414, 422)


HOSTS_OWN = [
    {"account": "anna"},
    {"account": "*"},
    {"account": "owner"},
    {"detach": False},
    {"private": True},
    {"progress": True},
    {"output": {"directory": "/tmp"}},
    {"output": {"inline": True}},
    {"image": {"path": "/etc/passwd"}},
    {"image": {"data": "AAAA", "mimeType": "image/jpeg"}},
    {"references": [{"path": "/etc/passwd"}]},
    {"references": [{"preparedId": "prep_1"}, {"data": "AAAA"}]},
    {"account": None},
]


@pytest.mark.parametrize("params", HOSTS_OWN, ids=json.dumps)
def test_what_the_host_decides_is_refused_from_pages(browser: Browser, params: Dict) -> None:
    for path in ("/generate", "/regenerate", "/estimate"):
        body = (
            {"recipe": "create", "prompt": "a lighthouse", **params}
            if path != "/regenerate"
            else {"generationId": "gen_1", **params}
        )
        answer = browser.post(path, body)
        assert (answer.status, answer.kind) == (400, "invalid_params"), path


@pytest.mark.parametrize("route", [each for each in ALL_ROUTES if each not in PUBLIC_READING], ids=of_route)
def test_nobody_names_the_account_that_is_acted_for(browser: Browser, route: tuple) -> None:
    method, path = route
    if (method, path) in {("DELETE", "/session"), ("POST", "/photos"), ("DELETE", "/account"), ("DELETE", "/history")}:
        return  # They take no params, and would end what other tests need.
    if method == "GET":
        named, plain = browser.get(f"{path}?account=anna"), browser.get(path)
        assert named.status == 400 or named.body == plain.body or b"anna" not in named.body
    elif method == "DELETE":
        assert browser.delete(f"{path}?account=anna").kind == "invalid_params"
    else:
        assert browser.write(method, path, {"account": "anna"}).status in (400, 404)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'"x"',
        b"1",
        b'{"a":1,"a":2}',
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"recipe":"create"}{}',
        b'{"recipe":1e999}',
        b"\xef\xbb\xbf{}",
    ],
    ids=lambda body: repr(body[:12]),
)
def test_a_body_that_is_no_request_is_refused(browser: Browser, body: bytes) -> None:
    answer = browser.ask("POST", API + "/generate", body, {"Content-Type": JSON})
    assert answer.status == 400, answer
    assert answer.kind in ("parse_error", "invalid_params"), answer


# --- Methods and addresses


@pytest.mark.parametrize(
    "path",
    [
        API + "/nothing",
        API,
        API + "/",
        "/api/v2/session",
        "/nothing.js",
        "/.env",
        "/.git/config",
        "/assets/",
        "/assets",
        "/vendor/leaflet/x",
    ],
)
def test_unknown_addresses_are_not_found(browser: Browser, path: str) -> None:
    answer = browser.ask("GET", path)
    assert answer.status == 404 or (path == "/assets" and answer.status == 200), answer


@pytest.mark.parametrize(
    "method, path",
    [
        ("DELETE", "/photos"),
        ("GET", "/generate"),
        ("PUT", "/history"),
        ("POST", "/history"),
        ("PATCH", "/session"),
        ("GET", "/feedback"),
        ("POST", "/credentials/gemini"),
    ],
)
def test_another_method_of_an_address_is_not_allowed(browser: Browser, method: str, path: str) -> None:
    answer = browser.ask(method, API + path)
    assert (answer.status, answer.kind) == (405, "method_not_allowed"), answer


@pytest.mark.parametrize("method", ["TRACE", "CONNECT", "BREW", "PROPFIND"])
def test_methods_of_other_protocols_are_refused(browser: Browser, method: str) -> None:
    answer = browser.ask(method, "/")
    assert 400 <= answer.status < 502 and b"Cookie" not in answer.body


@pytest.mark.parametrize("path", ["/", "/history", "/assets/style.css", API + "/session", API + "/history"])
def test_head_is_get_without_a_body(browser: Browser, path: str) -> None:
    head, get = browser.ask("HEAD", path), browser.ask("GET", path)
    assert head.status == get.status == 200, (head, get)
    assert head.body == b""
    assert head.headers["Content-Type"] == get.headers["Content-Type"]
    assert head.headers["Content-Length"] == get.headers["Content-Length"]


def test_head_of_what_is_streamed_says_no_length_and_the_next_answer_follows(
    host: Host, browser: Browser, portrait: bytes
) -> None:
    request = {"recipe": "headshot", "image": {"preparedId": browser.photo(portrait)}}
    generation = browser.post("/generate", request).json()["generationId"]
    until("the headshot", lambda: browser.get(f"/generations/{generation}").json()["state"] == "succeeded")
    head = f"Host: 127.0.0.1:{host.port}\r\nCookie: {host.cookie}\r\n\r\n"
    streamed = (f"{API}/history/export", f"{API}/generations/{generation}/events")
    requests = [f"HEAD {path} HTTP/1.1\r\n{head}" for path in streamed] + [f"GET {API}/history HTTP/1.1\r\n{head}"]
    for order in (requests, requests[::-1]):
        answers = raw_answer(host, "".join(order).encode())
        parts = re.split(rb"(?=HTTP/1\.1 )", answers)[1:]
        assert [part.split()[1] for part in parts] == [b"200"] * 3, answers[:2000]
        for part in (part for part, asked in zip(parts, order) if asked.startswith("HEAD")):
            assert b"content-length" not in part.lower() and part.endswith(b"\r\n\r\n"), part
            assert part.count(b"\r\n\r\n") == 1, part


@pytest.mark.parametrize("path", ["/", f"{API}/session", "/healthz"])
def test_a_request_for_two_hosts_is_none(host: Host, path: str) -> None:
    ours = f"Host: 127.0.0.1:{host.port}\r\n"
    for hosts in (ours + "Host: evil.test\r\n", "Host: evil.test\r\n" + ours, ours * 2):
        answer = raw_answer(host, f"GET {path} HTTP/1.1\r\n{hosts}Connection: close\r\n\r\n".encode())
        assert answer.split()[1] == b"400" and b'"invalid_request"' in answer, answer


def test_options_tell_nothing_to_others(browser: Browser) -> None:
    for path in ("/", API + "/history", API + "/generate", "*"):
        answer = browser.ask("OPTIONS", path)
        assert answer.status in (204, 400, 403, 404, 405), answer


def test_two_requests_in_one_are_no_smuggling(host: Host) -> None:
    name = f"127.0.0.1:{host.port}".encode()
    body = (
        b"0\r\n\r\nGET /api/v1/history HTTP/1.1\r\nHost: " + name + b"\r\nCookie: " + host.cookie.encode() + b"\r\n\r\n"
    )
    for extra in (b"Transfer-Encoding: chunked\r\n", b"Content-Length: 0\r\n", b"Transfer-Encoding : chunked\r\n"):
        request = (
            b"POST /api/v1/session HTTP/1.1\r\nHost: "
            + name
            + b"\r\nOrigin: http://"
            + name
            + (b"\r\nContent-Type: application/json\r\nContent-Length: %d\r\n" % len(body))
            + extra
            + b"\r\n"
            + body
        )
        assert b'"entries"' not in raw_answer(host, request), extra


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET / HTTP/9.9\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"\x00" * 100,
        b"GET http://evil.test/ HTTP/1.1\r\nHost: evil.test\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"A: " + b"x" * 200_000 + b"\r\n\r\n",
        b"GET /" + b"x" * 200_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    ],
    ids=["tls", "version", "http2", "zeros", "proxy", "two hosts", "long header", "long path"],
)
def test_what_is_no_request_of_ours_gets_no_page(host: Host, browser: Browser, request_bytes: bytes) -> None:
    try:
        answer = raw_answer(host, request_bytes)
    except (ConnectionResetError, BrokenPipeError):
        answer = b""
    assert b"<html" not in answer and (not answer or answer.split()[1][:1] == b"4"), answer[:200]
    assert browser.get("/session").status == 200


def test_a_connection_goes_on_after_a_refusal(browser: Browser) -> None:
    connection: http.client.HTTPConnection = browser.connect()
    statuses = []
    for path in ("/history", "/nothing", "/session"):
        browser.send(connection, "GET", API + path)
        statuses.append(read(connection).status)
    connection.close()
    assert statuses == [200, 404, 200]
