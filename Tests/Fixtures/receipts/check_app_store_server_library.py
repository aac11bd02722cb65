"""Asks Apple's own library about receipts, offline.

Standard input: {"root": base64 of DER, "bundleId": text, "receipts": [{"environment": text, "receipt": text}, …]}.
Prints a JSON array with true for each receipt it accepts and false for each it refuses.
"""

import base64
import json
import sys

from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier, VerificationException


def is_accepted(verifier, receipt):
    try:
        verifier.verify_and_decode_signed_transaction(receipt)
    except VerificationException:
        return False
    except Exception:  # What it does not expect escapes from it as it is; an app grants nothing then either.
        return False
    return True


question = json.load(sys.stdin)
root = base64.b64decode(question["root"])
verifiers = {
    environment.value: SignedDataVerifier([root], False, environment, question["bundleId"], app_apple_id=1)
    for environment in Environment
}
answers = [is_accepted(verifiers[entry["environment"]], entry["receipt"]) for entry in question["receipts"]]
print(json.dumps(answers))
