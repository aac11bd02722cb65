// The requests that are a question and its answer, against the scripted peer.

import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { inspect } from "node:util";

import { InvalidIdentity, InvalidReceipt } from "atelier-studio";

import { Requests } from "../src/requests.js";
import { MOMENT, collect, peer } from "./support.js";

const ID = { generationId: "gen_1" };

/** Each method of the client: its arguments, the method of the protocol, its params, and a look at the answer. */
const REQUESTS = [
  ["ping", [], "ping", {}, (ms) => ms > 0],
  ["status", [], "status", {}, (answer) => answer.state === "succeeded"],
  ["generationStatus", [{ idempotencyKey: "k" }], "status", { idempotencyKey: "k" }, (answer) => answer.images.length === 1],
  ["history", [{ favorite: true, since: new Date(MOMENT) }], "history", { favorite: true, since: MOMENT },
    (page) => page.entries.length === 7],
  ["annotate", [{ ...ID, favorite: true, metadata: { album: "sea" } }], "history/annotate",
    { ...ID, favorite: true, metadata: { album: "sea" } }, (entry) => entry.favorite && entry.metadata.album === "sea"],
  ["export", [{ directory: "somewhere" }], "history/export", { directory: resolve("somewhere") },
    (answer) => answer.path === resolve("somewhere", "atelier-history-owner.jsonl")],
  ["feedback", [{ ...ID, rating: 4, text: "a little dark" }], "feedback/submit", { ...ID, rating: 4, text: "a little dark" },
    (answer) => answer.feedback.rating === 4],
  ["statistics", [{ account: "*" }], "usage/statistics", { account: "*" }, (answer) => answer.byRecipe[0].name === "edit"],
  ["sessions", [{ limit: 1 }], "session/list", { limit: 1 }, (page) => page.sessions[0].account === "owner"],
  ["session", [{ sessionId: "gen_0" }], "session/get", { sessionId: "gen_0" }, (page) => page.nextCursor === "1"],
  ["queueStatus", [{}], "queue/status", {}, (queue) => queue.waiting === 3],
  ["queuePause", [{ account: "ada" }], "queue/pause", { account: "ada" }, (queue) => queue.paused],
  ["queueResume", [{ account: "ada" }], "queue/resume", { account: "ada" }, (queue) => !queue.paused],
  ["accountGet", [{ account: "ada" }], "account/get", { account: "ada" }, (account) => account.limits[0].scope === "minute"],
  ["accountSignIn", [{ account: "ada", identity: { provider: "apple", subject: "1" } }], "account/signIn",
    { account: "ada", identity: { provider: "apple", subject: "1" } }, (answer) => answer.granted === 4],
  ["accountSignOut", [{ account: "ada" }], "account/signOut", { account: "ada" }, (answer) => answer.account === "guest_1"],
  ["accountConsent", [{ account: "ada", version: "2026-11", acceptedAt: new Date(MOMENT) }], "account/consent",
    { account: "ada", version: "2026-11", acceptedAt: MOMENT }, (answer) => answer.consents[0].acceptedAt === MOMENT],
  ["accountDelete", [{ account: "ada" }], "account/delete", { account: "ada" }, (answer) => answer.deleted === 3],
  ["creditsBalance", [{}], "credits/balance", {}, (balance) => balance.available === 7],
  ["creditsHistory", [{ limit: 1 }], "credits/history", { limit: 1 }, (page) => page.totalUsed === 3],
  ["creditsProducts", [], "credits/products", {}, ([product]) => product.platforms.apple === "studio.bundle.8"],
  ["creditsPurchase", [{ platform: "apple", signedTransaction: "a.b.c" }], "credits/purchase",
    { platform: "apple", signedTransaction: "a.b.c" }, (purchase) => purchase.alreadyGranted],
  ["creditsGrant", [{ account: "ada", amount: 3, reason: "invoice", idempotencyKey: "7" }], "credits/grant",
    { account: "ada", amount: 3, reason: "invoice", idempotencyKey: "7" }, (answer) => answer.account === "ada"],
  ["creditsRevoke", [{ account: "ada", amount: 3, reason: "refund", idempotencyKey: "7", owe: true }], "credits/revoke",
    { account: "ada", amount: 3, reason: "refund", idempotencyKey: "7", owe: true }, (answer) => answer.account === "ada"],
  ["accountSet", [{ account: "ada", tier: "premium" }], "account/set", { account: "ada", tier: "premium" },
    (answer) => answer.account === "ada"],
  ["creditsEstimate", [{ regenerate: ID }], "credits/estimate", { regenerate: ID }, (answer) => answer.cost === 8],
];

