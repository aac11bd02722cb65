// The client and the service together: pictures are really made, on this machine, without a key or a network.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";

import * as errors from "atelier-studio";
import { Atelier } from "atelier-studio";

import {
  NO_KEYS, OTHER_PORTRAIT, PORTRAIT, REPOSITORY, collect, holdingProvider, needsService, needsSimulator, realService,
  temporaryFolder,
} from "./support.js";

/** A test with a data directory of its own. */
function serviceTest(name, work) {
  test(name, { skip: needsService }, async (t) => {
    const folder = temporaryFolder(t);
    await work({ folder, use: (part, options) => Atelier.use(realService(folder, options), part) });
  });
}

/** The same with a provider that makes nothing before it is released. */
function holdingTest(name, work) {
  test(name, { skip: needsSimulator }, async (t) => {
    const folder = temporaryFolder(t);
    const { env, release } = await holdingProvider(t);
    const start = () => Atelier.start(realService(folder, { env }));
    await work({ release, start, use: (part) => Atelier.use(realService(folder, { env }), part) });
  });
}

const LIGHTHOUSE = { recipe: "create", prompt: "a lighthouse" };

function assertPicture(result) {
  assert.deepEqual([result.state, result.provider], ["succeeded", "ondevice"]);
  const [image] = result.images;
  const file = readFileSync(image.path);
  assert.equal(file.length, image.bytes);
  assert.equal(createHash("sha256").update(file).digest("hex"), image.sha256);
  assert.deepEqual([...file.subarray(0, 3)], [0xff, 0xd8, 0xff]);
}

const rejectsWith = (promise, Family, members) => assert.rejects(promise, (error) => {
  assert.ok(error instanceof Family, String(error));
  for (const [name, value] of Object.entries(members)) assert.equal(error[name], value);
  return true;
});

serviceTest("a headshot is made with progress", async ({ use }) => {
  await use(async (studio) => {
    const generation = studio.generate({ image: PORTRAIT, style: { angle: "front", background: "professional" } });
    const seen = await collect(generation);
    const result = await generation;
    assertPicture(result);
    assert.deepEqual(new Set(seen.map((progress) => progress.generationId)), new Set([result.generationId]));
    const phases = seen.map((progress) => progress.phase);
    assert.ok(phases.includes("processing"));
    const order = ["queued", "preparing", "uploading", "processing", "saving"];
    assert.deepEqual(phases, [...phases].sort((a, b) => order.indexOf(a) - order.indexOf(b)));
    for (const [index, progress] of seen.entries()) assert.ok(index === 0 || progress.sequence > seen[index - 1].sequence);
  });
});

serviceTest("the same again is answered from history and made again on demand", async ({ use }) => {
  await use(async (studio) => {
    const first = await studio.generate({ image: PORTRAIT });
    const again = await studio.generate({ image: PORTRAIT });
    assert.deepEqual([again.cached, again.images], [true, first.images]);
    const anew = await studio.generate({ image: PORTRAIT, cache: "bypass" });
    assert.deepEqual([anew.cached, anew.images[0].sha256], [false, first.images[0].sha256]);
    const other = await studio.regenerate({ generation: first });
    assert.notEqual(other.images[0].sha256, first.images[0].sha256);
    const entry = await studio.historyEntry({ generationId: other.generationId });
    assert.equal(entry.originalGenerationId, first.generationId);
    await rejectsWith(studio.regenerate({ generation: "gen_nobody" }), errors.NotFound, { kind: "not_found" });
  });
});

serviceTest("copies go where they are wanted", async ({ folder, use }) => {
  const directory = join(folder, "pictures");
  mkdirSync(directory);
  const result = await use((studio) => studio.generate({ image: PORTRAIT, output: { directory } }));
  assertPicture(result);
  const [image] = result.images;
  assert.equal(dirname(image.path), directory);
  assert.equal(readdirSync(directory).length, 1);
  assert.deepEqual(readFileSync(image.storedPath), readFileSync(image.path));
});

serviceTest("bytes go in and come out inline", async ({ use }) => {
  const result = await use((studio) => studio.generate({ image: readFileSync(PORTRAIT), output: { inline: true } }));
  assertPicture(result);
  const data = Buffer.from(result.images[0].data, "base64");
  assert.equal(createHash("sha256").update(data).digest("hex"), result.images[0].sha256);
});

