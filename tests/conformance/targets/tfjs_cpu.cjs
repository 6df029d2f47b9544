'use strict';
// Control: TensorFlow.js itself on its JavaScript backend; all specs pass.
module.exports = require('@tensorflow/tfjs');
