"""Checks the ledger of a store by itself: it shares no code with Atelier, and reads nothing but the tables.

    python3 scripts/ledger_audit DATA-DIRECTORY
    python3 scripts/ledger_audit postgresql://USER@HOST/DATABASE    # the password in PGPASSWORD or ~/.pgpass

`atelier credits audit` asks the database whether its sums agree. This program asks it for rows only: it recomputes every
hash, and plays all transfers again from the first to the last, so that a mistake in the one is not a mistake in the other.
It changes nothing, and services may run meanwhile. Each fault is a sentence on standard output. The exit status is 0 for a
sound ledger, 1 for one with faults, 2 if the store cannot be read. PostgreSQL needs the package psycopg.
"""

from __future__ import annotations

import sys

from generations import Generations
from purposes import check_merges, check_purchases, check_revocations
from rows import Rows, StoreError, UnreadableRows, open_store
from transfers import Ledger


def main() -> int:
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        rows = Rows(open_store(sys.argv[1]))
    except StoreError as error:
        print(error, file=sys.stderr)
        return 2
    try:
        ledger = Ledger(rows)
        for check in (check_revocations, check_purchases, check_merges):
            check(ledger)
        generations = Generations(ledger)
    except UnreadableRows as error:
        print(f"The store cannot be read to its end: {error}")
        return 1
    for fault in rows.faults:
        print(fault)
    counts = f"{ledger.count} transfers, {len(ledger.accounts)} accounts, {len(generations.all)} generations"
    print(f"{counts}: {len(rows.faults)} faults")
    return 1 if rows.faults else 0


if __name__ == "__main__":
    sys.exit(main())
