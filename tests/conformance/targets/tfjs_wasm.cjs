'use strict';
// Control: TensorFlow.js on its own WebAssembly backend.
const tf = require('@tensorflow/tfjs');
require('@tensorflow/tfjs-backend-wasm');
module.exports = tf;
