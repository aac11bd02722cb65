"""The requests about accounts and credits, for programs without an event loop."""

from __future__ import annotations

from typing import Any, Coroutine, Iterator, Mapping, Optional, Sequence, Tuple, TypeVar, Union

from ._blocking_generation import BlockingGeneration, plain
from ._loop_thread import LoopThread, each
from ._parameters import Image, Refinable
from .studio import Atelier
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

T = TypeVar("T")


class BlockingAccounts:
    """What can be asked about accounts and credits; each request waits for its answer."""

    _studio: Atelier

    @property
    def _thread(self) -> LoopThread:
        raise NotImplementedError

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        raise NotImplementedError

    def account_get(self, account: Optional[str] = None) -> Account:
        """Who an account is to the service, and what it has to spend."""
        return self._run(self._studio.account_get(account))

    def account_sign_in(self, account: str, *, provider: str, subject: str) -> SignIn:
        """Says who the person behind an account is; see :meth:`Atelier.account_sign_in`."""
        return self._run(self._studio.account_sign_in(account, provider=provider, subject=subject))

    def credits_balance(self, account: Optional[str] = None) -> CreditBalance:
        """What an account has to spend, and from where."""
        return self._run(self._studio.credits_balance(account))

    def credits_history(
        self, account: Optional[str] = None, *, limit: Optional[int] = None, cursor: Optional[str] = None
    ) -> CreditHistoryPage:
        """One page of what became of the credits; see :meth:`Atelier.credits_history`."""
        return self._run(self._studio.credits_history(account, limit=limit, cursor=cursor))

    def all_credits_history(
        self, account: Optional[str] = None, *, page_size: Optional[int] = None
    ) -> Iterator[CreditEntry]:
        """Everything that became of the credits, newest first; pages are fetched as they are needed."""
        return each(self._thread, lambda: self._studio.all_credits_history(account, page_size=page_size))

    def credits_estimate(
        self,
        recipe: str = "headshot",
        *,
        image: Union[Image, BlockingGeneration, None] = None,
        references: Sequence[Union[Image, BlockingGeneration]] = (),
        prompt: Optional[str] = None,
        style: Union[Style, Mapping[str, Any], None] = None,
        template: Optional[str] = None,
        output: Union[Output, Mapping[str, Any], None] = None,
        provider: Union[str, Sequence[str], None] = None,
        model: Optional[str] = None,
        temperature: Optional[float] = None,
        seed: Optional[int] = None,
        timeout_ms: Optional[int] = None,
        account: Optional[str] = None,
        from_result: Union[Refinable, BlockingGeneration, None] = None,
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
        """What ``generate`` with the same arguments would cost; see :meth:`Atelier.credits_estimate`."""
        return self._run(
            self._studio.credits_estimate(
                recipe,
                image=plain(image),
                references=[plain(reference) for reference in references],
                prompt=prompt,
                style=style,
                template=template,
                output=output,
                provider=provider,
                model=model,
                temperature=temperature,
                seed=seed,
                timeout_ms=timeout_ms,
                account=account,
                from_result=plain(from_result),
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
        )

    def credits_products(self) -> Tuple[CreditProduct, ...]:
        """What credits can be bought as."""
        return self._run(self._studio.credits_products())

    def credits_purchase(
        self,
        platform: str,
        *,
        signed_transaction: Optional[str] = None,
        purchase_data: Optional[str] = None,
        signature: Optional[str] = None,
        account: Optional[str] = None,
    ) -> Purchase:
        """Gives the credits of a purchase; see :meth:`Atelier.credits_purchase`."""
        return self._run(
            self._studio.credits_purchase(
                platform,
                signed_transaction=signed_transaction,
                purchase_data=purchase_data,
                signature=signature,
                account=account,
            )
        )
