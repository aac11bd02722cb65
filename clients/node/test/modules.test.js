// How programs load the client, and where they run it.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { Worker } from "node:worker_threads";

import { CLIENT, fakePeer, peer, temporaryFolder } from "./support.js";

/** Runs a program that has the package installed; its arguments are the command of the peer. */
function run(t, name, text) {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(CLIENT, join(folder, "node_modules/atelier-studio"));
  writeFileSync(join(folder, name), text);
  const ran = spawnSync(process.execPath, [name, ...fakePeer()], { cwd: folder, encoding: "utf8", timeout: 600_000 });
  assert.equal(ran.stderr, "");
  assert.equal(ran.status, 0);
  return ran.stdout.trim();
}

const LAST_LINES = `
  (async () => {
    const studio = await Atelier.start({ executable: process.argv.slice(2) });
    await studio.request("picky").catch((error) => console.log(error instanceof InvalidParameters, error.path));
    await studio.close();
  })();`;

test("a program that requires the client runs", (t) => {
  const program = `const { Atelier, InvalidParameters } = require("atelier-studio");${LAST_LINES}`;
  assert.equal(run(t, "program.cjs", program), "true /method");
});

test("a program that imports the client runs", (t) => {
  const program = `import { Atelier, InvalidParameters } from "atelier-studio";${LAST_LINES}`;
  assert.equal(run(t, "program.mjs", program), "true /method");
});

test("everything that is published is there", () => {
  const { exports, main, types } = JSON.parse(readFileSync(join(CLIENT, "package.json"), "utf8"));
  const paths = Object.values(exports["."]).flatMap((each) => Object.values(each));
  for (const path of [main, types, ...paths]) assert.ok(readFileSync(join(CLIENT, path)).length > 0, path);
});

test("what nobody awaits ends in silence when the service is killed", (t) => {
  assert.equal(run(t, "program.mjs", `
    import { Atelier } from "atelier-studio";
    const studio = await Atelier.start({ executable: process.argv.slice(2) });
    const first = studio.generate({ recipe: "create", prompt: "until cancelled" });
    const detached = studio.generate({ recipe: "create", prompt: "until cancelled", detach: true });
    studio.generate({ recipe: "edit", image: first });
    studio.regenerate({ generation: first }).cancel();
    first[Symbol.asyncIterator]().next();
    await Promise.all([first.accepted(), detached.accepted()]);
    process.kill(await studio.request("pid"), "SIGKILL");
    await first.catch((error) => console.log(error.signal));
    await studio.close();`), "SIGKILL");
});

for (const end of ["close", "terminate", "exit"]) {
  test(`a service of a worker thread ends with it: ${end}`, async (t) => {
    const folder = temporaryFolder(t);
    const held = join(folder, "held");
    assert.equal(spawnSync("mkfifo", [held]).status, 0);
    // The service has the pipe open, so its end is the end of the service.
    const executable = ["sh", "-c", 'exec 9>"$1"; shift; exec "$@"', "sh", held, ...fakePeer()];
    const ended = readFile(held);
    const worker = new Worker(`
      const { parentPort, workerData } = require("node:worker_threads");
      const { Atelier } = require(workerData.client);
      (async () => {
        const studio = await Atelier.start({ executable: workerData.executable });
        await studio.generate({ recipe: "create", prompt: "until cancelled" }).accepted();
        if (workerData.end === "close") await studio.close({ cancel: true });
        if (workerData.end === "exit") process.exit(0);
        parentPort.postMessage("ready");
      })();`, { eval: true, workerData: { client: CLIENT, executable, end } });
    const exited = new Promise((resolve) => worker.once("exit", resolve));
    if (end === "terminate") {
      await new Promise((resolve) => worker.once("message", resolve));
      await worker.terminate();
    }
    await exited;
    assert.equal((await ended).length, 0);
  });
}

test("what cannot be written as JSON is refused", async (t) => {
  const studio = await peer(t);
  const circle = {};
  circle.itself = circle;
  for (const params of [circle, { number: 1n }]) {
    await assert.rejects(studio.request("echo", params), { kind: "invalid_params", code: -32602 });
    await assert.rejects(studio.generate({ recipe: "create", metadata: params }), { kind: "invalid_params" });
  }
  assert.ok(await studio.ping() > 0);
});
