'use strict';
/** The command line of run.cjs; README.md tells what each option does. */
const path = require('node:path');

const FLAGS = ['leaks', 'verbose', 'noleakcheck', 'strict', 'update-floor'];
const VALUES = [
  'target',
  'backend',
  'classes',
  'list',
  'only',
  'grep',
  'json',
  'eps',
  'dist',
  'src',
  'timeout',
];

// Without --target the built package is tested, as strictly as the suite allows.
const OURS = {
  target: path.join(__dirname, '../../dist/index.node.js'),
  backend: 'wasm',
  strict: true,
  eps: '1e-4',
  leaks: true,
};

/** Reads `--name value` and `--flag` arguments; throws on an unknown one. */
function parse(argv) {
  const options = {
    ...(argv.includes('--target') ? { backend: 'cpu' } : OURS),
    classes: 'api,memory',
    list: path.join(__dirname, 'suite.lst'),
    timeout: 600,
  };
  for (let i = 0; i < argv.length; i++) {
    const name = argv[i].replace(/^--/, '');
    if (FLAGS.includes(name)) options[name] = true;
    else if (VALUES.includes(name) && i + 1 < argv.length) options[name] = argv[++i];
    else throw new Error(`conformance: cannot read the option ${argv[i]}`);
  }
  options.stock = options.target === 'stock';
  options.dist = path.resolve(
    options.dist ||
      path.join(path.dirname(require.resolve('@tensorflow/tfjs-core/package.json')), 'dist'),
  );
  options.root = options.src ? path.resolve(options.src) : options.dist;
  options.wanted = options.classes === 'all' ? null : new Set(options.classes.split(','));
  return options;
}

/** Whether a run covers the whole default selection, so counts compare. */
function isWhole(options) {
  return !options.only && !options.grep && !options.src && options.classes === 'api,memory';
}

module.exports = { parse, isWhole };
