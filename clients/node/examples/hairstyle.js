// A haircut tried on: from a template of the library, in words, after a picture, or all of them together.
//
//     node examples/hairstyle.js photo.jpg --search bob --words "with a fringe" --like friend.jpg --all-sides

import { parseArgs } from "node:util";

import { Atelier } from "atelier-studio";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    search: { type: "string" },
    words: { type: "string" },
    like: { type: "string" },
    "all-sides": { type: "boolean" },
  },
});

try {
  await Atelier.use({}, async (studio) => {
    let template;
    if (values.search) {
      [template] = (await studio.templates({ search: values.search, limit: 1 })).templates;
      if (!template) throw new Error(`No template has “${values.search}” in it.`);
      console.error(`${template.name}: ${template.prompt}`);
    }
    const result = await studio.generate({
      recipe: "hairstyle",
      image: positionals[0],
      templateId: template?.id,
      prompt: values.words,
      references: values.like ? [values.like] : [],
      output: values["all-sides"] ? { mode: "multiAngle" } : undefined,
    });
    for (const image of result.images) console.log(image.path, image.view ?? "");
  });
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
