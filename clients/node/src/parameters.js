"use strict";

const { resolve } = require("node:path");
const { fileURLToPath } = require("node:url");

const { InvalidParameters } = require("./errors.js");
const { Generation } = require("./generation.js");
const { cancelledBeforeSent, isObject } = require("./wire.js");

const FORMS =
  "a path, a file URL, the bytes of a file, a prepared image, a Generation, its result, or {generationId, index}";

/**
 * What `generate` is to send, once every generation it builds on has ended: a function of a promise that is fulfilled when
 * the request is cancelled before that. What can be checked without waiting is checked now.
 */
function generateParams({ image, references, output, ...rest }) {
  // A text would count as a list of letters.
  if (references != null && !Array.isArray(references)) {
    throw wrong("/references", "a list of images", "References are a list of images.");
  }
  for (const source of [image, ...(references ?? [])]) {
    if (source != null && !(source instanceof Generation)) imageToWire(source);
  }
  return async (cancelled) => {
    const params = { ...rest };
    if (image != null) params.image = imageToWire(await settled(image, cancelled));
    if (references?.length) {
      params.references = [];
      for (const each of references) params.references.push(imageToWire(await settled(each, cancelled)));
    }
    if (output != null) params.output = outputToWire(output);
    return params;
  };
}

/** What `regenerate` is to send, once the generation it names has ended. */
function regenerateParams({ generation, output, ...rest }) {
  return async (cancelled) => {
    const named = await settled(generation, cancelled);
    const generationId = typeof named === "string" ? named : imageToWire(named).generationId;
    return { generationId, ...rest, ...(output != null && { output: outputToWire(output) }) };
  };
}

/** The wire's form of an image. Throws `InvalidParameters` for what cannot be one. */
function imageToWire(image) {
  // Absolute, because the service keeps the working directory it was started in.
  if (typeof image === "string") return { path: resolve(image) };
  if (image instanceof URL && image.protocol === "file:") return { path: fileURLToPath(image) };
  if (image instanceof ArrayBuffer || ArrayBuffer.isView(image)) return { data: bytesOf(image).toString("base64") };
  if (isObject(image)) {
    if (typeof image.preparedId === "string") return { preparedId: image.preparedId };
    if (typeof image.generationId === "string") {
      return { generationId: image.generationId, ...(image.index !== undefined && { index: image.index }) };
    }
    if (typeof image.path === "string") return { ...image, path: resolve(image.path) };
    if (typeof image.data === "string") {
      return { data: image.data, ...(image.mimeType !== undefined && { mimeType: image.mimeType }) };
    }
  }
  const kind = image?.constructor?.name ?? String(image);
  throw wrong("/image", FORMS, `A ${kind} is not an image. Give ${FORMS}.`);
}

function wrong(path, expected, message) {
  return new InvalidParameters(message, { code: -32602, kind: "invalid_params", data: { path, expected } });
}

/** The options of a request as they are sent: paths from the root on. */
function outputToWire(output) {
  return output.directory === undefined ? output : { ...output, directory: resolve(output.directory) };
}

/** What it stands for once it has ended, without owning it: cancelling the waiter must not end what it builds on. */
async function settled(source, cancelled) {
  if (!(source instanceof Generation)) return source;
  return Promise.race([
    source,
    cancelled.then(() => {
      throw cancelledBeforeSent();
    }),
  ]);
}

function bytesOf(image) {
  return image instanceof ArrayBuffer ? Buffer.from(image) : Buffer.from(image.buffer, image.byteOffset, image.byteLength);
}

module.exports = { generateParams, regenerateParams, imageToWire, outputToWire };
