// What may happen between the client and the service, played by a scripted peer.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Atelier, AtelierError, InvalidRequest } from "atelier-studio";

import { LineSplitter } from "../src/process.js";
import { collect, fakePeer, peer, warnings } from "./support.js";

test("lines come out the same however they were cut", () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    let state = seed;
    const below = (limit) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * limit);
    };
    const lines = Array.from({ length: 1 + below(8) }, (_, number) => `é${number}${"🙂".repeat(below(9))}x`);
    let text = Buffer.from(lines.map((line) => line + ["\n", "\r\n", "\n\n"][below(3)]).join(""));
    if (below(3) === 0) text = Buffer.from(text.toString().trimEnd());
    const seen = [];
    const splitter = new LineSplitter((line) => seen.push(line));
    for (let start = 0; start < text.length;) {
      const end = start + 1 + below(11);
      splitter.feed(text.subarray(start, end));
      start = end;
    }
    splitter.end();
    assert.deepEqual(seen, lines, `seed ${seed}`);
  }
});

test("answers arrive whole when they are written byte by byte", async (t) => {
  const studio = await peer(t, { executable: fakePeer("bytewise") });
  assert.deepEqual(await studio.request("echo", { text: "日本語 🙂" }), { text: "日本語 🙂" });
});

test("a line may be far longer than 64 KiB", async (t) => {
  const studio = await peer(t);
  const answer = await studio.request("long", { characters: 3_000_000 });
  assert.equal(answer.data, "é".repeat(3_000_000));
});

test("answers find their requests in whatever order they come", async (t) => {
  const studio = await peer(t);
  const holding = Array.from({ length: 50 }, () => studio.request("hold"));
  await studio.request("release");
  const answers = await Promise.all(holding);
  assert.deepEqual(answers, [...new Set(answers)].sort((a, b) => a - b));
  assert.equal(answers.length, 50);
});

test("much can be written while the peer is slow to read", async (t) => {
  const studio = await peer(t);
  const text = "x".repeat(500_000);
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => studio.request("echo", { text, n })));
  assert.deepEqual(answers.map((answer) => answer.n), [...Array(20).keys()]);
  assert.ok(answers.every((answer) => answer.text === text));
});

test("strange messages disturb nothing, and are told without their content", async (t) => {
  const studio = await peer(t);
  const heard = await warnings(async () => assert.equal(await studio.request("disturb"), "still here"));
  assert.deepEqual(heard.map((warning) => warning.message), [
    "The service sent an answer to 987654, which was not asked.",
    "The service sent an answer to null, which was not asked.",
  ]);
});

test("every notification can be heard", async (t) => {
  const heard = [];
  const studio = await peer(t, { onNotification: (method) => heard.push(method) });
  await studio.generate({ recipe: "create", prompt: "a lighthouse" });
  assert.deepEqual(heard, Array(3).fill("generation/progress"));
});

test("a listener that fails costs no answer", async (t) => {
  const studio = await peer(t, { onNotification: () => { throw new Error("not my day"); } });
  const heard = await warnings(async () => {
    assert.equal((await studio.generate({ recipe: "create", prompt: "a lighthouse" })).state, "succeeded");
  });
  assert.deepEqual(new Set(heard.map((warning) => warning.message)), new Set(["not my day"]));
});

test("an abort withdraws a request", async (t) => {
  const studio = await peer(t);
  const controller = new AbortController();
  const holding = studio.request("hold", {}, { signal: controller.signal });
  await studio.ping();
  controller.abort();
  await assert.rejects(holding, { name: "AbortError" });
  const messages = await studio.request("received");
  const held = messages.find((message) => message.method === "hold").id;
  assert.deepEqual(messages.at(-1), { jsonrpc: "2.0", method: "$/cancelRequest", params: { id: held } });
});

test("a request that was aborted before it was made is never sent", async (t) => {
  const studio = await peer(t);
  const reason = new Error("changed my mind");
  await assert.rejects(studio.request("hold", {}, { signal: AbortSignal.abort(reason) }), reason);
  assert.deepEqual((await studio.request("received")).map((message) => message.method), ["initialize"]);
});

test("a request that is too large never leaves", async (t) => {
  const studio = await peer(t);
  const image = new Uint8Array(1 << 20);
  await assert.rejects(studio.generate({ recipe: "edit", image }), (error) => {
    assert.ok(error instanceof InvalidRequest);
    assert.match(error.message, /by path/);
    return true;
  });
  assert.ok(await studio.ping() > 0);
});

/** What the peer was answered to its own request. */
async function answered(studio) {
  await studio.request("ask");
  return (await studio.request("received")).filter((message) => message.id === "mine")[0];
}

test("a request of the service is refused politely when nobody handles it", async (t) => {
  for (const options of [{}, { onRequest: () => undefined }]) {
    const studio = await peer(t, options);
    const { error } = await answered(studio);
    assert.deepEqual([error.code, error.data.kind], [-32601, "method_not_found"]);
  }
});

