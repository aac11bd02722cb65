// How does something open over the screen? As a dialog of the browser, which holds the focus, closes on Escape and gives
// the focus back.
import { h, icon } from "../dom.js";
import { t } from "../words.js";

/**
 * Opens a sheet: from the bottom on a telephone, in the middle on a large screen.
 * @param {string} title
 * @param {(Element | string)[]} content
 * @param {{ onClose?: () => void }} options
 * @returns {() => void} closes it
 */
export function openSheet(title, content, { onClose } = {}) {
  const dialog = h("dialog", { class: "sheet", "aria-label": title });
  const close = () => dialog.close();
  dialog.append(
    h("div", { class: "sheet-head" }, h("h2", {}, title),
      h("button", { class: "icon-button", "aria-label": t("close"), onclick: close }, icon("close"))),
    h("div", { class: "sheet-body" }, content),
  );
  // A click beside the sheet is a click on the dialog's backdrop.
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) close();
  });
  const leave = () => close();
  document.addEventListener("screen", leave);
  dialog.addEventListener("close", () => {
    document.removeEventListener("screen", leave);
    dialog.remove();
    onClose?.();
  });
  document.body.append(dialog);
  dialog.showModal();
  return close;
}

/**
 * Asks before something that cannot be taken back.
 * @param {string} title
 * @param {string} text
 * @param {string} action the word on the button
 * @returns {Promise<boolean>}
 */
export function confirm(title, text, action) {
  return new Promise((resolve) => {
    let answer = false;
    const close = openSheet(title, [
      h("p", {}, text),
      h("div", { class: "row end" },
        h("button", { class: "button quiet", onclick: () => close() }, t("keep")),
        h("button", { class: "button danger", onclick: () => { answer = true; close(); } }, action)),
    ], { onClose: () => resolve(answer) });
  });
}
