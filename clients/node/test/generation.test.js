// The life of a generation as the client shows it, against a scripted peer.

import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import {
  Atelier, AtelierError, Conflict, ConnectionLost, InternalError, InvalidParameters, ProtocolError, RateLimited, Unavailable,
} from "atelier-studio";

import { collect, fakePeer, peer } from "./support.js";

/** The params that the service received for a generation made like this. */
async function sent(studio, params) {
  return JSON.parse((await studio.generate(params)).text);
}

test("the result is awaited and its progress iterated over", async (t) => {
  const studio = await peer(t);
  const generation = studio.generate({ recipe: "create", prompt: "a lighthouse" });
  assert.equal(generation.generationId, null);
  const seen = (await collect(generation)).map(({ sequence, phase, overall }) => [sequence, phase, overall]);
  assert.deepEqual(seen, [[1, "preparing", 0.25], [2, "processing", 0.5]]);
  const result = await generation;
  assert.deepEqual([result.state, result.images[0].path], ["succeeded", "/pictures/1.jpg"]);
  assert.equal(generation.generationId, result.generationId);
  assert.equal(generation.progress.sequence, 2);
  assert.deepEqual(result.futureMember, { deep: [1] });
});

test("progress can be watched twice and late", async (t) => {
  const studio = await peer(t);
  const generation = studio.generate({ recipe: "create", prompt: "a lighthouse" });
  await generation;
  for (let round = 0; round < 2; round += 1) {
    assert.deepEqual((await collect(generation)).map((progress) => progress.sequence), [1, 2]);
  }
});

test("a failure is an error with all that is known", async (t) => {
  const studio = await peer(t);
  const generation = studio.generate({ recipe: "create", prompt: "fail" });
  assert.deepEqual((await collect(generation)).map((progress) => progress.phase), ["queued"]);
  await assert.rejects(generation, (error) => {
    assert.ok(error instanceof RateLimited);
    assert.deepEqual([error.code, error.kind, error.retryable, error.retryAfterMs], [429, "rate_limited", true, 1500]);
    assert.equal(error.details.limit, 5);
    assert.equal(error.generationId, generation.generationId);
    assert.match(error.message, /Please wait/);
    return true;
  });
  let isOver = false;
  assert.equal(await generation.catch((error) => error.kind).finally(() => { isOver = true; }), "rate_limited");
  assert.ok(isOver);
});

test("overload says when to come back", async (t) => {
  const studio = await peer(t);
  await assert.rejects(studio.generate({ recipe: "create", prompt: "overload" }), (error) => {
    assert.ok(error instanceof Unavailable);
    assert.deepEqual([error.kind, error.retryAfterMs], ["overloaded", 250]);
    return true;
  });
});

test("an answer without what the client itself needs says what that is", async (t) => {
  const studio = await peer(t);
  studio._connection.send = (send => (method, ...rest) => send(method === "generate" ? "echo" : method, ...rest))(
    studio._connection.send.bind(studio._connection));
  await assert.rejects(studio.generate({ recipe: "create" }), (error) => {
    assert.ok(error instanceof ProtocolError);
    assert.match(error.message, /\/generationId is not a string/);
    return true;
  });
});

test("cancel makes the state cancelled", async (t) => {
  const studio = await peer(t);
  const generation = studio.generate({ recipe: "create", prompt: "until cancelled" });
  for await (const _ of generation) {
    generation.cancel();
    generation.cancel();
  }
  assert.equal((await generation).state, "cancelled");
  generation.cancel();
  const requests = await studio.request("received");
  assert.equal(requests.filter((message) => message.method === "$/cancelRequest").length, 1);
});

test("cancel before it was even sent makes the state cancelled too", async (t) => {
  const studio = await peer(t);
  const generation = studio.generate({ recipe: "create", prompt: "until cancelled" });
  generation.cancel();
  assert.equal((await generation).state, "cancelled");
});

test("an abort cancels it, and rejects it after the final answer", async (t) => {
  const studio = await peer(t);
  const controller = new AbortController();
  const generation = studio.generate({ recipe: "create", prompt: "until cancelled" }, { signal: controller.signal });
  await generation.accepted().then(() => controller.abort(new Error("enough")));
  await assert.rejects(generation, /^Error: enough$/);
  assert.ok(generation.done);
  const requests = await studio.request("received");
  assert.equal(requests.at(-1).method, "$/cancelRequest");
});

test("a time limit cancels it", async (t) => {
  const studio = await peer(t);
  const generation = studio.generate({ recipe: "create", prompt: "until cancelled" }, { signal: AbortSignal.timeout(50) });
  await assert.rejects(generation, { name: "TimeoutError" });
});

test("an abort that comes too late changes nothing", async (t) => {
  const studio = await peer(t);
  const controller = new AbortController();
  const generation = studio.generate({ recipe: "create", prompt: "in a moment" }, { signal: controller.signal });
  await generation.accepted();
  // The peer does not know how to cancel this one.
  controller.abort();
  assert.equal((await generation).state, "succeeded");
});

