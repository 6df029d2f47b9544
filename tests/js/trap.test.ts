// A trap of the core poisons its realm: what is said then, and by whom. After
// it nothing can be counted any more, so this file has no guard around it.
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as tf from '../../js/src/index.js';
import { collected } from '../../js/src/finalizer.js';
import { wasm } from '../../js/src/module.js';
import { op } from '../../js/src/op.js';

const bytes = (name: string): Uint8Array => readFileSync(new URL(`../../dist/tidemark-${name}.wasm`, import.meta.url));
beforeAll(async () => {
  await tf.ready({ variant: 'simd', wasmBinary: bytes('simd'), formatsBinary: bytes('formats') });
});

const codeOf = (f: () => unknown): string => {
  try {
    f();
  } catch (error) {
    return (error as tf.TensorError).code;
  }
  return 'nothing was thrown';
};

describe('a trap', () => {
  test('of other modules is no trap of ours', async () => {
    // A function whose body is `unreachable`.
    const { instance } = await WebAssembly.instantiate(new Uint8Array([
      0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 102, 0, 0, 10, 5, 1, 3, 0, 0, 11]));
    const other = instance.exports['f'] as () => void;
    expect(() => tf.tidy(() => {
      tf.ones([2]).square();
      other();
    })).toThrow(WebAssembly.RuntimeError);
    expect(tf.tidy(() => tf.ones([2]).sum().arraySync())).toBe(2);
  });

  test('in a step: the run rejects with `internal`, once, and nothing hangs', async () => {
    const initial = tf.scalar(1);
    const w: tf.Variable = tf.variable(initial, true, 'w');
    const optimizer = tf.train.adam(0.1);
    let runs = 0;
    const train = tf.train.step('train', () => {
      if (++runs === 2) {
        // A list that lies beyond the memory's last byte.
        return op('addN', () => wasm.addN(1e9));
      }
      return optimizer.minimize(() => w.square() as tf.Scalar, true, [w]);
    });
    const calls: string[] = [];
    const slept: number[] = [];
    const clock = { now: () => 0, wallTime: () => 0, sleep: async (secs: number) => void slept.push(secs) };
    const running = tf.train.withMonitoredTrainingSession({
      checkpointDir: 'memory://trap', saveCheckpointSteps: 1, clock, handleSignals: false, onLog: () => {},
      hooks: [{ end: () => void calls.push('end') }],
    }, async (sess) => {
      await sess.run(train);
      await sess.run(train);
    });
    const error = await running.then(() => undefined, (reason: unknown) => reason as tf.TensorError);
    expect([error?.code, runs, slept, calls]).toEqual(['internal', 2, [], []]);
    expect(error!.message).toMatch(/the core has trapped \(.+\).*Restart the Worker.*last checkpoint/);
    expect(error).not.toBeInstanceOf(tf.errors.AbortedError);
    expect(tf.getDefaultGraph().finalized).toBe(false);
    // The directory is whole and free: whoever restarts goes on from there.
    expect(await tf.train.latestCheckpoint('memory://trap')).toBe('memory://trap/model.ckpt-1');
    await (await tf.io.openStorage('memory://trap').lock('ckpt')).release();
  });

  test('makes every call an error of one code, and finalizers stay silent', async () => {
    expect(codeOf(() => tf.ones([1]))).toBe('internal');
    expect(codeOf(() => tf.memory())).toBe('internal');
    expect(codeOf(() => tf.tidy(() => 1))).toBe('internal');
    expect(() => collected(1)).not.toThrow();
    await expect(tf.train.MonitoredTrainingSession({ handleSignals: false })).rejects.toMatchObject({ code: 'internal' });
  });
});
