"""Accounts and credits, against the scripted peer."""

from __future__ import annotations

import logging
import traceback
import unittest
from datetime import datetime, timezone
from typing import Any, List, Mapping, Tuple

import atelier_studio
from atelier_studio import Atelier, Blocking, Output

from .support import fake_peer

MOMENT = datetime(2026, 11, 2, 3, 4, 5, 678000, tzinfo=timezone.utc)


class AccountTests(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        self.heard: List[Tuple[str, Mapping[str, Any]]] = []
        studio = Atelier(fake_peer(), on_notification=lambda method, params: self.heard.append((method, params)))
        self.studio = await studio.start()
        self.addAsyncCleanup(self.studio.close)

    async def sent(self) -> Mapping[str, Any]:
        """The params of what was asked last."""
        message: Mapping[str, Any] = (await self.studio.request("received"))[-1]
        params: Mapping[str, Any] = message["params"]
        return params

    async def test_a_balance_tells_where_credits_come_from(self) -> None:
        balance = await self.studio.credits_balance("ada")
        self.assertEqual((balance.account, balance.tier, balance.level), ("ada", "free", "green"))
        self.assertEqual((balance.available, balance.held, balance.allocation, balance.shortfall), (7, 1, 4, 0))
        self.assertEqual(balance.buckets, (atelier_studio.CreditBucket("grant_1", "bundle", 8, 7, 1, MOMENT),))
        self.assertIsNone(balance.reset_at)
        self.assertEqual((await self.studio.credits_balance()).account, "owner")
        self.assertEqual(await self.sent(), {})

    async def test_an_account_is_looked_up(self) -> None:
        account = await self.studio.account_get("ada")
        self.assertEqual((account.account, account.tier, account.signed_in_with), ("ada", "free", ("apple",)))
        self.assertEqual((account.app_account_token, account.created_at), ("6f1c2f0e", MOMENT))
        self.assertIsNone(account.premium_until)
        self.assertEqual(account.consent, atelier_studio.Consent("2026-11", MOMENT))
        self.assertEqual(account.balance.available, 7)
        self.assertEqual((account.limits[0].scope, account.limits[0].used, account.running), ("minute", 1, ("gen_1",)))

    async def test_signing_in_names_the_identity(self) -> None:
        signed_in = await self.studio.account_sign_in("ada", provider="apple", subject="001234.5a6b")
        self.assertEqual((signed_in.account, signed_in.granted, signed_in.is_new), ("ada", 4, True))
        identity = {"provider": "apple", "subject": "001234.5a6b"}
        self.assertEqual(await self.sent(), {"account": "ada", "identity": identity})

    async def test_a_token_proves_the_identity_and_accounts_are_linked_if_asked(self) -> None:
        signed_in = await self.studio.account_sign_in("ada", identity_token="a.b.c")
        self.assertFalse(signed_in.merged)
        self.assertEqual(await self.sent(), {"account": "ada", "identityToken": "a.b.c"})
        linked = await self.studio.account_sign_in("ada", identity_token="a.b.c", nonce="n", link=True)
        self.assertTrue(linked.merged)
        sent = {"account": "ada", "identityToken": "a.b.c", "nonce": "n", "link": True}
        self.assertEqual(await self.sent(), sent)

    async def test_a_person_is_named_in_one_way(self) -> None:
        identity = {"provider": "apple", "subject": "001234.5a6b"}
        wrong: List[Mapping[str, str]] = [
            {}, {"provider": "apple"}, {"subject": "001234.5a6b"}, {**identity, "identity_token": "secret.b.c"},
            {"provider": "apple", "identity_token": "secret.b.c"}, {"nonce": "n"},
        ]
        for arguments in wrong:
            with self.subTest(arguments), self.assertRaises(atelier_studio.InvalidParameters) as caught:
                await self.studio.account_sign_in("ada", **arguments)  # type: ignore[arg-type]
            self.assertNotIn("secret", repr(caught.exception) + str(caught.exception.__dict__))

    async def test_a_token_that_proves_nothing_is_refused_and_shown_nowhere(self) -> None:
        with self.assertLogs("atelier_studio", "DEBUG") as logs:
            logging.getLogger("atelier_studio").debug("so that there is one line")
            with self.assertRaises(atelier_studio.InvalidIdentity) as caught:
                await self.studio.account_sign_in("ada", identity_token="forged.secret", nonce="private")
        self.assertEqual(caught.exception.hint, "The token is not signed.")
        shown = "".join(traceback.format_exception(None, caught.exception, caught.exception.__traceback__))
        for secret in ("forged.secret", "private"):
            self.assertNotIn(secret, shown + repr(caught.exception) + str(caught.exception.__dict__))
            self.assertNotIn(secret, repr(self.studio) + "".join(logs.output))

    async def test_signing_out_names_a_guest(self) -> None:
        self.assertEqual((await self.studio.account_sign_out("ada")).account, "guest_1")
        self.assertEqual(await self.sent(), {"account": "ada"})

    async def test_consent_is_recorded_with_its_time(self) -> None:
        answer = await self.studio.account_consent("ada", "2026-11")
        self.assertEqual((answer.account, answer.is_new), ("ada", True))
        self.assertEqual(await self.sent(), {"account": "ada", "version": "2026-11"})
        answer = await self.studio.account_consent("ada", "2026-11", accepted_at=MOMENT)
        self.assertEqual(answer.consents, (atelier_studio.Consent("2026-11", MOMENT),))
        sent = {"account": "ada", "version": "2026-11", "acceptedAt": "2026-11-02T03:04:05.678Z"}
        self.assertEqual(await self.sent(), sent)

    async def test_deleting_an_account_tells_what_is_gone(self) -> None:
        deleted = await self.studio.account_delete("ada")
        self.assertEqual((deleted.account, deleted.deleted, deleted.bytes_freed), ("ada", 3, 4))
        self.assertEqual(await self.sent(), {"account": "ada"})

    async def test_the_history_of_credits_is_walked_page_by_page(self) -> None:
        entries = [entry async for entry in self.studio.all_credits_history("ada", page_size=1)]
        self.assertEqual([entry.id for entry in entries], ["entry_0", "entry_1", "entry_2"])
        self.assertEqual([entry.balance_after for entry in entries], [7, 6, 5])
        self.assertEqual((entries[0].kind, entries[0].amount, entries[0].date), ("use", -1, MOMENT))
        self.assertEqual(await self.sent(), {"account": "ada", "limit": 1, "cursor": "2"})
        page = await self.studio.credits_history()
        self.assertEqual((page.next_cursor, page.total_used), ("1", 3))
        self.assertEqual(page.current_period, atelier_studio.CreditPeriod(used=3, starts=MOMENT))

    async def test_an_estimate_takes_what_generate_takes(self) -> None:
        arguments: Mapping[str, Any] = {
            "image": b"\xff\xd8",
            "prompt": "a lighthouse",
            "output": Output(count=4),
            "provider": ["gemini", "openai"],
            "account": "ada",
            "idempotency_key": "k",
            "extra": {"mood": "good"},
        }
        estimate = await self.studio.credits_estimate("create", **arguments)
        asked = await self.sent()
        await self.studio.generate("create", **arguments)
        self.assertEqual(asked, await self.sent())
        self.assertEqual((estimate.cost, estimate.images, estimate.provider), (8, 8, "fake"))
        self.assertFalse(estimate.allowed)
        assert isinstance(estimate.refusal, atelier_studio.InsufficientCredits)
        self.assertEqual((estimate.refusal.required, estimate.refusal.upgrade_options[0].credits), (8, 8))

    async def test_an_estimate_waits_for_what_it_builds_on(self) -> None:
        generation = self.studio.generate("create", prompt="in a moment")
        await self.studio.credits_estimate("edit", image=generation, prompt="warmer")
        self.assertEqual((await self.sent())["image"], {"generationId": generation.generation_id})

    async def test_products_are_listed(self) -> None:
        (product,) = await self.studio.credits_products()
        self.assertEqual((product.id, product.credits, product.price.amount), ("bundle_8", 8, "0.99"))
        self.assertEqual(product.platforms, atelier_studio.ProductPlatforms(apple="studio.bundle.8"))

    async def test_a_purchase_goes_in_the_form_of_its_store(self) -> None:
        purchase = await self.studio.credits_purchase("apple", signed_transaction="a.b.c", account="ada")
        self.assertEqual((purchase.product, purchase.granted, purchase.already_granted), ("bundle_8", 0, True))
        self.assertEqual(await self.sent(), {"account": "ada", "platform": "apple", "signedTransaction": "a.b.c"})
        self.assertEqual(self.heard, [("credits/changed", {"account": "ada", "available": 7, "held": 1})])
        await self.studio.credits_purchase("google", purchase_data="{ }", signature="c2ln")
        self.assertEqual(await self.sent(), {"platform": "google", "purchaseData": "{ }", "signature": "c2ln"})

    async def test_a_forged_purchase_is_refused(self) -> None:
        with self.assertRaises(atelier_studio.InvalidReceipt) as caught:
            await self.studio.credits_purchase("apple", signed_transaction="forged")
        self.assertEqual(caught.exception.reason, "bad_signature")


class BlockingAccountTests(unittest.TestCase):
    def test_everything_can_be_asked_without_a_loop(self) -> None:
        with Blocking(fake_peer()) as studio:
            self.assertEqual(studio.credits_balance("ada").available, 7)
            self.assertEqual(studio.account_get().account, "owner")
            self.assertEqual(studio.account_sign_in("ada", provider="email", subject="a@b.example").granted, 4)
            self.assertTrue(studio.account_consent("ada", "2026-11").is_new)
            self.assertEqual(studio.account_sign_out("ada").account, "guest_1")
            self.assertEqual(studio.account_delete("ada").deleted, 3)
            self.assertEqual(len(list(studio.all_credits_history("ada"))), 3)
            self.assertEqual(studio.credits_history("ada", limit=1).next_cursor, "1")
            generation = studio.generate("create", prompt="a lighthouse")
            self.assertEqual(studio.credits_estimate("edit", image=generation, prompt="warmer").cost, 8)
            self.assertEqual(studio.credits_products()[0].kind, "bundle")
            self.assertTrue(studio.credits_purchase("apple", signed_transaction="a.b.c").already_granted)
