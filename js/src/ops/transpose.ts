/** Permutations of dimensions. */
import {wasm} from '../module.js';
import {assert, list, op} from '../op.js';
import type {TensorLike} from '../op.js';
import {isTensor} from '../tensor.js';
import type {Tensor, Tensor4D} from '../tensor.js';
import type {TensorLike4D} from '../types.js';
import {shapeOf} from './shape.js';

/**
 * Dimension i of the result is dimension `perm[i]` of `x`; without `perm` their
 * order is turned around. (`conjugate` concerns complex numbers only.)
 *
 * ```js
 * tf.transpose([[1, 2], [3, 4]]).arraySync(); // => [[1, 3], [2, 4]]
 * ```
 */
export function transpose<T extends Tensor>(
    x: T | TensorLike, perm?: number[] | null, _conjugate?: boolean): T {
  return op('transpose', (arg) => {
    const handle = arg('x', x);
    assert(!perm || perm.length > 0 || shapeOf(x).length === 0,
           () => `rank of input ${shapeOf(x).length} must match length of ` +
               'perm .');
    return wasm.transpose(handle, list(perm ?? []));
  });
}

/**
 * Moves channels into space: `[b, h, w, c]` becomes `[b, h * k, w * k, c /
 * k²]` for block size k.
 *
 * ```js
 * tf.depthToSpace([[[[1, 2, 3, 4]]]], 2).shape; // => [1, 2, 2, 1]
 * ```
 */
export function depthToSpace(
    x: Tensor4D | TensorLike4D, blockSize: number,
    dataFormat: 'NHWC' | 'NCHW' = 'NHWC'): Tensor4D {
  return op('depthToSpace', (arg) => {
    const handle = arg('x', x, 'float32');
    assert(!isTensor(x) || x.dtype === 'float32',
           () => "Argument 'x' passed to 'depthToSpace' must be float32 " +
               `tensor, but got ${(x as Tensor).dtype} tensor`);
    assert(blockSize > 1,
           () => 'blockSize should be > 1 for depthToSpace, but was: ' +
               blockSize);
    assert(dataFormat === 'NHWC' || dataFormat === 'NCHW',
           () => `dataFormat must be NHWC or NCHW, but got ${dataFormat}`);
    const shape = shapeOf(x);
    const channels = shape[dataFormat === 'NHWC' ? 3 : 1] ?? 0;
    assert(channels % (blockSize * blockSize) === 0,
           () => 'Dimension size must be evenly divisible by ' +
               `${blockSize * blockSize} but is ${channels} for ` +
               `depthToSpace with input shape ${shape}`);
    return wasm.depthToSpace(handle, blockSize, dataFormat === 'NCHW' ? 1 : 0);
  });
}

/**
 * Pads the dimensions after the first, cuts them into blocks and moves the
 * places within a block to the batch dimension.
 *
 * ```js
 * tf.spaceToBatchND([[[[1], [2]], [[3], [4]]]], [2, 2], [[0, 0], [0, 0]]).shape;
 * // => [4, 1, 1, 1]
 * ```
 */
export function spaceToBatchND<T extends Tensor>(
    x: T | TensorLike, blockShape: number[], paddings: number[][]): T {
  return op('spaceToBatchND', (arg) => {
    const handle = arg('x', x);
    const shape = shapeOf(x);
    assert(shape.length >= 1 + blockShape.length,
           () => `input rank ${shape.length} should be > than [blockShape] ` +
               `${blockShape.length}`);
    assert(paddings.length === blockShape.length,
           () => `paddings.shape[0] ${paddings.length} must be equal to ` +
               `[blockShape] ${blockShape.length}`);
    assert(blockShape.every((b, i) => (shape[i + 1]! + paddings[i]![0]! +
                                       paddings[i]![1]!) % b === 0),
           () => `input spatial dimensions ${shape.slice(1)} with paddings ` +
               `${paddings} must be divisible by blockShapes ${blockShape}`);
    return wasm.spaceToBatchND(handle, list(blockShape), list(paddings.flat()));
  });
}

/**
 * The inverse of `spaceToBatchND`: moves batch back into blocks, then crops
 * (before, after) elements off the dimensions after the first.
 *
 * ```js
 * tf.batchToSpaceND([[[[1]]], [[[2]]], [[[3]]], [[[4]]]], [2, 2], [[0, 0], [0, 0]])
 *     .arraySync(); // => [[[[1], [2]], [[3], [4]]]]
 * ```
 */
export function batchToSpaceND<T extends Tensor>(
    x: T | TensorLike, blockShape: number[], crops: number[][]): T {
  return op('batchToSpaceND', (arg) => {
    const handle = arg('x', x);
    const shape = shapeOf(x);
    const product = blockShape.reduce((a, b) => a * b, 1);
    assert(shape.length >= 1 + blockShape.length,
           () => `input rank is ${shape.length} but should be > than ` +
               `blockShape.length ${blockShape.length}`);
    assert(crops.length === blockShape.length,
           () => `crops.length is ${crops.length} but should be equal to ` +
               `blockShape.length  ${blockShape.length}`);
    assert(shape[0]! % product === 0,
           () => `input tensor batch is ${shape[0]} but is not divisible by ` +
               `the product of the elements of blockShape ` +
               `${blockShape.join(' * ')} === ${product}`);
    return wasm.batchToSpaceND(handle, list(blockShape), list(crops.flat()));
  });
}
