"use strict";

const { resolve } = require("node:path");

const { Connection } = require("./connection.js");
const { AtelierError, ConnectionLost, ProtocolError } = require("./errors.js");
const { Generation } = require("./generation.js");
const { generateParams, regenerateParams } = require("./parameters.js");
const { findExecutable } = require("./process.js");
const { Requests } = require("./requests.js");
const { isObject } = require("./wire.js");

const VERSION = "0.1.0";

const SWITCHES = [["--confined", "confined"], ["--trusted", "trusted"], ["--multi-account", "multiAccount"]];

/** A running service. Members that begin with `_` are for generations and tests. */
class Atelier extends Requests {
  #options;
  #generations = new Set();
  #following = new Map();
  #streams = new Set();
  #closing = null;
  #initialization = null;

  static async start(options = {}) {
    const studio = new Atelier(options);
    await studio.#start();
    return studio;
  }

  static async use(options, work) {
    const studio = await Atelier.start(options);
    let result;
    try {
      result = await work(studio);
    } catch (error) {
      await studio.close({ cancel: true });
      throw error;
    }
    await studio.close();
    return result;
  }

  constructor(options) {
    super();
    this.#options = { startTimeoutMs: 30_000, closeTimeoutMs: 10_000, ...options };
    this._connection = new Connection({
      onNotification: (method, params) => this.#receive(method, params),
      onRequest: (...request) => this.#answer(...request),
      onLost: (error) => this.#onLost(error),
      onLog: options.onLog,
    });
  }

  get initialization() {
    return this.#initialization;
  }

  generate(params = {}, { signal } = {}) {
    const complete = generateParams({ recipe: "headshot", ...params });
    return this.#begin("generate", complete, { detached: params.detach === true, signal });
  }

  regenerate(params, { signal } = {}) {
    return this.#begin("regenerate", regenerateParams(params), { detached: params.detach === true, signal });
  }

  attach(params, { signal } = {}) {
    return this.#begin("generation/watch", async () => params, { attachedTo: params.generationId, signal });
  }

  finished() {
    // From the call on, not from when somebody first asks for an end.
    const stream = { ends: [], wake: () => {} };
    this.#streams.add(stream);
    return this.#ends(stream);
  }

