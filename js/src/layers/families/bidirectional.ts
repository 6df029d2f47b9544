/** A recurrent layer run both ways. */
import {TensorError} from '../../errors.js';
import {add, mul} from '../../ops/binary.js';
import {concat} from '../../ops/concat.js';
import {reverse} from '../../ops/slice.js';
import {isTensor} from '../../tensor.js';
import type {Tensor} from '../../tensor.js';
import {Layer} from '../layer.js';
import type {Kwargs, LayerArgs, LayerValue} from '../layer.js';
import {nameScope} from '../naming.js';
import {
  CustomObjectScope, construct, deserialize, registerClass, serialize,
} from '../serialization.js';
import type {
  ConfigDict, CustomObjects, SerializableConstructor,
} from '../serialization.js';
import {isShapeList, shapeList, single, toList} from '../shape.js';
import type {Shape} from '../shape.js';
import {SymbolicTensor} from '../symbolic.js';
import type {LayerVariable} from '../weight.js';
import {RNN} from './rnn.js';
import {sequenceMask, splitInputs} from './rnn_inputs.js';
import {nameOf} from './wrapper.js';

/** How outputs of both ways become one; null gives both. */
export type BidirectionalMergeMode = 'sum' | 'mul' | 'concat' | 'ave' | null;

/** What Bidirectional takes. */
export interface BidirectionalLayerArgs extends LayerArgs {
  /** The layer to run both ways; it is copied. */
  layer: RNN;
  /** The layer that runs backwards, if it is to be another one. */
  backwardLayer?: RNN;
  /** `concat` when not given. */
  mergeMode?: BidirectionalMergeMode;
}

const modes: readonly unknown[] = ['sum', 'mul', 'concat', 'ave', null];

// Keras 3 saves the copies themselves, whose names have the prefix already.
function copyOf(
    layer: RNN, prefix: 'forward_' | 'backward_', changes: ConfigDict): RNN {
  const {className, config} = serialize(layer);
  const name = layer.name.startsWith(prefix) ? layer.name :
    prefix + layer.name;
  return deserialize<RNN>(
      'layer', {className, config: {...config, ...changes, name}});
}

/**
 * Runs a recurrent layer forwards and a copy of it backwards. With
 * `returnSequences` both outputs are in the order of the sequence; with
 * `returnState` the forward states follow, then the backward ones. Weights: the
 * forward layer's, then the backward layer's.
 *
 * ```js
 * const layer = tf.layers.bidirectional({
 *   layer: tf.layers.gru({units: 4, returnSequences: true}),
 *   mergeMode: 'concat',
 * });
 * layer.apply(tf.ones([2, 5, 3])).shape; // => [2, 5, 8]
 * layer.dispose();
 * ```
 */
export class Bidirectional extends Layer {
  static override className = 'Bidirectional';
  readonly layer: RNN;
  readonly forwardLayer: RNN;
  readonly backwardLayer: RNN;
  readonly mergeMode: BidirectionalMergeMode;
  readonly returnSequences: boolean;
  readonly returnState: boolean;
  readonly #ownBackward: RNN | undefined;

  constructor(args: BidirectionalLayerArgs) {
    super(args);
    const {layer} = args;
    if (!((layer as unknown) instanceof RNN)) {
      throw new TensorError(
          'argument', 'Bidirectional: expected a recurrent layer, got ' +
              nameOf(layer));
    }
    this.mergeMode = args.mergeMode === undefined ? 'concat' : args.mergeMode;
    if (!modes.includes(this.mergeMode)) {
      throw new TensorError(
          'argument', `Bidirectional: ${JSON.stringify(this.mergeMode)} is ` +
              'not a valid mergeMode. Valid values are sum, mul, concat, ' +
              'ave, null.');
    }
    this.layer = layer;
    this.forwardLayer = copyOf(layer, 'forward_', {});
    this.#ownBackward = args.backwardLayer ?? undefined;
    this.backwardLayer = this.#ownBackward ?
      copyOf(this.#ownBackward, 'backward_', {}) :
      copyOf(layer, 'backward_', {goBackwards: !layer.goBackwards});
    if (this.backwardLayer.goBackwards === this.forwardLayer.goBackwards) {
      throw new TensorError(
          'argument', 'Bidirectional: the backward layer goes the same way ' +
              'as the forward layer');
    }
    this.stateful = layer.stateful;
    this.returnSequences = layer.returnSequences;
    this.returnState = layer.returnState;
    this.supportsMasking = true;
    this.inputSpec = layer.inputSpec;
    if (args.trainable === false) this.trainable = false;
  }

  override build(inputShape: Shape | Shape[]): void {
    const [shape] = shapeList(inputShape);
    for (const layer of [this.forwardLayer, this.backwardLayer]) {
      if (layer.built) continue;
      nameScope(layer.name, () => {
        layer.build(shape!);
      });
    }
    this.inputSpec = this.forwardLayer.inputSpec;
    this.built = true;
  }

  override apply(inputs: LayerValue, kwargs: Kwargs = {}): LayerValue {
    const {x, states} = splitInputs<Tensor | SymbolicTensor>(
        this.name, inputs, kwargs);
    if (states === null || states.length === 0) return super.apply(x, kwargs);
    if (states.length % 2 > 0) {
      throw new TensorError(
          'argument', 'When passing `initialState` to a Bidirectional RNN, ' +
              'the state should be an Array containing the states of the ' +
              `underlying RNNs, got ${states.length}`);
    }
    if (!states.every(isTensor) &&
        !states.every((state) => state instanceof SymbolicTensor)) {
      throw new TensorError(
          'argument', 'The initial state of a Bidirectional layer cannot be ' +
              'specified as a mix of symbolic and non-symbolic tensors');
    }
    const rest = {...kwargs};
    delete rest['initialState'];
    return x instanceof SymbolicTensor && states.every(isTensor) ?
      super.apply(x, {...rest, initialState: states}) :
      super.apply([x, ...states] as LayerValue, rest);
  }

  protected override assertInputCompatibility(inputs: LayerValue): void {
    super.assertInputCompatibility(
        toList<Tensor | SymbolicTensor>(inputs)[0] as LayerValue);
  }

  override call(inputs: Tensor | Tensor[], kwargs: Kwargs): Tensor | Tensor[] {
    const {x, states} = splitInputs(this.name, inputs, kwargs);
    const half = (states?.length ?? 0) / 2;
    const [ahead, back] = [this.forwardLayer, this.backwardLayer].map(
        (layer, i) => toList(layer.apply(x, {
          ...kwargs,
          initialState: states?.slice(i * half, (i + 1) * half) ?? null,
        }) as Tensor | Tensor[]));
    const [y, ...forwardStates] = ahead!;
    const [last, ...backwardStates] = back!;
    const z = this.returnSequences ? reverse(last!, 1) : last!;
    const outputs = this.#merge(y!, z);
    return this.returnState ?
      [...outputs, ...forwardStates, ...backwardStates] :
      single(outputs);
  }

  #merge(y: Tensor, z: Tensor): Tensor[] {
    switch (this.mergeMode) {
      case 'concat': return [concat([y, z], y.rank - 1)];
      case 'sum': return [add(y, z)];
      case 'ave': return [mul(add(y, z), 0.5)];
      case 'mul': return [mul(y, z)];
      default: return [y, z];
    }
  }

