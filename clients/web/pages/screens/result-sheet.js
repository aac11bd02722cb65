// How does a picture get on paper? As a sheet with copies in its size, which the service makes: the print of a browser is
// not exact.
import { sheetAddress } from "../api.js";
import { pills } from "../components/pills.js";
import { openSheet } from "../components/sheet.js";
import { h, icon } from "../dom.js";
import { t } from "../words.js";

const PAPERS = ["10x15", "13x18", "4x6in", "a4", "letter"];

/**
 * Opens the choice of paper, with a link that saves the sheet.
 * @param {string} id of the generation
 * @param {number} index of the picture
 * @param {string} name of the file, without its extension
 */
export function openPrintSheet(id, index, name) {
  const chosen = { paper: PAPERS[0], format: "pdf", copies: "" };
  const save = h("a", { class: "button" }, icon("download"), t("save"));
  const copies = h("input", { class: "input", id: "sheet-copies", type: "number", min: "1", max: "100", inputmode: "numeric",
    placeholder: t("sheetFull"), oninput: () => set({ copies: copies.value }) });

  /** @param {Partial<typeof chosen>} change */
  function set(change) {
    Object.assign(chosen, change);
    save.href = sheetAddress(id, index, { ...chosen, copies: copies.validity.valid ? chosen.copies : "" });
    save.setAttribute("download", `${name}-sheet.${chosen.format === "pdf" ? "pdf" : "jpg"}`);
  }

  const papers = PAPERS.map((value) => ({ value, title: t(`paper.${value}`) }));
  const formats = ["pdf", "jpeg"].map((value) => ({ value, title: value.toUpperCase() }));
  set({});
  openSheet(t("printSheet"), [
    h("p", { class: "muted" }, t("printSheetHint")),
    pills(t("paper"), papers, chosen.paper, (paper) => set({ paper })),
    h("div", { class: "field" }, h("label", { for: "sheet-copies" }, t("copies")), copies),
    pills(t("format"), formats, chosen.format, (format) => set({ format })),
    h("div", { class: "row end" }, save),
  ]);
}
