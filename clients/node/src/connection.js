"use strict";

const { AtelierError, ConnectionLost, InvalidParameters, InvalidRequest, ProtocolError } = require("./errors.js");
const { ServiceProcess } = require("./process.js");
const { errorFromWire, errorToWire, isObject } = require("./wire.js");

/** JSON-RPC 2.0 with the service, one message a line. */
class Connection {
  #onNotification;
  #onRequest;
  #onLost;
  #lastId = 0;
  #pending = new Map();
  #withdrawn = new Set();
  #answering = new Map();
  #lost = null;
  maxMessageBytes = 64 * 1024 * 1024;
  maxImageBytes = 7_000_000;

  constructor({ onNotification, onRequest, onLost, onLog }) {
    this.#onNotification = onNotification;
    this.#onRequest = onRequest;
    this.#onLost = onLost;
    this.process = new ServiceProcess({
      receive: (line) => this.#receive(line),
      lost: (error) => this.#fail(error),
      onLog: onLog && ((line) => this.#listen(() => onLog(line))),
    });
  }

  get isLost() {
    return this.#lost !== null;
  }

  /** The answers that are still to come. */
  get answers() {
    return [...this.#pending.values()].map((pending) => pending.answer);
  }

  /**
   * Sends a request, without waiting for anything. `onResult` runs before anything that came after the answer is looked at.
   * Throws `ConnectionLost` when there is nobody to send it to, `InvalidRequest` when it is too large.
   */
  send(method, params, onResult) {
    const id = (this.#lastId += 1);
    this.#write(requestText({ jsonrpc: "2.0", id, method, params }));
    const pending = { onResult };
    pending.answer = new Promise((resolve, reject) => Object.assign(pending, { resolve, reject }));
    // Whoever asked may have left; the answer is then nobody's.
    pending.answer.catch(() => {});
    this.#pending.set(id, pending);
    return { id, answer: pending.answer };
  }

  /** Sends a request and waits for its result. An abort withdraws it, and rejects with the signal's reason at once. */
  async call(method, params, signal) {
    signal?.throwIfAborted();
    await this.process.ready();
    signal?.throwIfAborted();
    const { id, answer } = this.send(method, params);
    if (!signal) return answer;
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.withdraw(id);
        reject(signal.reason);
      };
      signal.addEventListener("abort", abort, { once: true });
      answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
    });
  }

  /** Asks the service, once, to cancel a request that has not been answered yet. */
  withdraw(id) {
    if (this.#pending.has(id) && !this.#withdrawn.has(id) && this.process.isWritable) {
      this.#withdrawn.add(id);
      this.notify("$/cancelRequest", { id });
    }
  }

  notify(method, params) {
    this.#write(JSON.stringify({ jsonrpc: "2.0", method, params }));
  }

  /** Stops listening; whoever still waits for an answer is told that the connection is closed. */
  abandon() {
    this.process.abandon();
    this.#fail(new ConnectionLost("The connection to the Atelier service is closed."));
  }

  #write(text) {
    if (this.#lost) throw this.#lost;
    if (!this.process.isWritable) {
      throw new ConnectionLost("The Atelier service takes no more requests: its input is closed.");
    }
    const line = Buffer.from(text + "\n");
    if (line.length > this.maxMessageBytes + 1) {
      // The service would skip a line this long and could not say whose answer the refusal is.
      throw new InvalidRequest(
        `The request is ${line.length - 1} bytes long and the service takes ${this.maxMessageBytes}. ` +
        "Name images by path instead of sending their bytes.", { code: -32600, kind: "invalid_request" });
    }
    this.process.write(line);
  }

  #receive(line) {
    if (this.#lost) return;
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      // Not JSON: treated like JSON that is no message.
    }
    if (!isObject(message)) {
      this.#fail(new ProtocolError(
        `The service sent something that is not a JSON-RPC message: ${line.slice(0, 80)}`));
      this.process.closeInput();
    } else if (!("method" in message)) {
      this.#settle(message);
    } else if ("id" in message) {
      this.#answer(message);
    } else {
      this.#notice(String(message.method), isObject(message.params) ? message.params : {});
    }
  }

  #settle({ id, result, error }) {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    this.#withdrawn.delete(id);
    if (!pending) {
      warn(`The service sent an answer to ${JSON.stringify(id)}, which was not asked.`);
    } else if (error !== undefined) {
      pending.reject(errorFromWire(error));
    } else {
      pending.onResult?.(result);
      pending.resolve(result);
    }
  }

  /** A request of the service's. */
  async #answer({ id, method, params }) {
    const controller = new AbortController();
    this.#answering.set(id, controller);
    const answer = { jsonrpc: "2.0", id };
    try {
      const result = await this.#onRequest(method, isObject(params) ? params : {}, { signal: controller.signal });
      if (result === undefined) {
        const data = { kind: "method_not_found", retryable: false };
        answer.error = { code: -32601, message: `This client has no method ${method}.`, data };
      } else {
        answer.result = result;
      }
    } catch (error) {
      // What a handler throws because the service withdrew its question says nothing new.
      if (controller.signal.aborted) {
        answer.error = { code: -32800, message: "The request was cancelled." };
      } else {
        if (!(error instanceof AtelierError)) warn(error);
        answer.error = errorToWire(error);
      }
    }
    this.#answering.delete(id);
    if (this.#lost || !this.process.isWritable) return;
    try {
      this.#write(JSON.stringify(answer));
    } catch (error) {
      warn(error);
      this.#write(JSON.stringify({ jsonrpc: "2.0", id, error: errorToWire(error) }));
    }
  }

  #notice(method, params) {
    if (method === "$/cancelRequest") this.#answering.get(params.id)?.abort();
    this.#listen(() => this.#onNotification(method, params));
  }

  /** A listener that fails must not cost the answers to come. */
  #listen(deliver) {
    try {
      deliver();
    } catch (error) {
      warn(error);
    }
  }

  #fail(error) {
    if (this.#lost) return;
    this.#lost = error;
    for (const pending of this.#pending.values()) pending.reject(error);
    this.#pending.clear();
    for (const controller of this.#answering.values()) controller.abort(error);
    this.#onLost(error);
  }
}

function requestText(message) {
  try {
    return JSON.stringify(message);
  } catch (error) {
    // A value that contains itself, or a big integer.
    throw new InvalidParameters(`The request cannot be sent: ${error.message.split("\n")[0]}.`, {
      code: -32602, kind: "invalid_params", data: { path: "", expected: "what JSON can say" },
    });
  }
}

function warn(problem) {
  process.emitWarning(problem instanceof Error ? problem : String(problem), "AtelierWarning");
}

module.exports = { Connection };
