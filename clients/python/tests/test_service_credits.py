"""Accounts and credits with the real service, where a picture made on this machine costs one credit."""

from __future__ import annotations

import json
from typing import Any, List, Mapping, Tuple

import atelier_studio
from atelier_studio import Atelier, Output

from .support import PORTRAIT, REPOSITORY, ServiceCase, needs_service

CONFIGURATION = REPOSITORY / "protocol" / "transcripts" / "credits.config.json"


@needs_service
class CreditsServiceTests(ServiceCase):
    def studio(self, **options: Any) -> Atelier:
        """A client of a service that charges; what it tells of credits is kept in ``heard``."""
        self.heard: List[Tuple[int, int]] = []

        def hear(method: str, params: Mapping[str, Any]) -> None:
            if method == "credits/changed":
                self.heard.append((params["available"], params["held"]))

        options.setdefault("arguments", ["--config", str(CONFIGURATION)])
        return super().studio(on_notification=hear, **options)

    async def test_a_guest_spends_its_credit_and_is_told_how_to_get_more(self) -> None:
        async with self.studio() as studio:
            estimate = await studio.credits_estimate(image=PORTRAIT, account="anna")
            self.assertEqual((estimate.cost, estimate.images, estimate.allowed), (1, 1, True))
            result = await studio.generate(image=PORTRAIT, account="anna")
            self.assertEqual((result.credits.held, result.credits.charged, result.credits.balance_after), (1, 1, 0))
            self.assertEqual(self.heard, [(0, 1), (0, 0)])
            with self.assertRaises(atelier_studio.InsufficientCredits) as caught:
                await studio.generate(image=PORTRAIT, account="anna", output=Output(count=2))
            self.assertEqual((caught.exception.required, caught.exception.available), (2, 0))
            self.assertEqual([option.id for option in caught.exception.upgrade_options], ["premium_month", "bundle_8"])
            products = await studio.credits_products()
            self.assertEqual([product.id for product in products], ["premium_month", "bundle_8"])
            refused = await studio.credits_estimate(image=PORTRAIT, account="anna", output=Output(count=2))
            self.assertFalse(refused.allowed)
            self.assertIsInstance(refused.refusal, atelier_studio.InsufficientCredits)

    async def test_signing_in_gives_credits_once_and_history_tells_of_them(self) -> None:
        async with self.studio() as studio:
            signed_in = await studio.account_sign_in("anna", provider="email", subject="anna@example.org")
            self.assertEqual((signed_in.tier, signed_in.granted, signed_in.is_new), ("free", 4, True))
            again = await studio.account_sign_in("other", provider="email", subject="anna@example.org")
            self.assertEqual((again.account, again.granted, again.is_new), ("anna", 0, False))
            self.assertEqual((again.merged, (await studio.credits_balance("anna")).available), (False, 5))
            await studio.generate(image=PORTRAIT, account="anna")
            entries = [entry async for entry in studio.all_credits_history("anna", page_size=1)]
            self.assertEqual([entry.amount for entry in entries], [-1, 4, 1])
            account = await studio.account_get("anna")
            self.assertEqual((account.tier, account.signed_in_with), ("free", ("email",)))
            self.assertEqual(account.app_account_token, "5f64edcb-b456-54b8-a44e-245add424cad")
            self.assertEqual((account.balance.available, account.running), (4, ()))

    async def test_a_guest_is_merged_consents_signs_out_and_is_deleted(self) -> None:
        async with self.studio() as studio:
            await studio.account_sign_in("anna", provider="email", subject="anna@example.org")
            made = await studio.generate(image=PORTRAIT, account="tablet")
            merged = await studio.account_sign_in("tablet", provider="email", subject="anna@example.org")
            self.assertEqual((merged.account, merged.merged), ("anna", True))
            (entry,) = (await studio.history(account="tablet")).entries
            self.assertEqual((entry.generation_id, entry.account), (made.generation_id, "anna"))
            self.assertEqual(((await studio.account_consent("anna", "2026-11")).is_new), True)
            consent = (await studio.account_get("anna")).consent
            self.assertEqual(consent and consent.version, "2026-11")
            self.assertTrue((await studio.account_sign_out("anna")).account.startswith("guest_"))
            deleted = await studio.account_delete("anna")
            self.assertEqual((deleted.account, deleted.deleted, deleted.bytes_freed > 0), ("anna", 1, True))
            self.assertEqual((await studio.history(account="anna")).entries, ())
            with self.assertRaises(atelier_studio.InvalidIdentity):
                await studio.account_sign_in("ben", identity_token="no.such.token")

    async def test_a_confined_connection_has_no_credits_but_its_own(self) -> None:
        async with self.studio(account="anna") as studio:
            self.assertEqual((await studio.credits_balance()).account, "anna")
            with self.assertRaises(atelier_studio.PermissionDenied):
                await studio.credits_balance("ben")

    async def test_the_machines_own_account_pays_nothing(self) -> None:
        async with self.studio() as studio:
            result = await studio.generate(image=PORTRAIT)
            self.assertEqual((result.credits.charged, result.credits.balance_after), (0, None))
            self.assertFalse((await studio.credits_balance()).metered)
            self.assertEqual(self.heard, [])

    async def test_a_trusted_host_grants_and_revokes_credits_and_sets_tiers(self) -> None:
        async with self.studio(trusted=True, arguments=[], config=CONFIGURATION, locale="de") as studio:
            for is_new in (True, False):
                grant = await studio.credits_grant("anna", 20, reason="invoice 7", idempotency_key="invoice-7")
                self.assertEqual((grant.granted > 0, grant.is_new_account), (is_new, is_new))
            revoked = await studio.credits_revoke("anna", 20, reason="refund", idempotency_key="invoice-7")
            self.assertEqual((revoked.revoked, revoked.balance.account), (20, "anna"))
            with self.assertRaises(atelier_studio.InsufficientCredits):
                await studio.credits_revoke("anna", 500, reason="fraud", idempotency_key="case-1", owe=False)
            changed = await studio.account_set("anna", tier="premium", idempotency_key="subscription-1")
            self.assertEqual((changed.tier, changed.already_set), ("premium", False))

    async def test_a_host_that_is_not_trusted_grants_nothing(self) -> None:
        for options in ({}, {"confined": True}):
            async with self.studio(**options) as studio:
                with self.assertRaises(atelier_studio.PermissionDenied):
                    await studio.credits_grant("anna", 20, reason="invoice 7", idempotency_key="invoice-7")
        with self.assertRaisesRegex(atelier_studio.ConnectionLost, "--trusted cannot be used with"):
            await self.studio(trusted=True, confined=True).start()

    async def test_a_purchase_is_counted_once(self) -> None:
        transcript = (REPOSITORY / "protocol" / "transcripts" / "purchase.jsonl").read_text()
        sent = [json.loads(line[4:]) for line in transcript.splitlines() if line.startswith("--> ")]
        proof = next(message["params"] for message in sent if message["method"] == "credits/purchase")
        configuration = REPOSITORY / "protocol" / "transcripts" / "purchase.config.json"
        # The configuration names the certificate from the repository's root on.
        text = configuration.read_text().replace("protocol/transcripts", str(configuration.parent))
        own = self.folder / "config.json"
        own.write_text(text)
        async with self.studio(arguments=["--config", str(own)]) as studio:
            token = proof["signedTransaction"]
            first = await studio.credits_purchase("apple", signed_transaction=token, account="anna")
            self.assertEqual((first.product, first.granted, first.already_granted), ("bundle_8", 8, False))
            again = await studio.credits_purchase("apple", signed_transaction=token, account="anna")
            self.assertEqual((again.granted, again.already_granted, again.balance.available), (0, True, 9))
            self.assertEqual(self.heard, [(9, 0)])
            with self.assertRaises(atelier_studio.AtelierError) as caught:
                await studio.credits_purchase("apple", signed_transaction=token, account="ben")
            self.assertEqual((caught.exception.kind, caught.exception.code), ("invalid_receipt", 400))