serviceTest("prepared photos and results serve as images", async ({ use }) => {
  await use(async (studio) => {
    const prepared = await studio.prepare({ image: PORTRAIT });
    assert.deepEqual([prepared.original.width, prepared.original.height], [512, 512]);
    const first = studio.generate({ image: prepared });
    const second = await studio.generate({ image: first, style: { background: "casual" } });
    assertPicture(second);
    assertPicture(await studio.generate({ image: { generationId: (await first).generationId, index: 0 }, cache: "bypass" }));
    assert.ok((await studio.prepare({ image: first })).preparedId);
  });
});

serviceTest("a link is refused where the operator has not allowed any", async ({ use }) => {
  await use(async (studio) => {
    const { generationId } = await studio.generate({ image: PORTRAIT });
    await assert.rejects(studio.imageLink({ generationId, variant: "full" }), { kind: "permission_denied" });
  });
});

serviceTest("several are made at once", async ({ use }) => {
  const results = await use((studio) => Promise.all(
    [PORTRAIT, OTHER_PORTRAIT, PORTRAIT].map((image) => studio.generate({ image, cache: "bypass" }))));
  results.forEach(assertPicture);
  assert.equal(new Set(results.map((result) => result.generationId)).size, 3);
});

serviceTest("the same key is the same generation", async ({ use }) => {
  await use(async (studio) => {
    const params = { image: PORTRAIT, idempotencyKey: "portrait of ada" };
    const first = await studio.generate(params);
    assert.equal((await studio.generate(params)).generationId, first.generationId);
    assert.equal((await studio.generationStatus({ idempotencyKey: "portrait of ada" })).generationId, first.generationId);
    await rejectsWith(
      studio.generate({ ...params, image: OTHER_PORTRAIT }), errors.Conflict, { kind: "idempotency_mismatch" });
  });
});

serviceTest("what cannot be is refused with a reason", async ({ folder, use }) => {
  const text = join(folder, "photo.png");
  writeFileSync(text, "I am no picture");
  await use(async (studio) => {
    await rejectsWith(studio.generate({ image: text }), errors.InvalidImage, { kind: "unsupported_image" });
    await rejectsWith(
      studio.generate({ image: join(folder, "nobody.png") }), errors.InvalidImage, { kind: "invalid_image" });
    await rejectsWith(
      studio.generate({ recipe: "edit", image: PORTRAIT, prompt: "a red hat", provider: "ondevice" }), errors.Rejected,
      { kind: "unsupported_by_provider" });
    await rejectsWith(
      studio.generate({ image: PORTRAIT, style: { angle: 7 } }), errors.InvalidParameters, { path: "/style/angle" });
    await rejectsWith(studio.generate({ image: PORTRAIT, colour: "blue" }), errors.InvalidParameters, { path: "/colour" });
    await rejectsWith(studio.request("no/such"), errors.InvalidRequest, { kind: "method_not_found" });
  });
});

holdingTest("cancelled under way it ends as cancelled", async ({ use }) => {
  await use(async (studio) => {
    const generation = studio.generate(LIGHTHOUSE);
    for await (const _ of generation) generation.cancel();
    const result = await generation;
    assert.deepEqual([result.state, result.images], ["cancelled", []]);
    assert.equal((await generation.status()).state, "cancelled");
    assert.equal((await studio.cancel({ generationId: result.generationId })).state, "cancelled");
  });
});

holdingTest("an abort cancels it, and the record says so", async ({ use }) => {
  await use(async (studio) => {
    const controller = new AbortController();
    const generation = studio.generate(LIGHTHOUSE, { signal: controller.signal });
    const generationId = await generation.accepted();
    controller.abort();
    await assert.rejects(generation, { name: "AbortError" });
    assert.equal((await studio.historyEntry({ generationId })).state, "cancelled");
  });
});

serviceTest("after success cancelling is refused", async ({ use }) => {
  await use(async (studio) => {
    const { generationId } = await studio.generate({ image: PORTRAIT });
    await rejectsWith(studio.cancel({ generationId }), errors.Conflict, { kind: "already_finished" });
    await rejectsWith(studio.cancel({ generationId: "gen_that_never_was" }), errors.NotFound, {});
  });
});

serviceTest("of a detached one, acceptance comes first and the end is told", async ({ use }) => {
  await use(async (studio) => {
    const ends = studio.finished();
    const generation = studio.generate({ image: PORTRAIT, detach: true });
    const generationId = await generation.accepted();
    const { value } = await ends.next();
    assert.deepEqual([value.generationId, value.state], [generationId, "succeeded"]);
    assert.equal((await generation).state, "succeeded");
  });
});

serviceTest("a detached one outlives the connection that started it", async ({ folder, use }) => {
  const studio = await Atelier.start(realService(folder));
  const generationId = await studio.generate({ image: PORTRAIT, detach: true }).accepted();
  await studio.close();
  assert.ok(await studio._connection.process.wait(600_000), "the service did not end after its detached work");
  await use(async (next) => assert.equal((await next.generationStatus({ generationId })).state, "succeeded"));
});

