/** LayersModel: a graph of layers as users hold it. */
import {TensorError} from '../errors.js';
import {version} from '../globals.js';
import type {
  IOHandler, IOHandlerSync, SaveConfig, SaveResult,
} from '../io/types.js';
import type {NamedTensorMap} from '../tensor.js';
import type {ContainerArgs} from './container.js';
import {toPythonic} from './key_case.js';
import {graphConfig, rebuildGraph} from './model_config.js';
import {autoName, checkLayerName} from './naming.js';
import {checkMetadata} from './saving/metadata.js';
import {saveModel} from './saving/save.js';
import {setNamedWeights} from './saving/weights.js';
import {construct, registerClass, serialize} from './serialization.js';
import type {
  ConfigDict, CustomObjects, SerializableConstructor,
} from './serialization.js';
import {printSummary} from './summary.js';
import type {PrintFn} from './summary.js';
import {TrainableModel} from './training/model.js';

/** The version of the layers: the package's. */
export const version_layers: string = version.tidemark;

/** A graph of layers that can be trained, saved and looked at. */
export class LayersModel extends TrainableModel {
  static override readonly className: string = 'Model';
  #metadata: object | undefined;

  protected override autoName(): string {
    const name = this.getClassName();
    return autoName(name === 'Model' ? 'Functional' : name, name.toLowerCase());
  }

  /**
   * Prints the layers, their shapes and their parameters as a table.
   * `lineLength` is its width; `positions` are where columns end, as numbers of
   * characters or as parts of the width; `printFn` takes the place of
   * `console.log`.
   */
  summary(
      lineLength?: number, positions?: number[],
      printFn: PrintFn = console.log): void {
    if (this.hasGraph()) this.graph();
    printSummary(this, lineLength, positions, printFn);
  }

  override getConfig(): ConfigDict {
    return graphConfig(this);
  }

  /** The class and config, as `modelFromJSON` and TensorFlow.js read them. */
  toJSON(unused?: unknown, returnString?: true): string;
  toJSON(unused: unknown, returnString: false): ConfigDict;
  toJSON(_unused?: unknown, returnString = true): string | ConfigDict {
    const config = toPythonic({
      ...serialize(this), kerasVersion: `tidemark ${version.tidemark}`,
      backend: 'tidemark',
    });
    return returnString ? JSON.stringify(config) : config as ConfigDict;
  }

  /**
   * Saves topology and weights to a URL (`indexeddb:`, `localstorage:`,
   * `opfs:`, `downloads:`, `http:`, `memory:`, in Node `file:`) or a handler of
   * `tf.io`. `includeOptimizer` saves how the model was compiled and what the
   * optimizer remembers, too; `trainableOnly` leaves other weights out.
   *
   * Errors: nothing can save there; no space. What was there before stays.
   *
   * ```js
   * const model = tf.sequential({layers: [
   *   tf.layers.dense({units: 1, inputShape: [2]})]});
   * const {modelArtifactsInfo} = await model.save('memory://small');
   * modelArtifactsInfo.weightDataBytes; // => 12
   * model.dispose();
   * await tf.io.removeModel('memory://small');
   * ```
   */
  async save(
      handlerOrURL: IOHandler | IOHandlerSync | string | URL,
      config?: SaveConfig): Promise<SaveResult> {
    return saveModel(this, handlerOrURL, config ?? {});
  }

  /**
   * Gives weights new values by the names they have in files. Errors: another
   * shape; with `strict`, names the model lacks and weights without a value.
   */
  loadWeights(weights: NamedTensorMap, strict = true): void {
    setNamedWeights(this, weights, strict);
  }

  /** Notes of your own that are saved with the model: plain JSON. */
  setUserDefinedMetadata(metadata: object): void {
    checkMetadata(metadata, this.name);
    this.#metadata = metadata;
  }

  /** The notes set or loaded; undefined when there are none. */
  getUserDefinedMetadata(): object | undefined {
    return this.#metadata;
  }

  static override fromConfig<T>(
      cls: SerializableConstructor<T>, config: ConfigDict,
      customObjects: CustomObjects = {}): T {
    const {name} = config;
    const made = rebuildGraph(config, customObjects, (ends) =>
      construct(cls, {...ends, ...(name === undefined ? {} : {name})}));
    if (config['trainable'] === false) {
      (made as LayersModel).trainable = false;
    }
    return made;
  }
}

/** Keras' name for a model of a graph; configs have both. */
export class Functional extends LayersModel {
  static override readonly className: string = 'Functional';
}

registerClass(LayersModel);
registerClass(Functional);

/**
 * A model of the layers between symbolic inputs and outputs.
 *
 * Errors: inputs that are not from `tf.input`; outputs that need others; two
 * layers of one name.
 *
 * ```js
 * const x = tf.input({shape: [4]});
 * const hidden = tf.layers.dense({units: 8}).apply(x);
 * const y = tf.layers.dense({units: 2}).apply(hidden);
 * const model = tf.model({inputs: x, outputs: y});
 * model.layers.length; // => 3
 * model.predict(tf.ones([3, 4])).shape; // => [3, 2]
 * model.dispose();
 * ```
 */
export function model(args: ContainerArgs): LayersModel {
  if (!args?.inputs || !args.outputs) {
    throw new TensorError(
        'argument', 'model: needs `inputs` and `outputs`, symbolic tensors');
  }
  if (args.name !== undefined) checkLayerName('model', args.name);
  return new LayersModel(args);
}
