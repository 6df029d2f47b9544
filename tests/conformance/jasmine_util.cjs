'use strict';
/**
 * Our stand-in for TensorFlow.js's jasmine_util: decides which describes
 * apply, and puts every spec into a scope of its own.
 */

/** The hooks a target may override by exporting `conformance`. */
function hooksOf(target, tf, backend) {
  const engine = tf.engine ? tf.engine() : {};
  const defaults = {
    init: async () => {
      if (tf.setBackend) await tf.setBackend(backend);
      if (tf.ready) await tf.ready();
    },
    reset: () => engine.reset?.(),
    begin: () => engine.startScope?.(),
    end: () => {
      engine.endScope?.();
      tf.disposeVariables?.();
    },
    memory: () => tf.memory().numTensors,
  };
  const hooks = { ...defaults, ...target.conformance };
  const { init } = hooks;
  hooks.init = () => withoutProcessHandlers(init);
  return hooks;
}

// Emscripten's Node glue adds handlers that rethrow and so end the whole run.
async function withoutProcessHandlers(init) {
  const events = ['uncaughtException', 'unhandledRejection'];
  const before = events.map((event) => process.listeners(event));
  await init();
  events.forEach((event, i) => {
    for (const listener of process.listeners(event)) {
      if (!before[i].includes(listener)) {
        process.removeListener(event, listener);
      }
    }
  });
}

function satisfies(env, testEnv, constraints) {
  if (!constraints) return true;
  const { flags = {}, predicate } = constraints;
  return (
    Object.entries(flags).every(([name, want]) => env.get(name) === want) &&
    (!predicate || Boolean(predicate(testEnv)))
  );
}

/** Runs a spec written for jasmine's `done` callback or as a promise. */
function runWithLock(spec) {
  return async () => {
    if (spec.length === 0) return spec();
    await new Promise((resolve, reject) => {
      const done = () => resolve();
      done.fail = (reason) => reject(reason instanceof Error ? reason : new Error(reason));
      spec(done);
    });
  };
}

/** The module; `state` carries tf, hooks, spec, leaks and notApplicable. */
function createJasmineUtil(options, state) {
  const { backend } = options;
  const testEnv = { name: backend, backendName: backend, isDataSync: true };
  const env = () => state.tf.env();
  const onPlatform = (name) => ({
    predicate: () => env().platformName === name,
  });
  const isTestFlag = () => env().set('IS_TEST', !options.noleakcheck);

  function describeWithFlags(name, constraints, tests) {
    isTestFlag();
    if (!satisfies(env(), testEnv, constraints)) {
      state.notApplicable++;
      return;
    }
    describe(`${name} ${backend} {}`, () => {
      let before;
      beforeAll(async () => {
        state.hooks.reset();
        isTestFlag();
        await state.hooks.init();
      });
      beforeEach(() => {
        if (options.leaks) before = state.hooks.memory();
        state.hooks.begin();
      });
      afterEach(() => {
        state.hooks.end();
        if (options.leaks) noteLeak(state, before);
      });
      afterAll(() => state.hooks.reset());
      tests(testEnv);
    });
  }

  return {
    __esModule: true,
    ALL_ENVS: {},
    NODE_ENVS: onPlatform('node'),
    BROWSER_ENVS: onPlatform('browser'),
    CHROME_ENVS: { flags: { IS_CHROME: true } },
    SYNC_BACKEND_ENVS: { predicate: ({ isDataSync }) => isDataSync },
    HAS_WORKER: { predicate: () => typeof Worker !== 'undefined' },
    HAS_NODE_WORKER: { predicate: () => true },
    TEST_ENVS: [testEnv],
    setTestEnvs() {},
    registerTestEnv() {},
    envSatisfiesConstraints: satisfies,
    get TestKernelBackend() {
      return class extends (state.tf.KernelBackend || class {}) {
        dispose() {}
      };
    },
    runWithLock,
    describeWithFlags,
  };
}

function noteLeak(state, before) {
  let count = NaN;
  try {
    count = state.hooks.memory() - before;
  } catch {
    // A target without memory() counts as leaking.
  }
  if (count !== 0) state.leaks.push([state.spec, count]);
}

module.exports = { createJasmineUtil, hooksOf };
