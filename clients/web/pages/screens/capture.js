// Where does the photo come from? From the camera, and always also from a file, by dropping or by pasting.
import { asApiError } from "../api.js";
import { CameraError, closeCamera, countCameras, looksAtPerson, onCameraChange, openCamera,
  takePicture } from "../camera.js";
import { errorBox } from "../components/error-box.js";
import { announce, h, icon, useStyle } from "../dom.js";
import { PHOTO_TYPES, preparePhoto, takeDroppedPhotos } from "../photo.js";
import { go } from "../router.js";
import { recall, remember } from "../state.js";
import { t } from "../words.js";

/** @type {import("../types").Screen} */
export default async function capture({ signal }) {
  await useStyle("capture");
  /** @type {MediaStream | null} */
  let stream = null;
  /** @type {"user" | "environment"} */
  let facing = recall("facing") ?? "user";
  let isOpening = false;
  let isSending = false;

  const video = h("video", { playsinline: true, muted: true, autoplay: true, "aria-label": t("cameraPreview") });
  video.muted = true;
  const guide = h("div", { class: "guide", "aria-hidden": "true" });
  const trouble = h("div", { class: "trouble", hidden: true });
  const waiting = h("div", { class: "waiting", hidden: true }, h("div", { class: "spinner" }),
    h("p", {}, t("photoIsPrepared")));
  const stage = h("div", { class: "stage" }, video, guide, trouble, waiting, h("p", { class: "drop" }, t("dropHere")));
  const problem = errorBox();
  // What is seen is what is taken: a telephone that is turned has another shape.
  video.addEventListener("resize", () => {
    if (video.videoWidth > 0) stage.style.setProperty("--ratio", String(video.videoWidth / video.videoHeight));
  });
  const file = h("input", {
    type: "file", accept: PHOTO_TYPES, class: "hidden-text", tabindex: "-1", "aria-hidden": "true",
    onchange: () => file.files?.[0] && use(file.files[0]),
  });
  const shutter = h("button", { class: "shutter", "aria-label": t("takePhoto"), disabled: true, onclick: shoot });
  const gallery = h("button", { class: "side", onclick: () => file.click() }, icon("photos"),
    h("span", {}, t("choosePhoto")));
  const flip = h("button", { class: "side", onclick: turn, disabled: true }, icon("flip"), h("span", {}, t("flipCamera")));

  async function open() {
    if (isOpening || stream || signal.aborted || document.hidden) return;
    isOpening = true;
    try {
      const opened = await openCamera(facing);
      if (signal.aborted) return closeCamera(opened);
      stream = opened;
      // A camera that is unplugged ends its track.
      stream.getVideoTracks()[0]?.addEventListener("ended", () => { close(); open(); });
      video.srcObject = stream;
      video.classList.toggle("mirrored", looksAtPerson(stream));
      await video.play().catch(() => {});
      show(null);
      flip.disabled = await countCameras() < 2;
    } catch (error) {
      if (!signal.aborted) show(error instanceof CameraError ? error.trouble : "busy");
    } finally {
      isOpening = false;
    }
  }

  function close() {
    closeCamera(stream);
    stream = null;
    video.srcObject = null;
    shutter.disabled = true;
  }

  /** @param {import("../camera.js").CameraTrouble | null} kind */
  function show(kind) {
    trouble.hidden = kind === null;
    guide.hidden = video.hidden = kind !== null;
    shutter.hidden = flip.hidden = kind !== null;
    stage.parentElement?.classList.toggle("without-camera", kind !== null);
    shutter.disabled = kind !== null;
    if (kind) trouble.replaceChildren(...explanation(kind, () => file.click(), open));
    if (kind) announce(trouble.querySelector("h2")?.textContent ?? "");
  }

  async function shoot() {
    if (!stream || isSending) return;
    const picture = await takePicture(video);
    video.pause();
    if (picture) await use(picture);
  }

  function turn() {
    facing = facing === "user" ? "environment" : "user";
    remember("facing", facing);
    close();
    open();
  }

  /** @param {Blob} photo */
  async function use(photo) {
    if (isSending) return;
    isSending = true;
    waiting.hidden = false;
    problem.show(null);
    announce(t("photoIsPrepared"));
    try {
      await preparePhoto(photo, signal);
      await go("/preview");
    } catch (error) {
      if (signal.aborted) return;
      problem.show(asApiError(error), asApiError(error).retryable ? () => use(photo) : null);
      video.play().catch(() => {});
    } finally {
      isSending = false;
      waiting.hidden = true;
      file.value = "";
    }
  }

  takeDroppedPhotos(use, (isOver) => stage.classList.toggle("over", isOver), signal);
  onCameraChange(open, signal);
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()), { signal });
  signal.addEventListener("abort", close);
  open();

  return h("section", { class: "page medium capture" },
    h("div", { class: "stack tight" }, h("h1", {}, t("captureTitle")), h("p", { class: "muted" }, t("captureHint"))),
    problem, stage, h("div", { class: "controls" }, gallery, shutter, flip, file),
    h("p", { class: "muted small center paste" }, t("pasteHint")));
}

/**
 * What a person sees in place of the camera: what happened, what to do about it, and the way without a camera.
 * @param {import("../camera.js").CameraTrouble} kind
 * @param {() => void} choose
 * @param {() => void} again
 */
function explanation(kind, choose, again) {
  const text = kind === "denied" ? t(howToAllow(navigator.userAgent)) : t(`camera.${kind}.text`);
  return [
    icon("camera"), h("h2", {}, t(`camera.${kind}.title`)), h("p", { class: "muted" }, text),
    h("div", { class: "row" }, h("button", { class: "button", onclick: choose }, icon("photos"), t("choosePhoto")),
      kind === "insecure" ? null : h("button", { class: "button quiet", onclick: again }, t("cameraAgain"))),
  ];
}

/**
 * Where each browser keeps the permission.
 * @param {string} browser
 */
function howToAllow(browser) {
  if (/iPhone|iPad/.test(browser)) return "camera.allowOnIPhone";
  if (/Firefox\//.test(browser)) return "camera.allowInFirefox";
  if (/Safari\//.test(browser) && !/Chrom/.test(browser)) return "camera.allowInSafari";
  return "camera.allowInChrome";
}
