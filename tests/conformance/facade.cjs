'use strict';
/**
 * What a test file sees in place of TensorFlow.js's own modules: a proxy that
 * looks every name up on the target, and remembers the names it lacks.
 */
const OP_NAMESPACES = [
  'image',
  'linalg',
  'losses',
  'spectral',
  'fused',
  'signal',
  'sparse',
  'string',
];
const HELPER_NAMESPACES = [
  'util',
  'backend_util',
  'tensor_util',
  'io',
  'slice_util',
  'broadcast_util',
  'serialization',
  'device_util',
  'test_util',
];

class Facades {
  #modules = new Map();
  #helper;

  /** `state.tf` is the target, `state.file` the test file being run. */
  constructor(state) {
    this.state = state;
    this.missing = new Map();
  }

  /** The stand-in for the module called `name`, for example `ops/ops`. */
  of(name) {
    if (!this.#modules.has(name)) this.#modules.set(name, this.#make(name));
    return this.#modules.get(name);
  }

  /** What the few shipped helper files see: none of it reaches the target. */
  get helper() {
    if (this.#helper) return this.#helper;
    const { state } = this;
    const platform = {
      now: () => performance.now(),
      encode: (text) => new TextEncoder().encode(text),
      decode: (bytes, encoding) => new TextDecoder(encoding).decode(bytes),
      isTypedArray: (x) => ArrayBuffer.isView(x) && !(x instanceof DataView),
    };
    const environment = { getBool: () => false, platform };
    this.#helper = {
      __esModule: true,
      env: () => environment,
      ENGINE: { backend: { floatPrecision: () => 32 } },
      get Tensor() {
        return state.tf.Tensor;
      },
      getGlobalTensorClass: () => state.tf.Tensor,
    };
    return this.#helper;
  }

  #make(module) {
    const { state } = this;
    const local = { __esModule: true };
    const valueOf = (name) => (name in local ? local[name] : state.tf[name]);
    // Tests copy and spy on whole modules; ops/* hold ops and their
    // namespaces only.
    const listed = (name) =>
      !module.startsWith('ops/') ||
      OP_NAMESPACES.includes(name) ||
      (/^[a-z]/.test(name) && typeof state.tf[name] === 'function');
    return new Proxy(local, {
      get: (_, name) => {
        if (name in local || typeof name === 'symbol') return local[name];
        const value = module === 'index' ? state.tf[name] : this.#lookup(name, module);
        if (value === undefined) this.#miss(`${module}#${name}`);
        return value;
      },
      has: (_, name) => name in local || name in state.tf,
      ownKeys: () => ['__esModule', ...Object.keys(state.tf).filter(listed)],
      getOwnPropertyDescriptor: (_, name) => ({
        configurable: true,
        enumerable: true,
        writable: true,
        value: valueOf(name),
      }),
    });
  }

  #lookup(name, module) {
    const { tf } = this.state;
    // util, slice_util, serialization and others are namespaces of tf too.
    const own = tf[module.split('/').pop()];
    if (own && typeof own === 'object' && name in own) return own[name];
    if (name in tf) return tf[name];
    if (name === 'ENGINE') return tf.engine();
    if (name === 'Environment') return tf.env().constructor;
    const home = HELPER_NAMESPACES.find((key) => tf[key] && name in tf[key]);
    return home && tf[home][name];
  }

  #miss(key) {
    if (!this.missing.has(key)) this.missing.set(key, new Set());
    this.missing.get(key).add(this.state.file);
  }
}

module.exports = { Facades };
