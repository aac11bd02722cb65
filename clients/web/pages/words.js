// Which language does the page speak, and how is a sentence found?

/** The languages, each by its own name. */
export const LANGUAGES = {
  en: "English", "es-MX": "Español (México)", de: "Deutsch", hi: "हिन्दी", ja: "日本語", "zh-Hans": "简体中文",
};
const CHOSEN = "language";
/** The regions that write Chinese in traditional characters. */
const TRADITIONAL = ["TW", "HK", "MO"];

/**
 * What is said when no words come; English is what most people can look up.
 * @type {Record<string, string>}
 */
const WITHOUT_WORDS = {
  hostGone: "The program that makes the pictures does not answer. This page tries again by itself.",
  hostGoneTitle: "Atelier does not answer",
  tryAgain: "Try again",
};
const PAUSES_MS = [500, 1000, 2000];

let words = WITHOUT_WORDS;
let language = "en";
let numbers = new Intl.PluralRules("en");

/** The language in use, as `Accept-Language` and `Intl` take it. */
export function currentLanguage() {
  return language;
}

/**
 * The language that fits best: the one that the person chose here, else one that the browser asks for.
 * @param {string | null} chosen
 * @param {readonly string[]} asked
 */
export function bestLanguage(chosen, asked) {
  const known = Object.keys(LANGUAGES);
  if (chosen && known.includes(chosen)) return chosen;
  const translated = new Map(known.map((name) => {
    const locale = new Intl.Locale(name);
    return [locale.language, { name, script: locale.maximize().script }];
  }));
  const preferences = asked.flatMap(readTag);
  // Browsers add `zh` to `zh-TW` by themselves: without a script it means the one that the reader names elsewhere.
  const foreign = new Set(preferences
    .filter(({ language, script }) => script && script !== translated.get(language)?.script)
    .map(({ language }) => language));
  const best = preferences.find(({ language, script }) => {
    const found = translated.get(language);
    return found && (script ? script === found.script : !foreign.has(language));
  });
  return best ? translated.get(best.language)?.name ?? "en" : "en";
}

/**
 * The language of a tag, and its script where the tag decides it; nothing for what is no tag. The service reads tags in the
 * same way: one table of cases tests both.
 * @param {string} tag
 */
function readTag(tag) {
  try {
    // `zh-cmn` is the full name of the language that is called `zh`; `Intl` knows no such names.
    const name = tag.trim().replaceAll("_", "-").replace(/^zh-cmn(?=-|$)/i, "zh");
    const { language, script, region } = new Intl.Locale(name);
    if (script || !region) return [{ language, script }];
    const isTraditional = language === "zh" && TRADITIONAL.includes(region);
    return [{ language, script: isTraditional ? "Hant" : new Intl.Locale(language).maximize().script }];
  } catch {
    return [];
  }
}

/**
 * Loads the words of the language.
 * @returns {Promise<void>} Rejected when they do not come, however often they are asked for.
 */
export async function loadWords() {
  language = bestLanguage(localStorage.getItem(CHOSEN), navigator.languages);
  try {
    words = await fetchWords(`/assets/words/${language}.json`);
  } catch (error) {
    language = "en";
    throw error;
  }
  numbers = new Intl.PluralRules(language);
  document.documentElement.lang = language;
}

/**
 * A proxy in front of a host that starts answers with a page of its own.
 * @param {string} address
 */
async function fetchWords(address) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const answer = await fetch(address);
      if (!answer.ok) throw new Error(`${answer.status} ${address}`);
      return await answer.json();
    } catch (error) {
      if (attempt === PAUSES_MS.length) throw error;
      await new Promise((done) => setTimeout(done, PAUSES_MS[attempt]));
    }
  }
}

/**
 * Takes another language from now on; the page is loaded anew.
 * @param {string} name
 */
export function chooseLanguage(name) {
  localStorage.setItem(CHOSEN, name);
  location.reload();
}

/**
 * The sentence of a key, with what stands for each `{name}`.
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 * @param {string} [otherwise] what to say where the page has no word of its own
 */
export function t(key, values = {}, otherwise = key) {
  const sentence = words[key] ?? otherwise;
  return sentence.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/**
 * The whole sentence for a number: `KEY.one`, `KEY.other` and what else the language tells apart; `{count}` is the number.
 * @param {string} key
 * @param {number} count
 * @param {Record<string, string | number>} [values]
 */
export function plural(key, count, values = {}) {
  const exact = `${key}.${numbers.select(count)}`;
  return t(exact in words ? exact : `${key}.other`, { count: new Intl.NumberFormat(language).format(count), ...values });
}

/**
 * A date and time, in words of the language.
 * @param {string | Date} time
 */
export function dateText(time) {
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(new Date(time));
}

/**
 * A size of a file.
 * @param {number} bytes
 */
export function sizeText(bytes) {
  const unit = bytes >= 1e6 ? "megabyte" : "kilobyte";
  const number = bytes >= 1e6 ? bytes / 1e6 : bytes > 0 ? Math.max(1, bytes / 1e3) : 0;
  const maximumFractionDigits = bytes >= 1e6 ? 1 : 0;
  return new Intl.NumberFormat(language, { style: "unit", unit, maximumFractionDigits }).format(number);
}

/**
 * An amount of US dollars.
 * @param {number} amount
 */
export function dollarText(amount) {
  const minimumFractionDigits = amount < 0.1 && amount > 0 ? 3 : 2;
  return new Intl.NumberFormat(language, { style: "currency", currency: "USD", minimumFractionDigits }).format(amount);
}

/**
 * A time to wait, such as “1:05” or “12 seconds”.
 * @param {number} ms
 */
export function waitText(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  if (seconds >= 3600) {
    const minutes = Math.ceil(seconds / 60);
    return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:00`;
  }
  if (seconds >= 60) return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return new Intl.NumberFormat(language, { style: "unit", unit: "second", unitDisplay: "long" }).format(seconds);
}
