/** Twins of products, convolutions and pools. */
import type {Attr} from '../../io/checkpoint/graph.js';
import type {RecordedKernel} from './recorder.js';
import {number, numbers, same, shapeOf, type, typeOf} from './twin.js';
import type {Attrs, Shape, Twin} from './twin.js';

const activations: Readonly<Record<string, string>> = {
  relu: 'Relu', relu6: 'Relu6', elu: 'Elu', leakyRelu: 'LeakyRelu',
  sigmoid: 'Sigmoid',
};

/**
 * A product with a bias and an activation: as many ops, of which the last has
 * the kernel's name.
 */
function fused(product: (k: RecordedKernel) => [string, Attrs] | undefined): Twin {
  return (k, [a, b, ...rest], to) => {
    const first = product(k);
    if (first === undefined || rest.length > 1) return false;
    const shape = k.outputShapes[0]!;
    const T = type(typeOf(k));
    const steps: [string, string[], Attrs][] = [[first[0], [a!, b!], first[1]]];
    if (rest.length > 0) steps.push(['AddV2', rest.slice(), {T}]);
    const activation = k.attrs['activation'];
    if (typeof activation === 'string') {
      steps.push([activations[activation]!, [], {
        T, ...(activation === 'leakyRelu' ?
          {alpha: {f: number(k.attrs['alpha'])}} : {}),
      }]);
    }
    const [op, inputs, attrs] = steps.pop()!;
    let last: string[] = [];
    for (const [op, inputs, attrs] of steps) {
      last = [to.below(op, op, [...last, ...inputs], attrs, shape)];
    }
    to.own(op, [...last, ...inputs], attrs);
    return true;
  };
}

function product(k: RecordedKernel): [string, Attrs] {
  const T = type(typeOf(k));
  const [a, b] = [k.attrs['transpose_a'], k.attrs['transpose_b']]
      .map((x): Attr => ({b: x === true}));
  return k.outputShapes[0]!.length === 2 ?
    ['MatMul', {T, transpose_a: a!, transpose_b: b!}] :
    ['BatchMatMulV2', {T, adj_x: a!, adj_y: b!}];
}

/** How TensorFlow names the paddings of windows over `image`. */
function padding(k: RecordedKernel, image: Shape, out: Shape): Attrs {
  const pads = numbers(k.attrs['pads']);
  if (pads.every((n) => n === 0)) return {padding: {s: 'VALID'}};
  const spread = [0, 1].flatMap((i) => {
    const at = (name: string): number => numbers(k.attrs[name])[i]!;
    const reach = (at('kernel') - 1) * at('dilations') + 1;
    const stride = at('strides');
    if (Math.ceil(image[1 + i]! / stride) !== out[1 + i]) return [NaN, NaN];
    const total = Math.max((out[1 + i]! - 1) * stride + reach - image[1 + i]!, 0);
    return [total >> 1, total - (total >> 1)];
  });
  return same(spread, pads) ? {padding: {s: 'SAME'}} :
    {padding: {s: 'EXPLICIT'}, explicit_paddings: {ints: [0, 0, ...pads, 0, 0]}};
}

const nhwc = (k: RecordedKernel, name: string): Attr =>
  ({ints: [1, ...numbers(k.attrs[name]), 1]});

/** Attributes of convolutions from `image` to `out`. */
function windows(k: RecordedKernel, image: Shape, out: Shape): Attrs {
  return {
    T: type(typeOf(k)), strides: nhwc(k, 'strides'),
    dilations: nhwc(k, 'dilations'), data_format: {s: 'NHWC'},
    ...padding(k, image, out),
  };
}

// TensorFlow's depthwise convolutions do no others on a CPU.
const regular = (k: RecordedKernel): boolean => {
  const [height, width] = numbers(k.attrs['strides']);
  return height === width && numbers(k.attrs['dilations']).every((n) => n === 1);
};

const convolution = (op: string, fits: (k: RecordedKernel) => boolean) =>
  (k: RecordedKernel): [string, Attrs] | undefined => fits(k) ?
    [op, windows(k, shapeOf(k), k.outputShapes[0]!)] : undefined;

/** Takes sizes, then filter and gradient, or image, sizes and gradient. */
function convolutionGradient(
    op: string, of: 'input' | 'filter',
    fits: (k: RecordedKernel) => boolean): Twin {
  return (k, [x, y], to) => {
    if (!fits(k)) return false;
    const out = k.outputShapes[0]!;
    const sizes = to.constant('sizes', 'int32', [out.length], out);
    if (of === 'input') to.own(op, [sizes, y!, x!], windows(k, out, shapeOf(k)));
    else to.own(op, [x!, sizes, y!], windows(k, shapeOf(k), shapeOf(k, 1)));
    return true;
  };
}

function pool(op: string, allowed: readonly string[]): Twin {
  return (k, inputs, to) => {
    const {dilations: _, ...attrs} =
        windows(k, shapeOf(k), k.outputShapes[0]!);
    const kind = (attrs['padding'] as {s: string}).s;
    const dilated = numbers(k.attrs['dilations']).some((n) => n !== 1);
    if (dilated || !allowed.includes(kind) || typeOf(k) !== 'float32') {
      return false;
    }
    to.own(op, inputs, {...attrs, ksize: nhwc(k, 'kernel')});
    return true;
  };
}

export const products: Readonly<Record<string, Twin>> = {
  MatMul: (k, inputs, to) => {
    to.own(product(k)[0], inputs, product(k)[1]);
    return true;
  },
  'Fused matMul': fused(product),
  Conv2d: (k, inputs, to) => {
    to.own('Conv2D', inputs, windows(k, shapeOf(k), k.outputShapes[0]!));
    return true;
  },
  DepthwiseConv2d: (k, inputs, to) => {
    if (!regular(k)) return false;
    to.own('DepthwiseConv2dNative', inputs,
        windows(k, shapeOf(k), k.outputShapes[0]!));
    return true;
  },
  FusedConv2d: fused(convolution('Conv2D', () => true)),
  FusedDepthwiseConv2d: fused(convolution('DepthwiseConv2dNative', regular)),
  Conv2dBackpropInput:
    convolutionGradient('Conv2DBackpropInput', 'input', () => true),
  Conv2dBackpropFilter:
    convolutionGradient('Conv2DBackpropFilter', 'filter', () => true),
  DepthwiseConv2dBackpropInput: convolutionGradient(
      'DepthwiseConv2dNativeBackpropInput', 'input', regular),
  DepthwiseConv2dBackpropFilter: convolutionGradient(
      'DepthwiseConv2dNativeBackpropFilter', 'filter', regular),
  MaxPool: pool('MaxPool', ['VALID', 'SAME', 'EXPLICIT']),
  AvgPool: pool('AvgPool', ['VALID', 'SAME']),
};
