// The two programs of the guide, for real: in a worker with the origin private
// file system, and in a page with IndexedDB; a reload resumes. With the
// minified build too, where classes have other names.
import { expect, test, type Page } from '@playwright/test';
import type * as Tidemark from '../../../js/src/index.js';

type Api = typeof Tidemark;
type Tensor = Tidemark.Tensor;
const builds = ['index.js', 'tidemark.min.js'] as const;
type Build = (typeof builds)[number];

/** What a program tells its page. */
interface News {
  step?: number;
  restored?: number;
  done?: { step: number; losses: number[]; keys: string[]; ops: string[]; tensors: number };
  error?: string;
}

/** Runs in a worker: the first program of the guide. */
async function digits(tf: Api, directory: string, lastStep: number, tell: (news: News) => void): Promise<void> {
  const atRest = tf.memory().numTensors;
  const model = tf.keras.Sequential([
    tf.keras.layers.Flatten({ inputShape: [28, 28, 1] }),
    tf.keras.layers.Dense(10, { activation: 'softmax' }),
  ]);
  model.compile({ optimizer: tf.train.adam(1e-3), loss: 'categoricalCrossentropy', metrics: ['accuracy'] });
  const nextBatch = (): [Tensor, Tensor] => {
    const labels = tf.range(0, 16, 1, 'int32').mod(10).toInt();
    const noise = tf.randomUniform([16, 28, 28, 1], 0, 0.1);
    const bright = labels.toFloat().div(10).reshape([16, 1, 1, 1]);
    return [noise.add(bright), tf.oneHot(labels, 10)];
  };
  const train = tf.train.step('train', () => {
    const logs = model.trainStep(...nextBatch());
    tf.summary.scalar('loss', logs['loss']!);
    return logs;
  });
  const losses: number[] = [];
  await tf.train.withMonitoredTrainingSession({
    checkpointDir: directory, saveCheckpointSteps: 20, onLog: () => {},
    hooks: [new tf.train.StopAtStepHook({ lastStep }), new tf.train.NanTensorHook('train/loss')],
  }, async (sess) => {
    tell({ restored: tf.train.getGlobalStep()!.number });
    while (!sess.shouldStop()) {
      const { loss } = await sess.run(train);
      losses.push(loss as number);
      tell({ step: tf.train.getGlobalStep()!.number });
    }
  });
  const keys = (await tf.train.listVariables(directory)).map(([name]) => name);
  const storage = tf.io.openStorage(directory);
  const text = new TextDecoder().decode(await storage.read('graph.pbtxt'));
  const ops = [...new Set([...text.matchAll(/^ {2}op: "(.+)"$/gm)].map(([, op]) => op!))].sort();
  const adam = model.optimizer;
  model.dispose();
  adam.dispose();
  const tensors = tf.memory().numTensors - atRest;
  tell({ done: { step: tf.train.getGlobalStep()!.number, losses, keys, ops, tensors } });
}

/** Starts the program in a worker of the page, whose news go to `news`. */
async function start(page: Page, build: Build, directory: string, lastStep: number): Promise<void> {
  await page.goto('/pages/blank.html');
  await page.evaluate(([program, file, dir, last]) => {
    const dist = `${location.origin}/dist/`;
    const load = file === 'index.js'
      ? `const tf = await import('${dist}index.js');`
      : `importScripts('${dist}${file}'); const tf = globalThis.tidemark;`;
    const source = `(async () => {
      ${load}
      await tf.ready({ wasmPath: '${dist}' });
      await (${program})(tf, '${dir}', ${last}, postMessage);
    })().catch((error) => postMessage({ error: String(error.stack ?? error) }));`;
    const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
    const news: News = {};
    (globalThis as any).news = news;
    const worker = new Worker(url, { type: file === 'index.js' ? 'module' : 'classic' });
    worker.onmessage = ({ data }) => Object.assign(news, data);
    worker.onerror = ({ message }) => Object.assign(news, { error: message });
  }, [digits.toString(), build, directory, lastStep] as const);
}

const news = (page: Page): Promise<News> => page.evaluate(() => (globalThis as any).news as News);

async function until<K extends keyof News>(page: Page, key: K, holds: (value: News[K]) => boolean): Promise<NonNullable<News[K]>> {
  let seen: News = {};
  await expect.poll(async () => {
    seen = await news(page);
    return seen.error ?? holds(seen[key]);
  }, { timeout: 60_000 }).toBe(true);
  return seen[key]!;
}

const checkpointKeys = [
  'beta1_power', 'beta2_power', 'dense/bias', 'dense/bias/Adam', 'dense/bias/Adam_1', 'dense/kernel',
  'dense/kernel/Adam', 'dense/kernel/Adam_1', 'global_step',
];