test("a generation that was aborted before it was made is never sent", async (t) => {
  const studio = await peer(t);
  const generation = studio.generate({ recipe: "create" }, { signal: AbortSignal.abort() });
  await assert.rejects(generation, { name: "AbortError" });
  await assert.rejects(generation.accepted(), { name: "AbortError" });
  assert.deepEqual((await studio.request("received")).map((message) => message.method), ["initialize"]);
});

test("leaving the loop over its progress does not affect it", async (t) => {
  const studio = await peer(t);
  const generation = studio.generate({ recipe: "create", prompt: "in a moment" });
  for await (const _ of generation) break;
  assert.equal((await generation).state, "succeeded");
});

test("one generation is the image of the next", async (t) => {
  const studio = await peer(t);
  const first = studio.generate({ recipe: "create", prompt: "in a moment" });
  const second = studio.generate({ recipe: "edit", image: first, references: [first, "/r.png"], prompt: "brighter" });
  const reference = { generationId: await second.accepted(), index: 1 };
  const third = studio.generate({ recipe: "edit", image: reference, prompt: "and longer" });
  const named = { generationId: (await first).generationId };
  const params = JSON.parse((await second).text);
  assert.deepEqual([params.image, params.references], [named, [named, { path: "/r.png" }]]);
  assert.deepEqual(JSON.parse((await third).text).image, reference);
});

test("made again it names the earlier one and only what is to be different", async (t) => {
  const studio = await peer(t);
  const first = studio.generate({ recipe: "create", prompt: "in a moment" });
  const again = studio.regenerate({
    generation: first, output: { count: 2, directory: "out" }, seed: 7, provider: ["a", "b"],
  });
  const generationId = (await first).generationId;
  assert.deepEqual(JSON.parse((await again).text), {
    generationId, seed: 7, provider: ["a", "b"], output: { count: 2, directory: resolve("out") },
  });
  for (const generation of [await first, generationId, { generationId, index: 1 }]) {
    assert.deepEqual(JSON.parse((await studio.regenerate({ generation })).text), { generationId });
  }
  assert.equal((await studio.regenerate({ generation: generationId, detach: true })).state, "succeeded");
});

test("what builds on a failure fails with it", async (t) => {
  const studio = await peer(t);
  const first = studio.generate({ recipe: "create", prompt: "fail" });
  await assert.rejects(studio.generate({ recipe: "edit", image: first }), RateLimited);
  await assert.rejects(first, RateLimited);
});

test("cancelling what waits for another leaves the other alone", async (t) => {
  const studio = await peer(t);
  const first = studio.generate({ recipe: "create", prompt: "until cancelled" });
  const second = studio.generate({ recipe: "edit", image: first });
  const controller = new AbortController();
  const third = studio.generate({ recipe: "edit", image: first }, { signal: controller.signal });
  await first.accepted();
  second.cancel();
  controller.abort();
  await assert.rejects(second, { kind: "request_cancelled" });
  await assert.rejects(third, { name: "AbortError" });
  assert.ok(!first.done);
});

test("closing finishes what is in flight", async () => {
  const [first, second] = await Atelier.use({ executable: fakePeer() }, (studio) => {
    const made = studio.generate({ recipe: "create", prompt: "in a moment" });
    return [made, studio.generate({ recipe: "edit", image: made })];
  });
  assert.deepEqual([(await first).state, (await second).state], ["succeeded", "succeeded"]);
});

test("a failure of the program cancels what is in flight", async () => {
  let generation;
  await assert.rejects(Atelier.use({ executable: fakePeer() }, async (studio) => {
    generation = studio.generate({ recipe: "create", prompt: "until cancelled" });
    await generation.accepted();
    throw new TypeError("a mistake");
  }), /a mistake/);
  assert.equal((await generation).state, "cancelled");
});

test("of a detached one, acceptance and end are two things", async (t) => {
  const studio = await peer(t);
  const ends = studio.finished();
  const generation = studio.generate({ recipe: "create", detach: true });
  assert.equal(await generation.accepted(), generation.generationId);
  assert.equal((await generation).state, "succeeded");
  const { value } = await ends.next();
  assert.deepEqual([value.generationId, value.state], [generation.generationId, "succeeded"]);
  await studio.close();
  assert.deepEqual(await collect(ends), []);
});

test("a detached one that fails fails whoever awaits it", async (t) => {
  const studio = await peer(t);
  const ends = studio.finished();
  await assert.rejects(studio.generate({ recipe: "create", prompt: "fail", detach: true }), (error) => {
    assert.ok(error instanceof InternalError);
    assert.equal(error.kind, "provider_error");
    return true;
  });
  assert.equal((await ends.next()).value.state, "failed");
});

