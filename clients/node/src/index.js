"use strict";

const errors = require("./errors.js");
const { Generation } = require("./generation.js");
const { Atelier, VERSION } = require("./studio.js");

module.exports = { ...errors, Generation, Atelier, VERSION };
