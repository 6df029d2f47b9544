// Every public name of TensorFlow.js' layers, but those that come later.
import { createRequire } from 'node:module';
import { describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { theirs } from './beside_tfjs.js';

const LATER: Record<string, string[]> = {
  layers: [
    'averagePooling3d', 'avgPool3d', 'avgPooling3d', 'categoryEncoding', 'centerCrop', 'conv3d', 'conv3dTranspose',
    'convLstm2d', 'convLstm2dCell', 'maxPooling3d', 'randomWidth', 'rescaling', 'resizing',
  ],
  constraints: [], initializers: [], regularizers: [], metrics: [], callbacks: [], serialization: [], models: [],
};

describe.each(Object.entries(LATER))('tf.%s', (space, later) => {
  test('has what TensorFlow.js has', () => {
    const wanted = Object.keys((theirs as any)[space] ?? {});
    if (space !== 'models') expect(wanted.length).toBeGreaterThan(0);
    const ours = Object.keys((tf as any)[space]);
    expect(wanted.filter((name) => !ours.includes(name)).sort()).toEqual([...later].sort());
  });
});

test('tf has what tfjs-layers has', () => {
  const names = Object.keys(createRequire(import.meta.url)('@tensorflow/tfjs-layers') as object);
  expect(names.length).toBeGreaterThan(15);
  expect(names.filter((name) => !(name in tf))).toEqual([]);
});
