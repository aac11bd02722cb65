// How does a list of places become a file? As the service writes it: GeoJSON (RFC 7946) or CSV (RFC 4180).

/** @typedef {import("./types").Place} Place */
const COLUMNS = /** @type {const} */ ([
  "name", "streetAddress1", "streetAddress2", "city", "state", "postalCode", "country", "latitude", "longitude", "source",
  "verifiedAt", "generationId",
]);

/** @param {Place[]} places @param {string} generationId */
export function geoJson(places, generationId) {
  const features = places.map(({ coordinate, ...properties }) => ({
    type: "Feature",
    // A place without a position has no geometry.
    geometry: coordinate ? { type: "Point", coordinates: [coordinate.longitude, coordinate.latitude] } : null,
    properties: { ...properties, generationId },
  }));
  return new Blob([JSON.stringify({ type: "FeatureCollection", features }, null, 2)], { type: "application/geo+json" });
}

/** @param {Place[]} places @param {string} generationId */
export function csv(places, generationId) {
  const rows = places.map((place) => {
    const values = { ...place, ...place.coordinate, generationId };
    return COLUMNS.map((column) => field(values[column] ?? "")).join(",");
  });
  // The mark in front tells spreadsheets that the text is UTF-8.
  return new Blob(["\ufeff", [COLUMNS.join(","), ...rows, ""].join("\r\n")], { type: "text/csv;charset=utf-8" });
}

/**
 * A spreadsheet carries out a text that begins like a formula, so an apostrophe goes before it.
 * @param {string | number} value
 */
function field(value) {
  const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Gives the person a file.
 * @param {Blob} blob
 * @param {string} name
 */
export function saveFile(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The download has its own hold on the data once it has begun.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
