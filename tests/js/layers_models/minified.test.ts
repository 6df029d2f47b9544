// Minifiers rename classes; names and configs must not notice.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';

const root = new URL('../../../', import.meta.url);

test('the minified library names layers and models and reads its own files', async () => {
  const { outputFiles } = await build({
    stdin: { contents: `import './js/src/chain.ts'; export * from './js/src/index.ts';`, resolveDir: root.pathname, loader: 'ts' },
    bundle: true, minify: true, format: 'esm', target: 'es2022', platform: 'browser', write: false, ignoreAnnotations: true,
    plugins: [{
      name: 'glue',
      setup: ({ onResolve }) => onResolve({ filter: /^\.\/tidemark-glue\.js$/ }, () => ({ path: join(root.pathname, 'dist/tidemark-glue.js') })),
    }],
  });
  const folder = mkdtempSync(join(tmpdir(), 'minified-'));
  try {
    const file = join(folder, 'tidemark.mjs');
    const text = outputFiles[0]!.text;
    expect(text).not.toMatch(/class Dense\b/);
    writeFileSync(file, text);
    const small = await import(pathToFileURL(file).href) as typeof tf;
    await small.ready({ variant: 'simd', wasmBinary: readFileSync(new URL('dist/tidemark-simd.wasm', root)) });
    const make = (api: typeof tf): tf.LayersModel => {
      api.keras.backend.clear_session();
      const x = api.input({ shape: [4, 4, 1] });
      const layers = [
        api.layers.conv2d({ filters: 2, kernelSize: 2, kernelInitializer: 'zeros', kernelRegularizer: 'l1l2', kernelConstraint: 'nonNeg' }),
        api.layers.batchNormalization(), api.layers.reLU(), api.layers.flatten(), api.layers.dense({ units: 2, activation: 'softmax' }),
      ];
      const y = layers.reduce((t, layer) => layer.apply(t) as tf.SymbolicTensor, x);
      const inner = api.model({ inputs: x, outputs: y });
      return api.sequential({ layers: [inner, api.keras.layers.Dense(1)] });
    };
    const [ours, minified] = [make(tf), make(small)];
    expect(minified.toJSON()).toBe(ours.toJSON());
    expect(minified.layers.map(({ name }) => name)).toEqual(['model1', 'dense']);
    expect(minified.weights.map(({ name }) => name)).toEqual(ours.weights.map(({ name }) => name));
    const copy = await small.models.modelFromJSON(ours.toJSON());
    copy.compile({ optimizer: 'adam', loss: 'meanSquaredError' });
    const logs = await copy.fit(small.zeros([2, 4, 4, 1]), small.ones([2, 1]), { epochs: 1, verbose: 0 });
    expect(Object.keys(logs.history)).toEqual(['loss']);
    expect(copy.optimizer.getClassName()).toBe('Adam');
    expect(() => small.tensor1d([1]).reshape([2])).toThrow(small.TensorError);
    ours.dispose();
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 60_000);
