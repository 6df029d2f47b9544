/** Sequential: layers one after the other. */
import {TensorError} from '../errors.js';
import {Container} from './container.js';
import {Graph, assertUniqueNames} from './graph.js';
import {InputLayer} from './input.js';
import {Layer} from './layer.js';
import {layerFrom} from './layer_from_config.js';
import {LayersModel} from './model.js';
import {autoName, checkLayerName, namingStyle, withNamingStyle} from './naming.js';
import {construct, registerClass, serialize} from './serialization.js';
import type {
  ConfigDict, CustomObjects, SerializableConstructor,
} from './serialization.js';
import {formatShape, isShapeList} from './shape.js';
import type {Shape} from './shape.js';
import type {SymbolicTensor} from './symbolic.js';

/** Settings of a {@link Sequential}. */
export interface SequentialArgs {
  layers?: Layer[];
  name?: string;
  trainable?: boolean;
}

/**
 * A model of layers one after the other, each with one input and one output.
 * Without an input shape it is put together when it first meets one.
 */
export class Sequential extends LayersModel {
  static override readonly className: string = 'Sequential';
  readonly #layers: Layer[] = [];
  // What comes out of each layer, and before them the input; empty as long as
  // no input shape is known.
  #tensors: SymbolicTensor[] = [];
  #stale = true;

  constructor(args: SequentialArgs = {}) {
    super({
      ...(args.name === undefined ? {} : {name: args.name}),
      ...(args.trainable === undefined ? {} : {trainable: args.trainable}),
    });
    for (const layer of args.layers ?? []) this.add(layer);
    if (args.trainable === false) this.trainable = false;
  }

  protected override autoName(): string {
    return autoName(this.getClassName(), `${this.getClassName().toLowerCase()}_`);
  }

