/**
 * Layer: weights, and a function of tensors that uses them. Applied to symbolic
 * tensors it becomes part of a graph; applied to tensors it computes.
 */
import {TensorError, shown} from '../errors.js';
import {clone} from '../ops/creation.js';
import {tidy} from '../scope.js';
import {isTensor} from '../tensor.js';
import type {Tensor} from '../tensor.js';
import type {DataType} from '../types.js';
import {addCosts} from './activity.js';
import {layerDType} from './dtype_policy.js';
import type {InputSpec} from './input_spec.js';
import {nameScope, withNamingStyle} from './naming.js';
import {Node} from './node.js';
import type {Regularizer} from './regularizers.js';
import type {ConfigDict} from './serialization.js';
import {
  checkShape, formatShape, isShapeList, shapeList, single, toList,
} from './shape.js';
import type {Shape} from './shape.js';
import {SymbolicTensor} from './symbolic.js';
import {WeightOwner} from './weight_owner.js';

/** What goes with a call beside its inputs: `training`, `mask`, … */
export interface Kwargs {
  [key: string]: unknown;
}

/** Settings that every layer takes. */
export interface LayerArgs {
  /** Without the batch: makes the layer a model's first. */
  inputShape?: Shape;
  batchInputShape?: Shape;
  batchSize?: number;
  dtype?: DataType;
  name?: string;
  trainable?: boolean;
  /** Values for the weights, taken when they are made. */
  weights?: Tensor[];
  /** TensorFlow.js' older name of `dtype`. */
  inputDType?: DataType;
  updatable?: boolean;
}

/** What a layer takes and gives: tensors, or symbolic ones. */
export type LayerValue = Tensor | Tensor[] | SymbolicTensor | SymbolicTensor[];
/** The shapes of what a layer takes. */
export function shapesOf(inputs: LayerValue): Shape | Shape[] {
  const list = toList<Tensor | SymbolicTensor>(inputs);
  return single(list.map(({shape}) => shape as Shape));
}

export type CallHook = (inputs: Tensor | Tensor[], kwargs: Kwargs) => void;

/** Base class of all layers and models. */
export abstract class Layer extends WeightOwner {
  static override readonly className: string = 'Layer';

  built = false;
  supportsMasking = false;
  inputSpec: InputSpec[] | null = null;
  dtype: DataType | undefined;
  batchInputShape: Shape | undefined;
  /** What outputs cost in training. */
  activityRegularizer: Regularizer | null = null;
  /** Every application to symbolic tensors, in order. */
  readonly inboundNodes: Node[] = [];
  /** Values for the weights, taken when they are made. */
  initialWeights: Tensor[] | null;

  // Weak: a layer in use must not hold models that were dropped.
  #outbound: WeakRef<Node>[] = [];
  #stateful = false;
  #callHook: CallHook | null = null;

  constructor(args: LayerArgs = {}) {
    super(args.name, args.trainable);
    this.initialWeights = args.weights ?? null;
    const dtype = layerDType(args.dtype ?? args.inputDType);
    const {batchInputShape, inputShape} = args;
    if (batchInputShape || inputShape) {
      checkShape(
          this.name, batchInputShape ? 'batchInputShape' : 'inputShape',
          batchInputShape ?? inputShape);
      const {batchSize} = args;
      if (batchSize !== undefined) {
        checkShape(this.name, '[batchSize]', [batchSize]);
      }
      this.batchInputShape = batchInputShape ??
          [batchSize ?? null, ...inputShape!];
      this.dtype = dtype ?? 'float32';
    } else {
      this.dtype = dtype;
    }
  }

  /** The layer's function. `call` runs in a scope of its own. */
  call(inputs: Tensor | Tensor[], _kwargs: Kwargs): Tensor | Tensor[] {
    return inputs;
  }

  /** Makes the weights; called once, before the first `call`. */
  build(_inputShape: Shape | Shape[]): void {
    this.built = true;
  }

  /** The shapes `call` gives for inputs of given shapes. */
  computeOutputShape(inputShape: Shape | Shape[]): Shape | Shape[] {
    return inputShape;
  }

  /** The mask of the outputs. Layers that do not support masks end them. */
  computeMask(
      _inputs: Tensor | Tensor[],
      mask?: Tensor | (Tensor | null)[] | null):
      Tensor | (Tensor | null)[] | null {
    return this.supportsMasking ? mask ?? null : null;
  }

