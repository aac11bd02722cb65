"use strict";

const { readFile, stat } = require("node:fs/promises");

const { longestSide } = require("./picture-sides.js");
const { cancelledBeforeSent, isObject } = require("./wire.js");

// The most pixels of a side that `generate` takes.
const MAX_SIDE = 4096;

/**
 * The params of `generate`, with every picture at hand that is too large for it replaced by what `image/prepare` makes of
 * it. The service returns that and keeps nothing of it. Rejects with its refusal, or with `request_cancelled`.
 */
async function fitting(request, connection, cancelled) {
  const fit = (image) => fittingImage(image, request, connection, cancelled);
  const fitted = { ...request };
  if (request.image !== undefined) fitted.image = await fit(request.image);
  if (Array.isArray(request.references)) {
    fitted.references = [];
    for (const reference of request.references) fitted.references.push(await fit(reference));
  }
  return fitted;
}

async function fittingImage(image, { account }, connection, cancelled) {
  if (!isObject(image) || !(await isTooLarge(image, connection.maxImageBytes))) return image;
  const abandoned = new AbortController();
  const preparation = connection.call(
    "image/prepare", { image, longestSide: MAX_SIDE, inline: true, account }, abandoned.signal);
  cancelled.then(() => abandoned.abort(cancelledBeforeSent()));
  const { data, mimeType } = await preparation;
  return { data, mimeType };
}

/** Whether `generate` would refuse it for its size. What cannot be read here, the service judges. */
async function isTooLarge({ path, data }, maxBytes) {
  if (typeof path === "string") {
    try {
      const status = await stat(path);
      if (!status.isFile()) return false;
      return status.size > maxBytes || longestSide(await readFile(path)) > MAX_SIDE;
    } catch {
      return false;
    }
  }
  if (typeof data !== "string") return false;
  const picture = Buffer.from(data, "base64");
  return picture.length > maxBytes || longestSide(picture) > MAX_SIDE;
}

module.exports = { fitting };
