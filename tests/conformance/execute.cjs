'use strict';
/** Loads the target and the suite, and runs it with jasmine. */
const fs = require('node:fs');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { readRules, selectFiles, specFilter } = require('./suite.cjs');
const { Facades } = require('./facade.cjs');
const { Loader } = require('./loader.cjs');
const { createJasmineUtil, hooksOf } = require('./jasmine_util.cjs');
const { Report, UNHANDLED, fileOf } = require('./report.cjs');

const GLOBALS = [
  ...['describe', 'fdescribe', 'xdescribe', 'it', 'fit', 'xit', 'expect'],
  ...['beforeAll', 'beforeEach', 'afterAll', 'afterEach'],
  ...['spyOn', 'spyOnProperty', 'fail', 'pending'],
];

/**
 * Runs the suite and prints the report; resolves to the counts and a way to write the results.
 * `onSpec` is told each spec's name before it runs.
 */
async function execute(options, onSpec) {
  const state = { tf: null, hooks: null, file: '', spec: '', leaks: [] };
  state.notApplicable = 0;
  const rules = readRules(options.list);
  const facades = new Facades(state);
  const jasmineUtil = createJasmineUtil(options, state);
  const loader = new Loader(options, rules, facades, jasmineUtil);
  const target = await loadTarget(options, loader, state);
  state.hooks = hooksOf(target, state.tf, options.backend);

  const env = startJasmine(specFilter(options, rules));
  const report = new Report();
  // The tests of these packages use tf outside describeWithFlags too.
  if (options.src) await state.hooks.init();
  const selection = selectFiles(options, rules, (f) => loader.nameOf(f));
  for (const test of selection.chosen) {
    declareFile(test, { options, state, loader, report });
  }

  const print = console.log.bind(console);
  Object.assign(console, { log() {}, warn() {}, info() {} });
  process.on('unhandledRejection', (reason) => report.addFailure('?', UNHANDLED, reason?.message));
  env.addReporter({
    specStarted({ fullName }) {
      state.spec = fullName;
      state.file = fileOf(fullName);
      onSpec(fullName);
    },
    specDone: (result) => report.specDone(result),
    suiteDone: (result) => report.suiteDone(result),
  });
  await env.execute();

  const { missing } = facades;
  const { leftOut } = selection;
  const lines = report.lines(options, state, loader, missing, leftOut);
  for (const line of lines) print(line);
  const write = (extra) => report.write(options.json, options, state, missing, extra);
  return { counts: report.counts, print, write };
}

async function loadTarget(options, loader, state) {
  if (options.stock) {
    const { dist, backend } = options;
    loader.load(path.join(dist, 'index.js'));
    loader.load(path.join(dist, 'public/chained_ops/register_all_chained_ops.js'));
    loader.load(path.join(dist, 'register_all_gradients.js'));
    loader.requireFrom(__filename, '@tensorflow/tfjs-backend-cpu');
    if (backend === 'wasm') {
      loader.requireFrom(__filename, '@tensorflow/tfjs-backend-wasm');
    }
    state.tf = loader.load(path.join(dist, 'index.js'));
    return state.tf;
  }
  const file = fs.existsSync(options.target)
    ? path.resolve(options.target)
    : require.resolve(options.target);
  const module = await import(pathToFileURL(file).href);
  const { tf, default: main } = module;
  const isNamespace = main && (main.tensor || main.then);
  state.tf = await (tf || (isNamespace ? main : module));
  return state.tf.conformance ? state.tf : module;
}

function startJasmine(filter) {
  const jasmineCore = require('jasmine-core');
  const core = jasmineCore.boot(jasmineCore);
  core.DEFAULT_TIMEOUT_INTERVAL = 20_000;
  const env = core.getEnv();
  env.configure({ random: false, specFilter: filter });
  for (const name of GLOBALS) global[name] = env[name].bind(env);
  global.jasmine = core;
  allowEmptyDescribes(env);
  return env;
}

// jasmine refuses an empty describe; browser-only files have one under Node.
function allowEmptyDescribes(env) {
  let children = 0;
  for (const name of ['it', 'xit', 'fit']) {
    const declare = global[name];
    global[name] = (...args) => {
      children++;
      return declare(...args);
    };
  }
  for (const name of ['describe', 'xdescribe', 'fdescribe']) {
    const declare = global[name];
    global[name] = (title, body) => {
      const outer = children;
      children = 0;
      const suite = declare(title, () => {
        body();
        if (!children) env.xit('(nothing applies here)');
      });
      children = outer + 1;
      return suite;
    };
  }
}

function declareFile({ file, name, kind }, { options, state, loader, report }) {
  report.addFile(name, kind);
  state.file = name;
  const before = state.notApplicable;
  describe(`[${name}]`, () => {
    if (options.src) beforeEach(() => state.hooks.init());
    try {
      loader.load(file);
    } catch (error) {
      report.loadErrors.push([name, error.message]);
      it('loads', () => {
        throw error;
      });
    }
    const skipped = state.notApplicable - before;
    if (skipped) report.perFile[name].browserOnly = skipped;
  });
}

module.exports = { execute };
