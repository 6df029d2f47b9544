/** Nodes: one for every time a layer was applied to symbolic tensors. */
import type {Layer, Kwargs} from './layer.js';
import type {Shape} from './shape.js';
import type {SymbolicTensor} from './symbolic.js';

/** What a node is made of. */
export interface NodeArgs {
  /** The layer that was applied. */
  outboundLayer: Layer;
  inputTensors: SymbolicTensor[];
  outputTensors: SymbolicTensor[];
  inputShapes: Shape | Shape[];
  outputShapes: Shape | Shape[];
  callArgs: Kwargs;
}

/** One application of a layer: what went in, what came out. */
export class Node {
  readonly outboundLayer: Layer;
  /** For each input: the layer it comes from, and which node and output. */
  readonly inboundLayers: Layer[];
  readonly nodeIndices: number[];
  readonly tensorIndices: number[];
  readonly inputTensors: SymbolicTensor[];
  readonly outputTensors: SymbolicTensor[];
  readonly inputShapes: Shape | Shape[];
  readonly outputShapes: Shape | Shape[];
  readonly callArgs: Kwargs;

  constructor(args: NodeArgs) {
    this.outboundLayer = args.outboundLayer;
    this.inputTensors = args.inputTensors;
    this.outputTensors = args.outputTensors;
    this.inputShapes = args.inputShapes;
    this.outputShapes = args.outputShapes;
    this.callArgs = args.callArgs;
    this.inboundLayers = args.inputTensors.map((x) => x.sourceLayer);
    this.nodeIndices = args.inputTensors.map((x) => x.nodeIndex);
    this.tensorIndices = args.inputTensors.map((x) => x.tensorIndex);
  }
}
