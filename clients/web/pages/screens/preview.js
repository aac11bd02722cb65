// Is this the photo? It is shown as it was prepared, with what was changed.
import { photoAddress } from "../api.js";
import { errorBox } from "../components/error-box.js";
import { showPicture } from "../components/picture.js";
import { h, icon } from "../dom.js";
import { go } from "../router.js";
import { currentPhoto, nextAfterPhoto, setNextAfterPhoto, setPhoto } from "../state.js";
import { sizeText, t } from "../words.js";

/** The changes that have words; others may be added to the service, and are not told. */
const CHANGES = [
  "rotated", "resized", "metadata_removed", "color_converted", "transparency_flattened", "format_changed",
];

/** What the service needs of each side to make anything of a photo. */
const LEAST_SIDE = 40;

/** @type {import("../types").Screen} */
export default function preview({ signal }) {
  const photo = currentPhoto();
  if (!photo) {
    go("/capture", { replace: true });
    return h("div");
  }
  const problem = errorBox();
  const picture = h("img", { alt: t("yourPhoto"), width: photo.width, height: photo.height });
  const load = () => {
    problem.show(null);
    showPicture(picture, photoAddress(photo.preparedId), { signal, onLost: (error) => {
      if (error.status !== 404) return problem.show(error, load);
      // It was erased in the meantime: the host keeps it for a day.
      setPhoto(null);
      go("/capture", { replace: true });
    } });
  };
  load();
  const before = photo.original;
  const changes = photo.changes.filter((change) => CHANGES.includes(change)).map((change) => t(`change.${change}`));
  const use = () => {
    const next = nextAfterPhoto();
    setNextAfterPhoto(null);
    go(next);
  };
  const retake = () => {
    setPhoto(null);
    go("/capture");
  };
  const isSmall = Math.min(photo.width, photo.height) < LEAST_SIDE;
  return h("section", { class: "page medium" },
    h("h1", {}, t("previewTitle")),
    h("figure", { class: "picture photo-large" }, picture), problem,
    h("div", { class: "stack tight" },
      h("p", { class: "number" }, t("photoSize", { width: photo.width, height: photo.height, size: sizeText(photo.bytes) }),
        h("span", { class: "muted" }, " · ",
          t("photoBefore", { width: before.width, height: before.height, size: sizeText(before.bytes) }))),
      changes.length > 0 ? h("p", { class: "note" }, icon("info"), h("span", {}, changes.join(" "))) : null,
      isSmall ? h("p", { class: "note warn", role: "alert" }, icon("warning"), h("span", {}, t("photoTooSmall"))) : null,
      (photo.warnings ?? []).map((warning) => h("p", { class: "note warn" }, icon("warning"),
        h("span", {}, warning.message)))),
    h("div", { class: "row actions" },
      h("button", { class: "button large", disabled: isSmall, onclick: use }, icon("check"), t("useThisPhoto")),
      h("button", { class: "button large quiet", onclick: retake }, icon("again"), t("retake"))));
}