  async *#ends(stream) {
    try {
      for (;;) {
        while (stream.ends.length > 0) yield stream.ends.shift();
        if (this._connection.isLost) return;
        await new Promise((wake) => (stream.wake = wake));
      }
    } finally {
      this.#streams.delete(stream);
    }
  }

  close({ cancel = false } = {}) {
    if (cancel) {
      for (const generation of this.#generations) if (!generation._isDetached) generation.cancel();
    }
    this.#closing ??= this.#close(cancel);
    return this.#closing;
  }

  _follow(requestId, generation) {
    this.#following.set(requestId, generation);
  }

  _unfollow(requestId) {
    this.#following.delete(requestId);
  }

  async #start() {
    const { executable, dataDirectory, config, env, arguments: further = [], signal, startTimeoutMs } = this.#options;
    signal?.throwIfAborted();
    const command = [...findExecutable(executable), "serve"];
    for (const [option, path] of [["--data-dir", dataDirectory], ["--config", config]]) {
      if (path !== undefined) command.push(option, resolve(String(path)));
    }
    for (const [option, name] of SWITCHES) if (this.#options[name]) command.push(option);
    await this._connection.process.start([...command, ...further], { ...process.env, ...env });
    const limit = AbortSignal.timeout(startTimeoutMs);
    const giveUp = new AbortController();
    const abort = () => giveUp.abort(signal?.aborted ? signal.reason : limit.reason);
    for (const each of [signal, limit]) each?.addEventListener("abort", abort, { once: true });
    if (signal?.aborted) abort();
    try {
      this.#initialization = introduced(await this.request("initialize", this.#introduction(), { signal: giveUp.signal }));
    } catch (error) {
      await this.#endProcess(0);
      this._connection.abandon();
      if (error !== limit.reason) throw error;
      throw new ConnectionLost(`The Atelier service did not answer within ${startTimeoutMs} ms.`);
    } finally {
      for (const each of [signal, limit]) each?.removeEventListener("abort", abort);
    }
    const { maxMessageBytes, maxImageBytes } = this.#initialization.limits;
    Object.assign(this._connection, { maxMessageBytes, maxImageBytes });
  }

  #introduction() {
    const {
      executable, account, locale, clientInfo = { name: "atelier-node", version: VERSION }, locationSearch,
    } = this.#options;
    const capabilities = locationSearch
      ? { ...this.#options.capabilities, locationSearch: true }
      : this.#options.capabilities;
    // A command may start the service in a container or on another machine, where this number means another process or
    // none.
    const processId = Array.isArray(executable) ? undefined : process.pid;
    return { clientInfo, protocolVersion: "1", processId, account, locale, capabilities };
  }

  /** A request of the service's. */
  async #answer(method, params, options) {
    const { locationSearch, onRequest } = this.#options;
    if (method === "location/search" && locationSearch) return { places: [...(await locationSearch(params, options))] };
    return onRequest?.(method, params, options);
  }

  #begin(method, params, options) {
    const generation = new Generation(this, method, params, options);
    this.#generations.add(generation);
    generation._ended.then(() => this.#generations.delete(generation));
    return generation;
  }

  #receive(method, params) {
    if (method === "generation/progress") {
      for (const generation of this.#followers(params)) generation._receiveProgress(params);
    } else if (method === "generation/finished") {
      for (const generation of this.#followers({ generationId: params.generationId })) generation._receiveFinished(params);
      for (const stream of this.#streams) {
        stream.ends.push(params);
        stream.wake();
      }
    }
    this.#options.onNotification?.(method, params);
  }

  #followers({ requestId, generationId }) {
    const follower = this.#following.get(requestId);
    if (follower) return [follower];
    return [...this.#following.values()].filter((each) => each.generationId !== null && each.generationId === generationId);
  }

  #onLost(error) {
    for (const generation of this.#following.values()) generation._receiveLoss(error);
    for (const stream of this.#streams) stream.wake();
  }

  async #close(cancel) {
    const connection = this._connection;
    const { closeTimeoutMs } = this.#options;
    try {
      for (const generation of this.#generations) generation._stopWatching();
      await this.#drain(cancel ? closeTimeoutMs : undefined);
      // Only the end of input lets the service finish what is detached; nobody waits here.
      const left = [...this.#generations];
      if (left.length > 0 && left.every((each) => each._isDetached)) return;
      if (connection.process.isWritable) {
        await this.request("shutdown", {}, { signal: AbortSignal.timeout(closeTimeoutMs) });
        connection.notify("exit", {});
      }
      await this.#endProcess(closeTimeoutMs);
    } catch (error) {
      await this.#endProcess(closeTimeoutMs);
      if (!(error instanceof AtelierError || error.name === "TimeoutError")) throw error;
    } finally {
      connection.abandon();
    }
  }

  /** Waits for all that this connection owes; with a limit, only while one thing after the other comes within it. */
  async #drain(limit) {
    for (;;) {
      const open = [...this.#generations].filter((each) => !each._isSettled).map((each) => each._settled);
      const owed = [...open, ...this._connection.answers.map((answer) => answer.catch(() => {}))];
      if (owed.length === 0) return;
      let timer;
      const late = new Promise((wake) => (timer = limit === undefined ? undefined : setTimeout(wake, limit, "late")));
      const first = await Promise.race([...owed, late]);
      clearTimeout(timer);
      if (first === "late") return;
    }
  }

  async #endProcess(waitMs) {
    const { process } = this._connection;
    process.closeInput();
    if (await process.wait(waitMs)) return;
    for (const signal of ["SIGTERM", "SIGKILL"]) {
      process.kill(signal);
      if (await process.wait(this.#options.closeTimeoutMs)) return;
    }
  }
}

function introduced(answer) {
  for (const member of ["maxMessageBytes", "maxImageBytes"]) {
    if (!Number.isInteger(answer?.limits?.[member])) {
      throw new ProtocolError(`The service's answer is not understood: /limits/${member} is not a number.`);
    }
  }
  return answer;
}

module.exports = { VERSION, Atelier };
