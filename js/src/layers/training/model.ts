/** TrainableModel: a container that can be compiled, trained and evaluated. */
import {TensorError} from '../../errors.js';
import {memory} from '../../memory.js';
import {tidy} from '../../scope.js';
import {isTensor} from '../../tensor.js';
import type {Scalar, Tensor} from '../../tensor.js';
import type {Optimizer} from '../../train/optimizer.js';
import {Container} from '../container.js';
import type {Kwargs} from '../layer.js';
import type {CustomObjects} from '../serialization.js';
import {single, toList} from '../shape.js';
import type {Shape} from '../shape.js';
import type {SymbolicTensor} from '../symbolic.js';
import type {History} from './callbacks.js';
import {compiled} from './compiled.js';
import type {Compiled, ModelCompileArgs} from './compiled.js';
import type {Data} from './data.js';
import type {DatasetLike} from './dataset.js';
import {fit, stepData} from './fit.js';
import type {ModelFitArgs} from './fit.js';
import {evaluateDataset, fitDataset} from './fit_dataset.js';
import type {
  ModelEvaluateDatasetArgs, ModelFitDatasetArgs,
} from './fit_dataset.js';
import {readStep} from './loop.js';
import {getOptimizer} from './optimizers.js';
import {evaluate, predict} from './predict.js';
import type {ModelEvaluateArgs, ModelPredictArgs} from './predict.js';
import type {ClassWeights, SampleWeights} from './sample_weights.js';
import {asScalars, trainOn} from './step.js';
import type {StepResults} from './step.js';
import {compileArgsFrom, trainingConfig} from './training_config.js';
import type {TrainingConfig} from './training_config.js';
import type {Outputs} from './trained_model.js';

/** What a single step takes beside the data. */
export interface StepArgs {
  sampleWeight?: SampleWeights | null;
  classWeight?: ClassWeights | null;
}

/** A model that can be compiled, trained, evaluated and asked to predict. */
export abstract class TrainableModel extends Container {
  /** Set in a callback to end `fit` after the batch or epoch at hand. */
  stopTraining = false;
  /** What the last `fit` recorded. */
  history: History | null = null;

  #args: ModelCompileArgs | null = null;
  #optimizer: Optimizer | null = null;
  #ownsOptimizer = false;
  #compiled: Compiled | null = null;
  // The outputs it was compiled for: a Sequential may get more layers.
  #compiledFor: readonly SymbolicTensor[] = [];
  #isTraining = false;

  /**
   * Says how to train: optimizer, losses and metrics. A model may be compiled
   * again; an optimizer made of a name is freed with the model.
   *
   * Errors: unknown names; losses for outputs that are not there.
   *
   * ```js
   * const model = tf.sequential({layers: [
   *   tf.layers.dense({units: 1, inputShape: [3]})]});
   * model.compile({
   *   optimizer: 'adam', loss: 'meanSquaredError', metrics: ['mae'],
   * });
   * model.metricsNames; // => ['loss', 'mae']
   * model.dispose();
   * ```
   */
  compile(args: ModelCompileArgs): void {
    if (typeof args !== 'object' || args === null) {
      throw new TensorError(
          'argument', 'compile: expected an object with optimizer and loss');
    }
    const optimizer = getOptimizer(args.optimizer);
    const owns = optimizer !== args.optimizer;
    let made: Compiled | null = null;
    try {
      // A Sequential without an input shape is compiled when it meets one.
      if (this.outputs.length > 0) made = compiled(this, args, optimizer);
    } catch (error) {
      if (owns) optimizer.dispose();
      throw error;
    }
    this.#freeOptimizer();
    this.#args = args;
    this.#optimizer = optimizer;
    this.#ownsOptimizer = owns;
    this.#compiled = made;
    this.#compiledFor = this.outputs;
  }

  /** The optimizer. Errors: not compiled. */
  get optimizer(): Optimizer {
    return this.#optimizer!;
  }

