// Models that Keras 3 wrote (see keras3/generate.py), as its converter for
// browsers hands them on, with the names that weights have in the wild.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { expectClose, theirs, useCpu } from './beside_tfjs.js';

interface Saved {
  keras_version: string;
  backend: string;
  model_config: { config: { name: string; layers: { class_name: string; config: { name: string } }[] } };
  weights: { name: string; shape: number[]; values: number[] }[];
  inputs: { shape: number[]; dtype: 'float32' | 'int32'; values: number[] }[];
  outputs: number[][];
}
const read = (name: string): Saved => JSON.parse(readFileSync(new URL(`keras3/${name}.json`, import.meta.url), 'utf8')) as Saved;
const artifactsOf = (saved: Saved, rename: (name: string) => string = (name) => name): tf.ModelArtifacts => ({
  modelTopology: { keras_version: saved.keras_version, backend: saved.backend, model_config: saved.model_config },
  format: 'layers-model',
  weightSpecs: saved.weights.map(({ name, shape }) => ({ name: rename(name), shape, dtype: 'float32' })),
  weightData: saved.weights.map(({ values }) => new Float32Array(values).buffer),
});

async function check(saved: Saved, artifacts: tf.ModelArtifacts): Promise<void> {
  const model = await tf.loadLayersModel(tf.io.fromMemory(artifacts));
  const inputs = saved.inputs.map(({ shape, dtype, values }) => tf.tensor(values, shape as never, dtype));
  const outputs = model.predict(inputs.length === 1 ? inputs[0]! : inputs);
  const list = Array.isArray(outputs) ? outputs : [outputs];
  expect(list).toHaveLength(saved.outputs.length);
  list.forEach((y, i) => expectClose(y.dataSync(), saved.outputs[i]!, 1e-5));
  // What we write of it, TensorFlow.js and we can read.
  const again = await tf.loadLayersModel(tf.io.fromMemory(JSON.parse(model.toJSON())));
  expect(again.countParams()).toBe(model.countParams());
  tf.dispose([inputs, outputs]);
  model.dispose();
  again.dispose();
}

const names = ['sequential', 'built', 'functional', 'recurrent', 'state'];

describe.each(names)('%s', (name) => {
  const saved = read(name);
  test.each<[string, (weight: string) => string]>([
    ['as Keras names them', (weight) => weight],
    ["without a model's name before them", (weight) => weight.replace(/^(sequential|inner)\//, '')],
    ["with the model's name before them", (weight) => `${saved.model_config.config.name}/${weight}`],
    ['with a number after them', (weight) => `${weight}:0`],
    ['without the name of the cell', (weight) => weight.replace(/\w+_cell\//, '')],
  ])('weights %s', async (_, rename) => {
    await check(saved, artifactsOf(saved, rename));
  });

  test('the config as text, and on its own', async () => {
    for (const json of [JSON.stringify(saved.model_config), saved.model_config, { model_config: JSON.stringify(saved.model_config) }]) {
      const model = await tf.models.modelFromJSON(json);
      expect(model.name).toBe(saved.model_config.config.name);
      expect(model.weights.map(({ shape }) => shape).sort()).toEqual(saved.weights.map(({ shape }) => shape).sort());
      model.dispose();
    }
  });
});

test('TensorFlow.js reads what we make of a Keras 3 model', async () => {
  await useCpu();
  for (const name of ['sequential', 'functional']) {
    const saved = read(name);
    const model = await tf.loadLayersModel(tf.io.fromMemory(artifactsOf(saved)));
    let artifacts: tf.ModelArtifacts | undefined;
    await model.save(tf.io.withSaveHandler(async (a) => {
      artifacts = a;
      return {} as never;
    }));
    const there = await theirs.loadLayersModel(theirs.io.fromMemory(artifacts!));
    const inputs = saved.inputs.map(({ shape, values }) => theirs.tensor(values, shape));
    const outputs = there.predict(inputs.length === 1 ? inputs[0]! : inputs);
    (Array.isArray(outputs) ? outputs : [outputs]).forEach((y, i) => expectClose(y.dataSync(), saved.outputs[i]!, 1e-5));
    model.dispose();
    there.dispose();
  }
});

test('a weight missing or of another shape is named', async () => {
  const saved = read('functional');
  const artifacts = artifactsOf(saved);
  await expect(tf.loadLayersModel(tf.io.fromMemory({
    ...artifacts, weightSpecs: artifacts.weightSpecs!.slice(0, -1), weightData: (artifacts.weightData as ArrayBuffer[]).slice(0, -1),
  }))).rejects.toThrow('1 of 8 weights are not set: head/bias');
  await expect(tf.loadLayersModel(tf.io.fromMemory(artifactsOf(saved, (name) => name.replace('shared/kernel', 'other/kernel')))))
    .rejects.toThrow('Provided weight data has no target variable: other/kernel');
});