holdingTest("a generation of another process is followed to its end, and left alone by who stops following", async (
  { release, start, use },
) => {
  await use(async (studio) => {
    const started = studio.generate({ ...LIGHTHOUSE, detach: true });
    const generationId = await started.accepted();
    const other = await start();
    const controller = new AbortController();
    const left = other.attach({ generationId }, { signal: controller.signal });
    for await (const _ of left) controller.abort();
    await assert.rejects(left, { name: "AbortError" });
    const closed = other.attach({ generationId });
    for await (const _ of closed) break;
    await other.close();
    await rejectsWith(closed, errors.AtelierError, { kind: "request_cancelled" });

    const third = await start();
    const followed = third.attach({ generationId });
    assert.equal(followed.generationId, generationId);
    await release(1);
    const seen = await collect(followed);
    assert.deepEqual([(await followed).state, (await started).state], ["succeeded", "succeeded"]);
    assert.ok(seen.every((progress) => progress.generationId === generationId));
    // What has ended is answered at once, and what is not there is refused.
    assert.equal((await third.attach({ generationId })).state, "succeeded");
    await rejectsWith(third.attach({ generationId: "gen_nobody" }), errors.NotFound, {});
    await assert.rejects(third.attach({ generationId }, { signal: AbortSignal.abort() }), { name: "AbortError" });
    await third.close();
  });
});

holdingTest("whoever follows a generation can cancel it", async ({ use }) => {
  await use(async (studio) => {
    const started = studio.generate({ ...LIGHTHOUSE, detach: true });
    const generationId = await started.accepted();
    await use(async (other) => {
      const followed = other.attach({ generationId });
      for await (const _ of followed) followed.cancel();
      assert.equal((await followed).state, "cancelled");
    });
    assert.equal((await started).state, "cancelled");
  });
});

serviceTest("the service introduces itself and its state", async ({ use }) => {
  await use(async (studio) => {
    const { protocolVersion, serverInfo, providers } = studio.initialization;
    assert.deepEqual([protocolVersion, serverInfo.name, providers.includes("ondevice")], ["1", "atelier", true]);
    assert.ok((await studio.request("rpc.discover")).openrpc);
    const result = await studio.generate({ image: PORTRAIT });
    const status = await studio.status();
    assert.deepEqual([status.store.healthy, status.counters.succeeded], [true, 1]);
    assert.deepEqual((await studio.generationStatus({ generationId: result.generationId })).images, result.images);
    assert.deepEqual((await studio.accountGet()).account, "owner");
  });
});

serviceTest("styles, providers and the library are listed", async ({ use }) => {
  await use(async (studio) => {
    assert.equal((await studio.styles()).length, 6);
    const choices = await studio.headshotChoices();
    assert.deepEqual(
      choices.backgrounds.map((background) => background.id),
      ["auto", "professional", "casual", "white", "transparent", "keep", "#rrggbb"]);
    assert.deepEqual(choices.output.formats, ["jpeg", "png", "webp"]);
    const ondevice = (await studio.providers()).find((provider) => provider.id === "ondevice");
    assert.deepEqual([ondevice.available, ondevice.needsKey], [true, false]);
    const all = await collect(studio.allTemplates({ limit: 20 }));
    assert.ok(new Set(all.map((template) => template.id)).size >= 50);
    const { templates } = await studio.templates({ category: "curly", search: "ROUND afro" });
    assert.deepEqual(templates.map((template) => template.id), ["rounded-afro"]);
    assert.deepEqual(await studio.template({ templateId: "rounded-afro" }), templates[0]);
    await rejectsWith(studio.template({ templateId: "no-such-hair" }), errors.NotFound, { kind: "template_not_found" });
  });
});

serviceTest("keys are kept, shown by their end and forgotten", async ({ use }) => {
  await use(async (studio) => {
    const stored = await studio.credentialsSet({ provider: "gemini", key: "an-invented-key-9a7c" });
    assert.deepEqual([stored.source, stored.masked], ["file", "…9a7c"]);
    const configured = (await studio.credentialsStatus()).filter((entry) => entry.configured);
    assert.deepEqual(configured.map((entry) => entry.provider), ["gemini"]);
    await rejectsWith(
      studio.credentialsSet({ provider: "gemini", key: "two words" }), errors.CredentialsError,
      { kind: "invalid_api_key" });
    assert.ok((await studio.credentialsDelete({ provider: "gemini" })).deleted);
  });
  await use(async (studio) => {
    const [gemini] = await studio.credentialsStatus();
    assert.deepEqual([gemini.source, gemini.environmentVariable], ["environment", "GOOGLE_API_KEY"]);
  }, { env: { ...NO_KEYS, GOOGLE_API_KEY: "another-invented-key-04d2" } });
});

