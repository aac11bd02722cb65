// The declarations: what the generator makes of a schema, and whether they are in step with the sources.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";

import * as studio from "atelier-studio";

import { CLIENT, temporaryFolder } from "./support.js";

const declarations = readFileSync(join(CLIENT, "src/index.d.ts"), "utf8");

function generate(...options) {
  return spawnSync("python3", [join(CLIENT, "generate_types.py"), ...options], { encoding: "utf8" });
}

const empty = { description: "Nothing.", type: "object", properties: {} };

/** A schema with one method, whose result is a thing with these members. */
function schema(members) {
  const thing = { description: "A thing with a `name`.", type: "object", properties: members, required: ["name"] };
  const request = { properties: {
    id: {}, method: { const: "thing/get" }, params: { anyOf: [{ $ref: "#/$defs/Params" }, { type: "null" }] },
  } };
  const notification = { properties: { method: { const: "thing/changed" }, params: { $ref: "#/$defs/Thing" } } };
  return {
    $defs: {
      Params: empty, Thing: thing, ErrorBody: empty,
      State: {
        description: "How it is.", type: "string", enum: ["on", "off"],
        "x-values": { on: "It is on.", off: "It is off." },
      },
      Source: { description: "Where.", oneOf: [
        { type: "object", properties: { path: { type: "string" }, _meta: {} }, required: ["path"] },
        { type: "object", properties: { data: { type: "string" } } },
      ] },
      Details: { description: "Details.", properties: {} },
      Results: { properties: { "thing/get": { $ref: "#/$defs/Thing" } } },
      HostMessage: { oneOf: [request] },
      ServiceMessage: { oneOf: [notification] },
    },
  };
}

test("a definition becomes a type with its sentences", (t) => {
  const folder = temporaryFolder(t);
  const name = { type: "string", description: "What it is called." };
  writeFileSync(join(folder, "schema.json"), JSON.stringify(schema({
    name,
    sizes: { type: "array", items: { type: ["integer", "null"] }, description: "Some." },
    state: { anyOf: [{ $ref: "#/$defs/State" }, { type: "string" }], description: "How. */ sneaky" },
    source: { $ref: "#/$defs/Source", description: "Where from." },
  })));
  const options = ["--schema", join(folder, "schema.json"), "--types", join(folder, "values.d.ts")];
  assert.equal(generate(...options, "--check").status, 1);
  assert.equal(generate(...options).status, 0);
  assert.equal(generate(...options, "--check").status, 0);
  const text = readFileSync(join(folder, "values.d.ts"), "utf8");
  for (const line of [
    '  "thing/get": { params: Params; result: Thing };\n', '  "thing/changed": Thing;\n',
    "/** A thing with a `name`. */\nexport interface Thing {\n  /** What it is called. */\n  name: string;\n",
    "  sizes?: (number | null)[];\n", "  /** How. *\\/ sneaky */\n  state?: State | (string & {});\n",
    "  source?: Source;\n",
    "export type Source = { path: string } | { data?: string };\n",
    ' * - `on`: It is on.\n * - `off`: It is off.\n */\nexport type State = "on" | "off";\n',
  ]) assert.ok(text.includes(line), `${line}is not in:\n${text}`);

  writeFileSync(join(folder, "values.d.ts"), "// edited by hand");
  const outdated = generate(...options, "--check");
  assert.equal(outdated.status, 1);
  assert.match(outdated.stderr, /make schema/);
  writeFileSync(join(folder, "schema.json"), JSON.stringify(schema({ name, size: { type: "integer" } })));
  assert.match(generate(...options).stderr, /Thing\.size has no description/);
});

test("everything that is exported is declared, and the other way round", () => {
  const declared = [...declarations.matchAll(/^export (?:class|const) (\w+)/gm)].map(([, name]) => name);
  assert.deepEqual(declared.sort(), Object.keys(studio).sort());
  const required = createRequire(import.meta.url)("atelier-studio");
  assert.deepEqual(Object.keys(required).sort(), declared);
  // The same classes, so that `instanceof` holds whichever way a library of the program loads them.
  for (const name of declared) assert.equal(required[name], studio[name], name);
});

