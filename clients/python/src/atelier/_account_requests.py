"""The requests about accounts and credits."""

from __future__ import annotations

import asyncio
from typing import Any, AsyncIterator, Mapping, Optional, Sequence, Tuple, Union

from ._parameters import Image, generate_parameters
from ._requests import Requests
from .values import (
    Account,
    CreditBalance,
    CreditEntry,
    CreditHistoryPage,
    CreditProduct,
    Estimate,
    Output,
    Purchase,
    SignIn,
    Style,
)


class AccountRequests(Requests):
    """What can be asked about accounts and credits, beside everything else."""

    async def account_get(self, account: Optional[str] = None) -> Account:
        """What is known of an account, what it has to spend and how often it may ask.

        account: the connection's own unless named.
        """
        return await self._ask(Account, "account/get", {"account": account})

    async def account_sign_in(self, account: str, *, provider: str, subject: str) -> SignIn:
        """Says who the person behind an account is; go on with the account of the answer. Idempotent.

        provider: who vouches for the person, for example ``"apple"``. subject: what the provider knows the person by.
        The service believes you: verify the identity first.
        """
        identity = {"provider": provider, "subject": subject}
        return await self._ask(SignIn, "account/signIn", {"account": account, "identity": identity})

    async def credits_balance(self, account: Optional[str] = None) -> CreditBalance:
        """What an account has to spend, and from where."""
        return await self._ask(CreditBalance, "credits/balance", {"account": account})

    async def credits_history(
        self, account: Optional[str] = None, *, limit: Optional[int] = None, cursor: Optional[str] = None
    ) -> CreditHistoryPage:
        """One page of what became of the credits, newest first; ``cursor`` is the ``next_cursor`` of the page before.

        limit: up to 100; 20 unless said otherwise.
        """
        params = {"account": account, "limit": limit, "cursor": cursor}
        return await self._ask(CreditHistoryPage, "credits/history", params)

    async def all_credits_history(
        self, account: Optional[str] = None, *, page_size: Optional[int] = None
    ) -> AsyncIterator[CreditEntry]:
        """Everything that became of the credits, newest first; pages are fetched as they are needed."""
        cursor: Optional[str] = None
        while True:
            page = await self.credits_history(account, limit=page_size, cursor=cursor)
            for entry in page.entries:
                yield entry
            cursor = page.next_cursor
            if cursor is None:
                return

    async def credits_estimate(
        self,
        recipe: str = "headshot",
        *,
        image: Optional[Image] = None,
        references: Sequence[Image] = (),
        prompt: Optional[str] = None,
        style: Union[Style, Mapping[str, Any], None] = None,
        template_id: Optional[str] = None,
        output: Union[Output, Mapping[str, Any], None] = None,
        provider: Union[str, Sequence[str], None] = None,
        model: Optional[str] = None,
        temperature: Optional[float] = None,
        seed: Optional[int] = None,
        timeout_ms: Optional[int] = None,
        account: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        cache: Optional[str] = None,
        when_offline: Optional[str] = None,
        wait_ms: Optional[int] = None,
        private: Optional[bool] = None,
        detach: Optional[bool] = None,
        progress: Optional[bool] = None,
        metadata: Optional[Mapping[str, Any]] = None,
        extra: Optional[Mapping[str, Any]] = None,
    ) -> Estimate:
        """What ``generate`` with the same arguments would cost, and whether it would be accepted now.

        Nothing is made or set aside. What is not allowed is told in ``Estimate.refusal`` and not raised.
        """
        params = generate_parameters(
            recipe,
            image=image,
            references=references,
            prompt=prompt,
            style=style,
            template_id=template_id,
            output=output,
            provider=provider,
            model=model,
            temperature=temperature,
            seed=seed,
            timeout_ms=timeout_ms,
            account=account,
            idempotency_key=idempotency_key,
            cache=cache,
            when_offline=when_offline,
            wait_ms=wait_ms,
            private=private,
            detach=detach,
            progress=progress,
            metadata=metadata,
            extra=extra,
        )
        uncancelled: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        return await self._ask(Estimate, "credits/estimate", await params(uncancelled))

    async def credits_products(self) -> Tuple[CreditProduct, ...]:
        """What credits can be bought as."""
        return await self._list(CreditProduct, "credits/products", "products")

    async def credits_purchase(
        self,
        platform: str,
        *,
        signed_transaction: Optional[str] = None,
        purchase_data: Optional[str] = None,
        signature: Optional[str] = None,
        account: Optional[str] = None,
    ) -> Purchase:
        """Gives the credits of a purchase. Finish the store's transaction after this returns, never before.

        platform: ``"apple"`` with ``signed_transaction``, or ``"google"`` with ``purchase_data``, exactly as it came,
        and its ``signature``. The same purchase again gives nothing more: that is how purchases are restored.
        Raises ``InvalidReceipt`` for one the store does not confirm.
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
