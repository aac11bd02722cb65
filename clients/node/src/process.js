"use strict";

const { spawn } = require("node:child_process");

const { ConnectionLost, ExecutableNotFound, Unavailable } = require("./errors.js");

// How long the rest of the output may take to arrive once the process has ended, or the end of the process once its
// output has. Something the service started may hold the pipe open for ever.
const SETTLING_MS = 1_000;

// How many lines of the log an error carries.
const KEPT_LOG = 40;

/** The command that starts the service: the one given, else `$ATELIER`, else `atelier` on the PATH. */
function findExecutable(executable) {
  if (!Array.isArray(executable)) return [String(executable || process.env.ATELIER || "atelier")];
  if (executable.length === 0) {
    throw new ExecutableNotFound("The command to start Atelier with is empty. Name the executable in it.");
  }
  return executable.map(String);
}

/** Puts lines together from pieces of any size. Lines may be as long as they like; the work stays linear. */
class LineSplitter {
  #receive;
  #unfinished = [];

  constructor(receive) {
    this.#receive = receive;
  }

  feed(data) {
    let start = 0;
    for (let end = data.indexOf(10); end >= 0; end = data.indexOf(10, start)) {
      this.#unfinished.push(data.subarray(start, end));
      this.#handOut();
      start = end + 1;
    }
    if (start < data.length) this.#unfinished.push(data.subarray(start));
  }

  /** Hands out a last line that has no newline. */
  end() {
    this.#handOut();
  }

  #handOut() {
    const line = Buffer.concat(this.#unfinished).toString("utf8").trim();
    this.#unfinished = [];
    if (line) this.#receive(line);
  }
}

/** One running service: started, read line by line, written to, ended. */
class ServiceProcess {
  #receive;
  #lost;
  #onLog;
  #child;
  #log = [];
  #openOutputs = 2;
  #hasExited = false;
  #isReported = false;
  #exited;
  #drained = null;
  #timers = new Set();
  exitStatus = null;
  exitSignal = null;

  constructor({ receive, lost, onLog }) {
    this.#receive = receive;
    this.#lost = lost;
    this.#onLog = onLog;
  }

  /** Starts the command. Rejects with `ExecutableNotFound` when it cannot be started. */
  async start([program, ...options], environment) {
    let child;
    try {
      // Its own session: an interrupt typed at the terminal is the host's to act on, once, in its own way.
      child = spawn(program, options, { env: environment, stdio: ["pipe", "pipe", "pipe"], detached: true });
    } catch (error) {
      throw notStarted(program, error);
    }
    this.#child = child;
    this.#exited = new Promise((resolve) => {
      child.once("exit", (status, signal) => {
        this.#hasExited = true;
        this.exitStatus = status;
        this.exitSignal = signal;
        resolve();
        this.#onPartialLoss();
      });
    });
    this.#read(child.stdout, this.#receive);
    this.#read(child.stderr, (line) => this.#onLogLine(line));
    // A service that is gone shows at the end of its output.
    child.stdin.on("error", () => {});
    child.stdin.on("close", () => this.#resume());
    child.stdin.on("drain", () => this.#resume());
    await new Promise((resolve, reject) => {
      const fail = (error) => {
        this.abandon();
        reject(notStarted(program, error));
      };
      child.once("error", fail);
      child.once("spawn", () => {
        // From here on an error says that a signal could not be sent; then the end of the process says more.
        child.off("error", fail).on("error", () => {});
        resolve();
      });
    });
  }

  #read(stream, receive) {
    const lines = new LineSplitter(receive);
    stream.on("data", (data) => lines.feed(data));
    stream.on("error", () => {});
    stream.once("close", () => {
      lines.end();
      this.#openOutputs -= 1;
      this.#onPartialLoss();
    });
  }

  /** False once the input is closed, by either side. */
  get isWritable() {
    return this.#child.stdin.writable;
  }

  /** Waits while the service is not reading what was already written. */
  async ready() {
    while (this.#drained) await this.#drained.promise;
  }

  /** Sends one line, without waiting. */
  write(line) {
    if (!this.#child.stdin.write(line) && !this.#drained) {
      this.#drained = {};
      this.#drained.promise = new Promise((resolve) => (this.#drained.resolve = resolve));
    }
  }

  #resume() {
    this.#drained?.resolve();
    this.#drained = null;
  }

  /** Says that nothing more will be asked. */
  closeInput() {
    this.#child.stdin.end();
  }

  /** Lets go of every pipe. The process lives on for as long as it has something to finish. */
  abandon() {
    this.#isReported = true;
    this.closeInput();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
    this.#child.unref();
  }

  /** True when the process ends in time. */
  async wait(ms) {
    let timer;
    await Promise.race([this.#exited, new Promise((resolve) => (timer = setTimeout(resolve, ms)))]);
    clearTimeout(timer);
    return this.#hasExited;
  }

  /** Sends a signal, if there is still somebody to receive it. */
  kill(signal) {
    if (!this.#hasExited) this.#child.kill(signal);
  }

  #onLogLine(line) {
    this.#log.push(line);
    if (this.#log.length > KEPT_LOG) this.#log.shift();
    this.#onLog?.(line);
  }

  #onPartialLoss() {
    if (this.#isReported) return;
    if (this.#openOutputs === 0 && this.#hasExited) this.#reportLoss();
    else this.#timers.add(setTimeout(() => this.#reportLoss(), SETTLING_MS));
  }

  #reportLoss() {
    if (this.#isReported) return;
    this.#isReported = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#lost(new ConnectionLost(this.#lossSentence(), {
      exitStatus: this.exitStatus, signal: this.exitSignal, log: this.#log.join("\n"),
    }));
  }

  #lossSentence() {
    let sentence = `The Atelier service ended with status ${this.exitStatus}.`;
    if (!this.#hasExited) sentence = "The Atelier service closed its output before it answered.";
    else if (this.exitSignal) sentence = `The Atelier service was ended by ${this.exitSignal}.`;
    // Options that are refused are followed by lines on how to get help.
    const last = this.#log.filter((line) => line.startsWith("Error: ")).at(-1) ?? this.#log.at(-1);
    return last ? `${sentence} It said last: ${last}` : sentence;
  }
}

function notStarted(program, error) {
  if (error.code === "ENOENT") {
    return new ExecutableNotFound(
      `There is no executable ${program}. Install atelier, or name it with the option \`executable\` ` +
      "or the environment variable ATELIER.");
  }
  if (["EMFILE", "ENFILE", "EAGAIN", "ENOMEM"].includes(error.code)) {
    return new Unavailable(`${program} could not be started: ${error.code}.`, { kind: "start_failed", retryable: true });
  }
  return new ExecutableNotFound(`${program} could not be started: ${error.code ?? error.message}.`);
}

module.exports = { findExecutable, LineSplitter, ServiceProcess };
