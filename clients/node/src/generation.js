"use strict";

const { AtelierError, ProtocolError } = require("./errors.js");
const { fitting } = require("./large-pictures.js");
const { errorFromWire, isObject } = require("./wire.js");

// How much progress is kept for iterators that are slow or late; a generation rarely reports more.
const KEPT_PROGRESS = 256;

// How often a detached generation is looked up whose end has not been told.
const LOOK_UP_MS = 5_000;

const FINAL_STATES = new Set(["succeeded", "partial", "failed", "cancelled", "interrupted", "expired"]);

/** A generation under way. Members that begin with `_` are for the studio. */
class Generation {
  #studio;
  #method;
  #signal;
  #requestId = null;
  #generationId = null;
  #progress = [];
  #isDone = false;
  #isAttached;
  #cancelled = latch();
  #accepted = latch();
  #finished = latch();
  #news = latch();
  #result;

  constructor(studio, method, params, { detached, attachedTo = null, signal }) {
    this.#studio = studio;
    this.#method = method;
    this.#signal = signal;
    this.#generationId = attachedTo;
    // The request only watches the generation, which it did not start.
    this.#isAttached = attachedTo !== null;
    this._isDetached = detached || this.#isAttached;
    // Who iterates over it or asks for its id may never ask for its result.
    this.#finished.promise.catch(() => {});
    this.#result = this.#run(params);
    this._ended = this.#result.then(() => this.#end(), () => this.#end());
    this._settled = Promise.race([this.#accepted.promise, this._ended]);
  }

  get generationId() {
    return this.#generationId;
  }

  get progress() {
    return this.#progress.at(-1) ?? null;
  }

  get done() {
    return this.#isDone;
  }

  /** True when this connection owes it nothing any more: it has ended, or is detached and accepted. */
  get _isSettled() {
    return this.#isDone || this.#accepted.isOpen;
  }

  then(onFulfilled, onRejected) {
    return this.#result.then(onFulfilled, onRejected);
  }

  catch(onRejected) {
    return this.#result.catch(onRejected);
  }

  finally(onSettled) {
    return this.#result.finally(onSettled);
  }

  cancel() {
    if (this.#isDone || this.#cancelled.isOpen) return;
    this.#cancelled.open();
    this.#withdraw();
  }

  async accepted() {
    while (this.#generationId === null) {
      if (this.#isDone) return (await this.#result).generationId;
      await this.#news.promise;
    }
    return this.#generationId;
  }

  async status() {
    return this.#studio.generationStatus({ generationId: await this.accepted() });
  }

  async *[Symbol.asyncIterator]() {
    let seen = -Infinity;
    for (;;) {
      const fresh = this.#progress.filter((progress) => progress.sequence > seen);
      for (const progress of fresh) {
        seen = progress.sequence;
        yield progress;
      }
      if (fresh.length > 0) continue;
      if (this.#isDone) return;
      await this.#news.promise;
    }
  }

  _receiveProgress(progress) {
    this.#generationId ??= progress.generationId;
    if (progress.sequence > (this.progress?.sequence ?? -Infinity)) {
      this.#progress.push(progress);
      if (this.#progress.length > KEPT_PROGRESS) this.#progress.shift();
    }
    this.#tell();
  }

  _receiveFinished(finished) {
    this.#finished.open(finished);
  }

  /** Ends the request of an attached generation; the generation goes on. */
  _stopWatching() {
    if (this.#isAttached && this.#requestId !== null) this.#studio._connection.withdraw(this.#requestId);
  }

  _receiveLoss(error) {
    if (this._isDetached) this.#finished.fail(error);
  }

  async #run(params) {
    const abort = () => (this.#isAttached ? this._stopWatching() : this.cancel());
    try {
      this.#signal?.throwIfAborted();
      this.#signal?.addEventListener("abort", abort, { once: true });
      const result = await this.#generate(params);
      if (result.state === "cancelled" && this.#signal?.aborted) throw this.#signal.reason;
      return result;
    } catch (error) {
      throw error?.kind === "request_cancelled" && this.#signal?.aborted ? this.#signal.reason : error;
    } finally {
      this.#signal?.removeEventListener("abort", abort);
    }
  }

  async #generate(params) {
    const connection = this.#studio._connection;
    const request = await fitting(await params(this.#cancelled.promise), connection, this.#cancelled.promise);
    await connection.process.ready();
    if (this.#isAttached) this.#signal?.throwIfAborted();
    const call = connection.send(this.#method, request, (result) => this.#onAnswer(result));
    this.#requestId = call.id;
    this.#studio._follow(call.id, this);
    try {
      if (this.#cancelled.isOpen) this.#withdraw();
      return outcome(await this.#endOf(checked(await call.answer)));
    } finally {
      this.#studio._unfollow(call.id);
    }
  }

  #onAnswer(result) {
    if (!isObject(result) || typeof result.generationId !== "string") return;
    this.#generationId = result.generationId;
    if (this._isDetached) {
      this.#accepted.open();
      // The request to cancel may have come too late for the request, though not for the generation.
      if (this.#cancelled.isOpen) this.#withdraw();
    }
    this.#tell();
  }

  /** What became of it: at once where the answer was the end, later where it was accepted detached. */
  async #endOf(accepted) {
    if (FINAL_STATES.has(accepted.state)) return accepted;
    for (;;) {
      let timer;
      const pause = new Promise((resolve) => (timer = setTimeout(resolve, LOOK_UP_MS)));
      try {
        const finished = await Promise.race([this.#finished.promise, pause]);
        if (finished) return finished;
      } finally {
        clearTimeout(timer);
      }
      // The service tells only the process that started it, which was another one when an idempotency key was sent again.
      const found = checked(await this.#studio.generationStatus({ generationId: accepted.generationId }));
      if (FINAL_STATES.has(found.state)) return found;
    }
  }

  #withdraw() {
    if (this._isDetached && this.#generationId !== null) {
      // The request that started it has been answered; only the generation itself can be cancelled now. Where that fails,
      // it has ended or nobody is there any more, and its own end tells what happened.
      this.#studio.cancel({ generationId: this.#generationId }).catch(() => {});
    } else if (this.#requestId !== null) {
      this.#studio._connection.withdraw(this.#requestId);
    }
  }

  #end() {
    this.#isDone = true;
    this.#tell();
  }

  #tell() {
    const news = this.#news;
    this.#news = latch();
    news.open();
  }
}

function outcome(ended) {
  if (ended.error !== undefined) throw errorFromWire(ended.error);
  if (["cancelled", "succeeded", "partial"].includes(ended.state)) return ended;
  throw new AtelierError(`The generation ended as ${ended.state}.`, {
    kind: ended.state, generationId: ended.generationId,
  });
}

/** The answer, if it has what the client itself needs. */
function checked(answer) {
  if (!isObject(answer)) throw new ProtocolError("The service's answer is not understood: it is not an object.");
  for (const member of ["generationId", "state"]) {
    if (typeof answer[member] !== "string") {
      throw new ProtocolError(`The service's answer is not understood: /${member} is not a string.`);
    }
  }
  return answer;
}

/** A promise that is settled from outside, once. */
function latch() {
  const made = { isOpen: false };
  made.promise = new Promise((resolve, reject) => {
    made.open = (value) => {
      made.isOpen = true;
      resolve(value);
    };
    made.fail = reject;
  });
  return made;
}

module.exports = { Generation };
