// Step by step: a haircut, made shorter, then with highlights; and the last step once more.
//
//     node examples/refine.js photo.jpg "a chin-length bob" "shorter" "add copper highlights"

import { Atelier } from "atelier-studio";

const [photo, ...steps] = process.argv.slice(2);

try {
  await Atelier.use({}, async (studio) => {
    let image = photo;
    for (const prompt of steps) image = await studio.generate({ recipe: "hairstyle", image, prompt });
    const again = await studio.regenerate({ generation: image });
    // All of it is one session, with a branch where the last step was made twice.
    for await (const step of studio.allSteps({ sessionId: again.generationId })) {
      console.log(step.images[0].path, step.prompt);
    }
  });
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
