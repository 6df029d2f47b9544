// Checkpoints, state files and graphs through the wrappers.
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import {
  BundleCheck, BundleWriter, compareNames, dataFileName, indexFileName, readIndex, readTensor, swapBytes,
} from '../../../js/src/io/checkpoint/bundle.js';
import type { BundleEntry } from '../../../js/src/io/checkpoint/bundle.js';
import {
  decodeGraph, decodeMetaGraph, encodeGraph, encodeMetaGraph, graphText, parseGraphText, variableDef,
} from '../../../js/src/io/checkpoint/graph.js';
import type { Attr, GraphNode } from '../../../js/src/io/checkpoint/graph.js';
import { readState, relativePath, resolvedPath, writeState } from '../../../js/src/io/checkpoint/state.js';
import { crc32c, encode, loadFormats, maskedCrc } from '../../../js/src/io/formats.js';
import { bytesOf } from '../../../js/src/module.js';
import { handleOf } from '../../../js/src/tensor.js';
import { bytesOfArray, codeOf, concat, golden } from './golden.js';

beforeAll(loadFormats);

const part = (data: Uint8Array, { offset, size }: BundleEntry): Uint8Array => data.subarray(offset, offset + size);

describe('checksums', () => {
  test('in pieces, in place and masked', () => {
    const bytes = new TextEncoder().encode('123456789');
    expect(crc32c(bytes)).toBe(0xe3069283);
    expect(crc32c(bytes.subarray(4), crc32c(bytes.subarray(0, 4)))).toBe(0xe3069283);
    expect(crc32c(new Uint8Array(32))).toBe(0x8a9136aa);
    expect(maskedCrc(crc32c(new TextEncoder().encode('\x1a\x11CRC test, one two')))).toBe(0x5794d08a);
    const x = tf.tensor1d([1, 2, 3]);
    expect(crc32c(bytesOf(handleOf(x), 12))).toBe(crc32c(Float32Array.of(1, 2, 3)));
    x.dispose();
  });
});

