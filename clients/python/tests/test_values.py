"""Names, times and errors between the wire and Python."""

from __future__ import annotations

import inspect
import pickle
import sys
import typing
import unittest
from datetime import datetime, timedelta, timezone
from typing import Any, Dict, List, Tuple

import atelier_studio
from atelier_studio import _coding
from atelier_studio.errors import error_from_wire


class CodingTests(unittest.TestCase):
    def test_times_are_read_with_any_number_of_digits(self) -> None:
        limit = {"scope": "day", "limit": 1, "used": 0}
        moment = datetime(2026, 11, 2, 3, 4, 5, tzinfo=timezone.utc)
        for text, expected in [
            ("2026-11-02T03:04:05Z", moment),
            ("2026-11-02T03:04:05.5Z", moment + timedelta(milliseconds=500)),
            ("2026-11-02T03:04:05.123456789Z", moment + timedelta(microseconds=123456)),
            ("2026-11-02T04:04:05.000+01:00", moment),
        ]:
            self.assertEqual(_coding.decode(atelier_studio.Limit, {**limit, "resetsAt": text}).resets_at, expected)

    def test_times_are_written_in_utc_with_milliseconds(self) -> None:
        time = datetime(2026, 11, 2, 3, 4, 5, 678900, tzinfo=timezone(timedelta(hours=1)))
        self.assertEqual(_coding.timestamp(time), "2026-11-02T02:04:05.678Z")

    def test_what_is_wrong_is_named_by_its_path(self) -> None:
        good: Dict[str, Any] = {"generationId": "g", "sequence": 1, "state": "running", "phase": "saving"}
        good.update({"message": "", "overall": 0.5, "elapsedMs": 1})
        self.assertEqual(_coding.decode(atelier_studio.Progress, good).phase, "saving")
        changes: List[Tuple[Dict[str, Any], str]] = [
            ({"sequence": "1"}, "/sequence"),
            ({"sequence": True}, "/sequence"),
            ({"generationId": None}, "/generationId"),
            ({"fraction": "half"}, "/fraction"),
            ({"step": [1, 2]}, "/step"),
            ({"step": {"index": 1}}, "/step/count"),
        ]
        for change, path in changes:
            with self.assertRaisesRegex(atelier_studio.ProtocolError, path):
                _coding.decode(atelier_studio.Progress, {**good, **change})

    def test_unknown_states_and_phases_are_accepted(self) -> None:
        wire: Dict[str, Any] = {"generationId": "g", "sequence": 1, "state": "dreaming", "phase": "floating"}
        wire.update({"message": "", "overall": 0.5, "elapsedMs": 1})
        self.assertEqual(_coding.decode(atelier_studio.Progress, wire).state, "dreaming")

    def test_values_cannot_be_changed(self) -> None:
        with self.assertRaises(AttributeError):
            atelier_studio.Style().angle = 1  # type: ignore[misc]

    def test_inline_bytes_are_decoded(self) -> None:
        image: Any = {"index": 0, "mimeType": "image/png", "width": 1, "height": 1, "bytes": 2, "sha256": "0"}
        self.assertEqual(_coding.decode(atelier_studio.ResultImage, {**image, "data": "/9g="}).data, b"\xff\xd8")
        with self.assertRaisesRegex(atelier_studio.ProtocolError, "/data"):
            _coding.decode(atelier_studio.ResultImage, {**image, "data": "not base64!"})


    def test_a_path_is_a_text_or_an_error_that_says_why_there_is_none(self) -> None:
        image: Any = {"index": 0, "mimeType": "image/png", "width": 1, "height": 1, "bytes": 2, "sha256": "0"}
        stored = _coding.decode(atelier_studio.ResultImage, {**image, "path": "/a.png"})
        self.assertEqual((stored.path, stored.path_or_none), ("/a.png", "/a.png"))
        self.assertEqual(_coding.encode(stored)["path"], "/a.png")
        self.assertEqual(pickle.loads(pickle.dumps(stored)), stored)
        private = _coding.decode(atelier_studio.ResultImage, image)
        self.assertIsNone(private.path_or_none)
        with self.assertRaisesRegex(atelier_studio.NotFound, "private") as caught:
            private.path
        self.assertEqual(caught.exception.kind, "no_file")

    def test_known_values_are_literals_and_others_are_accepted_in_answers(self) -> None:
        self.assertEqual(typing.get_args(atelier_studio.Recipe)[0], "headshot")
        style = _coding.decode(atelier_studio.Style, {"background": "plaid", "angle": "up"})
        self.assertEqual((style.background, style.angle), ("plaid", "up"))
        with self.assertRaisesRegex(atelier_studio.ProtocolError, "/background"):
            _coding.decode(atelier_studio.Style, {"background": 3})
        template: Any = {"size": 3, "mode": "single"}
        with self.assertRaisesRegex(atelier_studio.ProtocolError, "/size"):
            _coding.decode(atelier_studio.Output, template)
        with self.assertRaisesRegex(atelier_studio.ProtocolError, "/mode"):
            _coding.decode(atelier_studio.Output, {"mode": 3})
        self.assertEqual(_coding.decode(atelier_studio.Output, {"mode": "panorama"}).mode, "panorama")