  override computeOutputShape(
      inputShape: Shape | Shape[]): Shape | Shape[] {
    const [x] = shapeList(inputShape);
    const shapes = this.forwardLayer.computeOutputShape(x!);
    const [output, ...states] = isShapeList(shapes) ? shapes : [shapes];
    const merged = [...output!];
    if (this.mergeMode === 'concat') merged.push(merged.pop()! * 2);
    const outputs =
      this.mergeMode === null ? [output!, [...output!]] : [merged];
    return this.returnState ?
      [...outputs, ...states, ...states.map((shape) => [...shape])] :
      single(outputs);
  }

  override computeMask(
      _inputs: Tensor | Tensor[], mask?: Tensor | (Tensor | null)[] | null):
      Tensor | (Tensor | null)[] | null {
    const output = this.returnSequences ? sequenceMask({mask}) : null;
    const outputs = this.mergeMode === null ? [output, output] : [output];
    if (!this.returnState) return single(outputs);
    const states = toList(this.forwardLayer.cell.stateSize);
    return [...outputs, ...states.map(() => null), ...states.map(() => null)];
  }

  override resetStates(): void {
    super.resetStates();
    this.forwardLayer.resetStates();
    this.backwardLayer.resetStates();
  }

  override get trainable(): boolean {
    return super.trainable;
  }

  override set trainable(trainable: boolean) {
    super.trainable = trainable;
    this.forwardLayer.trainable = trainable;
    this.backwardLayer.trainable = trainable;
  }

  override get trainableWeights(): LayerVariable[] {
    return [
      ...this.forwardLayer.trainableWeights,
      ...this.backwardLayer.trainableWeights,
    ];
  }

  override get nonTrainableWeights(): LayerVariable[] {
    return [
      ...this.forwardLayer.nonTrainableWeights,
      ...this.backwardLayer.nonTrainableWeights,
    ];
  }

  // Forward weights before backward ones, whatever is trainable.
  override get weights(): LayerVariable[] {
    return [...this.forwardLayer.weights, ...this.backwardLayer.weights];
  }

  override get losses(): Layer['losses'] {
    return [
      ...super.losses, ...this.forwardLayer.losses,
      ...this.backwardLayer.losses,
    ];
  }

  protected override disposeWeights(): number {
    return [this.forwardLayer, this.backwardLayer]
        .filter((layer) => !layer.isDisposed)
        .reduce((n, layer) => n + layer.dispose().numDisposedVariables, 0);
  }

  override getConfig(): ConfigDict {
    const config: ConfigDict = {
      ...super.getConfig(), layer: serialize(this.layer),
      mergeMode: this.mergeMode,
    };
    if (this.#ownBackward) {
      config['backwardLayer'] = serialize(this.#ownBackward);
    }
    return config;
  }

  static override fromConfig<T>(
      cls: SerializableConstructor<T>, config: ConfigDict,
      customObjects?: CustomObjects): T {
    const part = (name: string): ConfigDict => {
      const given = config[name];
      return given === undefined || given === null ? {} :
        {[name]: deserialize<RNN>('layer', given, customObjects)};
    };
    // The layers are copied, and the copies may name objects, too.
    const scope = new CustomObjectScope(customObjects ?? {}).enter();
    try {
      return construct(
          cls, {...config, ...part('layer'), ...part('backwardLayer')});
    } finally {
      scope.exit();
    }
  }
}

registerClass(Bidirectional);
