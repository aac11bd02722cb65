// Errors between the wire and their classes.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import * as studio from "atelier-studio";

import { errorFromWire } from "../src/wire.js";
import { CLIENT, REPOSITORY } from "./support.js";

test("errors of a family have its class", () => {
  const families = {
    400: "InvalidImage", 401: "CredentialsError", 402: "InsufficientCredits", 403: "PermissionDenied", 404: "NotFound",
    408: "TimedOut", 409: "Conflict", 413: "InvalidImage", 415: "InvalidImage", 422: "Rejected", 429: "RateLimited",
    500: "InternalError", 502: "Unavailable", 503: "Unavailable", 504: "TimedOut", 507: "StorageFull", 418: "AtelierError",
    "-32600": "InvalidRequest", "-32602": "InvalidParameters",
  };
  for (const [code, family] of Object.entries(families)) {
    const error = errorFromWire({ code: Number(code), message: "m", data: { kind: "k" } });
    assert.equal(error.constructor, studio[family], code);
    assert.deepEqual([error.name, error.message, error.code, error.kind], [family, "m", Number(code), "k"]);
    assert.ok(error instanceof studio.AtelierError && error instanceof Error);
  }
});

test("an error tells what whoever runs the service can do, if it was said", () => {
  const details = { hint: "Run `atelier doctor`." };
  assert.equal(errorFromWire({ code: 500, message: "m", data: { kind: "internal", details } }).hint, details.hint);
  assert.equal(errorFromWire({ code: 500, message: "m", data: { kind: "internal" } }).hint, undefined);
});

test("every kind of the protocol has a family", () => {
  const kinds = readFileSync(join(REPOSITORY, "protocol/PROTOCOL.md"), "utf8")
    .matchAll(/^\| (\d+) \| `(\w+)` \| (?:yes|no) \|/gm);
  let count = 0;
  for (const [, code, kind] of kinds) {
    count += 1;
    const error = errorFromWire({ code: Number(code), message: "m", data: { kind } });
    assert.notEqual(error.constructor, studio.AtelierError, kind);
  }
  assert.ok(count > 30);
});

test("a purchase that is not believed is no image, and what a provider denies is the matter of its key", () => {
  const receipt = errorFromWire({
    code: 400, message: "m", data: { kind: "invalid_receipt", details: { reason: "wrong_account" } },
  });
  assert.ok(receipt instanceof studio.InvalidReceipt);
  assert.equal(receipt.reason, "wrong_account");
  assert.ok(
    errorFromWire({ code: 403, message: "m", data: { kind: "provider_denied" } }) instanceof studio.CredentialsError);
});

test("a sign-in and missing consent have classes of their own", () => {
  const signIn = errorFromWire({ code: 401, message: "m", data: { kind: "invalid_identity" } });
  assert.equal(signIn.constructor, studio.InvalidIdentity);
  const consent = errorFromWire({ code: 403, message: "m", data: { kind: "consent_required" } });
  assert.equal(consent.constructor, studio.ConsentRequired);
});

test("what is missing to pay is told", () => {
  const details = { required: 4, available: 1 };
  const wire = { code: 402, message: "Not enough credits.", data: { kind: "insufficient_credits", details } };
  const error = errorFromWire(wire);
  assert.deepEqual([error.required, error.available, error.upgradeOptions], [4, 1, []]);
  details.upgradeOptions = [{ id: "bundle_48" }];
  assert.deepEqual(errorFromWire(wire).upgradeOptions, [{ id: "bundle_48" }]);
});

test("an error in no known form is an error still", () => {
  for (const value of ["oh", null, [], 7]) assert.ok(errorFromWire(value) instanceof studio.ProtocolError);
  const bare = errorFromWire({ data: { retryable: "yes", retryAfterMs: "soon", details: [], kind: 7 } });
  assert.deepEqual(
    [bare.code, bare.kind, bare.retryable, bare.retryAfterMs, bare.details], [0, "unknown", false, undefined, {}]);
});

test("the package, its sources and the Python package have one version", () => {
  const { version } = JSON.parse(readFileSync(join(CLIENT, "package.json"), "utf8"));
  assert.equal(studio.VERSION, version);
  assert.match(
    readFileSync(join(REPOSITORY, "clients/python/pyproject.toml"), "utf8"), new RegExp(`^version = "${version}"$`, "m"));
});