for (const build of builds) {
  test(`in a worker with opfs://, a reload resumes: ${build}`, async ({ page }) => {
    test.setTimeout(120_000);
    const directory = `opfs://programs/${build.replace(/\W/g, '-')}`;
    await start(page, build, directory, 100_000);
    expect(await until(page, 'restored', (at) => at !== undefined)).toBe(0);
    await until(page, 'step', (step) => step! >= 45);
    // Nobody tells the worker: it dies in the middle of whatever it does.
    await start(page, build, directory, 90);
    const restored = await until(page, 'restored', (at) => at !== undefined);
    expect(restored).toBeGreaterThanOrEqual(40);
    expect(restored % 20).toBe(0);
    // The first life may have come further than this one is asked to.
    const last = Math.max(90, restored);
    const done = await until(page, 'done', (end) => end !== undefined);
    expect(done.step).toBe(last);
    expect(done.losses).toHaveLength(last - restored);
    expect(done.tensors).toBe(0);
    // Names come from the program and from TensorFlow, never from minified classes.
    expect(done.keys.filter((key) => !key.startsWith('Adam/'))).toEqual(checkpointKeys);
    expect(done.ops).toContain('VarHandleOp');
    expect(done.ops.filter((op) => !/^[A-Z][A-Za-z0-9]+(>[A-Z][A-Za-z0-9]+)?$/.test(op))).toEqual([]);
    await start(page, build, directory, 90);
    const third = await until(page, 'done', (end) => end !== undefined);
    expect(third).toMatchObject({ step: last, losses: [] });
  });

  test(`with feeds in a page, a reload resumes: ${build}`, async ({ page }) => {
    test.setTimeout(120_000);
    const directory = `indexeddb://programs/${build.replace(/\W/g, '-')}`;
    const life = async () => {
      await page.goto('/pages/blank.html');
      if (build !== 'index.js') await page.addScriptTag({ url: `/dist/${build}` });
      return page.evaluate(async ([file, dir]) => {
        const path = `/dist/${file}`;
        const tf = (file === 'index.js' ? await import(path) : (globalThis as any).tidemark) as Api;
        await tf.ready();
        const atRest = tf.memory().numTensors;
        const x = tf.placeholder('float32', [null, 784], 'x');
        const y = tf.placeholder('float32', [null, 10], 'y');
        const w = tf.tidy(() => tf.variable(tf.zeros([784, 10]), true, 'w'));
        const opt = tf.train.sgd(0.1);
        const times = (a: Tensor) => tf.matMul(a, w);
        const logits = tf.train.fetch('logits', { x }, (fed) => times(fed.x));
        const train = tf.train.step('train', { x, y }, (fed) =>
          ({ loss: opt.minimize(() => tf.losses.softmaxCrossEntropy<Tidemark.Scalar>(fed.y, times(fed.x)), true, [w])! }));
        async function* batches() {
          for (let i = 0; i < 4; i++) {
            yield { xs: Array.from({ length: 5 }, (_, n) => Array.from({ length: 784 }, (_, k) => Number(k % 5 === n))),
              ys: Array.from({ length: 5 }, (_, n) => Array.from({ length: 10 }, (_, k) => Number(k === n))) };
          }
        }
        const losses: number[] = [];
        const steps: number[] = [];
        await tf.train.withMonitoredTrainingSession({ checkpointDir: dir, onLog: () => {} }, async (sess) => {
          for await (const b of batches()) {
            const { loss } = await sess.run(train, { x: b.xs, y: b.ys });
            const [step, p] = await sess.run(['global_step', logits], { x: b.xs });
            losses.push(loss);
            steps.push(step as number);
            if ((p as number[][]).length !== 5) throw new Error('logits');
            if (sess.shouldStop()) break;
          }
        });
        const names = [new tf.errors.NotFoundError('x').name, new tf.train.NanLossDuringTrainingError().name];
        const latest = await tf.train.latestCheckpoint(dir);
        opt.dispose();
        w.dispose();
        return { losses, steps, latest, names, left: tf.memory().numTensors - atRest };
      }, [build, directory] as const);
    };
    const first = await life();
    expect(first.steps).toEqual([1, 2, 3, 4]);
    expect(first.losses[0]).toBeCloseTo(Math.log(10), 4);
    const second = await life();
    expect(second.steps).toEqual([5, 6, 7, 8]);
    expect(second.losses[0]).toBeLessThan(first.losses[3]!);
    expect(second.latest).toBe(`${directory}/model.ckpt-8`);
    expect(second.names).toEqual(['NotFoundError', 'NanLossDuringTrainingError']);
    expect(second.left).toBe(0);
  });
}
