/**
 * Kernels as TensorFlow's ops, where it has one of the same meaning that takes
 * just these inputs; several where only together they mean the same. All other
 * kernels are ops of our own, which TensorBoard shows and TensorFlow refuses.
 */
import type {Attr} from '../../io/checkpoint/graph.js';
import type {DataType} from '../../types.js';
import {products} from './product_twins.js';
import type {RecordedKernel} from './recorder.js';
import {index, number, numbers, same, shapeOf, type, typeOf} from './twin.js';
import type {Attrs, NodeMaker, Shape, Twin} from './twin.js';

/** An op that takes what the kernel takes, of type T. */
function plain(op: string, allowed: readonly DataType[], attrs: Attrs = {}): Twin {
  return (k, inputs, to) => {
    if (!allowed.includes(typeOf(k))) return false;
    to.own(op, inputs, {T: type(typeOf(k)), ...attrs});
    return true;
  };
}

const reals: readonly DataType[] = ['float32', 'int32'];
const floats: readonly DataType[] = ['float32'];
const all: readonly DataType[] = ['float32', 'int32', 'bool'];

function named(
    allowed: readonly DataType[], names: Readonly<Record<string, string>>)
    : Record<string, Twin> {
  return Object.fromEntries(Object.entries(names)
      .map(([kernel, op]) => [kernel, plain(op, allowed)]));
}

const alike = (...names: string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, name]));

function untyped(op: string): Twin {
  return (_, inputs, to) => {
    to.own(op, inputs, {});
    return true;
  };
}

function reduction(op: string, typed: boolean): Twin {
  return (k, inputs, to) => {
    const axes = numbers(k.attrs['axes']);
    const keeps = k.outputShapes[0]!.length === shapeOf(k).length;
    const axis = to.constant('axis', 'int32', [axes.length], axes);
    to.own(op, [...inputs, axis], {
      ...(typed ? {T: type(typeOf(k))} : {}), Tidx: index,
      keep_dims: {b: keeps && axes.length > 0},
    });
    return true;
  };
}

function argument(op: string): Twin {
  return (k, inputs, to) => {
    const axes = numbers(k.attrs['axes']);
    if (axes.length !== 1) return false;
    const axis = to.constant('dimension', 'int32', [], axes);
    to.own(op, [...inputs, axis],
        {T: type(typeOf(k)), Tidx: index, output_type: index});
    return true;
  };
}

/** The axis and batch dimensions that give the sizes a kernel was told. */
function gatherAxis(k: RecordedKernel): [number, number] | undefined {
  const [x, indices] = [shapeOf(k), shapeOf(k, 1)];
  const size = (shape: Shape): number => shape.reduce((a, b) => a * b, 1);
  const sizes = ['batch', 'outer', 'dim'].map((name) => number(k.attrs[name]));
  for (let axis = 0; axis < x.length; axis++) {
    for (let batch = 0; batch <= Math.min(axis, indices.length); batch++) {
      const found = [
        size(x.slice(0, batch)), size(x.slice(batch, axis)), x[axis]!,
      ];
      const out = [
        ...x.slice(0, axis), ...indices.slice(batch), ...x.slice(axis + 1),
      ];
      if (same(found, sizes) && same(out, k.outputShapes[0]!) &&
          same(x.slice(0, batch), indices.slice(0, batch))) {
        return [axis, batch];
      }
    }
  }
  return undefined;
}

const shaped = (op: string, label: string, attrs: (k: RecordedKernel) => Attrs)
  : Twin => (k, inputs, to) => {
  const out = k.outputShapes[0]!;
  const shape = to.constant(label, 'int32', [out.length], out);
  to.own(op, [...inputs, shape], attrs(k));
  return true;
};

const steps = (k: RecordedKernel): boolean =>
  numbers(k.attrs['step']).every((n) => n === 1);