class ErrorTests(unittest.TestCase):
    def test_errors_of_a_family_have_its_class(self) -> None:
        families = {
            400: atelier_studio.InvalidImage,
            401: atelier_studio.CredentialsError,
            402: atelier_studio.InsufficientCredits,
            403: atelier_studio.PermissionDenied,
            404: atelier_studio.NotFound,
            408: atelier_studio.TimedOut,
            409: atelier_studio.Conflict,
            413: atelier_studio.InvalidImage,
            415: atelier_studio.InvalidImage,
            422: atelier_studio.Rejected,
            429: atelier_studio.RateLimited,
            500: atelier_studio.InternalError,
            502: atelier_studio.Unavailable,
            503: atelier_studio.Unavailable,
            504: atelier_studio.TimedOut,
            507: atelier_studio.StorageFull,
            -32600: atelier_studio.InvalidRequest,
            -32602: atelier_studio.InvalidParameters,
            418: atelier_studio.AtelierError,
        }
        for code, family in families.items():
            error = error_from_wire({"code": code, "message": "m", "data": {"kind": "k"}})
            self.assertIs(type(error), family, code)
            self.assertEqual((str(error), error.code, error.kind), ("m", code, "k"))

    def test_what_is_missing_to_pay_is_told(self) -> None:
        price = {"amount": "4.99", "currency": "USD"}
        option = {"id": "bundle_48", "kind": "bundle", "title": "48 portraits", "credits": 48, "price": price}
        details: Dict[str, Any] = {"required": 4, "available": 1}
        data = {"kind": "insufficient_credits", "details": details}
        error = error_from_wire({"code": 402, "message": "Not enough credits.", "data": data})
        assert isinstance(error, atelier_studio.InsufficientCredits)
        self.assertEqual((error.required, error.available, error.upgrade_options), (4, 1, ()))
        details["upgradeOptions"] = [option]
        expected = atelier_studio.UpgradeOption(
            "bundle_48", "bundle", "48 portraits", 48, atelier_studio.Price("4.99", "USD"))
        self.assertEqual(error.upgrade_options, (expected,))

    def test_a_purchase_that_is_not_believed_is_no_image(self) -> None:
        data = {"kind": "invalid_receipt", "retryable": False, "details": {"reason": "wrong_account"}}
        error = error_from_wire({"code": 400, "message": "Not confirmed.", "data": data})
        assert isinstance(error, atelier_studio.InvalidReceipt)
        self.assertEqual(error.reason, "wrong_account")

    def test_what_a_provider_denies_is_the_matter_of_its_key(self) -> None:
        data = {"kind": "provider_denied", "retryable": False}
        error = error_from_wire({"code": 403, "message": "The key may not do that.", "data": data})
        self.assertIs(type(error), atelier_studio.CredentialsError)

    def test_a_sign_in_and_missing_consent_have_classes_of_their_own(self) -> None:
        data = {"kind": "invalid_identity", "retryable": False}
        error = error_from_wire({"code": 401, "message": "Please sign in again.", "data": data})
        self.assertIs(type(error), atelier_studio.InvalidIdentity)
        data = {"kind": "consent_required", "retryable": False}
        error = error_from_wire({"code": 403, "message": "Please accept the terms of use first.", "data": data})
        self.assertIs(type(error), atelier_studio.ConsentRequired)

    def test_an_error_tells_what_whoever_runs_the_service_can_do_in_a_traceback_as_well(self) -> None:
        error = atelier_studio.AtelierError("m", kind="internal", details={"hint": "Run `atelier doctor`."})
        copy = pickle.loads(pickle.dumps(error))
        for told in (error, copy):
            self.assertEqual(told.hint, "Run `atelier doctor`.")
            if sys.version_info >= (3, 11):
                self.assertEqual(told.__notes__, ["Run `atelier doctor`."])
        self.assertIsNone(atelier_studio.AtelierError("m").hint)

    def test_errors_can_be_sent_to_another_process(self) -> None:
        data = {"kind": "no_face_found", "retryable": False, "details": {"faces": 0}}
        error = error_from_wire({"code": 422, "message": "No face.", "data": data})
        copy = pickle.loads(pickle.dumps(error))
        self.assertIs(type(copy), atelier_studio.Rejected)
        self.assertEqual((str(copy), copy.kind, copy.details), ("No face.", "no_face_found", {"faces": 0}))

    def test_an_error_in_no_known_form_is_an_error_still(self) -> None:
        self.assertIsInstance(error_from_wire("oh"), atelier_studio.ProtocolError)


class DocumentationTests(unittest.TestCase):
    def test_everything_public_is_documented(self) -> None:
        missing = []
        for name in atelier_studio.__all__:
            thing = getattr(atelier_studio, name)
            if not inspect.isclass(thing):
                continue
            if not thing.__doc__ or thing.__doc__.startswith(f"{name}("):
                missing.append(name)
            for member, value in vars(thing).items():
                function = value.fget if isinstance(value, property) else value
                if not member.startswith("_") and inspect.isfunction(function) and not function.__doc__:
                    missing.append(f"{name}.{member}")
        self.assertEqual(missing, [])
