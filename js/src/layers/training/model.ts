/**
 * The seam between topology and training.
 *
 *   Layer <- Container (../container.ts) <- TrainableModel (here)
 *         <- LayersModel (../model.ts) <- Sequential (../sequential.ts)
 *
 * Here go compile, fit, evaluate, predict, trainOnBatch, … They find in
 * Container:
 *
 *   ensureBuilt(shapes)   puts a Sequential without input shape together; call
 *                         it with the data's shapes before anything else
 *   inputs, outputs       SymbolicTensor[]; inputNames, outputNames (the names
 *                         of their layers); inputLayers, outputLayers
 *   feedInputShapes, internalOutputShapes        Shape[]
 *   call(inputs, kwargs)  outputs for inputs (kwargs: training, mask)
 *   run(inputs, masks, kwargs)  {outputs: Tensor[], masks: (Tensor | null)[]};
 *                         to be called in a tidy
 *   calculateLosses()     what layers add: regularizers, addLoss
 *   trainableWeights, nonTrainableWeights, weights    LayerVariable[]
 *   layers, resetStates(), dispose()
 *
 * `dispose()` may be overridden to free the optimizer as well; it must call
 * `super.dispose()` and add up `numDisposedVariables`. The optimizer is freed
 * only if the model made it (compile was given a name) and
 * `refCountAfterDispose` is 0.
 */
import {Container} from '../container.js';

/** A graph of layers that can be trained. */
export abstract class TrainableModel extends Container {}