const special: Record<string, Twin> = {
  Cast: (k, inputs, to) => {
    to.own('Cast', inputs,
        {SrcT: type(typeOf(k)), DstT: type(k.outputDtypes[0]!)});
    return true;
  },
  AddN: (k, inputs, to) => {
    to.own('AddN', inputs, {N: {i: inputs.length}, T: type(typeOf(k))});
    return true;
  },
  Where: (k, inputs, to) => {
    to.own('SelectV2', inputs, {T: type(typeOf(k, 1))});
    return true;
  },
  LeakyRelu: (k, inputs, to) => {
    if (typeOf(k) !== 'float32') return false;
    to.own('LeakyRelu', inputs,
        {T: type('float32'), alpha: {f: number(k.attrs['alpha'])}});
    return true;
  },
  ClipByValue: (k, inputs, to) => {
    const T = typeOf(k);
    const [min, max] = ['min', 'max'].map((name) =>
      to.constant(name, T, [], [number(k.attrs[name])]));
    to.own('ClipByValue', [...inputs, min!, max!], {T: type(T)});
    return true;
  },
  Softmax: (k, inputs, to) =>
    shapeOf(k).length > 0 && plain('Softmax', floats)(k, inputs, to),
  LogSoftmax: (k, inputs, to) =>
    shapeOf(k).length > 0 && plain('LogSoftmax', floats)(k, inputs, to),
  Reshape: shaped('Reshape', 'shape',
      (k) => ({T: type(typeOf(k)), Tshape: index})),
  BroadcastTo: shaped('BroadcastTo', 'shape',
      (k) => ({T: type(typeOf(k)), Tidx: index})),
  ScatterND: shaped('ScatterNd', 'shape',
      (k) => ({T: type(typeOf(k, 1)), Tindices: index})),
  GatherND: (k, inputs, to) => {
    to.own('GatherNd', inputs, {Tparams: type(typeOf(k)), Tindices: index});
    return true;
  },
  TensorScatterUpdate: (k, inputs, to) => {
    to.own('TensorScatterUpdate', inputs,
        {T: type(typeOf(k)), Tindices: index});
    return true;
  },
  Fill: (k, _, to) => {
    const dtype = k.outputDtypes[0]!;
    const dims = k.outputShapes[0]!;
    to.own('Fill', [
      to.constant('dims', 'int32', [dims.length], dims),
      to.constant('value', dtype, [], [number(k.attrs['value'])]),
    ], {T: type(dtype), index_type: index});
    return true;
  },
  OneHot: (k, inputs, to) => {
    const dtype = k.outputDtypes[0]!;
    to.own('OneHot', [
      ...inputs, to.constant('depth', 'int32', [], [k.outputShapes[0]!.at(-1)!]),
      ...['on_value', 'off_value'].map((name) =>
        to.constant(name, dtype, [], [number(k.attrs[name])])),
    ], {T: type(dtype), TI: index, axis: {i: -1}});
    return true;
  },
  Transpose: (k, inputs, to) => {
    const perm = numbers(k.attrs['perm']);
    to.own('Transpose', [
      ...inputs, to.constant('perm', 'int32', [perm.length], perm),
    ], {T: type(typeOf(k)), Tperm: index});
    return true;
  },
  Slice: (k, inputs, to) => {
    if (!steps(k)) return false;
    const begin = numbers(k.attrs['begin']);
    const size = k.outputShapes[0]!;
    to.own('Slice', [
      ...inputs, to.constant('begin', 'int32', [begin.length], begin),
      to.constant('size', 'int32', [size.length], size),
    ], {T: type(typeOf(k)), Index: index});
    return true;
  },
  Pad: (k, inputs, to) => {
    const begin = numbers(k.attrs['begin']);
    const out = k.outputShapes[0]!;
    const paddings = shapeOf(k)
        .flatMap((n, d) => [begin[d]!, out[d]! - begin[d]! - n]);
    if (!steps(k) || paddings.some((n) => n < 0)) return false;
    const T = typeOf(k);
    to.own('PadV2', [
      ...inputs, to.constant('paddings', 'int32', [begin.length, 2], paddings),
      to.constant('value', T, [], [number(k.attrs['value'])]),
    ], {T: type(T), Tpaddings: index});
    return true;
  },
  Concat: (k, inputs, to) => {
    const [T, N] = [type(typeOf(k)), {i: inputs.length}];
    const axis = number(k.attrs['axis']);
    if (k.attrs['stacked'] === true) {
      to.own('Pack', inputs, {N, T, axis: {i: axis}});
      return true;
    }
    if (inputs.length < 2) return false;
    to.own('ConcatV2', [...inputs, to.constant('axis', 'int32', [], [axis])],
        {N, T, Tidx: index});
    return true;
  },
  Split: (k, inputs, to) => {
    const T = type(typeOf(k));
    const [axis, n] = [number(k.attrs['axis']), k.outputShapes.length];
    if (k.attrs['stacked'] === true) {
      to.own('Unpack', inputs, {num: {i: n}, T, axis: {i: axis}});
      return true;
    }
    to.own('SplitV', [
      ...inputs,
      to.constant('sizes', 'int32', [n], k.outputShapes.map((s) => s[axis]!)),
      to.constant('axis', 'int32', [], [axis]),
    ], {num_split: {i: n}, T, Tlen: index});
    return true;
  },
  Gather: (k, inputs, to) => {
    const found = k.attrs['drop'] === false ? gatherAxis(k) : undefined;
    if (found === undefined) return false;
    to.own('GatherV2', [
      ...inputs, to.constant('axis', 'int32', [], [found[0]]),
    ], {
      Tparams: type(typeOf(k)), Tindices: index, Taxis: index,
      batch_dims: {i: found[1]},
    });
    return true;
  },
  UnsortedSegmentSum: (k, inputs, to) => {
    const ids = shapeOf(k, 1);
    const fits = number(k.attrs['batch']) === 1 &&
        number(k.attrs['outer']) === 1 &&
        same(shapeOf(k).slice(0, ids.length), ids) &&
        k.outputShapes[0]!.length === 1 + shapeOf(k).length - ids.length;
    if (!fits) return false;
    to.own('UnsortedSegmentSum', [
      ...inputs, to.constant('num', 'int32', [], [k.outputShapes[0]![0]!]),
    ], {T: type(typeOf(k)), Tindices: index, Tnumsegments: index});
    return true;
  },
  Cumsum: (k, inputs, to) => {
    to.own('Cumsum', [
      ...inputs, to.constant('axis', 'int32', [], [number(k.attrs['axis'])]),
    ], {
      T: type(typeOf(k)), Tidx: index,
      exclusive: {b: k.attrs['exclusive'] === true},
      reverse: {b: k.attrs['reverse'] === true},
    });
    return true;
  },
  // v - rate g: TensorFlow's own op would take the variable itself.
  SgdUpdate: (k, [v, g], to) => {
    const T = type('float32');
    const rate = to.constant(
        'learning_rate', 'float32', [], [number(k.attrs['learning_rate'])]);
    const step = to.below('step', 'Mul', [rate, g!], {T}, shapeOf(k));
    to.own('Sub', [v!, step], {T});
    return true;
  },
};

