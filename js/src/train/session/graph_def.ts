/** A graph as TensorBoard reads it: variables, placeholders and functions. */
import {
  encodeGraph, encodeMetaGraph, variableDef,
} from '../../io/checkpoint/graph.js';
import type {Collection, GraphNode} from '../../io/checkpoint/graph.js';
import type {BundleDtype} from '../../io/checkpoint/bundle.js';
import {getGlobalStep} from './global_step.js';
import {isNodeName} from './graph.js';
import type {Declared, Graph} from './graph.js';

function variableNodes(
    name: string, dtype: BundleDtype, shape: readonly number[]): GraphNode[] {
  const initial = `${name}/Initializer/initial_value`;
  const attrs = {dtype: {type: dtype}, shape: {shape}};
  return [
    {name: initial, op: 'Placeholder', attrs, outputShapes: [shape]},
    {
      name, op: 'VarHandleOp',
      attrs: {...attrs, shared_name: {s: name}}, outputShapes: [[]],
    },
    {
      name: `${name}/Assign`, op: 'AssignVariableOp', inputs: [name, initial],
      attrs: {dtype: {type: dtype}}, outputShapes: [],
    },
    {
      name: `${name}/Read/ReadVariableOp`, op: 'ReadVariableOp',
      inputs: [name], attrs: {dtype: {type: dtype}}, outputShapes: [shape],
    },
  ];
}

/** One node per function, its results and, once it ran, its kernels. */
function functionNodes(f: Declared, taken: Set<string>): GraphNode[] {
  const unique = (name: string): string => {
    let free = name;
    for (let n = 1; taken.has(free); n++) free = `${name}_${n}`;
    taken.add(free);
    return free;
  };
  taken.add(f.name);
  const results = f.outputs
      .filter(({path}) => path !== '' && isNodeName(`${f.name}/${path}`))
      .map(({path, dtype, shape}): GraphNode => ({
        name: unique(`${f.name}/${path}`), op: 'Identity', inputs: [f.name],
        attrs: {T: {type: dtype}}, outputShapes: [shape],
      }));
  const kernels = (f.recorded ?? []).map((kernel): GraphNode => ({
    name: unique(`${f.name}/${kernel.name}`), op: `Tidemark>${kernel.name}`,
    outputShapes: kernel.outputShapes,
  }));
  const whole = f.outputs.filter(({path}) => path === '');
  const node: GraphNode = {
    name: f.name,
    op: f.kind === 'step' ? 'Tidemark>Step' : 'Tidemark>Fetch',
    inputs: [
      ...Object.values(f.inputs).map(({name}) => name),
      ...kernels.map(({name}) => `^${name}`),
    ],
    outputShapes: whole.map(({shape}) => shape),
  };
  return [...kernels, node, ...results];
}

/** The nodes of a graph; every input names a node that is there. */
export function graphNodes(graph: Graph): GraphNode[] {
  const nodes: GraphNode[] = [];
  for (const {name, dtype, shape} of graph.placeholders) {
    const lengths = shape.map((n) => n ?? -1);
    nodes.push({
      name, op: 'Placeholder', outputShapes: [lengths],
      attrs: {dtype: {type: dtype}, shape: {shape: lengths}},
    });
  }
  for (const [name, v] of graph.variables) {
    if (!isNodeName(name)) continue;
    nodes.push(...variableNodes(name, v.dtype, v.shape));
  }
  const step = getGlobalStep(graph);
  if (step !== null) nodes.push(...variableNodes(step.name, 'int64', []));
  const taken = new Set(nodes.map(({name}) => name));
  for (const f of graph.functions) taken.add(f.name);
  for (const f of graph.functions) {
    nodes.push(...functionNodes(f, taken));
  }
  return nodes;
}

/** Makes the bytes of what was, when the file formats are loaded. */
export type Encode = () => Uint8Array;

/** The GraphDef of a graph as it is now. */
export function frozenGraphDef(graph: Graph): Encode {
  const nodes = graphNodes(graph);
  return () => encodeGraph({nodes});
}

/** Its MetaGraphDef, with the collections of variables. */
export function frozenMetaGraphDef(graph: Graph): Encode {
  const variables = [...graph.variables]
    .filter(([name]) => isNodeName(name))
    .map(([name, {trainable}]) => ({name, trainable}));
  const step = getGlobalStep(graph)?.name;
  const encodeNodes = frozenGraphDef(graph);
  return () => {
    const defs =
        variables.map(({name, trainable}) => variableDef(name, trainable));
    const stepDef = step === undefined ? [] : [variableDef(step, false)];
    const collections: Record<string, Collection> = {
      variables: {bytes: [...defs, ...stepDef]},
      trainable_variables: {
        bytes: defs.filter((_, i) => variables[i]!.trainable),
      },
    };
    if (step !== undefined) collections['global_step'] = {bytes: stepDef};
    return encodeMetaGraph({graphDef: encodeNodes(), collections});
  };
}

/** The bytes of a graph's GraphDef. */
export function graphDef(graph: Graph): Uint8Array {
  return frozenGraphDef(graph)();
}

/** The bytes of its MetaGraphDef. */
export function metaGraphDef(graph: Graph): Uint8Array {
  return frozenMetaGraphDef(graph)();
}
