/** What training asks of a model. */
import type {Kwargs} from '../layer.js';
import type {Shape} from '../shape.js';
import type {SymbolicTensor} from '../symbolic.js';
import type {LayerVariable} from '../weight.js';
import type {Scalar, Tensor} from '../../tensor.js';

/** Values of a model's outputs, and their masks where they have one. */
export interface Outputs {
  readonly tensors: Tensor[];
  readonly masks: (Tensor | null)[];
}

/** A model as training and callbacks see it. */
export interface TrainedModel {
  readonly name: string;
  readonly inputs: SymbolicTensor[];
  readonly outputs: SymbolicTensor[];
  readonly inputNames: string[];
  readonly outputNames: string[];
  readonly inputShapes: Shape[];
  readonly outputShapes: Shape[];
  readonly stateful: boolean;
  readonly weights: LayerVariable[];
  readonly trainableWeights: LayerVariable[];
  /** Set by callbacks: `fit` ends after the batch or epoch at hand. */
  stopTraining: boolean;
  /** Penalties of regularizers and of `addLoss`. */
  calculateLosses(): Scalar[];
  /** The outputs for inputs in the model's order. */
  runOn(inputs: Tensor[], kwargs: Kwargs): Outputs;
  /** Clears what stateful layers remember. */
  resetStates(): void;
}
