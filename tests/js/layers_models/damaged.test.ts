// Files that are damaged: what is wrong is said, with the file, and nothing is left.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.node.js';

beforeAll(() => tf.ready());

const good = { class_name: 'Dense', config: { units: 2, batch_input_shape: [null, 3] } };
const refuses = async (json: unknown, message: string): Promise<void> => {
  const { numTensors } = tf.memory();
  const error: unknown = await tf.models.modelFromJSON(json).catch((e: unknown) => e);
  expect(error).toBeInstanceOf(tf.TensorError);
  expect((error as Error).message).toContain(message);
  expect(tf.memory().numTensors).toBe(numTensors);
};

describe('layers that are none', () => {
  const bad: [unknown, string][] = [
    [{ class_name: 'Zeros', config: {} }, 'an object of the class Zeros is no layer'],
    [{ class_name: 'L1L2', config: {} }, 'an object of the class L1L2 is no layer'],
    [[], '{class_name, config} of a layer expected, but [] is no layer'], [{}, 'but {} is no layer'],
    [{ config: { units: 1 } }, 'is no layer'], [{ class_name: null, config: {} }, 'is no layer'],
    [{ class_name: 'Dense', config: 3 }, 'is no layer'], [null, 'but null is no layer'], ['Dense', 'but "Dense" is no layer'], [7, 'but 7 is no layer'],
  ];

  test.each(bad)('%j', async (item, message) => {
    const sequential = (layers: unknown[]): object => ({ class_name: 'Sequential', config: { name: 's', layers } });
    await refuses(sequential([item]), `layers[0]: ${message.startsWith('an') ? message : ''}`);
    await refuses(sequential([good, item]), message);
    await refuses(sequential([{ class_name: 'TimeDistributed', config: { layer: item, batch_input_shape: [null, 2, 3] } }]), `layer: ${message.startsWith('an') ? message : ''}`);
    await refuses({ class_name: 'Model', config: { name: 'm', layers: [item], input_layers: [['a', 0, 0]], output_layers: [['a', 0, 0]] } }, message);
  });
});

describe('graphs that are none', () => {
  const dense = { class_name: 'Dense', name: 'd', config: { name: 'd', units: 1 } };
  const input = { class_name: 'InputLayer', name: 'i', config: { name: 'i', batch_input_shape: [null, 2] }, inbound_nodes: [] };
  const config = (nodes: unknown, ends: unknown = [['d', 0, 0]]): object => ({
    class_name: 'Model', config: { name: 'm', layers: [input, { ...dense, inbound_nodes: nodes }], input_layers: [['i', 0, 0]], output_layers: ends },
  });

  test('the good one loads', async () => {
    (await tf.models.modelFromJSON(config([[['i', 0, 0, {}]]]))).dispose();
  });

  test.each<[unknown]>([
    [3], [[null]], [[7]], [[[null]]], [[[['i']]]], [[[[7, 0, 0]]]], [[{ args: [{ class_name: '__keras_tensor__', config: {} }] }]],
  ])('%j', async (nodes) => {
    await refuses(config(nodes), 'Model: ');
  });

  test.each<[unknown]>([[[null]], [[3]], [7]])('with the ends %j', async (ends) => {
    await refuses(config([[['i', 0, 0, {}]]], ends), 'Model: ');
  });
});

describe('errors name the file', () => {
  const load = (json: object, options: object = {}): Promise<unknown> => tf.loadLayersModel('http://h/m/model.json', {
    fetchFunc: async () => new Response(JSON.stringify(json)), ...options,
  });
  const topology = { class_name: 'Sequential', config: { name: 's', layers: [good] } };

  test.each<[string, object, string]>([
    ['an unknown layer', { modelTopology: { class_name: 'Odd', config: {} } }, 'Unknown layer: Odd'],
    ['no layer', { modelTopology: { class_name: 'Sequential', config: { layers: [{}] } } }, 'layers[0]: '],
    ['a weight without a shape', { modelTopology: topology, weightsManifest: [{ paths: ['w'], weights: [{ name: 'x', dtype: 'float32' }] }] }, "Weight 'x' has no shape"],
    ['an optimizer without a name', { modelTopology: topology, trainingConfig: { loss: 'meanSquaredError', optimizer_config: { class_name: null, config: {} } } }, 'class_name of optimizer_config must be text, got null'],
    ['an optimizer with a number', { modelTopology: topology, trainingConfig: { loss: 'meanSquaredError', optimizer_config: { class_name: -1, config: {} } } }, 'must be text, got -1'],
  ])('%s', async (_, json, message) => {
    const { numTensors } = tf.memory();
    const error = await load(json).catch((e: unknown) => e) as Error;
    expect(error).toBeInstanceOf(tf.TensorError);
    expect(error.message).toMatch(/^http:\/\/h\/m\/model\.json: /);
    expect(error.message).toContain(message);
    expect(tf.memory().numTensors).toBe(numTensors);
  });
});

test('URL objects are URLs', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'a model '));
  try {
    const model = tf.sequential({ layers: [tf.layers.dense({ units: 1, inputShape: [2] })] });
    await model.save(pathToFileURL(folder));
    const loaded = await tf.loadLayersModel(pathToFileURL(join(folder, 'model.json')));
    expect(loaded.getWeights().map((w) => w.arraySync())).toEqual(model.getWeights().map((w) => w.arraySync()));
    model.dispose();
    loaded.dispose();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
