#!/usr/bin/env node
'use strict';
/**
 * Runs tfjs-core's own compiled test suite (the *_test.js files that ship in
 * the @tensorflow/tfjs-core npm tarball) under Node, against any module that
 * exposes a TensorFlow.js-like namespace.
 *
 *   node run.cjs --target @tensorflow/tfjs                   # opaque target
 *   node run.cjs --target stock --backend cpu               # control: core's own dist files
 *   node run.cjs --target ../../dist/index.node.js --backend wasm
 *
 * Options
 *   --target  file or package name; 'stock' = no aliasing (control run)
 *   --backend backend name passed to tf.setBackend (default cpu)
 *   --classes comma list of classes of suite.lst to run (default api,memory;  all = all but never)
 *   --only    regexp on the test file path     --grep  regexp on the full spec name
 *   --list    list file (default suite.lst)    --json  write results there
 *   --noleakcheck  leave tfjs's IS_TEST flag off (it makes every kernel call count data ids)
 *   --leaks   after each spec, report tensors left behind once the spec's scope is closed
 *   --strict  NaN matches only NaN and an infinity only itself (tfjs's own check lets any
 *             non-finite value match any other)     --eps  default tolerance instead of 1e-3
 *   --verbose print every failure's message    --dist  tfjs-core dist folder
 *   --src     a TypeScript package of the tfjs git repository (tfjs-layers/src, tfjs-data/src,
 *             tfjs-converter/src): run that package and its *_test.ts on top of the target,
 *             with only '@tensorflow/tfjs-core' replaced
 *
 * Target contract: module.exports (or ESM exports, or default export; any of
 * them may be a promise) is the tf namespace. An optional `conformance` export
 * overrides the hooks {init, reset, begin, end, memory} (see hooks() below).
 */
const fs = require('fs');
const path = require('path');
const vm = require('vm');
const {transform} = require('sucrase');
const {pathToFileURL} = require('url');

const opt = {target: 'stock', backend: 'cpu', classes: 'api,memory', list: path.join(__dirname, 'suite.lst')};
for (let i = 2, a = process.argv; i < a.length; i++) {
  const k = a[i].replace(/^--/, '');
  opt[k] = ['leaks', 'verbose', 'noleakcheck', 'strict'].includes(k) ? true : a[++i];
}
const stock = opt.target === 'stock';
const DIST = path.resolve(opt.dist || path.join(path.dirname(require.resolve('@tensorflow/tfjs-core/package.json')), 'dist'));
const ROOT = opt.src ? path.resolve(opt.src) : DIST;
const rel = f => path.relative(f.startsWith(ROOT + path.sep) ? ROOT : DIST, f).replace(/\.[jt]s$/, '');

