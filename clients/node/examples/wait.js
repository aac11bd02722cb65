// A picture that waits for the network: the request is kept, through a restart as well, until the provider is back.
//
//     node examples/wait.js photo.jpg "a summer hat"

import { Atelier } from "atelier-studio";

const [photo, prompt] = process.argv.slice(2);

try {
  await Atelier.use({}, async (studio) => {
    const generation = studio.generate({
      recipe: "edit", image: photo, prompt, whenOffline: "queue", detach: true, waitMs: 3_600_000,
    });
    console.error("Kept as", await generation.accepted());
    console.log((await generation).images[0].path);
  });
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
