// The programs in examples/ and in the README, run as a reader would, against the simulator where they need a provider.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";

import {
  CLIENT, NO_KEYS, OTHER_PORTRAIT, PORTRAIT, SERVICE, fakePeer, needsSimulator as skip, startSimulator, temporaryFolder,
} from "./support.js";

let simulator;
let baseUrl;

before(async () => {
  if (skip) return;
  // Pictures large enough to be refined.
  ({ simulator, baseUrl } = await startSimulator("--picture-scale", "4"));
});

after(() => simulator?.kill());

const environment = (folder, variables = {}) => ({
  ...process.env,
  ...NO_KEYS,
  ATELIER: SERVICE,
  ATELIER_DATA_DIR: join(folder, "data"),
  GEMINI_API_KEY: "a-made-up-key",
  GOOGLE_GEMINI_BASE_URL: baseUrl,
  no_proxy: "127.0.0.1",
  ...variables,
});

/** Runs an example: its status, what it wrote and what it complained of. */
function run(folder, name, parameters, variables) {
  // Some of them would wait for an hour until the network is back.
  const options = { env: environment(folder, variables), encoding: "utf8", timeout: 1_200_000 };
  return spawnSync(process.execPath, [join(CLIENT, "examples", name), ...parameters], options);
}

function assertPicture(path) {
  assert.match(readFileSync(path).subarray(0, 4).toString("latin1"), /^(\x89PNG|\xff\xd8\xff)/);
}

const EXAMPLES = [
  ["headshot.js", [PORTRAIT, "casual"], { GEMINI_API_KEY: "", GOOGLE_GEMINI_BASE_URL: "" }, [/^\S+$/]],
  ["edit.js", [PORTRAIT, "dale una bufanda roja 🧣"], {}, [/^\S+$/]],
  ["create.js", ["a lighthouse at dusk", "FOLDER"], {}, [/^\S+$/, /^\S+$/]],
  ["hairstyle.js", [PORTRAIT, "--search", "bob", "--words", "前髪あり", "--like", OTHER_PORTRAIT, "--all-sides"], {},
    [/ front$/, / left$/, / right$/, / back$/]],
  ["refine.js", [PORTRAIT, "a chin-length bob", "shorter", "add copper highlights"], {},
    [/ a chin-length bob$/, / shorter$/, / add copper highlights$/, / add copper highlights$/]],
  ["wait.js", [PORTRAIT, "a summer hat"], {}, [/^\S+$/]],
];

for (const [name, parameters, variables, lines] of EXAMPLES) {
  test(`examples/${name} makes what it says`, { skip }, (t) => {
    const folder = temporaryFolder(t);
    const ran = run(folder, name, parameters.map((each) => (each === "FOLDER" ? folder : each)), variables);
    assert.equal(ran.status, 0, ran.stderr);
    const written = ran.stdout.trim().split("\n");
    assert.equal(written.length, lines.length, ran.stdout);
    for (const [index, line] of written.entries()) {
      assert.match(line, lines[index]);
      assertPicture(line.split(" ")[0]);
    }
    assert.equal(new Set(written).size, written.length);
  });
}

test("examples/places.js looks places up in its own list", { skip }, (t) => {
  const ran = run(temporaryFolder(t), "places.js", ["Top coffee shops in Austin"]);
  assert.equal(ran.status, 0, ran.stderr);
  assert.equal(
    ran.stdout, "Houndstooth Coffee: 401 Congress Ave, 78701 Austin\nEpoch Coffee: 221 W North Loop Blvd, 78751 Austin\n");
});

test("every example is run here", () => {
  assert.deepEqual(readdirSync(join(CLIENT, "examples")), [...EXAMPLES.map(([name]) => name), "places.js"].sort());
});

test("an example says in a sentence what went wrong", { skip }, (t) => {
  const folder = temporaryFolder(t);
  const ran = run(folder, "edit.js", [join(folder, "nothing.jpg"), "a hat"]);
  assert.equal(ran.status, 1);
  assert.match(ran.stderr, /nothing\.jpg/);
  assert.equal(ran.stderr.trim().split("\n").length, 1, ran.stderr);
});

test("an interrupt cancels the generation before the program ends", async () => {
  const program = `
    import { Atelier } from "atelier-studio";
    const interrupted = new AbortController();
    process.once("SIGINT", () => interrupted.abort(new Error("interrupted")));
    await Atelier.use({
      executable: process.argv.slice(1), onNotification: (method, params) => console.log(params.phase),
    }, (studio) => studio.generate({ recipe: "create", prompt: "until cancelled" }, { signal: interrupted.signal }));`;
  const host = spawn(process.execPath, ["--input-type=module", "-e", program, "--", ...fakePeer("talkative")], {
    cwd: CLIENT, stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let errors = "";
  host.stderr.on("data", (data) => (errors += data));
  host.stdout.on("data", (data) => {
    output += data;
    if (output === "processing\n") host.kill("SIGINT");
  });
  const status = await new Promise((resolve) => host.once("close", resolve));
  // The peer tells of every cancel it was asked for; the host was still there to hear it.
  assert.equal(output, "processing\ncancel requested\n", errors);
  assert.equal(status, 1);
  assert.match(errors, /Error: interrupted/);
});

const readme = readFileSync(join(CLIENT, "README.md"), "utf8");

for (const [index, [, code]] of [...readme.matchAll(/^```js\n(.*?)^```$/gms)].entries()) {
  test(`example ${index + 1} of the README runs`, { skip }, (t) => {
    const folder = temporaryFolder(t);
    copyFileSync(PORTRAIT, join(folder, "ada.png"));
    copyFileSync(OTHER_PORTRAIT, join(folder, "grace.jpg"));
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(CLIENT, join(folder, "node_modules/atelier-studio"));
    writeFileSync(join(folder, "example.mjs"), code);
    const options = { cwd: folder, env: environment(folder, NO_KEYS), encoding: "utf8", timeout: 1_200_000 };
    const ran = spawnSync(process.execPath, ["example.mjs"], options);
    assert.equal(ran.status, 0, `${code}\n${ran.stderr}`);
    assert.equal(ran.stderr, "");
    assert.notEqual(ran.stdout, "");
  });
}
