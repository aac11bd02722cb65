// The service as a child process, played by a scripted peer: its start, its end and its log.

import assert from "node:assert/strict";
import { chmodSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";

import { Atelier, ConnectionLost, ExecutableNotFound, ProtocolError } from "atelier-studio";

import { SERVICE, collect, fakePeer, needsService, peer, temporaryFolder } from "./support.js";

const { process: own } = globalThis;

/** Runs `work` with variables of this process set. */
async function withEnvironment(variables, work) {
  const before = { ...own.env };
  Object.assign(own.env, variables);
  try {
    return await work();
  } finally {
    own.env = before;
  }
}

test("the introduction tells who asks", async (t) => {
  const studio = await peer(t, {
    account: "ada", clientInfo: { name: "test" }, capabilities: { mute: ["provider/changed"] },
  });
  const { params } = (await studio.request("received"))[0];
  assert.equal(params.account, "ada");
  assert.equal(params.clientInfo.name, "test");
  assert.deepEqual(params.capabilities, { mute: ["provider/changed"] });
  assert.equal(studio.initialization.limits.maxMessageBytes, 1 << 20);
});

test("only a program on this machine is told the process to watch", async (t) => {
  const program = join(temporaryFolder(t), "peer");
  writeFileSync(program, `#!/bin/sh\nexec ${fakePeer().map((part) => `'${part}'`).join(" ")} "$@"\n`);
  chmodSync(program, 0o755);
  await withEnvironment({ ATELIER: program }, async () => {
    for (const [executable, told] of [[fakePeer(), undefined], [program, own.pid], [undefined, own.pid]]) {
      const studio = await peer(t, { executable });
      assert.equal((await studio.request("received"))[0].params.processId, told);
    }
  });
});

test("a service that does not start says why", async () => {
  await assert.rejects(Atelier.start({ executable: fakePeer("refuses") }), (error) => {
    assert.ok(error instanceof ConnectionLost);
    assert.equal(error.exitStatus, 3);
    assert.match(error.message, /Choose another with --data-dir/);
    return true;
  });
});

test("a service that dies ends every wait", async (t) => {
  const log = [];
  const studio = await peer(t, { onLog: (line) => log.push(line) });
  const holding = assert.rejects(studio.request("hold"), ConnectionLost);
  const ends = collect(studio.finished());
  const generation = studio.generate({ recipe: "create", prompt: "die" });
  assert.deepEqual((await collect(generation)).map((progress) => progress.phase), ["processing"]);
  await assert.rejects(generation, (error) => {
    assert.ok(error instanceof ConnectionLost);
    assert.deepEqual([error.exitStatus, error.log, error.retryable], [7, "the disk is on fire", true]);
    return true;
  });
  await holding;
  await assert.rejects(studio.ping(), ConnectionLost);
  assert.deepEqual(await ends, []);
  assert.deepEqual(await collect(studio.finished()), []);
  assert.deepEqual(log, ["the disk is on fire"]);
});

test("a killed service is told from one that ended", async (t) => {
  const studio = await peer(t);
  await assert.rejects(studio.generate({ recipe: "create", prompt: "be killed" }), { signal: "SIGKILL", exitStatus: null });
});

test("a request of the service is given up when the service is gone", async (t) => {
  let given;
  const asked = new Promise((resolve) => (given = resolve));
  const onRequest = (method, params, { signal }) => new Promise((resolve) => {
    given(signal);
    signal.addEventListener("abort", () => resolve(null));
  });
  const studio = await peer(t, { onRequest });
  await studio.request("ask");
  const signal = await asked;
  await assert.rejects(studio.generate({ recipe: "create", prompt: "die" }), ConnectionLost);
  assert.ok(signal.reason instanceof ConnectionLost);
});

test("the options of the service have names of their own", async (t) => {
  const told = async (options) => {
    const studio = await peer(t, options);
    const [greeting] = await studio.request("received");
    return { command: await studio.request("arguments"), greeting: greeting.params };
  };
  const confined = await told({
    dataDirectory: "data", config: "c.json", confined: true, multiAccount: true, trusted: false,
    arguments: ["--log-level", "info"],
  });
  assert.deepEqual(confined.command, [
    "serve", "--data-dir", resolve("data"), "--config", resolve("c.json"), "--confined", "--multi-account",
    "--log-level", "info",
  ]);
  assert.equal("locale" in confined.greeting, false);
  const trusted = await told({ trusted: true, locale: "es-MX,es;q=0.9" });
  assert.deepEqual([trusted.command, trusted.greeting.locale], [["serve", "--trusted"], "es-MX,es;q=0.9"]);
});

test("an option that is refused is named", { skip: needsService }, async () => {
  await assert.rejects(
    Atelier.start({ executable: SERVICE, trusted: true, confined: true }), /--trusted cannot be used with/);
});

test("a banner before the protocol is a clear error", async () => {
  await assert.rejects(Atelier.start({ executable: fakePeer("banner") }), (error) => {
    assert.ok(error instanceof ProtocolError);
    assert.match(error.message, /Welcome to the machine/);
    return true;
  });
});

test("a service that never answers is given up", async () => {
  await assert.rejects(Atelier.start({ executable: fakePeer("silent"), startTimeoutMs: 200 }), ConnectionLost);
});

test("a start that is aborted leaves no process", async () => {
  const controller = new AbortController();
  let number;
  const onLog = (line) => {
    number = Number(line);
    controller.abort();
  };
  const executable = ["sh", "-c", 'echo $$ >&2; exec "$@"', "sh", ...fakePeer("silent")];
  await assert.rejects(Atelier.start({ executable, signal: controller.signal, onLog }), { name: "AbortError" });
  assert.throws(() => own.kill(number, 0), { code: "ESRCH" });
  await assert.rejects(Atelier.start({ executable, signal: controller.signal }), { name: "AbortError" });
});

test("a service that does not end is ended", async () => {
  const studio = await Atelier.start({ executable: fakePeer("stubborn"), closeTimeoutMs: 200 });
  await studio.ping();
  await studio.close();
  assert.ok(await studio._connection.process.wait(60_000));
  assert.equal(studio._connection.process.exitSignal, "SIGKILL");
});

test("a service that hangs is ended, whatever it still owed", async () => {
  const studio = await Atelier.start({ executable: fakePeer(), closeTimeoutMs: 100 });
  const generation = studio.generate({ recipe: "create", prompt: "until cancelled" });
  await generation.accepted();
  studio._connection.process.kill("SIGSTOP");
  await studio.close({ cancel: true });
  assert.ok(await studio._connection.process.wait(60_000));
  assert.equal(studio._connection.process.exitSignal, "SIGKILL");
  await assert.rejects(generation, ConnectionLost);
});

test("the service ends when it is closed, once", async () => {
  const studio = await Atelier.start({ executable: fakePeer() });
  await Promise.all([studio.close(), studio.close()]);
  assert.equal(studio._connection.process.exitStatus, 0);
  await assert.rejects(studio.ping(), ConnectionLost);
});

test("a missing executable is named", async (t) => {
  const folder = temporaryFolder(t);
  for (const executable of ["/nowhere/atelier", folder, ["/nowhere/atelier", "--x"], [], "a\0b"]) {
    await assert.rejects(Atelier.start({ executable }), (error) => {
      assert.ok(error instanceof ExecutableNotFound, String(error));
      assert.equal(error.kind, "executable_not_found");
      return true;
    });
  }
  await withEnvironment({ ATELIER: "/nowhere/else" }, () =>
    assert.rejects(Atelier.start(), /There is no executable \/nowhere\/else/));
  await withEnvironment({ ATELIER: "", PATH: folder }, () => assert.rejects(Atelier.start(), ExecutableNotFound));
});
