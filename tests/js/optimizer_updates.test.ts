/**
 * The fused update of each optimizer beside TensorFlow.js's optimizer: three
 * steps of both on one parabola must end at the same variable.
 */
import { expect, test } from '@jest/globals';
import * as theirs from '@tensorflow/tfjs';
import { tensor1d, tidy } from '../../js/src/index.js';
import { wasm } from '../../js/src/module.js';
import { ops } from '../../js/src/op.js';
import type { Tensor } from '../../js/src/index.js';

const START = [1, -2, 0.5, 3, -0.25];
const STEPS = 3;

/** From the variable, its slots, and handles of them and the gradient, in this order. */
type Update = (at: readonly number[], step: number) => number;

const cases: [string, number, () => theirs.Optimizer, Update][] = [
  ['sgd', 0, () => theirs.train.sgd(0.1), ([v, g]) => wasm.sgdUpdate(v!, g!, 0.1)],
  [
    'momentum', 1, () => theirs.train.momentum(0.1, 0.9),
    ([v, m, g]) => wasm.momentumUpdate(v!, m!, g!, 0.1, 0.9, 0),
  ],
  [
    'nesterov', 1, () => theirs.train.momentum(0.1, 0.9, true),
    ([v, m, g]) => wasm.momentumUpdate(v!, m!, g!, 0.1, 0.9, 1),
  ],
  [
    'adagrad', 1, () => theirs.train.adagrad(0.1, 0),
    ([v, a, g]) => wasm.adagradUpdate(v!, a!, g!, 0.1),
  ],
  [
    'adadelta', 2, () => theirs.train.adadelta(0.5, 0.9, 1e-3),
    ([v, a, b, g]) => wasm.adadeltaUpdate(v!, a!, b!, g!, 0.5, 0.9, 1e-3),
  ],
  [
    'rmsprop', 2, () => theirs.train.rmsprop(0.1, 0.9, 0.5, 1e-3),
    ([v, a, m, g]) => wasm.rmspropUpdate(v!, a!, 0, m!, g!, 0.1, 0.9, 0.5, 1e-3),
  ],
  [
    'centered rmsprop', 3, () => theirs.train.rmsprop(0.1, 0.9, 0.5, 1e-3, true),
    ([v, a, m, c, g]) => wasm.rmspropUpdate(v!, a!, c!, m!, g!, 0.1, 0.9, 0.5, 1e-3),
  ],
  [
    'adam', 2, () => theirs.train.adam(0.1, 0.9, 0.99, 1e-3),
    ([v, a, b, g], t) => wasm.adamUpdate(v!, a!, b!, g!, 0.1, 0.9, 0.99, 0.9 ** t, 0.99 ** t, 1e-3),
  ],
  [
    'adamax', 2, () => theirs.train.adamax(0.1, 0.9, 0.99, 1e-3, 0.1),
    ([v, a, b, g], t) =>
      wasm.adamaxUpdate(v!, a!, b!, g!, 0.1 / (1 + 0.1 * (t - 1)), 0.9, 0.99, 0.9 ** t, 1e-3),
  ],
];

test.each(cases)('%s', (_, slots, optimizer, update) => {
  const variable = theirs.variable(theirs.tensor1d(START));
  const other = optimizer();
  for (let t = 0; t < STEPS; t++) {
    other.minimize(() => variable.square().sum<theirs.Scalar>(), false, [variable]);
  }
  const got = tidy(() => {
    let state: Tensor[] = [tensor1d(START)];
    for (let k = 0; k < slots; k++) state.push(state[0]!.mul(0));
    for (let t = 1; t <= STEPS; t++) {
      const gradient = state[0]!.mul(2);
      state = ops('update', (arg) => update([...state, gradient].map((x) => arg('x', x)), t));
    }
    return [...state[0]!.dataSync()];
  });
  [...variable.dataSync()].forEach((v, i) => expect(got[i]).toBeCloseTo(v, 5));
});
