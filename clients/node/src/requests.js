"use strict";

const { resolve } = require("node:path");

const { Generation } = require("./generation.js");
const { fitting } = require("./large-pictures.js");
const { generateParams, imageToWire } = require("./parameters.js");

/** The methods of the protocol that are a question and its answer. */
class Requests {
  /** Any request of the protocol, with its own member names. */
  request(method, params = {}, { signal } = {}) {
    return this._connection.call(method, params, signal);
  }

  async ping(options) {
    const begin = performance.now();
    await this.request("ping", {}, options);
    return performance.now() - begin;
  }

  cancel(subject, options) { return this.request("cancel", subject, options); }
  status(options) { return this.request("status", {}, options); }
  generationStatus(subject, options) { return this.request("status", subject, options); }

  history(filter, options) { return this.request("history", filter, options); }
  allHistory(filter, options) { return walk((page) => this.history(page, options), "entries", filter); }
  historyEntry(subject, options) { return this.request("history/get", subject, options); }
  annotate(params, options) { return this.request("history/annotate", params, options); }
  delete(subject, options) { return this.request("history/delete", subject, options); }
  deleteAll(account, options) { return this.request("history/delete", { account, all: true }, options); }
  export(params, options) {
    return this.request("history/export", { ...params, directory: resolve(params.directory) }, options);
  }
  feedback(params, options) { return this.request("feedback/submit", params, options); }
  statistics(params, options) { return this.request("usage/statistics", params, options); }

  sessions(filter, options) { return this.request("session/list", filter, options); }
  allSessions(filter, options) { return walk((page) => this.sessions(page, options), "sessions", filter); }
  session(subject, options) { return this.request("session/get", subject, options); }
  allSteps(subject, options) { return walk((page) => this.session(page, options), "entries", subject); }

  async prepare({ image, ...rest }, options) {
    const settled = image instanceof Generation ? await image : image;
    return this.request("image/prepare", { image: imageToWire(settled), ...rest }, options);
  }

  imageLink(subject, options) { return this.request("image/link", subject, options); }

  queueStatus(params, options) { return this.request("queue/status", params, options); }
  queuePause(params, options) { return this.request("queue/pause", params, options); }
  queueResume(params, options) { return this.request("queue/resume", params, options); }

  async styles(options) { return (await this.request("styles/list", {}, options)).styles; }
  headshotChoices(options) { return this.request("styles/list", {}, options); }
  async providers(options) { return (await this.request("providers/list", {}, options)).providers; }
  templates(filter, options) { return this.request("templates/list", filter, options); }
  allTemplates(filter, options) { return walk((page) => this.templates(page, options), "templates", filter); }
  template(subject, options) { return this.request("templates/get", subject, options); }

  credentialsSet(params, options) { return this.request("credentials/set", params, options); }
  async credentialsStatus(options) { return (await this.request("credentials/status", {}, options)).providers; }
  credentialsDelete(params, options) { return this.request("credentials/delete", params, options); }

  accountGet(params, options) { return this.request("account/get", params, options); }
  accountSignIn(params, options) { return this.request("account/signIn", params, options); }
  accountSignOut(params, options) { return this.request("account/signOut", params, options); }
  accountConsent(params, options) { return this.request("account/consent", params, options); }
  accountDelete(params, options) { return this.request("account/delete", params, options); }
  creditsBalance(params, options) { return this.request("credits/balance", params, options); }
  creditsHistory(filter, options) { return this.request("credits/history", filter, options); }
  allCreditsHistory(filter, options) { return walk((page) => this.creditsHistory(page, options), "entries", filter); }
  async creditsEstimate(params = {}, options) {
    if (params.regenerate !== undefined) return this.request("credits/estimate", params, options);
    const never = new Promise(() => {});
    const complete = await generateParams({ recipe: "headshot", ...params })(never);
    return this.request("credits/estimate", await fitting(complete, this._connection, never), options);
  }
  async creditsProducts(options) { return (await this.request("credits/products", {}, options)).products; }
  creditsPurchase(params, options) { return this.request("credits/purchase", params, options); }
  creditsGrant(params, options) { return this.request("credits/grant", params, options); }
  creditsRevoke(params, options) { return this.request("credits/revoke", params, options); }
  accountSet(params, options) { return this.request("account/set", params, options); }
}

/** Every entry of a list that comes in pages, fetched as they are needed. */
async function* walk(fetch, member, filter) {
  let cursor;
  do {
    const page = await fetch({ ...filter, cursor });
    yield* page[member];
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

module.exports = { Requests };
