// What does the person decide about what is kept? The terms, the photos, the account.
import { asApiError, get, post, remove } from "../api.js";
import { h, icon } from "../dom.js";
import { forgetPending } from "../sending.js";
import { signIn } from "../sign-in.js";
import { dateText, plural, sizeText, t } from "../words.js";
import { errorBox } from "./error-box.js";
import { confirm } from "./sheet.js";

/**
 * The version of the terms that was accepted, or the means to accept them.
 * @param {import("../types").HostSession} session
 * @param {import("../types").Consent} [accepted]
 * @param {() => void} [onAccept]
 */
export function consentSection(session, accepted, onAccept) {
  const error = errorBox();
  const section = h("section", { class: "card stack" });
  /** @param {import("../types").Consent} [consent] */
  function draw(consent) {
    const { terms } = session;
    const isCurrent = !terms || consent?.version === terms.version;
    const accept = h("button", { class: "button", onclick: async () => {
      accept.disabled = true;
      try {
        const { consents } = await post("/account/consent", { version: terms?.version });
        draw(consents.at(-1));
        onAccept?.();
      } catch (thrown) {
        accept.disabled = false;
        error.show(asApiError(thrown));
      }
    } }, t("acceptTerms"));
    section.replaceChildren(h("h2", {}, t("terms")),
      consent ? h("p", { class: "note" }, icon("check"),
        h("span", {}, t("acceptedOn", { version: consent.version, date: dateText(consent.acceptedAt) })))
        : h("p", { class: "muted" }, t("notAccepted")),
      terms ? h("p", {}, h("a", { href: terms.url, target: "_blank", rel: "noreferrer" }, t("readTerms"))) : "",
      isCurrent ? "" : h("div", { class: "row" }, accept), error);
  }
  draw(accepted);
  section.hidden = !session.terms && !accepted;
  return section;
}

/** Deletes all pictures and says what is gone, and what the host still has. */
export function deletePhotosSection() {
  const error = errorBox();
  const proof = h("div", { class: "proof stack tight", role: "status" });
  const press = h("button", { class: "button danger", onclick: erase }, icon("trash"), t("deletePhotos"));

  async function erase() {
    if (await confirm(t("deletePhotosAsk"), t("deletePhotosText"), t("deletePhotos"))) await carryOut();
  }

  async function carryOut() {
    press.disabled = true;
    error.show(null);
    try {
      /** @type {import("../types").Deletion} */
      const deletion = await remove("/history");
      // What is left is asked for anew, so that the proof is no mere claim.
      /** @type {import("../types").HistoryPage} */
      const left = await get("/history", { limit: 1 });
      proof.replaceChildren(h("p", { class: "note good" }, icon("check"),
        h("span", {}, plural("deletedProof", deletion.deleted,
          { size: sizeText(deletion.bytesFreed), time: dateText(new Date()) }))),
      h("p", { class: "small muted" }, plural("leftProof", left.totals.generations)));
      sessionStorage.clear();
      forgetPending();
    } catch (thrown) {
      error.show(asApiError(thrown), carryOut);
    }
    press.disabled = false;
  }
  return h("section", { class: "card stack" }, h("h2", {}, t("yourPhotos")), h("p", { class: "muted" }, t("yourPhotosText")),
    h("div", { class: "row" }, press), proof, error);
}

/**
 * Signing in and out, and the end of the account; only where there are accounts.
 * @param {import("../types").HostSession} session
 * @param {import("../types").Account} account
 */
export function accountSection(session, account) {
  if (session.mode !== "public") return "";
  const error = errorBox();
  const isGuest = account.signedInWith.length === 0;
  /** @param {() => Promise<any>} action */
  const leaveAfter = (action) => async () => {
    try {
      await action();
      sessionStorage.clear();
      forgetPending();
      location.assign("/");
    } catch (thrown) {
      error.show(asApiError(thrown));
    }
  };
  const ways = (session.signIn ?? []).map((way) => h("button", { class: "button quiet", onclick: () => signIn(way) },
    t("signInWith", { name: way.title })));
  const signOut = h("button", { class: "button quiet", onclick: leaveAfter(() => remove("/session")) }, t("signOut"));
  const end = h("button", { class: "button danger", onclick: async () => {
    const isSure = await confirm(t("deleteAccountAsk"), t("deleteAccountText"), t("deleteAccount"));
    if (isSure) await leaveAfter(() => remove("/account"))();
  } }, t("deleteAccount"));
  return h("section", { class: "card stack" }, h("h2", {}, t("account")),
    h("p", { class: "muted" }, isGuest ? t("guestText") : t("signedInWith", { names: account.signedInWith.join(", ") })),
    h("div", { class: "row" }, isGuest ? ways : signOut, end), error);
}
