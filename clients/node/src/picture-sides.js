"use strict";

// The sides of a picture, from its header.

/** The longest side in pixels of a JPEG, PNG, WebP, HEIC or AVIF; 0 when the header does not tell. */
function longestSide(picture) {
  const text = (start, end) => picture.toString("latin1", start, end);
  try {
    if (text(0, 2) === "\xff\xd8") return jpeg(picture);
    if (text(0, 8) === "\x89PNG\r\n\x1a\n") return Math.max(picture.readUInt32BE(16), picture.readUInt32BE(20));
    if (text(0, 4) === "RIFF" && text(8, 12) === "WEBP") return webp(picture, text(12, 16));
    if (text(4, 8) === "ftyp") return media(picture);
  } catch (error) {
    // It ends too early.
    if (!(error instanceof RangeError)) throw error;
  }
  return 0;
}

function jpeg(picture) {
  let position = 2;
  while (picture.readUInt8(position) === 0xff) {
    const marker = picture.readUInt8(position + 1);
    if (marker === 0xff) {
      // A byte that only fills.
      position += 1;
    } else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return Math.max(picture.readUInt16BE(position + 5), picture.readUInt16BE(position + 7));
    } else {
      position += 2 + picture.readUInt16BE(position + 2);
    }
  }
  return 0;
}

function webp(picture, form) {
  if (form === "VP8X") return 1 + Math.max(picture.readUIntLE(24, 3), picture.readUIntLE(27, 3));
  if (form === "VP8L") {
    const bits = picture.readUInt32LE(21);
    return 1 + Math.max(bits & 0x3fff, (bits >>> 14) & 0x3fff);
  }
  if (form === "VP8 ") return Math.max(picture.readUInt16LE(26) & 0x3fff, picture.readUInt16LE(28) & 0x3fff);
  return 0;
}

function media(picture) {
  let longest = 0;
  for (const meta of boxes(picture, "meta")) {
    // Four bytes of version and flags come first, here and in `ispe`.
    for (const properties of boxes(meta.subarray(4), "iprp")) {
      for (const container of boxes(properties, "ipco")) {
        for (const extents of boxes(container, "ispe")) {
          longest = Math.max(longest, extents.readUInt32BE(4), extents.readUInt32BE(8));
        }
      }
    }
  }
  return longest;
}

/** The contents of the boxes of one type (ISO/IEC 14496-12, section 4.2). */
function* boxes(content, wanted) {
  let position = 0;
  while (position + 8 <= content.length) {
    let size = content.readUInt32BE(position);
    const header = size === 1 ? 16 : 8;
    if (size === 1) size = Number(content.readBigUInt64BE(position + 8));
    if (size === 0) size = content.length - position;
    if (size < header) return;
    if (content.toString("latin1", position + 4, position + 8) === wanted) {
      yield content.subarray(position + header, position + size);
    }
    position += size;
  }
}

module.exports = { longestSide };
