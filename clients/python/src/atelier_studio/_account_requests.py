"""The requests about accounts and credits."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, AsyncIterator, Dict, Optional, Tuple

from ._large_pictures import fitting
from ._parameters import GenerateParameters, Time, accepting, time_to_wire
from ._requests import Requests
from .errors import invalid_parameter
from .values import (
    Account,
    AccountConsentResult,
    AccountDeleteResult,
    AccountSetResult,
    AccountSignOutResult,
    CreditBalance,
    CreditEntry,
    CreditHistoryPage,
    CreditProduct,
    CreditsGrantResult,
    CreditsRevokeResult,
    Estimate,
    GenerateOptions,
    Purchase,
    PurchasePlatform,
    Recipe,
    SignIn,
    Tier,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack


class AccountRequests(Requests):
    """The methods for accounts and credits."""

    async def account_get(self, account: Optional[str] = None) -> Account:
        """Returns an account's tier, balance, usage limits and running generations.

        account: by default the connection's own.
        """
        return await self._ask(Account, "account/get", {"account": account})

    async def account_sign_in(
        self,
        account: str,
        *,
        provider: Optional[str] = None,
        subject: Optional[str] = None,
        identity_token: Optional[str] = None,
        nonce: Optional[str] = None,
        link: Optional[bool] = None,
    ) -> SignIn:
        """Signs in the person behind an account; continue with the account of the answer. Idempotent.

        provider, subject: the identity, which you have verified: the identity provider, for example ``"apple"``, and its
        id of the person. identity_token: instead of these, an OpenID Connect token, which the service verifies; nonce:
        what you sent with that sign-in. A guest's account is merged into the one that the identity already belongs to,
        and with ``link=True``, one that has other identities as well.
        Raises ``InvalidIdentity`` if the token proves nothing, ``Conflict`` (``not_finished``) while a generation of an
        account that is merged runs, and ``PermissionDenied`` on a connection that is confined to an account if the identity
        belongs to another one, or was not proved to a service that was started with ``--account``.
        """
        params = {
            "account": account,
            "identity": _identity(provider, subject, identity_token),
            "identityToken": identity_token,
            "nonce": nonce,
            "link": link,
        }
        return await self._ask(SignIn, "account/signIn", params)

    async def account_sign_out(self, account: str) -> AccountSignOutResult:
        """Ends a person's use of an account on this device; continue with the new guest's account of the answer.

        The account stays as it is, and signing in finds it again. Raises ``PermissionDenied`` on a connection that is
        confined to an account.
        """
        return await self._ask(AccountSignOutResult, "account/signOut", {"account": account})

    async def account_consent(
        self, account: str, version: str, *, accepted_at: Optional[Time] = None
    ) -> AccountConsentResult:
        """Records that the person behind an account has accepted a version of the terms of use. Idempotent.

        version: as the operator names it, for example ``"2026-11"``; its first acceptance counts. accepted_at: when the
        person accepted it, a ``datetime``, or RFC 3339; by default now.
        """
        params = {"account": account, "version": version, "acceptedAt": time_to_wire(accepted_at)}
        return await self._ask(AccountConsentResult, "account/consent", params)

    async def account_delete(self, account: str) -> AccountDeleteResult:
        """Deletes an account: its history, its pictures, its identities and its consent. It cannot be undone.

        Generations that have not ended are cancelled. The numbers of the ledger stay, without the account's name.
        """
        return await self._ask(AccountDeleteResult, "account/delete", {"account": account})

    async def credits_balance(self, account: Optional[str] = None) -> CreditBalance:
        """Returns an account's balance: the credits it can spend, and where they come from."""
        return await self._ask(CreditBalance, "credits/balance", {"account": account})

    async def credits_history(
        self, account: Optional[str] = None, *, limit: Optional[int] = None, cursor: Optional[str] = None
    ) -> CreditHistoryPage:
        """Returns a page of credit changes, newest first; ``cursor`` is the ``next_cursor`` of the previous page.

        limit: up to 100, by default 20.
        """
        params = {"account": account, "limit": limit, "cursor": cursor}
        return await self._ask(CreditHistoryPage, "credits/history", params)

    async def all_credits_history(
        self, account: Optional[str] = None, *, page_size: Optional[int] = None
    ) -> AsyncIterator[CreditEntry]:
        """Yields all changes of credits, newest first; fetches pages as they are needed."""
        cursor: Optional[str] = None
        while True:
            page = await self.credits_history(account, limit=page_size, cursor=cursor)
            for entry in page.entries:
                yield entry
            cursor = page.next_cursor
            if cursor is None:
                return

    @accepting(GenerateOptions)
    async def credits_estimate(self, recipe: Recipe = "headshot", **options: Unpack[GenerateOptions]) -> Estimate:
        """Returns what ``generate`` with the same arguments would cost, and whether it would be accepted now.

        Nothing is made, and no credits are held. A refusal is in ``refusal`` of the result and is not raised.
        """
        params = GenerateParameters(recipe, options)
        uncancelled: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        complete = await params(uncancelled)
        fitted = await fitting(complete, await self._usable(), uncancelled)
        return await self._ask(Estimate, "credits/estimate", fitted)

    async def credits_products(self) -> Tuple[CreditProduct, ...]:
        """Lists the products that give credits."""
        return await self._list(CreditProduct, "credits/products", "products")

    async def credits_purchase(
        self,
        platform: PurchasePlatform,
        *,
        signed_transaction: Optional[str] = None,
        purchase_data: Optional[str] = None,
        signature: Optional[str] = None,
        account: Optional[str] = None,
    ) -> Purchase:
        """Grants the credits of a purchase. Finish the store's transaction after this returns, never before.

        platform: ``"apple"`` with ``signed_transaction``, or ``"google"`` with ``purchase_data``, exactly as it came,
        and its ``signature``. To restore a purchase, send it again: nothing is granted twice.
        Raises ``InvalidReceipt`` if the signature does not prove the purchase.
        """
        return await self._ask(
            Purchase,
            "credits/purchase",
            {
                "account": account,
                "platform": platform,
                "signedTransaction": signed_transaction,
                "purchaseData": purchase_data,
                "signature": signature,
            },
        )

    async def credits_grant(
        self, account: str, amount: int, *, reason: str, idempotency_key: str
    ) -> CreditsGrantResult:
        """Grants an account credits that never expire, for example for a payment that you have taken.

        Only with ``trusted=True``, otherwise ``PermissionDenied``. reason: shown in the account's history.
        idempotency_key: the id of the payment; the same key never grants twice.
        """
        params = {"account": account, "amount": amount, "reason": reason, "idempotencyKey": idempotency_key}
        return await self._ask(CreditsGrantResult, "credits/grant", params)

    async def credits_revoke(
        self,
        account: str,
        amount: int,
        *,
        reason: str,
        idempotency_key: str,
        payment: Optional[str] = None,
        owe: Optional[bool] = None,
    ) -> CreditsRevokeResult:
        """Takes back credits of an account, for example for a payment that was refunded.

        Only with ``trusted=True``, otherwise ``PermissionDenied``. idempotency_key: the same key never takes twice; it may
        be the key of the grant. payment: the key of the grant that is refunded, whole or in part, which may be still to
        come. owe: what happens if fewer credits are available: ``True`` records the rest as owed, ``False`` takes nothing
        and raises ``InsufficientCredits``; by default ``True`` for a payment that is refunded.
        """
        params = {
            "account": account, "amount": amount, "reason": reason, "idempotencyKey": idempotency_key, "payment": payment,
            "owe": owe,
        }
        return await self._ask(CreditsRevokeResult, "credits/revoke", params)

    async def account_set(
        self,
        account: str,
        *,
        tier: Optional[Tier] = None,
        unlimited: Optional[bool] = None,
        start: Optional[Time] = None,
        welcome: Optional[bool] = None,
        idempotency_key: Optional[str] = None,
    ) -> AccountSetResult:
        """Sets an account's tier, or lifts its usage limits, for example for a subscription that you sell.

        Only with ``trusted=True``, otherwise ``PermissionDenied``. tier: ``"guest"``, ``"free"`` or ``"premium"``.
        start: when the period of ``premium`` that was paid for began or begins; by default now. welcome: ``False`` lets an
        account that was never used begin without the credits of a guest. idempotency_key: the id of the event that reports
        the change; the same key never changes anything twice.
        """
        params = {
            "account": account,
            "tier": tier,
            "unlimited": unlimited,
            "start": time_to_wire(start),
            "welcome": welcome,
            "idempotencyKey": idempotency_key,
        }
        return await self._ask(AccountSetResult, "account/set", params)


def _identity(
    provider: Optional[str], subject: Optional[str], identity_token: Optional[str]
) -> Optional[Dict[str, str]]:
    if identity_token is None and provider is not None and subject is not None:
        return {"provider": provider, "subject": subject}
    if identity_token is None or provider is not None or subject is not None:
        raise invalid_parameter(
            "/identity", "either this or /identityToken",
            "Name the person, either by provider and subject or by identity_token.",
        )
    return None