test("a detached one that had ended before answers at once", async (t) => {
  const studio = await peer(t);
  const generation = studio.generate({ recipe: "create", prompt: "ended before", detach: true, idempotencyKey: "once" });
  assert.equal((await generation).state, "succeeded");
});

test("a detached one is cancelled by its id, before it was accepted as well as after", async (t) => {
  const studio = await peer(t);
  for (const isAccepted of [true, false]) {
    const generation = studio.generate({ recipe: "create", prompt: "until cancelled", detach: true });
    if (isAccepted) await generation.accepted();
    generation.cancel();
    assert.equal((await generation).state, "cancelled");
  }
  const controller = new AbortController();
  const aborted = studio.generate(
    { recipe: "create", prompt: "until cancelled", detach: true }, { signal: controller.signal });
  await aborted.accepted();
  controller.abort();
  await assert.rejects(aborted, { name: "AbortError" });
});

test("closing does not wait for a detached one", async () => {
  const studio = await Atelier.start({ executable: fakePeer() });
  const generation = studio.generate({ recipe: "create", prompt: "until cancelled", detach: true });
  await studio.close();
  assert.notEqual(generation.generationId, null);
  await assert.rejects(generation, ConnectionLost);
});

test("cancelling by id after success is a conflict", async (t) => {
  const studio = await peer(t);
  const { generationId } = await studio.generate({ recipe: "create" });
  await assert.rejects(studio.cancel({ generationId }), (error) => {
    assert.ok(error instanceof Conflict);
    assert.equal(error.kind, "already_finished");
    return true;
  });
});

test("only what was said is sent", async (t) => {
  const studio = await peer(t);
  assert.deepEqual(await sent(studio), { recipe: "headshot" });
  const params = {
    recipe: "hairstyle", prompt: "p", style: { angle: 0.5 }, templateId: "t", provider: ["gemini", "ondevice"], model: "m",
    temperature: 0.5, seed: 7, timeoutMs: 1000, account: "ada", idempotencyKey: "k", cache: "bypass", whenOffline: "queue",
    waitMs: 90_000, private: true, progress: false, metadata: { shot_number: 1 }, newer: true,
  };
  assert.deepEqual(await sent(studio, params), params);
});

test("images come in every form, and paths from the root on", async (t) => {
  const studio = await peer(t);
  const result = await studio.generate({ recipe: "create" });
  const bytes = Uint8Array.of(0, 0xff, 0xd8, 0);
  const here = join(resolve("."), "photo.png");
  const forms = [
    ["photo.png", { path: here }],
    [pathToFileURL("photo.png"), { path: here }],
    [{ path: "photo.png" }, { path: here }],
    [bytes.subarray(1, 3), { data: "/9g=" }],
    [Buffer.from([0xff, 0xd8]), { data: "/9g=" }],
    [bytes.buffer, { data: "AP/YAA==" }],
    [{ data: "/9g=" }, { data: "/9g=" }],
    [{ preparedId: "pre_1", width: 1, height: 2 }, { preparedId: "pre_1" }],
    [result, { generationId: result.generationId }],
    [{ generationId: "gen_9", index: 0 }, { generationId: "gen_9", index: 0 }],
  ];
  for (const [image, expected] of forms) assert.deepEqual((await sent(studio, { image })).image, expected);
  assert.deepEqual((await sent(studio, { output: { directory: "out" } })).output, { directory: resolve("out") });
  assert.deepEqual(
    (await sent(studio, { references: forms.map(([image]) => image) })).references, forms.map(([, wire]) => wire));
});

test("what is no image is refused where it is written", async (t) => {
  const studio = await peer(t);
  for (const [image, name] of [[3.5, "Number"], [{}, "Object"], [[], "Array"], [new URL("https://a.example/"), "URL"]]) {
    assert.throws(() => studio.generate({ image }), (error) => {
      assert.ok(error instanceof InvalidParameters);
      assert.deepEqual([error.kind, error.path], ["invalid_params", "/image"]);
      assert.match(error.message, new RegExp(`A ${name} is not an image`));
      return true;
    });
  }
});

test("references that are no list are refused where they are written", async (t) => {
  const studio = await peer(t);
  assert.throws(() => studio.generate({ references: "photo.png" }), { kind: "invalid_params", path: "/references" });
});

test("a close that waits can still be told to cancel", async () => {
  const studio = await Atelier.start({ executable: fakePeer() });
  const generation = studio.generate({ recipe: "create", prompt: "until cancelled" });
  await generation.accepted();
  const closing = studio.close();
  await studio.close({ cancel: true });
  await closing;
  assert.equal((await generation).state, "cancelled");
});

test("the path of a wrong param is told", async (t) => {
  const studio = await peer(t);
  await assert.rejects(studio.request("picky"), { path: "/method", expected: "one of mine" });
  await assert.rejects(studio.request("picky"), AtelierError);
});