// Those that the peer knows nothing of are asked of the real service, and the others are built on these.
const ELSEWHERE = ["request", "cancel", "historyEntry", "delete", "deleteAll", "prepare", "imageLink", "styles",
  "headshotChoices", "providers", "templates", "template", "credentialsSet", "credentialsStatus", "credentialsDelete"];

for (const [name, parameters, method, params, looksRight] of REQUESTS) {
  test(`${name} asks for ${method}`, async (t) => {
    const studio = await peer(t);
    assert.ok(looksRight(await studio[name](...parameters)));
    const asked = (await studio.request("received")).at(-1);
    assert.deepEqual([asked.method, asked.params], [method, params]);
  });
}

test("every request takes a signal", async (t) => {
  const studio = await peer(t);
  for (const [name, parameters] of REQUESTS) {
    await assert.rejects(studio[name](...parameters, { signal: AbortSignal.abort() }), { name: "AbortError" }, name);
  }
});

test("every request is tested", () => {
  const tested = new Set([...REQUESTS.map(([name]) => name), ...ELSEWHERE]);
  const missing = Object.getOwnPropertyNames(Requests.prototype)
    .filter((name) => name !== "constructor" && !name.startsWith("all") && !tested.has(name));
  assert.deepEqual(missing, []);
});

test("an estimate takes what generate takes, and waits for what it builds on", async (t) => {
  const studio = await peer(t);
  const params = {
    recipe: "create", image: Uint8Array.of(0xff, 0xd8), prompt: "a lighthouse", output: { count: 4 }, account: "ada",
  };
  const estimate = await studio.creditsEstimate(params);
  const { params: asked } = (await studio.request("received")).at(-1);
  assert.deepEqual(asked, JSON.parse((await studio.generate(params)).text));
  assert.deepEqual([estimate.cost, estimate.allowed, estimate.refusal.data.kind], [8, false, "insufficient_credits"]);
  const generation = studio.generate({ recipe: "create", prompt: "in a moment" });
  await studio.creditsEstimate({ recipe: "edit", image: generation });
  const { params: built } = (await studio.request("received")).at(-1);
  assert.deepEqual(built.image, { generationId: generation.generationId });
});

test("sessions, steps and changes of credits are walked", async (t) => {
  const studio = await peer(t);
  const sessions = await collect(studio.allSessions({ limit: 1 }));
  assert.deepEqual(sessions.map((session) => session.sessionId), ["gen_0", "gen_1"]);
  const steps = await collect(studio.allSteps({ sessionId: "gen_0", limit: 1 }));
  assert.deepEqual(steps.map((step) => step.generationId), ["gen_0", "gen_1"]);
  const entries = await collect(studio.allCreditsHistory({ account: "ada", limit: 1 }));
  assert.deepEqual(entries.map((entry) => entry.balanceAfter), [7, 6, 5]);
});

test("a purchase is told by a notification, and a forged one is refused", async (t) => {
  const heard = [];
  const studio = await peer(t, { onNotification: (method, params) => heard.push([method, params]) });
  await studio.creditsPurchase({ platform: "apple", signedTransaction: "a.b.c" });
  assert.deepEqual(heard, [["credits/changed", { account: "ada", available: 7, held: 1 }]]);
  await assert.rejects(studio.creditsPurchase({ platform: "apple", signedTransaction: "forged" }), (error) => {
    assert.ok(error instanceof InvalidReceipt);
    assert.equal(error.reason, "bad_signature");
    return true;
  });
});

test("a token proves the identity, and one that proves nothing is shown nowhere", async (t) => {
  const studio = await peer(t);
  const params = { account: "ada", identityToken: "a.b.c", nonce: "n", link: true };
  assert.equal((await studio.accountSignIn(params)).merged, true);
  assert.deepEqual((await studio.request("received")).at(-1).params, params);
  const forged = { account: "ada", identityToken: "forged.secret", nonce: "private" };
  await assert.rejects(studio.accountSignIn(forged), (error) => {
    assert.ok(error instanceof InvalidIdentity);
    assert.equal(error.hint, "The token is not signed.");
    assert.doesNotMatch(inspect(error, { depth: null }), /forged|private/);
    return true;
  });
});
