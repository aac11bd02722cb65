export * from "./errors.js";
export { Generation } from "./generation.js";
export { Atelier, VERSION } from "./studio.js";
