// Pictures from words alone, several at once, as files in a folder.
//
//     node examples/create.js "a lighthouse at dusk" folder

import { Atelier } from "atelier-studio";

const [prompt, directory] = process.argv.slice(2);

try {
  await Atelier.use({}, async (studio) => {
    const output = { count: 2, directory, aspectRatio: "3:4" };
    const result = await studio.generate({ recipe: "create", prompt, output });
    for (const image of result.images) console.log(image.path);
    // What could not be made costs nothing, and says why.
    for (const failure of result.failures) console.error(`Picture ${failure.index + 1}: ${failure.error.message}`);
  });
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