test("a request of the service is answered by its handler", async (t) => {
  const asked = [];
  const onRequest = async (method, params, { signal }) => {
    asked.push([method, params, signal.aborted]);
    return { found: null };
  };
  const studio = await peer(t, { onRequest });
  assert.deepEqual((await answered(studio)).result, { found: null });
  assert.deepEqual(asked, [["location/search", {}, false]]);
});

test("a handler that fails sends an AtelierError as it is, and of any other error only that there was one", async (t) => {
  const known = new AtelierError("Nothing is near.", { code: 404, kind: "not_found" });
  const first = await answered(await peer(t, { onRequest: () => { throw known; } }));
  assert.deepEqual(first.error, { code: 404, message: "Nothing is near.", data: { kind: "not_found", retryable: false } });
  const circle = {};
  circle.circle = circle;
  for (const onRequest of [async () => { throw new Error("secret"); }, () => circle]) {
    const studio = await peer(t, { onRequest });
    let answer;
    const heard = await warnings(async () => { answer = await answered(studio); });
    assert.deepEqual([answer.error.code, answer.error.message], [-32603, "The host could not answer."]);
    assert.equal(heard.length, 1);
  }
});

/** The answer to a lookup of the service's, once it has come. */
async function answerTo(studio, id) {
  for (;;) {
    const answer = (await studio.request("received")).find((message) => message.id === id && !message.method);
    if (answer) return answer;
  }
}

const BAR = { name: "Bar", streetAddress1: "Via Roma 1", city: "Rome", coordinate: { latitude: 41.9, longitude: 12.5 } };

test("lookups are announced, and answered by a function of either kind", async (t) => {
  const asked = [];
  const locationSearch = (query) => {
    asked.push(query);
    return [BAR];
  };
  for (const search of [locationSearch, async (query) => new Set(locationSearch(query))]) {
    const capabilities = { mute: ["provider/changed"] };
    const studio = await peer(t, { locationSearch: search, capabilities });
    await studio.request("look up", { id: "a" });
    assert.deepEqual((await answerTo(studio, "a")).result, { places: [BAR] });
    const [hello] = await studio.request("received");
    assert.deepEqual(hello.params.capabilities, { ...capabilities, locationSearch: true });
  }
  assert.deepEqual(asked[0], { query: "Bar, Rome", near: { latitude: 41.9, longitude: 12.5 }, generationId: "gen_1" });
});

test("lookups beside other requests of the service", async (t) => {
  const onRequest = (method) => method;
  const studio = await peer(t, { onRequest, locationSearch: () => [] });
  await studio.request("look up", { id: "a" });
  assert.deepEqual((await answerTo(studio, "a")).result, { places: [] });
  assert.equal((await answered(await peer(t, { onRequest }))).result, "location/search");
});

test("a lookup that fails is answered with an error, and the next one is answered", async (t) => {
  for (const fail of [() => { throw new Error("secret"); }, async () => null, () => 5, () => [{ size: 1n }]]) {
    const locationSearch = ({ query }) => (query === "fail" ? fail() : [BAR]);
    const studio = await peer(t, { locationSearch });
    let answer;
    const heard = await warnings(async () => {
      await studio.request("look up", { id: "a", also: { query: "fail" } });
      answer = await answerTo(studio, "a");
    });
    assert.deepEqual([answer.error.code, answer.error.message], [-32603, "The host could not answer."]);
    assert.equal(heard.length, 1);
    await studio.request("look up", { id: "b" });
    assert.deepEqual((await answerTo(studio, "b")).result, { places: [BAR] });
  }
});

test("a lookup that the service withdraws is aborted, without a warning", async (t) => {
  const locationSearch = (query, { signal }) => new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });
  const studio = await peer(t, { locationSearch });
  const heard = await warnings(async () => {
    await studio.request("look up", { id: "a" });
    await studio.request("withdraw", { id: "a" });
    assert.equal((await answerTo(studio, "a")).error.code, -32800);
  });
  assert.deepEqual(heard, []);
});

test("lists that come in pages are walked", async (t) => {
  const studio = await peer(t);
  const page = await studio.history({ limit: 3 });
  assert.deepEqual(page.entries.map((entry) => entry.generationId), ["gen_0", "gen_1", "gen_2"]);
  assert.deepEqual([page.nextCursor, page.totals.generations], ["3", 7]);
  const everything = await collect(studio.allHistory({ limit: 3 }));
  assert.deepEqual(everything.map((entry) => entry.generationId), [...Array(7).keys()].map((number) => `gen_${number}`));
});

test("the same connection serves a program of several parts", async () => {
  const answers = await Atelier.use({ executable: fakePeer() }, (studio) =>
    Promise.all([studio.ping(), studio.request("echo", { a: 1 }), studio.queueStatus()]));
  assert.deepEqual(answers[1], { a: 1 });
});