// ---- list file: `class  pattern  # reason` ---------------------------------
const rules = {pure: new Set(), dep: new Set(), spec: [], file: []};
for (const line of fs.readFileSync(opt.list, 'utf8').split('\n')) {
  const m = /^\s*(\w+)\s+(.+?)\s*(?:#\s*(.*))?$/.exec(line);
  if (!m || line.trim().startsWith('#')) continue;
  const [, cls, pat, why] = m;
  if (cls === 'pure' || cls === 'dep') rules[cls].add(pat);
  else if (cls === 'spec') rules.spec.push({re: new RegExp(pat), why});
  else rules.file.push({cls, re: new RegExp('^(' + pat + ')$'), why});
}
const classOf = f => (rules.file.find(r => r.re.test(f)) || {cls: 'api'}).cls;

// ---- module loader: ESM -> CJS on the fly, with aliasing -------------------
const cache = new Map();
function resolveFile(p) {
  for (const c of [p, p + '.js', p + '.ts', path.join(p, 'index.js'), path.join(p, 'index.ts')]) if (fs.existsSync(c) && fs.statSync(c).isFile()) return c;
  throw new Error('cannot resolve ' + p);
}
function loadFile(file) {
  if (cache.has(file)) return cache.get(file).exports;
  const mod = {exports: {}};
  cache.set(file, mod);
  let src = fs.readFileSync(file, 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '');
  if (/^\s*(import|export)\b/m.test(src)) {
    src = transform(src, file.endsWith('.ts') ? {transforms: ['typescript', 'imports'], filePath: file} :
        {transforms: ['imports'], disableESTransforms: true, filePath: file}).code;
  }
  if (rel(file) === 'test_util') {   // tighten the suite's own comparison on request
    const was = src;
    if (opt.strict) src = src.replace(/if \(!isFinite\(a\) && !isFinite\(e\)\) \{\s*return true;/, 'if (!isFinite(a) || !isFinite(e)) { return Object.is(a, e);');
    if (opt.eps) src = src.replace(/TEST_EPSILON_FLOAT32 = 1e-3/, 'TEST_EPSILON_FLOAT32 = ' + Number(opt.eps));
    if ((opt.strict || opt.eps) && src === was) throw new Error('test_util has changed: --strict/--eps found nothing to patch');
  }
  const req = spec => requireFrom(file, spec);
  req.resolve = require.resolve;
  vm.compileFunction(src, ['exports', 'require', 'module', '__filename', '__dirname'], {filename: file})
      .call(mod.exports, mod.exports, req, mod, file, path.dirname(file));
  return mod.exports;
}
const isTest = f => f.startsWith(ROOT) && /_test\.[jt]s$/.test(f);
function requireFrom(from, spec) {
  if (!spec.startsWith('.')) {
    const m = /^@tensorflow\/([^/]+)(\/.*)?$/.exec(spec);
    if (!m) return require(spec);
    if (m[1] === 'tfjs-core' && m[2] === '/dist/jasmine_util') return jasmineUtil;
    if (opt.src && !stock) {
      const r = (m[2] || '/dist/index').slice(6);
      if (m[1] !== 'tfjs-core' || /^(register_all_gradients|public\/chained_ops\/.*)$/.test(r)) return {};
      return rules.pure.has(r) ? loadFile(path.join(DIST, r + '.js')) : facade(r);
    }
    if (!stock) throw new Error(`${rel(from)} asks for ${spec} in alias mode`);
    if (m[1] === 'tfjs-core') return loadFile(resolveFile(m[2] ? path.join(DIST, '..', m[2]) : path.join(DIST, 'index.js')));
    const root = path.dirname(require.resolve(`@tensorflow/${m[1]}/package.json`));
    return loadFile(resolveFile(m[2] ? path.join(root, m[2]) : path.join(root, 'dist/index.js')));
  }
  const file = resolveFile(path.resolve(path.dirname(from), spec));
  const r = rel(file);
  if (opt.src && file.startsWith(ROOT)) return loadFile(file);
  if (r === 'jasmine_util') return jasmineUtil;
  if (stock || isTest(file) || rules.pure.has(r) || (!isTest(from) && rules.dep.has(r))) return loadFile(file);
  return isTest(from) || r === 'index' ? facade(r) : helperFacade(r);
}

// ---- facades: what a test file sees instead of tfjs-core's own modules -----
let tf, target;
const missing = new Map();   // 'module#name' -> set of test files' current name
let loading = '';
const miss = key => (missing.get(key) || missing.set(key, new Set()).get(key)).add(loading);
function lookup(name, r) {
  const own = tf[r.split('/').pop()];   // util, slice_util, serialization, ... are namespaces of tf too
  if (own && typeof own === 'object' && name in own) return own[name];
  if (name in tf) return tf[name];
  if (name === 'ENGINE') return tf.engine();
  if (name === 'Environment') return tf.env().constructor;
  for (const ns of ['util', 'backend_util', 'tensor_util', 'io', 'slice_util', 'broadcast_util', 'serialization', 'device_util', 'test_util']) {
    if (tf[ns] && name in tf[ns]) return tf[ns][name];
  }
}
const facades = new Map(), OPNS = ['image', 'linalg', 'losses', 'spectral', 'fused', 'signal', 'sparse', 'string'];
function facade(r) {
  if (!facades.has(r)) {
    const local = {__esModule: true};
    facades.set(r, new Proxy(local, {
      get(_, name) {
        if (name in local || typeof name === 'symbol') return local[name];
        const v = r === 'index' ? tf[name] : lookup(name, r);
        if (v === undefined) miss(`${r}#${name}`);
        return v;
      },
      has: (_, name) => name in local || name in tf,
      // tests copy and spy on whole modules; ops/* modules hold ops and op namespaces only
      ownKeys: () => ['__esModule', ...Object.keys(tf).filter(k => !r.startsWith('ops/') || OPNS.includes(k) || (/^[a-z]/.test(k) && typeof tf[k] === 'function'))],
      getOwnPropertyDescriptor: (_, name) => ({configurable: true, enumerable: true, writable: true, value: name in local ? local[name] : tf[name]}),
    }));
  }
  return facades.get(r);
}
// What the few pure helper files (test_util and what it pulls in) may see: none of it reaches the target.
const platform = {
  now: () => performance.now(), encode: s => new TextEncoder().encode(s), decode: (b, e) => new TextDecoder(e).decode(b),
  isTypedArray: a => ArrayBuffer.isView(a) && !(a instanceof DataView),
};
function helperFacade(r) {
  const e = {getBool: () => false, platform};
  return {
    __esModule: true, env: () => e,
    ENGINE: {backend: {floatPrecision: () => 32}},
    get Tensor() { return tf.Tensor; }, getGlobalTensorClass: () => tf.Tensor,
  };
}

// ---- our stand-in for tfjs-core/dist/jasmine_util ---------------------------
const testEnv = {name: opt.backend, backendName: opt.backend, isDataSync: true};
let hook;
function hooks() {
  const e = tf.engine ? tf.engine() : {};
  return Object.assign({
    init: async () => {
      const evs = ['uncaughtException', 'unhandledRejection'], had = evs.map(e => process.listeners(e));
      if (tf.setBackend) await tf.setBackend(opt.backend);
      if (tf.ready) await tf.ready();
      // Emscripten's Node glue adds handlers that rethrow and so kill the whole run: drop them.
      evs.forEach((e, i) => process.listeners(e).filter(l => !had[i].includes(l)).forEach(l => process.removeListener(e, l)));
    },
    reset: () => e.reset && e.reset(),
    begin: () => e.startScope && e.startScope(),
    end: () => { if (e.endScope) e.endScope(); if (tf.disposeVariables) tf.disposeVariables(); },
    memory: () => tf.memory().numTensors,
  }, target.conformance || {});
}
const E = () => tf.env();
const satisfies = (env, te, c) => !c || (Object.entries(c.flags || {}).every(([k, v]) => env.get(k) === v) && (!c.predicate || c.predicate(te)));
let notApplicable = 0, leakLog = [], specName = '';
const jasmineUtil = {
  __esModule: true,
  ALL_ENVS: {}, NODE_ENVS: {predicate: () => E().platformName === 'node'}, BROWSER_ENVS: {predicate: () => E().platformName === 'browser'},
  CHROME_ENVS: {flags: {IS_CHROME: true}}, SYNC_BACKEND_ENVS: {predicate: t => t.isDataSync === true},
  HAS_WORKER: {predicate: () => typeof Worker !== 'undefined'}, HAS_NODE_WORKER: {predicate: () => true},
  TEST_ENVS: [testEnv], setTestEnvs() {}, registerTestEnv() {}, envSatisfiesConstraints: satisfies,
  get TestKernelBackend() { return class extends (tf.KernelBackend || class {}) { dispose() {} }; },
  runWithLock: spec => async () => {
    if (spec.length === 0) return spec();
    await new Promise((ok, no) => { const done = () => ok(); done.fail = m => no(m instanceof Error ? m : new Error(m)); spec(done); });
  },
  describeWithFlags(name, constraints, tests) {
    E().set('IS_TEST', !opt.noleakcheck);
    if (!satisfies(E(), testEnv, constraints)) { notApplicable++; return; }
    describe(`${name} ${opt.backend} {}`, () => {
      let before;
      beforeAll(async () => { hook.reset(); E().set('IS_TEST', !opt.noleakcheck); await hook.init(); });
      beforeEach(() => { if (opt.leaks) before = hook.memory(); hook.begin(); });
      afterEach(() => {
        hook.end();
        if (opt.leaks) { let n = NaN; try { n = hook.memory() - before; } catch {} if (n !== 0) leakLog.push([specName, n]); }
      });
      afterAll(() => hook.reset());
      tests(testEnv);
    });
  },
};

// ---- run ------------------------------------------------------------------
async function main() {
  if (stock) {
    loadFile(path.join(DIST, 'index.js'));
    loadFile(path.join(DIST, 'public/chained_ops/register_all_chained_ops.js'));
    loadFile(path.join(DIST, 'register_all_gradients.js'));
    requireFrom(__filename, '@tensorflow/tfjs-backend-cpu');
    if (opt.backend === 'wasm') requireFrom(__filename, '@tensorflow/tfjs-backend-wasm');
    target = tf = loadFile(path.join(DIST, 'index.js'));
  } else {
    const file = fs.existsSync(opt.target) ? path.resolve(opt.target) : require.resolve(opt.target);
    target = await import(pathToFileURL(file).href);
    tf = await (target.tf || (target.default && (target.default.tensor || target.default.then) ? target.default : target));
    if (tf.conformance) target = tf;
  }
  hook = hooks();
  const want = opt.classes === 'all' ? null : new Set(opt.classes.split(','));
  const core = require('jasmine-core').boot(require('jasmine-core'));
  core.DEFAULT_TIMEOUT_INTERVAL = 20000;
  const env = core.getEnv();
  env.configure({random: false, specFilter: s => (!opt.grep || new RegExp(opt.grep).test(s.getFullName())) && (stock || !want || !rules.spec.some(r => r.re.test(s.getFullName())))});
  for (const k of ['describe', 'it', 'expect', 'beforeAll', 'beforeEach', 'afterAll', 'afterEach', 'spyOn', 'fail', 'pending', 'fit', 'xit', 'fdescribe', 'xdescribe', 'spyOnProperty']) global[k] = env[k].bind(env);
  global.jasmine = core;
  // jasmine >= 4.6 refuses an empty describe; browser-only files have one under Node.
  let kids = 0;
  for (const k of ['it', 'xit', 'fit']) { const f = global[k]; global[k] = (...a) => { kids++; return f(...a); }; }
  for (const k of ['describe', 'xdescribe', 'fdescribe']) {
    const f = global[k];
    global[k] = (name, body) => {
      const outer = kids; kids = 0;
      const s = f(name, () => { body(); if (!kids) env.xit('(nothing applies here)'); });
      kids = outer + 1;
      return s;
    };
  }

  const tests = [];
  (function walk(d) {
    for (const f of fs.readdirSync(d, {withFileTypes: true})) {
      const p = path.join(d, f.name);
      if (f.isDirectory()) { if (f.name !== 'miniprogram') walk(p); } else if (isTest(p)) tests.push(p);
    }
  })(ROOT);
  tests.sort();
  const perFile = {}, loadErrors = [];
  if (opt.src) await hook.init();   // these packages' tests also use tf outside describeWithFlags
  let left = {};
  for (const t of tests) {
    const r = rel(t), cls = opt.src ? 'api' : classOf(r);
    if (opt.only && !new RegExp(opt.only).test(r)) continue;
    if (!stock && (cls === 'never' || (want && !want.has(cls)))) { left[cls] = (left[cls] || 0) + 1; continue; }
    if (stock && want && !want.has(cls)) { left[cls] = (left[cls] || 0) + 1; continue; }
    perFile[r] = {cls, passed: 0, failed: 0, other: 0};
    loading = r;
    const na = notApplicable;
    describe('[' + r + ']', () => {
      if (opt.src) beforeEach(() => hook.init());
      try { loadFile(t); } catch (e) { loadErrors.push([r, e.message]); it('loads', () => { throw e; }); }
      if (notApplicable > na) perFile[r].browserOnly = notApplicable - na;
    });
  }
  const failures = [], specs = [], t0 = Date.now();
  let passed = 0, failed = 0, excluded = 0, pending = 0;
  const log = console.log.bind(console), quiet = () => {};
  Object.assign(console, {log: quiet, warn: quiet, info: quiet});
  process.on('unhandledRejection', e => { failures.push({file: '?', spec: 'unhandled rejection', msg: String(e && e.message)}); });
  env.addReporter({
    specStarted(s) { specName = s.fullName; loading = /^\[(.*?)\]/.exec(s.fullName)[1]; },
    specDone(s) {
      const f = perFile[/^\[(.*?)\]/.exec(s.fullName)[1]];
      specs.push([s.status, s.fullName]);
      if (s.status === 'passed') { passed++; f.passed++; }
      else if (s.status === 'failed') {
        failed++; f.failed++;
        failures.push({file: /^\[(.*?)\]/.exec(s.fullName)[1], spec: s.fullName, msg: s.failedExpectations.map(x => x.message).join(' | ').slice(0, 400)});
      } else if (s.status === 'excluded') { excluded++; f.other++; } else { pending++; f.other++; }
    },
    suiteDone(s) { for (const x of s.failedExpectations) failures.push({file: s.fullName, spec: 'afterAll/beforeAll', msg: x.message.slice(0, 400)}); },
  });
  await env.execute();
  const secs = (Date.now() - t0) / 1000;
  const why = {};
  for (const f of failures) {
    const k = f.msg.replace(/\d+(\.\d+)?(e[-+]?\d+)?/g, 'N').replace(/(Actual|Expected): .*/s, '').slice(0, 90);
    why[k] = (why[k] || 0) + 1;
  }
  log(`target ${opt.target}  backend ${opt.backend}  classes ${opt.classes}`);
  log(`files ${Object.keys(perFile).length}  specs run ${passed + failed}  passed ${passed}  failed ${failed}  pending ${pending}  excluded ${excluded}  time ${secs.toFixed(1)} s`);
  log(`files left out by class ${JSON.stringify(left)}  describes not applicable here (browser-only etc.) ${notApplicable}`);
  if (loadErrors.length) log('load errors', loadErrors);
  if (!stock) log('tfjs-core files loaded besides the tests: ' + [...cache.keys()].filter(f => f.startsWith(DIST + path.sep) && !isTest(f)).map(rel).join(' '));
  if (missing.size) log('names tests asked for and the target lacks:\n  ' + [...missing].map(([k, v]) => k + ' (' + [...v].slice(0, 3).join(', ') + ')').join('\n  '));
  if (failed) {
    log('failed files: ' + Object.entries(perFile).filter(([, f]) => f.failed).map(([k, f]) => `${k} ${f.failed}/${f.failed + f.passed}`).join('; '));
    log('top reasons:\n  ' + Object.entries(why).sort((a, b) => b[1] - a[1]).slice(0, 25).map(([k, n]) => n + '  ' + k.replace(/\n/g, ' ')).join('\n  '));
  }
  if (opt.leaks) log(`specs that left tensors behind after their scope: ${leakLog.length}\n  ` + leakLog.slice(0, 40).map(l => l[1] + ' ' + l[0]).join('\n  '));
  if (opt.verbose) for (const f of failures) log(`- ${f.spec}\n    ${f.msg}`);
  if (opt.json) fs.writeFileSync(opt.json, JSON.stringify({opt, passed, failed, pending, excluded, secs, perFile, failures, specs, leakLog, missing: [...missing].map(([k, v]) => [k, [...v]])}, null, 1));
  process.exit(failed ? 1 : 0);
}
main().catch(e => { console.error(e); process.exit(2); });