describe('bundles', () => {
  test('the golden checkpoint is written again', () => {
    const bundle = new BundleWriter();
    const parts: Uint8Array[] = [];
    const add = (name: string, dtype: 'float32' | 'int64', shape: number[], array: ArrayBufferView) => {
      bundle.begin(name, dtype, shape);
      const bytes = bytesOfArray(array);
      for (let i = 0; i < bytes.length; i += 5) {
        const piece = bytes.subarray(i, i + 5);
        bundle.add(piece);
        parts.push(piece);
      }
      bundle.end();
    };
    add('dense/bias', 'float32', [3], Float32Array.of(0.5, -0.5, 0));
    add('dense/kernel', 'float32', [2, 3], Float32Array.of(1, 2, 3, 4, 5, 6));
    add('global_step', 'int64', [], BigInt64Array.of(7n));
    parts.push(bundle.strings('vocab', [2], ['hi', 'é']));
    expect(concat(parts)).toEqual(golden(dataFileName('model.ckpt-7')));
    expect(bundle.size).toBe(54);
    expect(bundle.index()).toEqual(golden(indexFileName('model.ckpt-7')));
  });

  test('3000 variables in blocks of 4096 bytes', () => {
    const bundle = new BundleWriter();
    for (let i = 0; i < 3000; i++) {
      bundle.begin(`v${String(i).padStart(5, '0')}/w`, 'float32', [1]);
      bundle.add(Float32Array.of(i));
      bundle.end();
    }
    expect(bundle.index(4096)).toEqual(golden('big.ckpt-0.index'));
    const { entries } = readIndex(golden('big.ckpt-0.index'));
    const data = golden('big.ckpt-0.data-00000-of-00001');
    expect(entries).toEqual(bundle.entries);
    const { data: bytes } = readTensor(entries[2500]!, part(data, entries[2500]!));
    expect(new Float32Array((bytes as Uint8Array).slice().buffer)).toEqual(Float32Array.of(2500));
  });

  test('every type that TensorFlow writes', () => {
    const expected = JSON.parse(new TextDecoder().decode(golden('tensorflow/types.json'))) as
      Record<string, { dtype: string; shape: number[]; hex: string | string[] }>;
    const data = golden('tensorflow/types.ckpt.data-00000-of-00001');
    const { entries, shards, bigEndian } = readIndex(golden('tensorflow/types.ckpt.index'));
    expect([shards, bigEndian]).toEqual([1, false]);
    const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
    const read = entries.map((entry) => {
      const { dtype, shape, data: bytes } = readTensor(entry, part(data, entry));
      return [entry.name, { dtype, shape, hex: Array.isArray(bytes) ? bytes.map(hex) : hex(bytes) }];
    });
    expect(Object.fromEntries(read)).toEqual(expected);
    const names = entries.map(({ name }) => name);
    expect([...names].reverse().sort(compareNames)).toEqual(names);
    expect(names.slice(-2)).toEqual(['Ünïcode/～', 'Ünïcode/𝒳']);
  });

  test('slices are named as what cannot be read', () => {
    const { entries } = readIndex(golden('tensorflow/parts.ckpt.index'));
    expect(entries.map(({ name, sliced }) => [name, sliced])).toEqual([['w', true], ['whole', false]]);
    expect(codeOf(() => readTensor(entries[0]!, new Uint8Array()))).toBe('unsupported');
  });

  test('damage is found', () => {
    const index = golden('model.ckpt-7.index');
    for (const i of [0, 50, 120, 165, 211]) {
      const bad = index.slice();
      bad[i]! ^= 16;
      expect(codeOf(() => readIndex(bad))).toBe('argument');
    }
    expect(codeOf(() => readIndex(index.subarray(1)))).toBe('argument');
    const { entries } = readIndex(index);
    const data = golden('model.ckpt-7.data-00000-of-00001');
    for (const entry of entries) {
      const bytes = part(data, entry);
      const bad = bytes.slice();
      bad[bad.length - 1]! ^= 1;
      expect(() => readTensor(entry, bad)).toThrow(`'${entry.name}'`);
      expect(codeOf(() => readTensor(entry, bad))).toBe('argument');
      expect(codeOf(() => readTensor(entry, bytes.subarray(1)))).toBe('argument');
    }
    const check = new BundleCheck(entries[1]!);
    check.add(part(data, entries[1]!).subarray(0, 10));
    check.add(part(data, entries[1]!).subarray(10));
    check.end();
  });

  test('mistakes of writers', () => {
    const bundle = new BundleWriter();
    expect(codeOf(() => bundle.add(new Uint8Array(1)))).toBe('state');
    expect(codeOf(() => bundle.end())).toBe('state');
    bundle.begin('w', 'float32', [2]);
    expect(codeOf(() => bundle.begin('v', 'float32', []))).toBe('state');
    expect(codeOf(() => bundle.index())).toBe('state');
    bundle.add(new Uint8Array(7));
    bundle.end();
    expect(() => bundle.index()).toThrow("checkpoint: the size does not fit the shape of 'w'");
    const twice = new BundleWriter();
    for (let i = 0; i < 2; i++) {
      twice.begin('w', 'bool', []);
      twice.add(Uint8Array.of(1));
      twice.end();
    }
    expect(() => twice.index()).toThrow("checkpoint: there are two of 'w'");
    expect(codeOf(() => new BundleWriter().index(0))).toBe('argument');
  });

  test('names come in the order of their bytes', () => {
    const names = ['', 'a', 'a/b', 'ab', 'é', '\ud7ff', '\ue000', '\uffff', '𝒳', '𝒳a', '\u{10ffff}'];
    const utf8 = (s: string): string => Buffer.from(s).toString('hex');
    for (const a of names) {
      for (const b of names) {
        expect(Math.sign(compareNames(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
        expect(compareNames(a, b) === 0).toBe(utf8(a) === utf8(b));
      }
    }
  });

  test('big-endian bytes are turned round', () => {
    const bytes = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8);
    swapBytes(bytes, 'float32');
    expect([...bytes]).toEqual([4, 3, 2, 1, 8, 7, 6, 5]);
    swapBytes(bytes, 'uint8');
    expect([...bytes]).toEqual([4, 3, 2, 1, 8, 7, 6, 5]);
    const entry = readIndex(golden('model.ckpt-7.index')).entries[2]!;
    const data = part(golden('model.ckpt-7.data-00000-of-00001'), entry);
    expect(readTensor(entry, data, true).data).toEqual(Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 7));
    expect(data[0]).toBe(7);
  });
});

describe('the state file', () => {
  const text = (name: string): string => new TextDecoder().decode(golden(name));

  test('the golden file', () => {
    const state = { modelCheckpointPath: '/run/model.ckpt-7', allModelCheckpointPaths: ['/run/model.ckpt-7'] };
    expect(writeState(state, '/run')).toBe(text('checkpoint'));
    expect(readState(text('checkpoint'), '/run')).toEqual(state);
    expect(readState(text('checkpoint'))).toEqual({ modelCheckpointPath: 'model.ckpt-7', allModelCheckpointPaths: ['model.ckpt-7'] });
  });

  test('files of TensorFlow', () => {
    for (const name of ['tensorflow/checkpoint', 'tensorflow/checkpoint.manager']) {
      expect(writeState(readState(text(name)))).toBe(text(name));
    }
    expect(readState(text('tensorflow/checkpoint.manager')).allModelCheckpointTimestamps).toHaveLength(2);
    expect(readState(text('tensorflow/checkpoint')).allModelCheckpointPaths).toHaveLength(4);
  });

  test('paths', () => {
    expect(relativePath('/run/a', '/run/')).toBe('a');
    expect(relativePath('/running/a', '/run')).toBe('/running/a');
    expect(relativePath('a', '')).toBe('a');
    for (const absolute of ['/x/a', 'C:\\x\\a', 'opfs://runs/a', '\\\\host\\a', '']) {
      expect(resolvedPath(absolute, '/run')).toBe(absolute);
    }
    expect(resolvedPath('a', 'opfs://runs')).toBe('opfs://runs/a');
    expect(resolvedPath('a', '')).toBe('a');
  });

  test('escapes, and any layout', () => {
    const path = 'a "b" \\ \n é 𝒳';
    const state = { modelCheckpointPath: path, allModelCheckpointPaths: [path] };
    expect(writeState(state)).toMatch(/^[ -~\n]*$/);
    expect(readState(writeState(state))).toEqual(state);
    expect(readState(`# by hand\nall_model_checkpoint_paths: ['x', "y"]; model_checkpoint_path:'a' "b"`))
      .toEqual({ modelCheckpointPath: 'ab', allModelCheckpointPaths: ['x', 'y'] });
    expect(codeOf(() => readState('model_checkpoint_path: "x'))).toBe('argument');
  });
});

describe('graphs', () => {
  const type: Attr = { type: 'float32' };
  const outputShapes = [[2, 2]];
  const bytes = bytesOfArray(Float32Array.of(1, 2, 3, 4));
  const nodes: GraphNode[] = [
    { name: 'x', op: 'Placeholder', attrs: { dtype: type, shape: { shape: [2, 2] } }, outputShapes },
    { name: 'c', op: 'Const', attrs: { dtype: type, value: { tensor: { dtype: 'float32', shape: [2, 2], bytes } } }, outputShapes },
    { name: 'y', op: 'MatMul', inputs: ['x', 'c'], attrs: { T: type }, outputShapes },
  ];

  test('the golden graph, in both forms', () => {
    const graph = encodeGraph({ nodes });
    expect(graph).toEqual(golden('graph.pb'));
    const text = graphText(graph);
    expect(text).toBe(new TextDecoder().decode(golden('graph.pbtxt')));
    expect(parseGraphText(text)).toEqual(graph);
  });

  test('every kind of attribute', () => {
    const attrs: Record<string, Attr> = {
      a: { b: false }, b: { i: 0 }, c: { f: 0 }, d: { s: '' }, e: { shape: undefined }, f: { shape: [-1, 3] },
      g: { types: ['float32', 'bool'] }, h: { strings: ['x'] }, i: { ints: [1, -(2n ** 60n)] }, j: { floats: [0.5] },
    };
    const graph = decodeGraph(encodeGraph({ nodes: [{ name: 'n', op: 'N', attrs }], producer: 1 })) as
      { node: { attr: object }[]; versions: object };
    expect(graph.versions).toEqual({ producer: 1 });
    expect(graph.node[0]!.attr).toEqual({
      a: { b: false }, b: { i: 0 }, c: { f: 0 }, d: { s: new Uint8Array() }, e: { shape: { unknown_rank: true } },
      f: { shape: { dim: [{ size: -1 }, { size: 3 }] } }, g: { list: { type: [1, 10] } },
      h: { list: { s: [new TextEncoder().encode('x')] } }, i: { list: { i: [1, -(2n ** 60n)] } }, j: { list: { f: [0.5] } },
    });
  });

  test('the golden meta graphs', () => {
    expect(encodeMetaGraph({ graphDef: golden('graph.pb'), tensorflowVersion: 'wasm-runtime-0.0', tensorflowGitVersion: 'unknown' }))
      .toEqual(golden('model.ckpt-7.meta'));
    const { graphDef } = graphOf('variables.meta');
    const kernel = variableDef('dense/kernel', true);
    const bias = variableDef('dense/bias', true);
    const step = variableDef('global_step', false);
    const meta = {
      graphDef, tags: ['train'], strippedDefaultAttrs: true,
      collections: {
        variables: { bytes: [kernel, bias, step] }, trainable_variables: { bytes: [kernel, bias] },
        global_step: { bytes: [step] }, train_op: { nodes: ['train'] }, sizes: { ints: [3, -1] }, losses: { floats: [0.5, -1] },
      },
    };
    expect(encodeMetaGraph(meta)).toEqual(golden('variables.meta'));
    const saver = {
      filenameTensorName: 'save/Const:0', saveTensorName: 'save/control_dependency:0', restoreOpName: 'save/restore_all',
      maxToKeep: 5, sharded: true,
    };
    expect(encodeMetaGraph({ ...meta, saver })).toEqual(golden('saver.meta'));
    const read = decodeMetaGraph(golden('saver.meta')) as { saver_def: object; collection_def: object };
    expect(read.saver_def).toMatchObject({ max_to_keep: 5, keep_checkpoint_every_n_hours: 10000, version: 2 });
    expect(Object.keys(read.collection_def)).toEqual(['global_step', 'losses', 'sizes', 'train_op', 'trainable_variables', 'variables']);
  });

  /** The graph inside a meta graph, encoded again from its decoded form. */
  function graphOf(name: string): { graphDef: Uint8Array } {
    const { graph_def: graph } = decodeMetaGraph(golden(name)) as { graph_def: Parameters<typeof encode>[1] };
    return { graphDef: encode('GraphDef', graph) };
  }
});

test('a view of the wasm memory counts, whether or not the memory grows', () => {
  const x = tf.ones([1 << 20]);
  const bundle = new BundleWriter();
  bundle.begin('x', 'float32', [1 << 20]);
  bundle.add(bytesOf(handleOf(x), 4 << 20));
  bundle.end();
  const plain = new BundleWriter();
  plain.begin('x', 'float32', [1 << 20]);
  const bytes = bytesOfArray(new Float32Array(1 << 20).fill(1));
  for (let i = 0; i < 4; i++) plain.add(bytes.subarray(i << 20, (i + 1) << 20));
  plain.end();
  expect(bundle.entries).toEqual(plain.entries);
  expect(bundle.index()).toEqual(plain.index());
  x.dispose();
});