  /**
   * Applies the layer: to symbolic tensors, which puts it into a graph, or to
   * tensors, which computes. Makes the weights first if need be.
   */
  apply(inputs: LayerValue, kwargs: Kwargs = {}): LayerValue {
    this.assertNotDisposed();
    const list = toList<Tensor | SymbolicTensor>(inputs);
    const symbolic = list.filter((x) => x instanceof SymbolicTensor).length;
    if (symbolic !== list.length &&
        (symbolic > 0 || !list.every((x) => isTensor(x)))) {
      throw new TensorError(
          'argument', `${this.name}: the inputs to apply() must be all ` +
              'SymbolicTensors or all Tensors');
    }
    return nameScope(this.name, () => {
      this.#ensureBuilt(shapesOf(inputs));
      this.assertInputCompatibility(inputs);
      return symbolic > 0 ?
        this.#applySymbolic(list as SymbolicTensor[], kwargs) :
        this.#applyEager(inputs as Tensor | Tensor[], kwargs);
    });
  }

  #ensureBuilt(shapes: Shape | Shape[]): void {
    if (this.built) return;
    for (const [i, shape] of shapeList(shapes).entries()) this.#check(i, shape);
    const before = this.weights;
    try {
      tidy(() => {
        this.build(shapes);
        this.built = true;
        if (this.initialWeights) this.setWeights(this.initialWeights);
      });
    } catch (error) {
      this.built = false;
      this.dropWeights(before);
      throw error;
    }
  }

  #applyEager(
      inputs: Tensor | Tensor[], kwargs: Kwargs): Tensor | Tensor[] {
    return tidy(() => {
      const taken = new Set(toList(inputs));
      const outputs = this.call(inputs, kwargs);
      const all: unknown[] = toList(outputs);
      if (!all.every((x) => isTensor(x))) {
        throw new TensorError(
            'argument', `${this.name}: call() of ${this.getClassName()} must ` +
                'return a tensor or a list of tensors, got ' +
                shown(outputs));
      }
      if (this.activityRegularizer) {
        addCosts(this.activityRegularizer, toList(outputs));
      }
      // What the caller gets is the caller's: never an input or a weight, and
      // nothing twice.
      const own = (x: Tensor): Tensor => {
        if (taken.has(x) || x.kept || 'assign' in x) return clone(x);
        taken.add(x);
        return x;
      };
      return Array.isArray(outputs) ? outputs.map(own) : own(outputs);
    });
  }

  #applySymbolic(
      inputs: SymbolicTensor[],
      kwargs: Kwargs): SymbolicTensor | SymbolicTensor[] {
    const inputShapes = single(inputs.map(({shape}) => shape));
    const outputShapes = this.computeOutputShape(inputShapes);
    const dtype = this.outputDType(inputs);
    const outputs = withNamingStyle(this.namingStyle, () =>
      shapeList(outputShapes).map((shape, i) => new SymbolicTensor(
          dtype, shape, this, inputs, kwargs, undefined, i)));
    this.addInboundNode(inputs, outputs, inputShapes, outputShapes, kwargs);
    return isShapeList(outputShapes) ? outputs : outputs[0]!;
  }

  /** The dtype of the symbolic outputs. */
  protected outputDType(_inputs: SymbolicTensor[]): DataType {
    return 'float32';
  }

  /** Records an application to symbolic tensors. */
  protected addInboundNode(
      inputTensors: SymbolicTensor[], outputTensors: SymbolicTensor[],
      inputShapes: Shape | Shape[], outputShapes: Shape | Shape[],
      callArgs: Kwargs = {}): Node {
    const node = new Node({
      outboundLayer: this, inputTensors, outputTensors, inputShapes,
      outputShapes, callArgs,
    });
    outputTensors.forEach((tensor, i) => {
      tensor.nodeIndex = this.inboundNodes.length;
      tensor.tensorIndex = i;
    });
    for (const layer of new Set(node.inboundLayers)) {
      layer.#outbound = layer.#outbound.filter((ref) => ref.deref());
      layer.#outbound.push(new WeakRef(node));
    }
    this.inboundNodes.push(node);
    return node;
  }

  /** The applications, of any layer, that take this layer's outputs. */
  get outboundNodes(): Node[] {
    return this.#outbound.map((ref) => ref.deref())
        .filter((node) => node !== undefined);
  }

  /** Throws unless the inputs are what `inputSpec` demands. */
  protected assertInputCompatibility(inputs: LayerValue): void {
    const specs = this.inputSpec;
    if (specs === null || specs.length === 0) return;
    const list = toList<Tensor | SymbolicTensor>(inputs);
    if (list.length !== specs.length) {
      throw new TensorError(
          'argument', `Layer ${this.name} expects ${specs.length} inputs, but ` +
              `it received ${list.length} input tensors. Inputs received: ` +
              formatShape(list.map(({shape}) => shape as Shape)));
    }
    list.forEach(({shape}, i) => this.#check(i, shape as Shape));
  }

  #check(index: number, shape: Shape): void {
    this.inputSpec?.[index]?.check(this.name, index, shape);
  }

  /** Whether it keeps something between batches. */
  get stateful(): boolean {
    return this.#stateful;
  }

  set stateful(stateful: boolean) {
    this.#stateful = stateful;
  }

  /** Forgets what a stateful layer keeps between batches. */
  resetStates(): void {
    if (!this.stateful) {
      throw new TensorError(
          'state', 'Cannot call the resetStates() method of a non-stateful ' +
              `Layer object: ${this.name}`);
    }
  }

  /** What the one application took. Errors: none, or several. */
  get input(): SymbolicTensor | SymbolicTensor[] {
    return single(this.#onlyNode('input').inputTensors);
  }

  /** What the one application gave. Errors: none, or several. */
  get output(): SymbolicTensor | SymbolicTensor[] {
    return single(this.#onlyNode('output').outputTensors);
  }

  #onlyNode(what: string): Node {
    if (this.inboundNodes.length > 1) {
      throw new TensorError(
          'state', `Layer ${this.name} has multiple inbound nodes, hence the ` +
              `notion of "layer ${what}" is ill-defined. Use ` +
              `\`get${what === 'input' ? 'Input' : 'Output'}At(nodeIndex)\` ` +
              'instead.');
    }
    return this.#nodeAt(0, what);
  }

  #nodeAt(index: number, what: string): Node {
    const node = this.inboundNodes[index];
    if (node === undefined) {
      throw new TensorError(
          'state', `Layer ${this.name} is not connected, no ${what} to return.` +
              (index > 0 ? ` It has ${this.inboundNodes.length} nodes.` : ''));
    }
    return node;
  }

  /** What an application took. */
  getInputAt(nodeIndex: number): SymbolicTensor | SymbolicTensor[] {
    return single(this.#nodeAt(nodeIndex, 'input').inputTensors);
  }

  /** What an application gave. */
  getOutputAt(nodeIndex: number): SymbolicTensor | SymbolicTensor[] {
    return single(this.#nodeAt(nodeIndex, 'output').outputTensors);
  }

  /** The shape that the applications gave. Errors: none, or several shapes. */
  get outputShape(): Shape | Shape[] {
    const shapes = new Map(this.inboundNodes.map(({outputShapes}) =>
      [formatShape(outputShapes), outputShapes]));
    if (shapes.size !== 1) {
      throw new TensorError(
          'state', shapes.size === 0 ?
            `The layer ${this.name} has never been called and thus has no ` +
                'defined output shape.' :
            `The layer ${this.name} has multiple inbound nodes with different ` +
                'output shapes. Hence the notion of "output shape" is ' +
                'ill-defined for the layer.');
    }
    return [...shapes.values()][0]!;
  }

  /** The settings that every layer has. */
  getConfig(): ConfigDict {
    const config: ConfigDict = {name: this.name, trainable: this.trainable};
    if (this.batchInputShape) config['batchInputShape'] = this.batchInputShape;
    if (this.dtype) config['dtype'] = this.dtype;
    return config;
  }

  /** Runs `hook` at every call of layers that tell of theirs. */
  setCallHook(hook: CallHook): void {
    this.#callHook = hook;
  }

  /** Stops the hook. */
  clearCallHook(): void {
    this.#callHook = null;
  }

  protected invokeCallHook(inputs: Tensor | Tensor[], kwargs: Kwargs): void {
    this.#callHook?.(inputs, kwargs);
  }

}

export {InputSpec} from './input_spec.js';
export type {DisposeResult} from './weight_owner.js';
