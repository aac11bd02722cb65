// How is the camera opened, and what is wrong when it is not? Streams only; what is seen is the screen's.

/** @typedef {"insecure" | "denied" | "none" | "busy"} CameraTrouble */

/** Why there is no picture of the camera. */
export class CameraError extends Error {
  /** @param {CameraTrouble} trouble */
  constructor(trouble) {
    super(trouble);
    this.trouble = trouble;
  }
}

/**
 * Opens a camera. `facing` is a preference: a laptop has one camera, whichever way it looks.
 * @param {"user" | "environment"} facing
 */
export async function openCamera(facing) {
  if (!navigator.mediaDevices?.getUserMedia) throw new CameraError("insecure");
  try {
    return await navigator.mediaDevices.getUserMedia({
      video: { facingMode: { ideal: facing }, width: { ideal: 1920 }, height: { ideal: 1440 } }, audio: false,
    });
  } catch (error) {
    throw new CameraError(troubleOf(error instanceof DOMException ? error.name : ""));
  }
}

/**
 * @param {string} name
 * @returns {CameraTrouble}
 */
function troubleOf(name) {
  if (name === "NotAllowedError" || name === "SecurityError") return "denied";
  if (name === "NotFoundError" || name === "OverconstrainedError") return "none";
  return "busy";
}

/**
 * Gives the camera back, so that its light goes out.
 * @param {MediaStream | null} stream
 */
export function closeCamera(stream) {
  stream?.getTracks().forEach((track) => track.stop());
}

/** How many cameras there are to change between. */
export async function countCameras() {
  const devices = await navigator.mediaDevices?.enumerateDevices().catch(() => []) ?? [];
  return devices.filter((device) => device.kind === "videoinput").length;
}

/**
 * True when the picture has to be shown mirrored: people expect it of a camera that looks at them. A camera that does
 * not say which way it looks is that of a laptop.
 * @param {MediaStream} stream
 */
export function looksAtPerson(stream) {
  return stream.getVideoTracks()[0]?.getSettings().facingMode !== "environment";
}

/**
 * The present picture, in the size of the camera and not mirrored.
 * @param {HTMLVideoElement} video
 * @returns {Promise<Blob | null>}
 */
export function takePicture(video) {
  const canvas = document.createElement("canvas");
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext("2d")?.drawImage(video, 0, 0);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.95));
}

/**
 * Tells when a camera may have become usable: it was allowed, plugged in, or the person came back from the settings.
 * @param {() => void} action
 * @param {AbortSignal} signal
 */
export async function onCameraChange(action, signal) {
  navigator.mediaDevices?.addEventListener("devicechange", action, { signal });
  try {
    const status = await navigator.permissions.query({ name: /** @type {PermissionName} */ ("camera") });
    status.addEventListener("change", action, { signal });
  } catch {
    // Firefox knows no permission of this name: the screen also looks again when the page is shown.
  }
}
