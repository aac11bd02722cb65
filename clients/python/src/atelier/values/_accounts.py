"""Accounts: who they are to the service."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Optional, Tuple

from .._coding import SLOTS, Value
from ._credits import CreditBalance


@dataclass(frozen=True, **SLOTS)
class Account(Value):
    """What is known of an account."""

    account: str
    #: ``"guest"``, ``"free"``, ``"premium"`` or ``"owner"``.
    tier: str
    #: A UUID that stands for the account: the ``appAccountToken`` of a purchase in the App Store, or its obfuscated
    #: account id in Google Play.
    app_account_token: str
    credits: CreditBalance
    #: True when the limits on how often do not apply; credits are counted all the same.
    unlimited: bool = False
    #: When it was first seen; ``None`` where it never was.
    created_at: Optional[datetime] = None
    #: The names of those who vouched for the person, for example ``("apple",)``.
    signed_in_with: Tuple[str, ...] = ()
    #: When the subscription ends unless it renews; ``None`` without one.
    premium_until: Optional[datetime] = None


@dataclass(frozen=True, **SLOTS)
class SignIn(Value):
    """The account to go on with after signing in."""

    #: The account to use from now on: the identity's own, where it had one already.
    account: str
    #: ``"free"`` or ``"premium"``.
    tier: str
    #: Credits that were given for it now; 0 where they had been given before.
    granted: int
    #: True when the identity was not known before.
    is_new: bool
    credits: CreditBalance