  /** Takes another optimizer, which you dispose. */
  set optimizer(optimizer: Optimizer) {
    const taken = getOptimizer(optimizer);
    if (taken === this.#optimizer) return;
    this.#freeOptimizer();
    this.#optimizer = taken;
    this.#ownsOptimizer = false;
    if (this.#compiled) this.#compiled = {...this.#compiled, optimizer: taken};
  }

  /** True when the optimizer is freed with the model. */
  get isOptimizerOwned(): boolean {
    return this.#ownsOptimizer;
  }

  /** True while `fit` or `fitDataset` is at work. */
  get isTraining(): boolean {
    return this.#isTraining;
  }

  get loss(): ModelCompileArgs['loss'] {
    return this.#args?.loss;
  }

  get metrics(): ModelCompileArgs['metrics'] {
    return this.#args?.metrics;
  }

  /** The names of what training and evaluation give, 'loss' first. */
  get metricsNames(): string[] {
    return [...this.#ready().names];
  }

  get inputShapes(): Shape[] {
    return this.feedInputShapes;
  }

  get outputShapes(): Shape[] {
    return this.internalOutputShapes;
  }

  #freeOptimizer(): void {
    if (this.#ownsOptimizer) this.#optimizer?.dispose();
    this.#optimizer = null;
    this.#ownsOptimizer = false;
  }

  // Compiled, and put together for the data at hand.
  #ready(x?: unknown): Compiled {
    this.assertNotDisposed();
    if (this.#args === null || this.#optimizer === null) {
      throw new TensorError(
          'state', 'You must compile a model before training/testing. Use ' +
              'LayersModel.compile(modelCompileArgs).');
    }
    this.#build(x);
    const {outputs} = this;
    const same = outputs.length === this.#compiledFor.length &&
        outputs.every((x, i) => x === this.#compiledFor[i]);
    if (this.#compiled === null || !same) {
      this.#compiled = compiled(this, this.#args, this.#optimizer);
      this.#compiledFor = outputs;
    }
    return this.#compiled;
  }

  #build(x?: unknown): void {
    if (this.outputs.length > 0) return;
    const list = toList(x);
    this.ensureBuilt(list.length > 0 && list.every(isTensor) ?
      single(list.map(({shape}) => shape as Shape)) : undefined);
  }

  /** The outputs for inputs in the model's order, and their masks. */
  runOn(inputs: Tensor[], kwargs: Kwargs): Outputs {
    const masks = inputs.map(() => null);
    const {outputs, masks: made} = this.run(inputs, masks, kwargs);
    return {tensors: outputs, masks: made};
  }

  /**
   * Trains on tensors: `x` and `y` are one tensor, a list in the order of the
   * model's inputs and outputs, or an object by their names. Resolves to the
   * losses and metrics of every epoch.
   *
   * The tensors stay yours, and may be freed meanwhile. Errors: not compiled,
   * another `fit` going on, shapes or numbers of samples that do not fit.
   *
   * ```js
   * const model = tf.sequential({layers: [
   *   tf.layers.dense({units: 1, inputShape: [1], kernelInitializer: 'zeros'}),
   * ]});
   * model.compile({optimizer: tf.train.sgd(0.25), loss: 'meanSquaredError'});
   * const [x, y] = [tf.tensor2d([[1]]), tf.tensor2d([[2]])];
   * const {history} = await model.fit(x, y, {epochs: 3, verbose: 0});
   * history.loss; // => [4, 0, 0]
   * model.dispose();
   * tf.dispose([x, y]);
   * ```
   */
  async fit(x: Data, y: Data, args: ModelFitArgs = {}): Promise<History> {
    return this.#exclusive((c) => fit(this, c, x, y, args ?? {}), x);
  }

  /**
   * Trains on batches `{xs, ys}` that an iterable, a generator, or an object
   * with `iterator()` gives. Batches that were made for it are freed after use;
   * those in an array, and kept tensors, stay yours.
   *
   * Errors: as `fit`; a dataset that gives something else.
   *
   * ```js
   * const model = tf.sequential({layers: [
   *   tf.layers.dense({units: 1, inputShape: [2]})]});
   * model.compile({optimizer: 'sgd', loss: 'meanSquaredError'});
   * const data = {
   *   * [Symbol.iterator]() {
   *     for (let i = 0; i < 3; i++) {
   *       yield {xs: tf.ones([4, 2]), ys: tf.ones([4, 1])};
   *     }
   *   },
   * };
   * const {history} = await model.fitDataset(data, {epochs: 2, verbose: 0});
   * history.loss.length; // => 2
   * model.dispose();
   * ```
   */
  async fitDataset(
      dataset: DatasetLike, args: ModelFitDatasetArgs): Promise<History> {
    return this.#exclusive((c) => fitDataset(this, c, dataset, args));
  }

  async #exclusive(
      train: (c: Compiled) => Promise<History>, x?: unknown): Promise<History> {
    const ready = this.#ready(x);
    if (this.#isTraining) {
      throw new TensorError(
          'state', 'Cannot start training because another fit() call is ' +
              'ongoing.');
    }
    if (this.trainableWeights.length !== ready.weights.length) {
      console.warn(`${this.name}: what is trainable has changed since the ` +
          'model was compiled. Weights that were frozen then stay as they ' +
          'are until you call model.compile() again.');
    }
    this.#isTraining = true;
    try {
      this.history = await train(ready);
      return this.history;
    } finally {
      this.#isTraining = false;
    }
  }

  /**
   * Trains on one batch and returns its losses and metrics as scalars by name,
   * which you free: the step that `fit` makes. Errors: as `fit`.
   *
   * ```js
   * const model = tf.sequential({layers: [
   *   tf.layers.dense({units: 1, inputShape: [1], kernelInitializer: 'zeros'}),
   * ]});
   * model.compile({optimizer: 'sgd', loss: 'meanSquaredError'});
   * const loss = tf.tidy(() => {
   *   const logs = model.trainStep(tf.ones([1, 1]), tf.ones([1, 1]));
   *   return logs.loss.arraySync();
   * });
   * loss; // => 1
   * model.dispose();
   * ```
   */
  trainStep(x: Data, y: Data, args: StepArgs = {}): StepResults {
    const ready = this.#ready(x);
    return tidy(() => trainOn(this, ready, stepData(
        this, ready, x, y, args.sampleWeight, args.classWeight)));
  }

  /**
   * Trains on one batch. Resolves to the loss, or to a list of loss and metrics
   * in the order of `metricsNames`. Errors: as `fit`.
   *
   * ```js
   * const model = tf.sequential({layers: [
   *   tf.layers.dense({units: 1, inputShape: [1], kernelInitializer: 'zeros'}),
   * ]});
   * model.compile({optimizer: 'sgd', loss: 'meanSquaredError'});
   * const [x, y] = [tf.ones([1, 1]), tf.ones([1, 1])];
   * await model.trainOnBatch(x, y); // => 1
   * model.dispose();
   * tf.dispose([x, y]);
   * ```
   */
  async trainOnBatch(
      x: Data, y: Data, args: StepArgs = {}): Promise<number | number[]> {
    return single(Object.values(
        await readStep(() => this.trainStep(x, y, args))));
  }

  /**
   * The loss on all of `x` and `y`, or a list of loss and metrics in the order
   * of `metricsNames`, as scalars. Errors: as `fit`.
   *
   * ```js
   * const model = tf.sequential({layers: [
   *   tf.layers.dense({units: 1, inputShape: [1], kernelInitializer: 'zeros'}),
   * ]});
   * model.compile({optimizer: 'sgd', loss: 'meanSquaredError'});
   * const [x, y] = [tf.ones([3, 1]), tf.ones([3, 1])];
   * model.evaluate(x, y).arraySync(); // => 1
   * model.dispose();
   * ```
   */
  evaluate(
      x: Data, y: Data, args: ModelEvaluateArgs = {}): Scalar | Scalar[] {
    return asScalars(evaluate(this, this.#ready(x), x, y, args ?? {}));
  }

  /**
   * The same over the batches of a dataset, as `fitDataset` takes it. Errors:
   * as `fitDataset`.
   *
   * ```js
   * const model = tf.sequential({layers: [
   *   tf.layers.dense({units: 1, inputShape: [1], kernelInitializer: 'zeros'}),
   * ]});
   * model.compile({optimizer: 'sgd', loss: 'meanSquaredError'});
   * const batches = [{xs: tf.ones([3, 1]), ys: tf.ones([3, 1])}];
   * const loss = await model.evaluateDataset(batches);
   * loss.arraySync(); // => 1
   * model.dispose();
   * tf.dispose([loss, batches]);
   * ```
   */
  async evaluateDataset(
      dataset: DatasetLike,
      args: ModelEvaluateDatasetArgs = {}): Promise<Scalar | Scalar[]> {
    return asScalars(
        await evaluateDataset(this, this.#ready(), dataset, args ?? {}));
  }

  /**
   * The outputs for inputs, `batchSize` (32) samples at a time. Errors: shapes
   * that do not fit.
   *
   * ```js
   * const model = tf.sequential({layers: [
   *   tf.layers.dense({units: 1, inputShape: [2], kernelInitializer: 'ones'}),
   * ]});
   * model.predict(tf.tensor2d([[1, 2]])).arraySync(); // => [[3]]
   * model.dispose();
   * ```
   */
  predict(x: Data, args: ModelPredictArgs = {}): Tensor | Tensor[] {
    this.assertNotDisposed();
    this.#build(x);
    return predict(this, x, args?.batchSize ?? 32);
  }

  /** The outputs for inputs, all samples at once. Errors: as `predict`. */
  predictOnBatch(x: Data): Tensor | Tensor[] {
    this.assertNotDisposed();
    this.#build(x);
    const first = isTensor(x) ? x : Object.values(x)[0];
    const count = isTensor(first) ? (first.shape as number[])[0] : undefined;
    return predict(this, x, Math.max(1, count ?? 1));
  }

  /** What `compile` was told, as model files have it. Errors: not compiled. */
  getTrainingConfig(): TrainingConfig {
    this.#ready();
    return trainingConfig(this.#args!, this.#optimizer!);
  }

  /**
   * Compiles as a model file says; losses and metrics of your own come from
   * `customObjects`. Errors: names that are neither there nor the library's.
   */
  loadTrainingConfig(
      config: TrainingConfig, customObjects: CustomObjects = {}): void {
    const args = compileArgsFrom(config, customObjects);
    const owns = typeof args.optimizer !== 'string';
    try {
      this.compile(args);
    } catch (error) {
      if (owns) (args.optimizer as Optimizer).dispose();
      throw error;
    }
    this.#ownsOptimizer = true;
  }

  protected override disposeWeights(): number {
    const before = memory().numTensors;
    this.#freeOptimizer();
    return before - memory().numTensors + super.disposeWeights();
  }
}
