'use strict';
/**
 * Loads the suite's ES modules as CommonJS and answers their imports: tests
 * and a few named helper files as they ship, everything else as a facade over
 * the target, so that no other TensorFlow.js code runs.
 */
const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');
const { transform } = require('sucrase');
const { isTest } = require('./suite.cjs');

class Loader {
  #options;
  #rules;
  #facades;
  #jasmineUtil;
  #cache = new Map();

  constructor(options, rules, facades, jasmineUtil) {
    this.#options = options;
    this.#rules = rules;
    this.#facades = facades;
    this.#jasmineUtil = jasmineUtil;
  }

  /** A file's name under its package, without the extension. */
  nameOf(file) {
    const { root, dist } = this.#options;
    const home = file.startsWith(root + path.sep) ? root : dist;
    return path.relative(home, file).replace(/\.[jt]s$/, '');
  }

  /** The exports of `file`, loading it at the first call. */
  load(file) {
    if (this.#cache.has(file)) return this.#cache.get(file).exports;
    const module = { exports: {} };
    this.#cache.set(file, module);
    const request = (name) => this.requireFrom(file, name);
    request.resolve = require.resolve;
    vm.compileFunction(
      this.#sourceOf(file),
      ['exports', 'require', 'module', '__filename', '__dirname'],
      { filename: file },
    ).call(module.exports, module.exports, request, module, file, path.dirname(file));
    return module.exports;
  }

  /** What `import "name"` in the file `from` gives. */
  requireFrom(from, name) {
    return name.startsWith('.')
      ? this.#requireRelative(from, name)
      : this.#requirePackage(from, name);
  }

  /** TensorFlow.js files in use besides the tests. */
  get helpersLoaded() {
    return [...this.#cache.keys()]
      .filter((file) => file.startsWith(this.#options.dist + path.sep))
      .filter((file) => !this.#isTest(file))
      .map((file) => this.nameOf(file));
  }

  #isTest(file) {
    return file.startsWith(this.#options.root) && isTest(file);
  }

  #sourceOf(file) {
    const { strict, eps } = this.#options;
    let source = fs.readFileSync(file, 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '');
    if (/^\s*(import|export)\b/m.test(source)) {
      const how = file.endsWith('.ts')
        ? { transforms: ['typescript', 'imports'] }
        : { transforms: ['imports'], disableESTransforms: true };
      source = transform(source, { ...how, filePath: file }).code;
    }
    if (this.nameOf(file) !== 'test_util' || !(strict || eps)) return source;
    return tighten(source, strict, eps);
  }

  #requirePackage(from, name) {
    const { src, stock, dist } = this.#options;
    const match = /^@tensorflow\/([^/]+)(\/.*)?$/.exec(name);
    if (!match) return require(name);
    const [, tfPackage, inside] = match;
    if (tfPackage === 'tfjs-core' && inside === '/dist/jasmine_util') {
      return this.#jasmineUtil;
    }
    if (src && !stock) return this.#requireForSource(tfPackage, inside);
    if (!stock) {
      throw new Error(`${this.nameOf(from)} asks for ${name} of the target`);
    }
    if (tfPackage === 'tfjs-core') {
      const file = inside ? path.join(dist, '..', inside) : dist;
      return this.load(resolveFile(file));
    }
    const home = path.dirname(require.resolve(`@tensorflow/${tfPackage}/package.json`));
    return this.load(resolveFile(path.join(home, inside || 'dist/index.js')));
  }

  // A package compiled from source has only tfjs-core replaced.
  #requireForSource(tfPackage, inside) {
    const module = (inside || '/dist/index').slice('/dist/'.length);
    const registersOnly = /^(register_all_gradients|public\/chained_ops\/.*)$/.test(module);
    if (tfPackage !== 'tfjs-core' || registersOnly) return {};
    return this.#rules.pure.has(module)
      ? this.load(path.join(this.#options.dist, `${module}.js`))
      : this.#facades.of(module);
  }

  #requireRelative(from, name) {
    const { src, stock, root } = this.#options;
    const file = resolveFile(path.resolve(path.dirname(from), name));
    const module = this.nameOf(file);
    if (src && file.startsWith(root)) return this.load(file);
    if (module === 'jasmine_util') return this.#jasmineUtil;
    const asShipped =
      stock ||
      this.#isTest(file) ||
      this.#rules.pure.has(module) ||
      (!this.#isTest(from) && this.#rules.dep.has(module));
    if (asShipped) return this.load(file);
    return this.#isTest(from) || module === 'index'
      ? this.#facades.of(module)
      : this.#facades.helper;
  }
}

function resolveFile(base) {
  const found = [
    base,
    `${base}.js`,
    `${base}.ts`,
    path.join(base, 'index.js'),
    path.join(base, 'index.ts'),
  ].find((file) => fs.existsSync(file) && fs.statSync(file).isFile());
  if (!found) throw new Error(`conformance: cannot resolve ${base}`);
  return found;
}

// The suite's own comparison lets any non-finite value match any other, and
// allows 1e-3; on request NaN matches only NaN, and the tolerance is `eps`.
function tighten(source, strict, eps) {
  let text = source;
  if (strict) {
    text = text.replace(
      /if \(!isFinite\(a\) && !isFinite\(e\)\) \{\s*return true;/,
      'if (!isFinite(a) || !isFinite(e)) { return Object.is(a, e);',
    );
    if (text === source) throw new Error('test_util: --strict found nothing');
  }
  if (eps) {
    const before = text;
    text = text.replace(/TEST_EPSILON_FLOAT32 = 1e-3/, `TEST_EPSILON_FLOAT32 = ${Number(eps)}`);
    if (text === before) throw new Error('test_util: --eps found nothing');
  }
  return text;
}

module.exports = { Loader };