test("every method is declared, and the other way round", () => {
  for (const [name, Class] of [["Atelier", studio.Atelier], ["Generation", studio.Generation]]) {
    const body = declarations.match(new RegExp(`^export class ${name}\\b.*?^}`, "ms"))[0];
    const declared = new Set(
      [...body.matchAll(/^ {2}(?:static |readonly )*(\w+)(?:<.*?>)?[(:]/gm)].map(([, member]) => member));
    const members = Object.getOwnPropertyNames(Class).filter((member) => !["length", "name", "prototype"].includes(member));
    for (let each = Class.prototype; each !== Object.prototype; each = Object.getPrototypeOf(each)) {
      members.push(...Object.getOwnPropertyNames(each).filter((member) => !member.startsWith("_")));
    }
    declared.delete("private");
    declared.add("constructor");
    assert.deepEqual([...declared].sort(), [...new Set(members)].sort(), name);
  }
});

const compiler = spawnSync("tsc", ["--version"], { encoding: "utf8" });

test("a program of TypeScript compiles, and its mistakes do not", {
  skip: compiler.error && "tsc is not installed",
}, (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(CLIENT, join(folder, "node_modules/atelier-studio"));
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
  const compile = (name, text, module = "node16") => {
    writeFileSync(
      join(folder, name), `import { Atelier, RateLimited, type GenerationResult } from "atelier-studio";\n${text}`);
    const options = ["--noEmit", "--strict", "--target", "es2020", "--lib", "es2020,dom", "--module", module];
    if (module === "commonjs") options.push("--moduleResolution", "node");
    return spawnSync("tsc", [...options, name], { cwd: folder, encoding: "utf8" });
  };
  const program = `
    export const path: Promise<string | undefined> = Atelier.use({ account: "ada" }, async (studio) => {
      const generation = studio.generate(
        { image: new Uint8Array(2), style: { angle: 0.5 } }, { signal: new AbortController().signal });
      for await (const { phase, overall } of generation) if (phase === "saving" && overall > 0.9) generation.cancel();
      const result: GenerationResult = await generation;
      const refined = studio.generate({ recipe: "edit", image: result, prompt: "warmer" });
      await studio.generate({ recipe: "edit", image: refined, prompt: "colder" }).catch((error) => {
        if (error instanceof RateLimited && error.retryAfterMs) return null;
        throw error;
      });
      for await (const entry of studio.allHistory({ since: new Date() })) if (entry.state === "failed") entry.error?.message;
      const { entries } = await studio.request("history", { limit: 3 });
      await studio.request("newer/method", { any: 1 });
      const late: string = "decided/later";
      await studio.request(late);
      await studio.request("history");
      const { balance } = await studio.request("account/get", { account: "ada" }, { signal: new AbortController().signal });
      balance.account.toUpperCase();
      return entries[0]?.images[0]?.path;
    });
    Atelier.start({ onNotification(method, params) { if (method === "generation/progress") console.log(params); },
      onRequest: async (method) => (method === "newer/request" ? [] : undefined) });
    Atelier.start({ locationSearch: async ({ query, near }, { signal }) => signal.aborted || near === "nowhere" ? []
      : [{ name: query, coordinate: { latitude: 1, longitude: 2 } }] });
    export const stored: Promise<string> = Atelier.use({ trusted: true, locale: "de" }, async (studio: Atelier) => {
      const { images } = await studio.generate({ image: "a.png", output: { aspectRatio: "16:9" } });
      const again = await studio.regenerate({ generation: "gen_1", private: false });
      return images[0].path.toUpperCase() + again.images[0].path.toUpperCase();
    });
  `;
  // As a module, as a script that is compiled to require, and as TypeScript looked packages up before there were exports.
  for (const [name, module] of [["good.ts", "node16"], ["good.cts", "node16"], ["old.ts", "commonjs"]]) {
    const good = compile(name, program, module);
    assert.equal(good.status, 0, `${name}: ${good.stdout}`);
  }
  const mistakes = ['studio.generate({ image: 3.5 })', 'studio.generate({ recipe: "sculpture" })',
    'studio.request("history", { limit: true })', 'studio.request("history/get")', 'studio.request("history/get", {})',
    '(await studio.request("credits/products")).entries', 'studio.request("generate", { recipe: "sculpture" })',
    "(await studio.generate({ private: true })).images[0].path.length",
    "(await studio.history()).entries[0].images[0].path.length",
    'studio.generate({ output: { crop: "square" } })', 'studio.creditsGrant({ account: "ada", amount: 3 })',
    "studio.historyEntry({})", "studio.history({ limit: true })", "(await studio.generate()).colour",
    "Atelier.start({ locationSearch: () => [{ city: query }] })"];
  // One run for all of them: each is on a line of its own.
  const bad = compile("bad.ts", mistakes.map((mistake, index) =>
    `export const made${index} = Atelier.use({}, async (studio) => ${mistake});\n`).join(""));
  for (const [index, mistake] of mistakes.entries()) {
    assert.match(bad.stdout, new RegExp(`^bad\\.ts\\(${index + 2},`, "m"), mistake);
  }
  const confined = compile("bad.ts", `export const made = Atelier.use({ confined: true }, async (studio) =>
    (await studio.generate()).images[0].path.length);\n`);
  assert.match(confined.stdout, /^bad\.ts\(3,.*undefined/m);
});