serviceTest("history is walked page by page and deleted", async ({ use }) => {
  await use(async (studio) => {
    const made = [];
    for (let number = 0; number < 5; number += 1) {
      made.unshift((await studio.generate({ image: PORTRAIT, cache: "bypass", metadata: { album: "tests" } })).generationId);
    }
    const walked = await collect(studio.allHistory({ limit: 2 }));
    assert.deepEqual(walked.map((entry) => entry.generationId), made);
    assert.deepEqual(walked[0].metadata, { album: "tests" });
    assert.equal((await studio.delete({ generationId: made[0] })).deleted, 1);
    await rejectsWith(studio.historyEntry({ generationId: made[0] }), errors.NotFound, {});
    assert.equal((await studio.deleteAll("owner")).deleted, 4);
    assert.deepEqual(await collect(studio.allHistory()), []);
  });
});

serviceTest("a connection is confined to its account", async ({ use }) => {
  const { generationId } = await use((studio) => studio.generate({ image: PORTRAIT }));
  await use(async (studio) => {
    await rejectsWith(studio.generationStatus({ generationId }), errors.NotFound, {});
    await rejectsWith(studio.accountGet({ account: "owner" }), errors.PermissionDenied, {});
  }, { account: "ada" });
});

serviceTest("a guest spends its credit and is told how to get more", async ({ use }) => {
  const heard = [];
  const configuration = join(REPOSITORY, "protocol/transcripts/credits.config.json");
  await use(async (studio) => {
    const estimate = await studio.creditsEstimate({ image: PORTRAIT, account: "anna" });
    assert.deepEqual([estimate.cost, estimate.allowed], [1, true]);
    const { credits } = await studio.generate({ image: PORTRAIT, account: "anna" });
    assert.deepEqual([credits.held, credits.charged, credits.balanceAfter], [1, 1, 0]);
    assert.deepEqual(heard, [[0, 1], [0, 0]]);
    await assert.rejects(studio.generate({ image: PORTRAIT, account: "anna", output: { count: 2 } }), (error) => {
      assert.ok(error instanceof errors.InsufficientCredits);
      assert.deepEqual([error.required, error.available], [2, 0]);
      assert.deepEqual(error.upgradeOptions.map((option) => option.id), ["premium_month", "bundle_8"]);
      return true;
    });
    const identity = { provider: "email", subject: "anna@example.org" };
    assert.equal((await studio.accountSignIn({ account: "anna", identity })).granted, 4);
    await studio.generate({ image: PORTRAIT, account: "tablet" });
    const { account, merged } = await studio.accountSignIn({ account: "tablet", identity });
    assert.deepEqual([account, merged], ["anna", true]);
    assert.equal((await studio.accountConsent({ account, version: "2026-11" })).isNew, true);
    assert.equal((await studio.accountGet({ account })).consent.version, "2026-11");
    assert.match((await studio.accountSignOut({ account })).account, /^guest_/);
    const entries = await collect(studio.allCreditsHistory({ account: "anna", limit: 1 }));
    assert.deepEqual(entries.map((entry) => entry.amount), [4, -1, 1]);
  }, {
    arguments: ["--config", configuration],
    onNotification: (method, params) => method === "credits/changed" && heard.push([params.available, params.held]),
  });
});

holdingTest("a killed service leaves a truthful record", async ({ start, use }) => {
  const studio = await start();
  const generation = studio.generate(LIGHTHOUSE);
  for await (const _ of generation) break;
  const generationId = await generation.accepted();
  studio._connection.process.kill("SIGKILL");
  await rejectsWith(generation, errors.ConnectionLost, { signal: "SIGKILL" });
  await studio.close();
  await use(async (next) => {
    const { state, error } = await next.generationStatus({ generationId });
    assert.deepEqual([state, error.data.kind, error.data.retryable], ["interrupted", "interrupted", true]);
  });
});

serviceTest("a data directory that cannot be used ends in an error", async ({ folder }) => {
  const inTheWay = join(folder, "file");
  writeFileSync(inTheWay, "not a folder");
  await assert.rejects(
    Atelier.use(realService(folder, { dataDirectory: inTheWay }), (studio) => studio.history()), errors.AtelierError);
  assert.equal(readFileSync(inTheWay, "utf8"), "not a folder");
});
