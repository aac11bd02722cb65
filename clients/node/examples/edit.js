// A change to a photo, in words of any language.
//
//     node examples/edit.js photo.jpg "give her a red scarf"

import { Atelier } from "atelier-studio";

const [photo, prompt] = process.argv.slice(2);

try {
  await Atelier.use({}, async (studio) => {
    // A camera's photo is large, and says where it was taken: what goes out is small and says nothing.
    const image = await studio.prepare({ image: photo });
    const result = await studio.generate({ recipe: "edit", image, prompt });
    for (const warning of result.warnings) console.error(warning.message);
    console.log(result.images[0].path);
  });
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
