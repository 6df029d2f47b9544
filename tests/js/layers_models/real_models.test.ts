// Models that others have published, beside TensorFlow.js on its cpu backend.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.node.js';
import { expectClose, numbers, theirs, useCpu } from './beside_tfjs.js';

const require = createRequire(import.meta.url);
const folderOf = (name: string): string =>
  `${require.resolve.paths(name)!.map((path) => `${path}/${name}`).find((path) => {
    try {
      return readFileSync(`${path}/package.json`).length > 0;
    } catch {
      return false;
    }
  })!}`;
beforeAll(useCpu);

/** What both libraries make of one picture; both models are freed. */
async function compare(ours: tf.LayersModel, reference: any, shape: number[], scale: number): Promise<void> {
  const pixels = numbers(shape.reduce((a, b) => a * b), 3).map((x) => (x + 1) / 2 * scale);
  const [x, rx] = [tf.tensor(pixels, shape), theirs.tensor(pixels, shape)];
  const [y, ry] = [ours.predict(x) as tf.Tensor, reference.predict(rx)];
  expect(y.shape).toEqual(ry.shape);
  expectClose(y.dataSync(), ry.dataSync(), 1e-4);
  tf.dispose([x, y]);
  theirs.dispose([rx, ry]);
  ours.dispose();
  reference.dispose();
}

const files = (folder: string): { load(): Promise<any> } => ({
  load: async () => {
    const json = JSON.parse(readFileSync(`${folder}/model.json`, 'utf8'));
    const { paths, weights } = json.weightsManifest[0];
    const data = Uint8Array.from(readFileSync(`${folder}/${paths[0]}`)).buffer;
    return { modelTopology: json.modelTopology, weightSpecs: weights, weightData: data };
  },
});

test.each([['@upscalerjs/default-model', ''], ['@upscalerjs/esrgan-slim', '/x2'], ['@upscalerjs/esrgan-slim', '/x3']])('%s%s', async (name, size) => {
  const folder = `${folderOf(name)}/models${size}`;
  const seen: number[] = [];
  const ours = await tf.loadLayersModel(`${pathToFileURL(folder).href}/model.json`, { onProgress: (fraction) => seen.push(fraction) });
  expect(seen.at(-1)).toBe(1);
  const reference = await theirs.loadLayersModel(files(folder));
  expect(ours.countParams()).toBe(reference.countParams());
  await compare(ours, reference, [1, 13, 10, 3], 1);
}, 60_000);

test('nsfwjs mobilenet_v2, quantized to uint8', async () => {
  const folder = `${folderOf('nsfwjs')}/dist/models/mobilenet_v2`;
  const json = require(`${folder}/model.min.js`) as { modelTopology: object; weightsManifest: { weights: any[] }[] };
  const base64 = require(`${folder}/group1-shard1of1.min.js`) as string;
  const artifacts = {
    modelTopology: json.modelTopology, weightSpecs: json.weightsManifest[0]!.weights, weightData: Uint8Array.from(Buffer.from(base64, 'base64')).buffer,
  };
  expect(dirname(folder)).toContain('nsfwjs');
  const ours = await tf.loadLayersModel(tf.io.fromMemory(artifacts));
  const reference = await theirs.loadLayersModel(theirs.io.fromMemory(artifacts));
  expect(ours.outputShape).toEqual([null, 5]);
  await compare(ours, reference, [1, 224, 224, 3], 1);
}, 120_000);
