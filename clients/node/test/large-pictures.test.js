// Photos that `generate` would refuse for their size: the client has them prepared first.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { Atelier, InvalidImage } from "atelier-studio";

import { longestSide } from "../src/picture-sides.js";
import {
  LARGE_PHOTO, PICTURES, PORTRAIT, fakePeer, needsService, peer, realService, temporaryFolder,
} from "./support.js";

const WIDE = join(PICTURES, "wide.png");

// The longest side of each, which every one of these formats says elsewhere.
const SIDES = {
  "plain.jpg": 400, "progressive.jpg": 400, "private.jpg": 120, "orientation-6.jpg": 120, "plain.png": 400,
  "wide.png": 5000, "too-large.png": 9000, "plain.webp": 400, "lossless.webp": 400, "alpha.webp": 400,
  "orientation-6.webp": 120, "plain.heic": 400, "rotated.heic": 120, "plain.avif": 400, "other.gif": 0, "other.bmp": 0,
  "ORIGIN.md": 0,
};

/** A file of more bytes than the scripted peer takes. */
function heavyFile(t, bytes = (7 << 20) + 1) {
  const path = join(temporaryFolder(t), "heavy.jpg");
  writeFileSync(path, "");
  truncateSync(path, bytes);
  return path;
}

async function requests(studio) {
  const received = await studio.request("received");
  return received.filter(({ method }) => ["image/prepare", "generate", "credits/estimate"].includes(method));
}

test("the header of every format tells the sides", () => {
  for (const [name, side] of Object.entries(SIDES)) {
    assert.equal(longestSide(readFileSync(join(PICTURES, name))), side, name);
  }
});

test("a header that ends early tells nothing", () => {
  for (const name of ["plain.jpg", "plain.png", "plain.webp", "lossless.webp", "plain.heic"]) {
    const picture = readFileSync(join(PICTURES, name));
    for (let length = 0; length < 60; length += 1) {
      assert.ok([0, SIDES[name]].includes(longestSide(picture.subarray(0, length))), `${name}, ${length} bytes`);
    }
  }
});

test("what is too large is prepared inline, and the rest is sent as it is", async (t) => {
  const studio = await peer(t);
  const heavy = heavyFile(t);
  const result = await studio.generate(
    { recipe: "edit", image: heavy, references: [WIDE, PORTRAIT], account: "anna", prompt: "a hat" });
  const asked = await requests(studio);
  assert.deepEqual(asked.map(({ method }) => method), ["image/prepare", "image/prepare", "generate"]);
  for (const [index, path] of [heavy, WIDE].entries()) {
    assert.deepEqual(asked[index].params, { image: { path }, longestSide: 4096, inline: true, account: "anna" });
  }
  const sent = JSON.parse(result.text);
  const prepared = { data: "AAAA", mimeType: "image/jpeg" };
  assert.deepEqual([sent.image, sent.references], [prepared, [prepared, { path: PORTRAIT }]]);
});

test("bytes and estimates are treated alike", async (t) => {
  const studio = await peer(t);
  await studio.generate({ recipe: "edit", image: readFileSync(WIDE), prompt: "a hat" });
  await studio.creditsEstimate({ recipe: "edit", image: WIDE, prompt: "a hat" });
  const asked = await requests(studio);
  assert.deepEqual(
    asked.map(({ method }) => method), ["image/prepare", "generate", "image/prepare", "credits/estimate"]);
  assert.equal(asked.at(-1).params.image.data, "AAAA");
});

test("what prepare returned inline is an image", async (t) => {
  const studio = await peer(t);
  const image = await studio.prepare({ image: WIDE, inline: true });
  const sent = JSON.parse((await studio.generate({ recipe: "edit", image, prompt: "a hat" })).text);
  assert.deepEqual(sent.image, { data: "AAAA", mimeType: "image/jpeg" });
});

test("what cannot be read here is left to the service", async (t) => {
  const studio = await peer(t);
  const folder = temporaryFolder(t);
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  for (const image of [pipe, folder, "/nowhere/photo.jpg", Buffer.from("no picture")]) {
    await studio.generate({ recipe: "edit", image, prompt: "a hat" });
  }
  assert.deepEqual(new Set((await requests(studio)).map(({ method }) => method)), new Set(["generate"]));
});

for (const way of ["a cancel", "an abort"]) {
  test(`${way} ends the preparation`, async (t) => {
    const studio = await Atelier.start({ executable: fakePeer("patient") });
    t.after(() => studio.close({ cancel: true }));
    const controller = new AbortController();
    const generation = studio.generate({ recipe: "edit", image: heavyFile(t), prompt: "a hat" }, controller);
    while ((await requests(studio)).length === 0) await new Promise((wake) => setTimeout(wake, 10));
    if (way === "a cancel") {
      generation.cancel();
      await assert.rejects(generation, { kind: "request_cancelled" });
    } else {
      controller.abort(new Error("enough"));
      await assert.rejects(generation, { message: "enough" });
    }
    const received = await studio.request("received");
    assert.deepEqual(received.slice(-2).map(({ method }) => method), ["image/prepare", "$/cancelRequest"]);
  });
}

const noVips = spawnSync("vips", ["--version"]).status !== 0 && "vips is not installed: it makes the photo";

test("a photo of 48 megapixels makes a headshot and leaves nothing behind", { skip: needsService || noVips }, async (t) => {
  const folder = temporaryFolder(t);
  const photo = join(folder, "big.jpg");
  execFileSync(LARGE_PHOTO, [photo]);
  assert.ok(statSync(photo).size > 7_000_000);
  await Atelier.use(realService(folder), async (studio) => {
    await assert.rejects(studio.request("generate", { recipe: "headshot", image: { path: photo } }), (error) => {
      assert.ok(error instanceof InvalidImage);
      assert.deepEqual([error.kind, error.details.remedy], ["image_too_large", "image/prepare"]);
      assert.match(error.hint, /image\/prepare/);
      return true;
    });
    const request = { image: photo, private: true, output: { inline: true }, idempotencyKey: "k" };
    const attempt = () => studio.generate(request).catch((error) => {
      // A machine that is busy with other tests may need more time than a preparation has.
      if (error.kind !== "timed_out") throw error;
      return attempt();
    });
    const made = await attempt();
    assert.equal(made.state, "succeeded");
    assert.deepEqual([...Buffer.from(made.images[0].data, "base64").subarray(0, 3)], [0xff, 0xd8, 0xff]);
    for (const part of ["artifacts", "temporary"]) {
      const place = join(folder, "data", part);
      const kept = existsSync(place) ? readdirSync(place, { recursive: true, withFileTypes: true }) : [];
      assert.deepEqual(kept.filter((each) => each.isFile()), []);
    }
    assert.equal((await attempt()).generationId, made.generationId);
  });
});

test("what even image/prepare refuses costs its clear error", { skip: needsService }, async (t) => {
  const heavy = heavyFile(t, 40_000_001);
  await Atelier.use(realService(temporaryFolder(t)), async (studio) => {
    const cases = [
      [heavy, "image_too_large", /at most 40 MB/],
      [join(PICTURES, "too-large.png"), "invalid_dimensions", /60 megapixels/],
    ];
    for (const [image, kind, message] of cases) {
      await assert.rejects(studio.generate({ image }), { kind, message });
    }
  });
});
