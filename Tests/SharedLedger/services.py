"""Whole services that share a store, people who use them, and what these people were promised."""

from __future__ import annotations

import base64
import json
import os
import queue
import random
import signal
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import Any, Dict, List, Optional, Set, Tuple

from workers import ROOT

ATELIER = Path(os.environ.get("ATELIER", ROOT / ".build/debug/atelier")).resolve()
SIMULATOR = ATELIER.parent / "gemini-simulator"

#: Which answers promise that nothing was charged.
FREE_STATES = ("failed", "cancelled", "interrupted", "expired")


class Gone(Exception):
    """The service ended before it answered: nobody knows what became of the request."""


class Refused(Exception):
    """An error of the protocol."""

    def __init__(self, error: Dict[str, Any]) -> None:
        super().__init__(json.dumps(error))
        self.kind = error.get("data", {}).get("kind", "")
        self.is_retryable = bool(error.get("data", {}).get("retryable"))


class Simulator:
    """Google's API, without a key and without a network."""

    def __init__(self, latency: int) -> None:
        command = [str(SIMULATOR), "--picture-scale", "64", "--latency-ms", str(latency)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout
        self.url = json.loads(self.process.stdout.readline())["baseUrl"]

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()


class Service:
    """One `atelier`, whose data directory is in a folder that stands for its machine."""

    def __init__(self, configuration: Dict[str, Any], folder: Path) -> None:
        self.folder = folder
        file = Path(tempfile.mkstemp(prefix="atelier-", suffix=".json")[1])
        file.write_text(json.dumps(configuration))
        self.file = file
        self.lock = threading.Lock()
        self.number = 0
        self.waiting: Dict[int, "queue.Queue[Optional[Dict[str, Any]]]"] = {}
        self.is_gone = False
        environment = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
        environment["GEMINI_API_KEY"] = "any-key-of-the-simulator"
        environment["ATELIER_DATA_DIR"] = str(self.folder / "data")
        self.process = subprocess.Popen(
            [str(ATELIER), "serve", "--trusted", "--config", str(file), "--drain-timeout", "20"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self) -> None:
        for line in self.process.stdout or ():
            if not line.endswith(b"\n"):
                continue
            message = json.loads(line)
            with self.lock:
                place = self.waiting.pop(message["id"], None) if "method" not in message else None
            if place:
                place.put(message)
        with self.lock:
            self.is_gone = True
            left, self.waiting = list(self.waiting.values()), {}
        for place in left:
            place.put(None)

    def begin(self, method: str, **params: Any) -> Tuple[int, "queue.Queue[Optional[Dict[str, Any]]]"]:
        place: "queue.Queue[Optional[Dict[str, Any]]]" = queue.Queue()
        with self.lock:
            if self.is_gone:
                raise Gone
            self.number += 1
            number = self.number
            self.waiting[number] = place
            self.write({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return number, place

    def write(self, message: Dict[str, Any]) -> None:
        try:
            assert self.process.stdin
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()
        except (OSError, ValueError):
            raise Gone from None

    def cancel(self, number: int) -> None:
        with self.lock:
            if not self.is_gone:
                self.write({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": number}})

    @staticmethod
    def answer(place: "queue.Queue[Optional[Dict[str, Any]]]", seconds: float, to: str = "") -> Dict[str, Any]:
        try:
            message = place.get(timeout=seconds)
        except queue.Empty:
            raise AssertionError(f"no answer came within {seconds} s to {to}") from None
        if message is None:
            raise Gone
        if "error" in message:
            raise Refused(message["error"])
        return dict(message["result"])

    def ask(self, method: str, seconds: float = 1200, **params: Any) -> Dict[str, Any]:
        return self.answer(self.begin(method, **params)[1], seconds, f"{method} {params}")

    def kill(self) -> None:
        self.process.kill()
        self.forget()

    def end(self) -> None:
        """Lets it finish what it is at."""
        if self.process.stdin:
            try:
                self.process.stdin.close()
            except OSError:
                pass
        try:
            self.process.wait(1200)
        finally:
            self.forget()

    def send(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def forget(self) -> None:
        self.process.kill()
        self.process.wait()
        self.reader.join()
        for stream in (self.process.stdin, self.process.stdout):
            if stream and not stream.closed:
                try:
                    stream.close()
                except OSError:
                    pass
        self.file.unlink(missing_ok=True)


class Life:
    """An account from its first use until it is deleted: what comes after under the same name is another one."""

    def __init__(self, name: str) -> None:
        self.name = name
        #: Payments and refunds that were sent for it, answered or not.
        self.paid: Dict[str, int] = {}
        self.refunded: Dict[str, int] = {}
        #: Whether nobody knows if it was deleted.
        self.is_uncertain = False


class Promises:
    """What the services have answered, whichever of them."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        #: The generations that were answered as delivered, with their charge and whose they are.
        self.delivered: Dict[str, Tuple[int, Life]] = {}
        self.free: Set[str] = set()
        #: For each key of a request, the generations that answered it.
        self.of_key: Dict[Tuple[str, str], Set[str]] = {}
        self.granted: Set[str] = set()
        #: Which lives of accounts are certainly over.
        self.deleted: Set[int] = set()
        self.faults: List[str] = []
        self.refusals: Dict[str, int] = {}
        self.steps = 0

    def note(self, key: Tuple[str, str], generation: Dict[str, Any], life: Life) -> None:
        name, state = generation["generationId"], generation["state"]
        charged = (generation.get("credits") or {}).get("charged", 0)
        with self.lock:
            self.of_key.setdefault(key, set()).add(name)
            if len(self.of_key[key]) > 1:
                self.faults.append(f"the key {key} was answered by {sorted(self.of_key[key])}")
            if state in ("succeeded", "partial"):
                if name in self.free:
                    self.faults.append(f"{name} was said to have failed, and then to be delivered")
                if self.delivered.setdefault(name, (charged, life))[0] != charged:
                    self.faults.append(f"{name} was said to cost {self.delivered[name][0]}, and then {charged}")
            elif state in FREE_STATES:
                if charged:
                    self.faults.append(f"{name} is {state} and was charged {charged}")
                if name in self.delivered:
                    self.faults.append(f"{name} was said to be delivered, and then to be {state}")
                self.free.add(name)

    def refused(self, kind: str) -> None:
        with self.lock:
            self.refusals[kind] = self.refusals.get(kind, 0) + 1


class Person(threading.Thread):
    """Somebody with accounts of their own, who does one thing after the other with whichever service answers."""

    def __init__(self, number: int, services: List[Service], promises: Promises, seed: int) -> None:
        super().__init__(daemon=True)
        self.number = number
        self.services = services
        self.promises = promises
        self.random = random.Random(seed)
        self.lives = [Life(f"p{number}-{index}") for index in range(3)]
        #: Every life there was, with those that are over.
        self.all_lives = list(self.lives)
        #: Requests that nobody has answered yet, to be sent again.
        self.open: List[Tuple[Life, str, str]] = []
        #: Payments of lives that are over, whose refunds come late.
        self.late: List[Tuple[str, str, int]] = []
        self.count = 0
        self.must_stop = threading.Event()

    def run(self) -> None:
        while not self.must_stop.is_set():
            try:
                self.step()
            except Gone:
                self.must_stop.wait(0.02)
            except Refused as refusal:
                self.promises.refused(refusal.kind)
                # These would be a fault of the service, whatever is broken around it.
                if refusal.kind in ("internal", "internal_error", "idempotency_mismatch", "invalid_params"):
                    with self.promises.lock:
                        self.promises.faults.append(f"person {self.number}: {refusal}")
            except Exception as error:  # noqa: BLE001 -- the test names it
                with self.promises.lock:
                    self.promises.faults.append(f"person {self.number}: {error!r}")
                return
            with self.promises.lock:
                self.promises.steps += 1

    def service(self) -> Service:
        return self.random.choice(self.services)

    def fresh(self, what: str) -> str:
        self.count += 1
        return f"{what}-{self.number}-{self.count}"

    def step(self) -> None:
        life = self.random.choice(self.lives)
        actions = [(30, self.generate), (12, self.repeat), (14, self.pay), (8, self.refund), (5, self.refund_first)]
        actions += [(5, self.refund_late), (4, self.delete), (6, self.sign_in), (4, self.look)]
        self.random.choices([each for _, each in actions], [weight for weight, _ in actions])[0](life)

    # MARK: What people do

    def generate(self, life: Life) -> None:
        key = self.fresh("key")
        self.open.append((life, key, f"a lighthouse, {key}"))
        self.send(life, key, f"a lighthouse, {key}", is_cancelled=self.random.random() < 0.2)

    def repeat(self, life: Life) -> None:
        if self.open:
            life, key, prompt = self.random.choice(self.open)
            self.send(life, key, prompt)

    def send(self, life: Life, key: str, prompt: str, is_cancelled: bool = False) -> None:
        service = self.service()
        number, place = service.begin(
            "generate",
            recipe="create",
            provider="gemini",
            prompt=prompt,
            account=life.name,
            idempotencyKey=key,
            # What a machine that is gone was making is given up when its lease and this limit are over.
            timeoutMs=5_000,
        )
        if is_cancelled:
            self.must_stop.wait(self.random.random() * 0.1)
            service.cancel(number)
        generation = service.answer(place, 2400, f"generate {key} cancelled={is_cancelled}")
        # A key belongs to one life of an account: whoever comes back under its name is somebody else.
        self.promises.note((f"{life.name}#{id(life)}", key), generation, life)

    def pay(self, life: Life, key: Optional[str] = None) -> None:
        key = key or self.fresh("payment")
        amount = self.random.choice([8, 48])
        life.paid[key] = amount
        self.grant(life.name, key, amount)

    def grant(self, name: str, key: str, amount: int) -> None:
        # A processor reports a payment until it is confirmed.
        while not self.must_stop.is_set():
            try:
                self.service().ask("credits/grant", account=name, amount=amount, reason="card", idempotencyKey=key)
                with self.promises.lock:
                    self.promises.granted.add(key)
                return
            except Gone:
                self.must_stop.wait(0.02)
            except Refused as refusal:
                if not refusal.is_retryable:
                    raise
                self.must_stop.wait(0.05)

    def refund(self, life: Life) -> None:
        paid = [key for key in life.paid if key not in life.refunded]
        if paid:
            key = self.random.choice(paid)
            self.revoke(life, key, life.paid[key])

    def revoke(self, life: Life, key: str, amount: int) -> None:
        life.refunded[key] = amount
        self.service().ask("credits/revoke", account=life.name, amount=amount, reason="refunded", **self.naming(key))

    def naming(self, payment: str) -> Dict[str, Any]:
        """The two ways to say which payment is refunded."""
        if self.random.random() < 0.5:
            return {"idempotencyKey": payment, "owe": True}
        return {"idempotencyKey": f"refund-of-{payment}", "payment": payment}

    def refund_first(self, life: Life) -> None:
        """The refund is reported before its payment."""
        key = self.fresh("payment")
        life.paid[key] = life.refunded[key] = 8
        refund = {"idempotencyKey": f"refund-of-{key}", "payment": key}
        answer = self.service().ask("credits/revoke", account=life.name, amount=8, reason="refunded", **refund)
        if answer["revoked"] or answer["owed"]:
            with self.promises.lock:
                self.promises.faults.append(f"the refund of {key} has taken something before its payment came")
        self.grant(life.name, key, 8)

    def refund_late(self, life: Life) -> None:
        """The refund of a payment whose account is gone: it is owed by nobody who has its name today."""
        if self.late:
            name, key, amount = self.late.pop(self.random.randrange(len(self.late)))
            self.service().ask("credits/revoke", account=name, amount=amount, reason="refunded", **self.naming(key))

    def delete(self, life: Life) -> None:
        self.lives.remove(life)
        after = Life(life.name)
        self.lives.append(after)
        self.all_lives.append(after)
        self.open = [each for each in self.open if each[0] is not life]
        self.late += [(life.name, key, amount) for key, amount in life.paid.items() if key not in life.refunded]
        try:
            self.service().ask("account/delete", account=life.name)
            with self.promises.lock:
                self.promises.deleted.add(id(life))
        except (Gone, Refused):
            # Perhaps it is the same life still, which owes what it owes.
            life.is_uncertain = after.is_uncertain = True
            after.paid, after.refunded = dict(life.paid), dict(life.refunded)
            self.late = [each for each in self.late if each[0] != life.name]
            raise

    def sign_in(self, life: Life) -> None:
        # Nobody signs in as two people: each account has an identity of its own, which its later lives have as well.
        subject = f"person-of-{life.name}"
        self.service().ask("account/signIn", account=life.name, identity={"provider": "example", "subject": subject})

    def look(self, life: Life) -> None:
        self.service().ask("credits/balance", account=life.name)


def picture(service: Service, generation: str, account: str) -> bytes:
    """The first picture of a generation."""
    answer = service.ask("image/read", generationId=generation, index=0, account=account)
    return base64.b64decode(answer["data"])
