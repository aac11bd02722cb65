"""What is a shop in the tests: a host of the public way, an issuer of identities, and a processor of payments?"""

from __future__ import annotations

import base64
import hashlib
import hmac
import itertools
import json
import pathlib
import secrets
import socket
import time
from typing import Any, Callable, Dict, Optional

from http_client import API, Answer, Browser
from programs import Host, Simulator, identity

PRODUCTS = [
    {
        "id": "bundle_8",
        "kind": "bundle",
        "title": "8 pictures",
        "credits": 8,
        "price": {"amount": "0.99", "currency": "USD"},
        "platforms": {"web": "bundle_8"},
    },
    {
        "id": "bundle_48",
        "kind": "bundle",
        "title": "48 pictures",
        "credits": 48,
        "price": {"amount": "4.99", "currency": "USD"},
        "platforms": {"web": "bundle_48"},
    },
]
#: Each report is a message of its own, whatever payment it is about.
messages = itertools.count(1)
#: Each person has an address of their own, because addresses have limits.
addresses = (f"203.0.{number // 250}.{number % 250 + 1}" for number in itertools.count())


class Shop:
    """A host of the public way; people reach it as through a proxy."""

    def __init__(
        self,
        start: Callable[..., Host],
        folder: pathlib.Path,
        simulator: Simulator,
        name: str = "shop",
        *,
        is_local: bool = False,
        beside: Optional["Shop"] = None,
        service: Optional[Dict[str, Any]] = None,
        **members: Any,
    ) -> None:
        """
        :param is_local: whether a browser of this machine comes without a proxy.
        :param beside: a host whose data directory and keys it has as well.
        :param service: more members of the service's configuration.
        :param members: more members of ``public``.
        """
        self.folder = folder
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.secret = beside.secret if beside else secrets.token_bytes(32)
        self.session_key = beside.session_key if beside else secrets.token_bytes(32)
        session_key, payment_key = folder / f"{name}-session.key", folder / f"{name}-payment.key"
        for path, text in (
            (session_key, base64.b64encode(self.session_key).decode()),
            (payment_key, "whsec_" + base64.b64encode(self.secret).decode()),
        ):
            path.write_text(text)
            path.chmod(0o600)
        config = {
            **simulator.config(),
            **json.loads(identity(folder, "configuration")),
            "credits": {"products": PRODUCTS},
        }
        for member, value in (service or {}).items():
            config[member] = {**config.get(member, {}), **value}
        self.origin = f"http://localhost:{port}" if is_local else "https://studio.example"
        self.host = start(
            name,
            service=config,
            data=beside.host.data if beside else None,
            shop={
                "origin": self.origin,
                "port": port,
                "sessionKeyFile": str(session_key),
                "signIn": [
                    {
                        "name": "simulated",
                        "title": "Example",
                        "authorizeUrl": f"{self.origin}/issuer",
                        "clientId": "studio",
                    }
                ],
                "payment": {
                    "checkoutUrl": f"{self.origin}/pay/{{product}}?reference={{reference}}",
                    "secretFile": str(payment_key),
                },
                **members,
            },
        )

    def person(self, address: Optional[str] = None) -> Browser:
        """Somebody who has not been here, from an address of their own."""
        forwarded = {"X-Forwarded-For": address or next(addresses), "X-Forwarded-Proto": "https"}
        return Browser(self.host, headers=dict(forwarded))

    def guest(self, address: Optional[str] = None) -> Browser:
        return self.person(address).admit()

    def token(self, subject: str, **options: str) -> str:
        return identity(self.folder, "token", subject=subject, **options)

    def sign_in(self, person: Browser, subject: str, **more: Any) -> Answer:
        """Signs somebody in, who goes on with the cookie of the answer."""
        answer = person.post("/session/sign-in", {"identityToken": self.token(subject), **more})
        if answer.status == 200:
            person.keep_cookie(answer)
        return answer

    def reference(self, person: Browser, product: str = "bundle_8") -> str:
        """What stands for a person at the processor of payments."""
        answer = person.post("/checkout", {"productId": product})
        assert answer.status == 200, answer
        return answer.json()["url"].partition("reference=")[2]

    def report(
        self,
        reference: str,
        payment: str,
        kind: str = "paid",
        product: str = "bundle_8",
        *,
        age: int = 0,
        secret: Optional[bytes] = None,
        signed: Optional[bytes] = None,
        signature: Optional[str] = None,
        message: Optional[str] = None,
        part: Optional[Dict[str, object]] = None,
    ) -> Answer:
        """What the processor says of a payment, signed as Standard Webhooks has it.

        :param message: the id of the report; by default one that no other has, for a processor may report a payment twice.
        :param part: further members, of a refund that is not of the whole.
        """
        members = {"type": kind, "paymentId": payment, "reference": reference, "productId": product, **(part or {})}
        body = json.dumps(members).encode()
        stamp = str(int(time.time()) - age)
        message = message or f"msg_{next(messages)}"
        text = f"{message}.{stamp}.".encode() + (signed if signed is not None else body)
        code = base64.b64encode(hmac.new(secret or self.secret, text, hashlib.sha256).digest()).decode()
        return self.person().ask(
            "POST",
            f"{API}/payments",
            body,
            {
                "Content-Type": "application/json",
                "Origin": None,
                "webhook-id": message,
                "webhook-timestamp": stamp,
                "webhook-signature": f"v1,{code}" if signature is None else signature,
            },
        )


def credits(person: Browser) -> int:
    """How many credits somebody has."""
    return person.get("/credits").json()["available"]
