/** Tensors of a model being put together: a shape and dtype, no values. */
import type {DataType} from '../types.js';
import type {Layer, Kwargs} from './layer.js';
import {
  kerasUnique, namingStyle, scopedTensorName, uniqueTensorName,
} from './naming.js';
import type {Shape} from './shape.js';

let nextId = 0;

/** A place in a graph of layers where a tensor will be. */
export class SymbolicTensor {
  readonly id: number = nextId++;
  readonly dtype: DataType;
  readonly shape: Shape;
  /** The layer that makes the tensor. */
  readonly sourceLayer: Layer;
  /** What that layer makes it of. */
  readonly inputs: SymbolicTensor[];
  readonly callArgs: Kwargs;
  /** Which of the layer's outputs this is. */
  readonly outputTensorIndex: number | undefined;
  /** The name with the scopes it was made in. */
  readonly originalName: string;
  /** The same made unique. */
  readonly name: string;
  readonly rank: number;
  /** Which of the layer's nodes made it. */
  nodeIndex = 0;
  /** Which of the node's outputs this is. */
  tensorIndex = 0;

  constructor(
      dtype: DataType, shape: Shape, sourceLayer: Layer,
      inputs: SymbolicTensor[], callArgs: Kwargs, name?: string,
      outputTensorIndex?: number) {
    this.dtype = dtype;
    this.shape = shape;
    this.sourceLayer = sourceLayer;
    this.inputs = inputs;
    this.callArgs = callArgs;
    this.outputTensorIndex = outputTensorIndex;
    if (namingStyle() === 'keras') {
      this.originalName = this.name = name ?? kerasUnique('keras_tensor');
    } else {
      this.originalName = scopedTensorName(name ?? sourceLayer.name);
      this.name = uniqueTensorName(this.originalName);
    }
    this.rank = shape.length;
  }
}
