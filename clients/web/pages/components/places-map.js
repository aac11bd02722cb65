// Where are the places? A map of Leaflet, which is loaded here and nowhere else. Without a server for tiles, the markers
// stand on plain squares, which move as one moves, and nothing is asked of anybody.
import { h } from "../dom.js";
import { t } from "../words.js";

/** @typedef {import("../types").Place} Place */
/**
 * @typedef {object} PlacesMap
 * @property {Element} element
 * @property {(places: Place[]) => void} show
 * @property {(index: number) => void} select
 * @property {() => void} remove
 */
const LEAFLET = "/vendor/leaflet/";

/**
 * @param {import("../types").HostSession["map"]} tiles
 * @param {(index: number) => void} onSelect
 * @returns {Promise<PlacesMap>} Rejected where Leaflet cannot be loaded.
 */
export async function placesMap(tiles, onSelect) {
  const [L] = await Promise.all([loadLeaflet(), loadStyle()]);
  const ground = h("div", { class: "map", role: "region", "aria-label": t("map") });
  const element = h("figure", { class: "map-frame" }, ground,
    tiles?.tiles ? h("figcaption", { class: "small muted" }, tiles.attribution ?? "") : null);
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const map = L.map(ground, { attributionControl: false, zoomControl: false, zoomAnimation: !isStill,
    fadeAnimation: !isStill });
  L.control.zoom({ zoomInTitle: t("zoomIn"), zoomOutTitle: t("zoomOut") }).addTo(map);
  L.control.scale({ imperial: false }).addTo(map);
  new (L.GridLayer.extend({ createTile: tileMaker(tiles?.tiles) }))({ maxZoom: 19, tileSize: 256 }).addTo(map);
  map.setView([20, 0], 1);
  /** @type {Map<number, any>} */
  const markers = new Map();
  let shown = "";
  // The map is made before it is on the screen, and has to be told its size; only then do the places fit.
  let hasSize = false;
  const sizes = new ResizeObserver(() => {
    map.invalidateSize();
    const isFirst = !hasSize && ground.clientWidth > 0;
    hasSize = ground.clientWidth > 0;
    if (isFirst) fit();
  });
  sizes.observe(ground);

  function fit() {
    if (!hasSize || markers.size === 0) return;
    const bounds = L.latLngBounds([...markers.values()].map((marker) => marker.getLatLng()));
    map.fitBounds(bounds, { padding: [40, 40], maxZoom: 15, animate: false });
  }

  /** @param {Place[]} places */
  function show(places) {
    const now = JSON.stringify(places.map((place) => [place.name, place.coordinate]));
    if (now === shown) return;
    shown = now;
    for (const marker of markers.values()) marker.remove();
    markers.clear();
    places.forEach((place, index) => {
      if (!place.coordinate) return;
      const { latitude, longitude } = place.coordinate;
      const face = L.divIcon({ className: "marker", html: h("span", {}, String(index + 1)), iconSize: [32, 32],
        iconAnchor: [16, 16] });
      const marker = L.marker([latitude, longitude], { icon: face, title: place.name, alt: place.name, riseOnHover: true });
      marker.bindTooltip(h("span", { dir: "auto" }, place.name), { direction: "top", offset: [0, -16] });
      marker.on("click", () => onSelect(index));
      markers.set(index, marker.addTo(map));
      marker.getElement()?.setAttribute("role", "button");
      marker.getElement()?.setAttribute("aria-label", place.name);
    });
    fit();
  }

  /** @param {number} index */
  function select(index) {
    for (const [at, marker] of markers) marker.getElement()?.classList.toggle("selected", at === index);
    const marker = markers.get(index);
    if (!marker) return;
    map.panInside(marker.getLatLng(), { padding: [48, 48], animate: !isStill });
    marker.openTooltip();
  }

  return { element, show, select, remove: () => { sizes.disconnect(); map.remove(); } };
}

/**
 * What a square of the ground is made of. Leaflet's own layer of tiles empties pictures with an address of `data:`, which
 * the page's policy forbids, so the pictures are made here.
 * @param {string} [template] such as `https://tiles.example/{z}/{x}/{y}.png`
 */
function tileMaker(template) {
  if (!template) return () => h("div", { class: "map-cell" });
  return (/** @type {Record<string, number>} */ at, /** @type {(error: unknown, tile: Element) => void} */ done) => {
    const address = template.replace(/\{(\w)\}/g, (_, name) => String(at[name] ?? (name === "s" ? "a" : "")));
    const tile = h("img", { alt: "", onload: () => done(null, tile), onerror: () => done(new Error(address), tile) });
    tile.src = address;
    return tile;
  };
}

/**
 * Leaflet as Debian has it: a script of the old kind, which leaves itself in `window.L`.
 * @returns {Promise<any>}
 */
function loadLeaflet() {
  const global = /** @type {{ L?: any }} */ (/** @type {unknown} */ (window));
  if (global.L) return Promise.resolve(global.L);
  return new Promise((resolve, reject) => {
    document.head.append(h("script", { src: `${LEAFLET}leaflet.js`, onload: () => resolve(global.L), onerror: reject }));
  });
}

/** @returns {Promise<void>} */
function loadStyle() {
  const address = `${LEAFLET}leaflet.css`;
  if (document.querySelector(`link[href="${address}"]`)) return Promise.resolve();
  return new Promise((resolve, reject) => {
    // Before our own styles, so that ours win.
    document.head.prepend(h("link", { rel: "stylesheet", href: address, onload: () => resolve(), onerror: reject }));
  });
}
