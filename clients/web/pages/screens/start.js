// What does a person see first? What Atelier does, and the way in.
import { acceptTerms, asApiError, post } from "../api.js";
import { errorBox } from "../components/error-box.js";
import { shears } from "../components/shears.js";
import { h, icon, useStyle } from "../dom.js";
import { go } from "../router.js";
import { forgetPending } from "../sending.js";
import { signIn } from "../sign-in.js";
import { t } from "../words.js";

/** @type {import("../types").Screen} */
export default async function start({ session }) {
  await useStyle("start");
  const tool = shears();
  const problem = errorBox();
  let isLeaving = false;

  /**
   * The shears cut and fly off, and the next screen comes.
   * @param {string} path
   */
  async function enter(path) {
    if (isLeaving) return;
    isLeaving = true;
    await Promise.race([tool.leave(), new Promise((done) => setTimeout(done, 1500))]);
    await go(path);
  }

  async function asGuest() {
    try {
      await post("/session", {});
      // What somebody else wanted in this browser is not theirs.
      forgetPending();
      await acceptTerms(session);
      await tool.leave();
      // Everything that depends on who is here is asked anew.
      location.assign("/capture");
    } catch (error) {
      problem.show(asApiError(error), asGuest);
    }
  }

  const ways = session.admitted
    ? [h("button", { class: "button large", onclick: () => enter("/capture") }, icon("camera"), t("startPortrait")),
      h("button", { class: "button large quiet", onclick: () => enter("/haircut") }, icon("scissors"), t("startHaircut"))]
    : [...(session.signIn ?? []).map((way) => h("button", { class: "button large", onclick: () => signIn(way) },
      icon("person"),
      t("startSignIn", { name: way.title }))),
      session.guests === false ? null : h("button", { class: "button large quiet", onclick: asGuest }, t("startGuest"))];
  return h("section", { class: "page start" },
    h("div", { class: "start-words stack" },
      h("h1", {}, t("startTitle")), h("p", { class: "muted start-text" }, t("startText")),
      h("div", { class: "row actions" }, ways), problem, session.admitted ? null : termsLine(session),
      h("p", { class: "note" }, icon("shield"), h("span", {},
        t(session.mode === "public" ? "startPrivatePublic" : "startPrivate"))),
      example()),
    tool.element);
}

/** What it does, in one picture. */
function example() {
  return h("figure", { class: "example", "aria-label": `${t("before")}, ${t("after")}` },
    h("img", { src: "/assets/pictures/photo.jpg", alt: t("before"), width: "320", height: "320" }), icon("next"),
    h("img", { src: "/assets/pictures/portrait.jpg", alt: t("after"), width: "320", height: "320" }));
}

/** @param {import("../types").HostSession} session */
function termsLine({ terms }) {
  if (!terms) return null;
  const [before, after] = t("startTerms").split("{terms}");
  return h("p", { class: "muted small" }, before, h("a", { href: terms.url, target: "_blank", rel: "noopener" },
    t("terms")), after);
}
