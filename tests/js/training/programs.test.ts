// Whole programs on real storage: the two of the guide, and what they leave.
import { describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { decodeGraph, parseGraphText } from '../../../js/src/io/checkpoint/graph.js';
import { openStorage } from '../../../js/src/io/storage/open.js';
import { dir, eventsIn, filesIn, fresh, options, programs, scalars } from './programs_support.js';
import { FakeClock } from './support.js';

interface Node { name: string; op: string; input?: string[] }
type Graph = { node: Node[] };

/** graph.pbtxt, and the graphs of the event files of a run. */
async function graphsIn(directory: string): Promise<[Graph, Graph[]]> {
  const text = new TextDecoder().decode(await openStorage(directory).read('graph.pbtxt'));
  const graphs = (await eventsIn(directory)).flatMap(({ graphDef }) => graphDef ? [graphDef] : []);
  return [decodeGraph(parseGraphText(text)) as unknown as Graph, graphs.map((bytes) => decodeGraph(bytes) as unknown as Graph)];
}

const edges = ({ node }: Graph): Record<string, string> =>
  Object.fromEntries(node.map(({ name, op, input = [] }) => [name, `${op}(${input.join(', ')})`]));

describe('programs', () => {
  programs();

  test('a Keras model in steps: trains, stops, and resumes from the newest checkpoint', async () => {
    const batch = tf.tidy(() => ({
      xs: tf.keep(tf.randomUniform([8, 28, 28, 1], 0, 1, 'float32', 3)),
      ys: tf.keep(tf.oneHot(tf.tensor1d([0, 1, 2, 3, 4, 5, 6, 7], 'int32'), 10)),
    }));
    const program = async (checkpointDir: string, lastStep: number) => {
      tf.keras.backend.clear_session();
      tf.keras.utils.set_random_seed(1);
      const model = tf.keras.Sequential([
        tf.keras.layers.Flatten({ inputShape: [28, 28, 1] }),
        tf.keras.layers.Dense(10, { activation: 'softmax' }),
      ]);
      model.compile({ optimizer: tf.train.adam(1e-3), loss: 'categoricalCrossentropy', metrics: ['accuracy'] });
      const train = tf.train.step('train', () => {
        const logs = model.trainStep(batch.xs, batch.ys);
        tf.summary.scalar('loss', logs['loss']!);
        return logs;
      });
      const losses: number[] = [];
      await tf.train.withMonitoredTrainingSession(
        {
          ...options, checkpointDir, saveCheckpointSteps: 4,
          hooks: [new tf.train.StopAtStepHook({ lastStep }), new tf.train.NanTensorHook('train/loss')],
        },
        async (sess) => {
          while (!sess.shouldStop()) losses.push((await sess.run(train))['loss'] as number);
        });
      const adam = model.optimizer;
      expect(adam.iterations).toBe(lastStep);
      model.dispose();
      adam.dispose();
      return losses;
    };
    const whole = await program(dir, 10);
    expect(whole).toHaveLength(10);
    expect(whole.at(-1)!).toBeLessThan(whole[0]!);
    const parts = [...await program(`${dir}b`, 5), ...await program(`${dir}b`, 10)];
    // Moments and counters of the optimizer are restored too.
    parts.forEach((loss, i) => expect(loss).toBeCloseTo(whole[i]!, 5));
    const files = await filesIn(`${dir}b`);
    expect(files).toEqual(expect.arrayContaining([
      'checkpoint', 'graph.pbtxt', 'model.ckpt-10.index', 'model.ckpt-10.data-00000-of-00001', 'model.ckpt-10.meta',
    ]));
    expect(scalars(await eventsIn(`${dir}b`), 'loss').map(([step]) => step)).toEqual([1, 6]);
    // The graph of all that the model did, in its text and in the newest event.
    const [text, graphs] = await graphsIn(`${dir}b`);
    const newest = edges(graphs.at(-1)!);
    expect(edges(text)).toEqual(newest);
    expect(newest).toMatchObject({
      'train/FusedMatMul/MatMul': expect.stringMatching(/^MatMul\(train\/Reshape, dense[^,]*\/kernel\/Read\/ReadVariableOp\)$/),
      'train/FusedMatMul': expect.stringMatching(/^AddV2\(train\/FusedMatMul\/MatMul, dense[^,]*\/bias\/Read\/ReadVariableOp\)$/),
      'train/AdamUpdate': expect.stringMatching(/^Tidemark>AdamUpdate\(/),
      'train/loss': expect.stringMatching(/^Identity\(train\//),
      'train/acc': expect.stringMatching(/^Identity\(train\//),
      train: expect.stringMatching(/^NoOp\(\^train\/loss, \^train\/acc, \^train\/AssignVariableOp/),
    });
    tf.dispose(batch);
  });

  test('with feeds: steps, names, fetches beside them, and the end of the data', async () => {
    const x = tf.placeholder('float32', [null, 784], 'x');
    const y = tf.placeholder('float32', [null, 10], 'y');
    const w = tf.tidy(() => tf.variable(tf.zeros([784, 10]), true, 'w'));
    const opt = tf.train.sgd(0.1);
    const logits = tf.train.fetch('logits', { x }, ({ x }) => x.matMul(w as tf.Tensor2D));
    const train = tf.train.step('train', { x, y }, ({ x, y }) =>
      ({ loss: opt.minimize(() => tf.losses.softmaxCrossEntropy(y, x.matMul(w as tf.Tensor2D)), true, [w])! }));
    async function* batches() {
      for (let i = 0; i < 4; i++) {
        yield tf.tidy(() => ({
          xs: tf.keep(tf.randomUniform([5, 784], 0, 1, 'float32', i)),
          ys: Array.from({ length: 5 }, (_, n) => Array.from({ length: 10 }, (_, k) => Number(k === n))),
        }));
      }
    }
    const losses: number[] = [];
    await tf.train.withMonitoredTrainingSession({ ...options, checkpointDir: dir }, async (sess) => {
      for await (const b of batches()) {
        const { loss } = await sess.run(train, { x: b.xs, y: b.ys });
        losses.push(loss);
        const [step, p] = await sess.run(['global_step', logits], { x: b.xs });
        expect(step).toBe(losses.length);
        expect(p).toHaveLength(5);
        b.xs.dispose();
        if (sess.shouldStop()) break;
      }
    });
    expect(losses[0]).toBeCloseTo(Math.log(10), 5);
    expect(losses.at(-1)!).toBeLessThan(losses[0]!);
    expect(await tf.train.latestCheckpoint(dir)).toBe(`${dir}/model.ckpt-4`);
    // At the creation, then once more after the first run of each function.
    const [text, graphs] = await graphsIn(dir);
    const [first, , third, fourth, ...rest] = graphs.map(edges);
    expect(rest).toEqual([]);
    expect([first!['train'], first!['logits']]).toEqual(['NoOp(^x, ^y)', 'NoOp(^x)']);
    expect(third!['train']).toMatch(/^NoOp\(\^x, \^y, \^train\/loss, \^train\/AssignVariableOp, /);
    expect(third!['logits']).toBe('NoOp(^x)');
    expect(fourth).toMatchObject({
      'train/MatMul': 'MatMul(x, w/Read/ReadVariableOp)', 'train/AssignVariableOp': 'AssignVariableOp(w, train/SgdUpdate, ^w/Read/ReadVariableOp)',
      'logits/MatMul': 'MatMul(x, w/Read/ReadVariableOp)', logits: 'Identity(logits/MatMul, ^x)',
    });
    expect(edges(text)).toEqual(fourth);
  });

  test('an event file begins as TensorFlow\'s, with the graph once more after the first run', async () => {
    const train = fresh((w) => {
      tf.summary.scalar('loss', w);
      return { loss: w.square() };
    });
    await tf.train.withMonitoredTrainingSession({ ...options, checkpointDir: dir, saveSummariesSteps: 1 }, async (sess) => {
      await sess.run(train);
    });
    const kinds = (await eventsIn(dir)).map((e) =>
      e.fileVersion ?? (e.graphDef ? 'graph' : e.metaGraphDef ? 'meta' : e.summary ? 'summary' :
        e.sessionLog ? ['', 'START', 'STOP', 'CHECKPOINT'][e.sessionLog.status]! : '?'));
    expect(kinds).toEqual([
      'brain.Event:2', 'graph', 'meta', 'graph', 'meta', 'CHECKPOINT', 'START', 'summary', 'graph', 'CHECKPOINT',
    ]);
    const storage = openStorage(dir);
    const text = new TextDecoder().decode(await storage.read('graph.pbtxt'));
    expect(text).toContain('name: "train/Square"');
    expect(text).toContain('name: "train/loss"');
  });

  test.each([true, false])('a hidden page saves what is not saved yet, once a minute: %p', async (checkpointOnHide) => {
    const page = Object.assign(new EventTarget(), { visibilityState: 'hidden' });
    const realm = globalThis as { document?: unknown };
    realm.document = page;
    const clock = new FakeClock();
    const hide = async (): Promise<void> => {
      page.dispatchEvent(new Event('visibilitychange'));
      await new Promise((resolve) => setTimeout(resolve, 50));
    };
    const latest = () => tf.train.latestCheckpoint(dir);
    try {
      const train = fresh();
      await tf.train.withMonitoredTrainingSession(
        { ...options, clock, checkpointOnHide, checkpointDir: dir, saveCheckpointSteps: 5 },
        async (sess) => {
          const seen: (string | null)[] = [];
          for (let i = 0; i < 3; i++) {
            await sess.run(train);
            await hide();
            seen.push(await latest());
            clock.time += 31;
          }
          expect(seen).toEqual((checkpointOnHide ? [1, 1, 3] : [0, 0, 0]).map((n) => `${dir}/model.ckpt-${n}`));
        });
      expect(await latest()).toBe(`${dir}/model.ckpt-3`);
    } finally {
      delete realm.document;
    }
  });

  test('a preemption restores the newest checkpoint', async () => {
    let run = 0;
    const train = fresh((w) => {
      w.assign(w.add(1));
      if (++run === 4) throw new tf.errors.UnavailableError('gone');
      return null;
    });
    const clock = new FakeClock();
    await tf.train.withMonitoredTrainingSession({ ...options, clock, checkpointDir: dir, saveCheckpointSteps: 2 }, async (sess) => {
      for (let i = 0; i < 5; i++) await sess.run(train);
      // Runs 1-3, the fourth fails: back to step 2, then it and one more.
      expect(await sess.run(['global_step', 'w'])).toEqual([4, 5]);
    });
  });
});
