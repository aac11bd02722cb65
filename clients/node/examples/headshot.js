// A headshot of a photo, made on this machine: no key, no network. Ctrl-C cancels it.
//
//     node examples/headshot.js photo.jpg [professional|casual]

import { Atelier } from "atelier-studio";

const [photo, background = "professional"] = process.argv.slice(2);
const interrupted = new AbortController();
process.on("SIGINT", () => interrupted.abort());

try {
  await Atelier.use({}, async (studio) => {
    const params = { image: photo, style: { background }, provider: "ondevice" };
    const generation = studio.generate(params, { signal: interrupted.signal });
    for await (const progress of generation) console.error(progress.message);
    console.log((await generation).images[0].path);
  });
} catch (error) {
  console.error(error.name === "AbortError" ? "Cancelled." : error.message);
  process.exitCode = 1;
}
