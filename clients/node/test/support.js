// Where the tests find what they need.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { Atelier } from "atelier-studio";

export const CLIENT = dirname(dirname(fileURLToPath(import.meta.url)));
export const REPOSITORY = resolve(CLIENT, "../..");
export const PORTRAIT = join(REPOSITORY, "Tests/Fixtures/portraits/astronaut.png");
export const OTHER_PORTRAIT = join(REPOSITORY, "Tests/Fixtures/portraits/grace_hopper.jpg");
export const PICTURES = join(REPOSITORY, "Tests/Fixtures/images");
export const LARGE_PHOTO = join(REPOSITORY, "scripts/large-photo.sh");
export const MOMENT = "2026-11-02T03:04:05.678Z";

/** The command of the scripted peer, which is the Python client's too. */
export const fakePeer = (...options) =>
  ["python3", join(REPOSITORY, "clients/python/tests/fake_peer.py"), ...options];

/** The service these tests run against: `$ATELIER`, else what this repository built. */
function service() {
  // Somebody who names it wants it tested: when it is not there, that is a failure and no reason to skip.
  if (process.env.ATELIER) return resolve(process.env.ATELIER);
  const built = join(REPOSITORY, ".build/debug/atelier");
  return existsSync(built) ? built : null;
}

export const SERVICE = service();
export const needsService =
  SERVICE === null && "atelier has not been built: run `swift build`, or name the executable with ATELIER";

const SIMULATOR = SERVICE && join(dirname(SERVICE), "gemini-simulator");
export const needsSimulator =
  needsService || (!existsSync(SIMULATOR) && "gemini-simulator has not been built beside the service");

/**
 * Neither the keys, servers and settings of whoever runs the tests nor their desktop's keyring: empty variables count as
 * absent.
 */
export const NO_KEYS = Object.fromEntries(
  ["GEMINI_API_KEY", "GOOGLE_API_KEY", "OPENAI_API_KEY", "GOOGLE_GEMINI_BASE_URL", "OPENAI_BASE_URL", "ATELIER_CONFIG",
    "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"].map((name) => [name, ""]));

/** A folder of its own for a test. */
export function temporaryFolder(t) {
  const folder = mkdtempSync(join(tmpdir(), "atelier-node-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

// On a busy machine, a debug build may need more than the limits that a client has by default.
const LIMITS = { startTimeoutMs: 300_000, closeTimeoutMs: 100_000 };

/** A client of the scripted peer, closed after the test. */
export async function peer(t, options = {}) {
  const studio = await Atelier.start({ executable: fakePeer(), ...LIMITS, ...options });
  t.after(() => studio.close({ cancel: true }));
  return studio;
}

/** Options for a service of its own, that knows no keys but its own. */
export const realService = (folder, options = {}) =>
  ({ executable: SERVICE, dataDirectory: join(folder, "data"), env: NO_KEYS, ...LIMITS, ...options });

/** Starts the simulator of the providers, with these options. */
export async function startSimulator(...options) {
  const simulator = spawn(SIMULATOR, ["--port", "0", ...options], { stdio: ["ignore", "pipe", "inherit"] });
  const line = await new Promise((resolve) => { createInterface({ input: simulator.stdout }).once("line", resolve); });
  return { simulator, ...JSON.parse(line) };
}

/** A provider that answers nothing before it is released: a picture is under way for as long as a test needs. */
export async function holdingProvider(t) {
  const { simulator, baseUrl } = await startSimulator("--fault", "hold");
  t.after(() => simulator.kill());
  return {
    env: { ...NO_KEYS, GEMINI_API_KEY: "a-made-up-key", GOOGLE_GEMINI_BASE_URL: baseUrl, no_proxy: "127.0.0.1" },
    /** Lets the request go on that came as this one, counted from 1, as soon as it has come. */
    async release(number) {
      await fetch(`${baseUrl}/_simulator/requests/${number}?state=received`);
      await fetch(`${baseUrl}/_simulator/release/${number}`, { method: "POST" });
    },
  };
}

export async function collect(iterable) {
  const all = [];
  for await (const each of iterable) all.push(each);
  return all;
}

/** The warnings of this process while `work` runs. */
export async function warnings(work) {
  const heard = [];
  const hear = (warning) => heard.push(warning);
  process.on("warning", hear);
  try {
    await work();
    // Warnings are delivered after the work that caused them.
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off("warning", hear);
  }
  return heard;
}