const twins = new Map<string, Twin>(Object.entries({
  ...named(reals, alike(
      'Abs', 'Neg', 'Sign', 'Square', 'Round', 'Relu', 'Relu6', 'Sub', 'Mul',
      'Maximum', 'Minimum', 'SquaredDifference', 'Pow', 'Greater',
      'GreaterEqual', 'Less', 'LessEqual', 'FloorDiv')),
  ...named(reals, {Add: 'AddV2', Mod: 'FloorMod'}),
  ...named(floats, alike(
      'Acos', 'Acosh', 'Asin', 'Asinh', 'Atan', 'Atan2', 'Atanh', 'Ceil', 'Cos',
      'Cosh', 'DivNoNan', 'Elu', 'Erf', 'Exp', 'Expm1', 'Floor', 'IsFinite',
      'IsInf', 'Log', 'Log1p', 'Reciprocal', 'Rsqrt', 'Selu', 'Sigmoid', 'Sin',
      'Sinh', 'Softplus', 'Sqrt', 'Tan', 'Tanh')),
  ...named(floats, {IsNaN: 'IsNan', Div: 'RealDiv'}),
  ...named(['int32'], alike('BitwiseAnd')),
  ...named(all, {
    Clone: 'Identity', Equal: 'Equal', NotEqual: 'NotEqual',
    LogicalXor: 'NotEqual', ZerosLike: 'ZerosLike', OnesLike: 'OnesLike',
  }),
  LogicalAnd: untyped('LogicalAnd'),
  LogicalOr: untyped('LogicalOr'),
  LogicalNot: untyped('LogicalNot'),
  Sum: reduction('Sum', true),
  Mean: reduction('Mean', true),
  Prod: reduction('Prod', true),
  Max: reduction('Max', true),
  Min: reduction('Min', true),
  Any: reduction('Any', false),
  All: reduction('All', false),
  ArgMax: argument('ArgMax'),
  ArgMin: argument('ArgMin'),
  ...products,
  ...special,
}));

/** A kernel's attributes as those of a node. */
function ownAttrs(k: RecordedKernel): Attrs {
  const attrs: Attrs = {};
  for (const [name, value] of Object.entries(k.attrs)) {
    attrs[name] = typeof value === 'boolean' ? {b: value} :
      typeof value === 'number' ? {f: value} :
        typeof value === 'string' ? textOrNumber(value) :
          'i' in value ? {i: value.i} : {ints: value};
  }
  attrs['Tout'] = {types: k.outputDtypes};
  return attrs;
}

// Numbers that are not finite arrive as texts.
function textOrNumber(value: string): Attr {
  return /^(NaN|-?Infinity)$/.test(value) ? {f: Number(value)} : {s: value};
}

/** `Fused matMul` as the name of an op: `FusedMatMul`. */
export function opName(name: string): string {
  return name.replace(/[^A-Za-z0-9]+(.?)/g, (_, c: string) => c.toUpperCase());
}

/** Adds the nodes of a kernel whose given inputs are `inputs`. */
export function addKernel(
    k: RecordedKernel, inputs: readonly string[], to: NodeMaker): void {
  if (twins.get(k.name)?.(k, inputs, to)) return;
  to.own(`Tidemark>${opName(k.name)}`, inputs, ownAttrs(k));
}
