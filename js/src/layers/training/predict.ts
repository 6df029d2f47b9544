/** Evaluating and predicting, synchronously. */
import {clone} from '../../ops/creation.js';
import {concat} from '../../ops/concat.js';
import {tidy} from '../../scope.js';
import type {Tensor} from '../../tensor.js';
import {single} from '../shape.js';
import {ranges, take} from './batches.js';
import type {Compiled} from './compiled.js';
import {checkCount, sampleCount} from './data.js';
import {checkStateful, inputsOf, stepData} from './fit.js';
import type {Logs} from './logs.js';
import type {SampleWeights} from './sample_weights.js';
import {Means, testOn} from './step.js';
import type {TrainedModel} from './trained_model.js';

/** What `predict` takes beside the data. */
export interface ModelPredictArgs {
  /** Samples at a time; 32. */
  batchSize?: number;
  verbose?: boolean | number;
}

/** What `evaluate` takes beside the data. */
export interface ModelEvaluateArgs {
  /** Samples at a time; 32. */
  batchSize?: number;
  verbose?: number;
  sampleWeight?: SampleWeights | null;
  /** How many batches; all. */
  steps?: number | null;
}

/** Loss and metrics; see `LayersModel.evaluate`. */
export function evaluate(
    model: TrainedModel, compiled: Compiled, x: unknown, y: unknown,
    args: ModelEvaluateArgs): Logs {
  const {batchSize = 32, steps = null} = args;
  checkCount(batchSize, 'batchSize');
  if (steps !== null) checkCount(steps, 'steps');
  const means = new Means();
  tidy('evaluate', () => {
    const data = stepData(model, compiled, x, y, args.sampleWeight, null);
    const count = sampleCount(data.xs, data.ys);
    checkStateful(model, count, batchSize);
    const all = ranges(0, count, batchSize);
    for (const range of all.slice(0, steps ?? undefined)) {
      const values = tidy(() => {
        const found = testOn(model, compiled, take(data, range));
        return Object.entries(found)
            .map(([name, x]) => [name, x.dataSync()[0]!] as const);
      });
      means.add(Object.fromEntries(values), range.to - range.from);
    }
  });
  const logs = means.get();
  // Without samples there is nothing to take a mean of.
  return Object.fromEntries(
      compiled.names.map((name) => [name, logs[name] ?? NaN]));
}

/** The outputs for inputs, `batchSize` samples at a time. */
export function predict(
    model: TrainedModel, x: unknown, batchSize: number): Tensor | Tensor[] {
  checkCount(batchSize, 'batchSize');
  return tidy('predict', () => {
    const xs = inputsOf(model, x);
    const count = sampleCount(xs, []);
    // One batch is whole whatever its size.
    if (count > batchSize) checkStateful(model, count, batchSize);
    const found = ranges(0, count, batchSize);
    if (found.length === 0) found.push({from: 0, to: 0});
    const batches = found.map((range) => tidy(() => {
      const {xs: inputs} = take({xs, ys: [], weights: []}, range);
      const {tensors} = model.runOn(inputs, {training: false});
      // What the caller gets is the caller's: no input, no weight.
      return tensors.map((t) =>
        (inputs.includes(t) || xs.includes(t) || t.kept || 'assign' in t ?
          clone(t) : t));
    }));
    return single(batches[0]!.map((first, output) =>
      (batches.length === 1 ? first :
        concat(batches.map((outputs) => outputs[output]!), 0))));
  });
}
