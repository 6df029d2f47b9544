/** Graphs: `graph.pbtxt`, `.meta` files and the graphs of event files. */
import {decode, encode, parseText, printText} from '../formats.js';
import type {Plain} from '../formats.js';
import {bundleDtypes} from './bundle.js';
import type {BundleDtype} from './bundle.js';

/** -1 is a dimension that is not known; undefined an unknown rank. */
export type GraphShape = readonly number[] | undefined;

/** One attribute of a node: an object with the field that says its type. */
export type Attr =
  {type: BundleDtype} | {shape: GraphShape} | {s: string | Uint8Array} |
  {i: number | bigint} | {f: number} | {b: boolean} |
  {tensor: {dtype: BundleDtype; shape: readonly number[]; bytes: Uint8Array}} |
  {types: readonly BundleDtype[]} | {shapes: readonly GraphShape[]} |
  {strings: readonly (string | Uint8Array)[]} |
  {ints: readonly (number | bigint)[]} | {floats: readonly number[]};

export interface GraphNode {
  /** Letters, digits and `_.-/>`; unique. */
  name: string;
  op: string;
  /** `node`, `node:1`; what only must have run, `^node`, comes last. */
  inputs?: readonly string[];
  device?: string;
  attrs?: Readonly<Record<string, Attr>>;
  /** Shapes of the outputs, which TensorBoard draws on edges. */
  outputShapes?: readonly GraphShape[];
}

export interface Graph {
  nodes: readonly GraphNode[];
  /** The version of TensorFlow's ops; 1395 is that of 2023. */
  producer?: number;
}

const shapeOf = (shape: GraphShape): Plain =>
  shape ? {dim: shape.map((size) => ({size}))} : {unknown_rank: true};

function attrOf(attr: Attr): Plain {
  if ('type' in attr) return {type: bundleDtypes[attr.type]};
  if ('shape' in attr) return {shape: shapeOf(attr.shape)};
  if ('types' in attr) {
    return {list: {type: attr.types.map((type) => bundleDtypes[type])}};
  }
  if ('shapes' in attr) return {list: {shape: attr.shapes.map(shapeOf)}};
  if ('strings' in attr) return {list: {s: attr.strings}};
  if ('ints' in attr) return {list: {i: attr.ints}};
  if ('floats' in attr) return {list: {f: attr.floats}};
  if ('tensor' in attr) {
    const {dtype, shape, bytes} = attr.tensor;
    return {
      tensor: {
        dtype: bundleDtypes[dtype],
        tensor_shape: shapeOf(shape),
        tensor_content: bytes,
      },
    };
  }
  return attr;
}

function nodeOf(node: GraphNode): Plain {
  const attr: Record<string, Plain> = {};
  for (const [name, value] of Object.entries(node.attrs ?? {})) {
    attr[name] = attrOf(value);
  }
  if (node.outputShapes) {
    attr._output_shapes = attrOf({shapes: node.outputShapes});
  }
  return {
    name: node.name, op: node.op, input: node.inputs, device: node.device, attr,
  };
}

/** A GraphDef's bytes. */
export function encodeGraph({nodes, producer = 1395}: Graph): Uint8Array {
  return encode('GraphDef', {node: nodes.map(nodeOf), versions: {producer}});
}

/** `graph.pbtxt`: the text form of a GraphDef's bytes. */
export function graphText(graphDef: Uint8Array): string {
  return printText('GraphDef', graphDef);
}

/** A GraphDef's bytes from its text form. */
export function parseGraphText(text: string): Uint8Array {
  return parseText('GraphDef', text);
}

/** A GraphDef as plain objects with TensorFlow's names. */
export function decodeGraph(graphDef: Uint8Array): Plain {
  return decode('GraphDef', graphDef);
}

/** What TensorFlow needs to know of a variable to build a Saver. */
export interface VariableDef {
  variableName: string;
  initializerName: string;
  snapshotName: string;
  initialValueName: string;
  trainable: boolean;
  isResource?: boolean;
}

/** A VariableDef's bytes, for the collections of variables. */
export function encodeVariable(variable: VariableDef): Uint8Array {
  return encode('VariableDef', {
    variable_name: variable.variableName,
    initializer_name: variable.initializerName,
    snapshot_name: variable.snapshotName,
    is_resource: variable.isResource ?? true,
    initial_value_name: variable.initialValueName,
    trainable: variable.trainable,
  });
}

/**
 * The VariableDef of nodes named in TensorFlow's way: `w` (VarHandleOp),
 * `w/Assign`, `w/Read/ReadVariableOp`, `w/Initializer/initial_value`, or as
 * `nodes` says. Names of tensors end in `:0`, that of the initializer is of an
 * operation.
 */
export function variableDef(name: string, trainable: boolean, nodes = {
  assign: `${name}/Assign`,
  read: `${name}/Read/ReadVariableOp`,
  initial: `${name}/Initializer/initial_value`,
}): Uint8Array {
  return encodeVariable({
    variableName: `${name}:0`,
    initializerName: nodes.assign,
    snapshotName: `${nodes.read}:0`,
    initialValueName: `${nodes.initial}:0`,
    trainable,
  });
}

/** Names of nodes, bytes (VariableDefs and the like), or numbers. */
export type Collection =
  {nodes: readonly string[]} | {bytes: readonly (Uint8Array | string)[]} |
  {ints: readonly (number | bigint)[]} | {floats: readonly number[]};

export interface SaverDef {
  filenameTensorName: string;
  saveTensorName: string;
  restoreOpName: string;
  maxToKeep: number;
  sharded?: boolean;
  keepCheckpointEveryNHours?: number;
}

export interface MetaGraph {
  graphDef: Uint8Array;
  tags?: readonly string[];
  /** TensorFlow parses it as a version number: leave it out, or give one. */
  tensorflowVersion?: string;
  tensorflowGitVersion?: string;
  strippedDefaultAttrs?: boolean;
  collections?: Readonly<Record<string, Collection>>;
  /** Names nodes that must exist; without one TensorFlow makes its own. */
  saver?: SaverDef;
}

function collectionOf(collection: Collection): Plain {
  if ('nodes' in collection) return {node_list: {value: collection.nodes}};
  if ('bytes' in collection) return {bytes_list: {value: collection.bytes}};
  if ('ints' in collection) return {int64_list: {value: collection.ints}};
  return {float_list: {value: collection.floats}};
}

/** A MetaGraphDef's bytes: a `.meta` file. */
export function encodeMetaGraph(meta: MetaGraph): Uint8Array {
  const {saver} = meta;
  return encode('MetaGraphDef', {
    meta_info_def: {
      tags: meta.tags,
      tensorflow_version: meta.tensorflowVersion,
      tensorflow_git_version: meta.tensorflowGitVersion,
      stripped_default_attrs: meta.strippedDefaultAttrs,
    },
    graph_def: meta.graphDef,
    saver_def: saver && {
      filename_tensor_name: saver.filenameTensorName,
      save_tensor_name: saver.saveTensorName,
      restore_op_name: saver.restoreOpName,
      max_to_keep: saver.maxToKeep,
      sharded: saver.sharded,
      keep_checkpoint_every_n_hours: saver.keepCheckpointEveryNHours ?? 10000,
      version: 2,
    },
    collection_def: meta.collections && Object.fromEntries(
        Object.entries(meta.collections)
            .map(([name, items]) => [name, collectionOf(items)])),
  });
}

/** A MetaGraphDef as plain objects with TensorFlow's names. */
export function decodeMetaGraph(bytes: Uint8Array): Plain {
  return decode('MetaGraphDef', bytes);
}