  /**
   * Puts a layer at the end. Errors: a name that another layer has; several
   * inputs or outputs; shapes that do not fit.
   */
  add(layer: Layer): void {
    if (!(layer instanceof Layer)) {
      throw new TensorError(
          'argument', 'add: a Sequential takes layers, got ' + String(layer));
    }
    assertUniqueNames([...this.#layers, layer]);
    if (this.#layers.length === 0) this.#begin(layer);
    else if (this.#tensors.length > 0) this.#connect(layer);
    this.#layers.push(layer);
    layer.retain(this);
    this.#stale = true;
    this.setGraph(null);
  }

  /** Takes the last layer away and returns it. Errors: there is none. */
  pop(): Layer {
    const layer = this.#layers.pop();
    if (layer === undefined) {
      throw new TensorError('state', 'There are no layers in the model.');
    }
    if (this.#layers.length === 0) this.#tensors = [];
    else this.#tensors.length = Math.min(
        this.#tensors.length, this.#layers.length + this.#offset());
    layer.release(this);
    this.#stale = true;
    this.setGraph(null);
    return layer;
  }

  // An InputLayer among the layers is the input; others come after it.
  #offset(): number {
    return this.#layers[0] instanceof InputLayer ? 0 : 1;
  }

  #begin(layer: Layer): void {
    if (layer instanceof InputLayer) {
      this.#tensors = [layer.inboundNodes[0]!.outputTensors[0]!];
      return;
    }
    if (this.#resume(layer)) return;
    const first = layer instanceof Container ? layer.inputs[0] : undefined;
    if (layer instanceof Container && layer.inputs.length > 1) {
      throw new TensorError(
          'argument', `add: the model ${layer.name} has ` +
              `${layer.inputs.length} inputs, a Sequential's layers have one.`);
    }
    const shape = first?.shape ?? layer.batchInputShape;
    if (shape === undefined) return;
    this.#start(layer, shape, first?.dtype ?? layer.dtype);
    this.#connect(layer);
  }

  // The first layer of another model keeps its one application, and with it
  // its `input` and `output`.
  #resume(layer: Layer): boolean {
    const [node, ...more] = layer.inboundNodes;
    if (node === undefined || more.length > 0 || layer instanceof Container) {
      return false;
    }
    const [input, ...others] = node.inputTensors;
    const [output, ...outputs] = node.outputTensors;
    if (others.length > 0 || outputs.length > 0 ||
        !(input?.sourceLayer instanceof InputLayer)) {
      return false;
    }
    this.#tensors = [input, output!];
    return true;
  }

  #start(
      layer: Layer, batchInputShape: Shape,
      dtype: SymbolicTensor['dtype'] = 'float32'): void {
    const name = (layer instanceof Container ? layer.inputNames[0] : undefined) ??
        `${layer.name}_input`;
    const input = withNamingStyle(this.namingStyle, () => new InputLayer({
      batchInputShape, dtype,
      ...(namingStyle() === 'keras' ? {} : {name}),
    }));
    this.#tensors = [input.inboundNodes[0]!.outputTensors[0]!];
  }

  #connect(layer: Layer): void {
    const output = layer.apply(this.#tensors.at(-1)!) as
        SymbolicTensor | SymbolicTensor[];
    if (Array.isArray(output)) {
      throw new TensorError(
          'argument', 'All layers in a Sequential model should have a single ' +
              'output tensor. For multi-output layers, use the functional ' +
              `API. ${layer.name} gives ${output.length}.`);
    }
    this.#tensors.push(output);
  }

  protected override graph(): Graph {
    if (this.#stale && this.#tensors.length > 0) {
      this.setGraph(new Graph([this.#tensors[0]!], [this.#tensors.at(-1)!]));
      this.#stale = false;
    }
    return super.graph();
  }

  protected override hasGraph(): boolean {
    return this.#tensors.length > 0;
  }

  override ensureBuilt(shapes?: Shape | Shape[]): void {
    if (this.#tensors.length === 0 && this.#layers.length > 0 && shapes) {
      const shape = isShapeList(shapes) ? shapes[0]! : shapes;
      const first = this.#layers[0]!;
      this.#start(first, [null, ...shape.slice(1)]);
      try {
        for (const layer of this.#layers) this.#connect(layer);
      } catch (error) {
        this.#tensors = [];
        throw error;
      }
      if (!this.trainable_) this.trainable = false;
    }
    this.graph();
  }

  override build(inputShape?: Shape | Shape[]): void {
    if (inputShape !== undefined && isShapeList(inputShape) &&
        inputShape.length > 1) {
      throw new TensorError(
          'shape', `The model ${this.name} takes one input, got shapes ` +
              formatShape(inputShape));
    }
    this.ensureBuilt(inputShape);
  }

  override get layers(): Layer[] {
    return [...this.#layers];
  }

  override getConfig(): ConfigDict {
    return {
      name: this.name,
      layers: this.#layers.map(serialize),
    };
  }

  static override fromConfig<T>(
      cls: SerializableConstructor<T>, config: ConfigDict,
      customObjects: CustomObjects = {}): T {
    // The oldest files have the bare list of layers.
    const items = (Array.isArray(config) ? config : config['layers']) as
        unknown[] | undefined;
    if (!Array.isArray(items)) {
      throw new TensorError(
          'argument', 'When the layers of a Sequential model are read from a ' +
              'config, it must have a list `layers`.');
    }
    const name = Array.isArray(config) ? undefined : config['name'];
    const made = construct(cls, name === undefined ? {} : {name});
    const model = made as Sequential;
    try {
      for (const [i, item] of items.entries()) {
        addOwn(model, layerFrom(`layers[${i}]`, item, customObjects));
      }
      const shape = config['buildInputShape'] as Shape | undefined;
      if (shape && model.inputs.length === 0) model.build(shape);
    } catch (error) {
      model.dispose();
      throw error;
    }
    if (config['trainable'] === false) model.trainable = false;
    return made;
  }
}

/** Adds a layer that nobody else has: if it does not fit, it is freed. */
function addOwn(model: Sequential, layer: Layer): void {
  try {
    model.add(layer);
  } catch (error) {
    if (!layer.isDisposed) layer.dispose();
    throw error;
  }
}

registerClass(Sequential);

/**
 * A model of layers one after the other.
 *
 * Errors: two layers of one name; shapes that do not fit.
 *
 * ```js
 * const model = tf.sequential({layers: [
 *   tf.layers.dense({units: 8, activation: 'relu', inputShape: [4]}),
 *   tf.layers.dense({units: 2}),
 * ]});
 * model.countParams(); // => 58
 * model.outputShape; // => [null, 2]
 * model.dispose().numDisposedVariables; // => 4
 * ```
 */
export function sequential(config?: SequentialArgs): Sequential {
  if (config?.name !== undefined) checkLayerName('sequential', config.name);
  return new Sequential(config);
}
