// Chief and workers as Web Workers, for real: parity, throughput, and tasks that
// are killed at random moments.
import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import type * as Tidemark from '../../../js/src/index.js';

type Api = typeof Tidemark;
type Settings = Record<string, string | number>;

interface Outcome {
  /** The chief's losses by step. */
  losses: number[];
  /** The chief's at the end. */
  weights: number[];
  globalStep?: number;
  error?: string;
  lost: string[];
  /** Tensors at each step, by task. */
  tensors: Record<string, number[]>;
  ended: number;
  /** Milliseconds from the first step of the chief to its last. */
  ms: number;
  /** Steps that the chief made again after it was killed. */
  repeated: number;
}

interface Kill {
  role: 'chief' | 'worker';
  index: number;
  /** When the chief tells of this step, */
  step: number;
  /** after so many milliseconds. */
  after: number;
}

test.beforeEach(async ({ page }) => {
  await page.goto('/pages/blank.html');
});

/** Runs a job in the page. */
function run(page: Page, settings: Settings, workers: number, kills: Kill[] = []): Promise<Outcome> {
  return page.evaluate(async ({ settings, workers, kills }) => {
    const path = '/dist/index.js';
    const tf = (await import(path)) as Api;
    const query = new URLSearchParams(Object.entries(settings).map(([k, v]) => [k, String(v)]));
    const out: Outcome = { losses: [], weights: [], lost: [], tensors: {}, ended: 0, ms: 0, repeated: 0 };
    const pending = [...kills];
    let first = 0;
    const job = tf.train.startJob(null, {
      job: String(settings['job'] ?? 'job'),
      workers,
      maxRespawns: 20,
      onLog: () => {},
      onEvent: ({ type, role, index }) => void (type === 'lost' && out.lost.push(`${role} ${index}`)),
      spawn: (role, index, name) => {
        const worker = new Worker(`/pages/training/train.mjs?${query}`, { type: 'module', name });
        worker.addEventListener('message', ({ data }) => {
          if (data.ended) out.ended++;
          if (data.ended && data.isChief) out.weights = data.weights.flat();
          if (data.step === undefined) return;
          const task = `${role} ${index}`;
          (out.tensors[task] ??= []).push(data.tensors);
          if (role !== 'chief') return;
          if (out.losses[data.step] !== undefined) out.repeated++;
          out.losses[data.step] = data.loss;
          first ||= performance.now();
          out.ms = performance.now() - first;
          while (pending[0] && data.step >= pending[0].step) {
            const kill = pending.shift()!;
            setTimeout(() => job.kill(kill.role, kill.index), kill.after);
          }
        });
        return worker;
      },
    });
    try {
      out.globalStep = (await job.end).globalStep;
    } catch (error) {
      out.error = String(error);
    }
    return out;
  }, { settings, workers, kills });
}

const differ = (a: readonly number[], b: readonly number[]): number => Math.max(...a.map((x, i) => Math.abs(x - b[i]!)));

test('2 workers have the losses of 1 over 50 steps, with SGD and with Adam', async ({ page }) => {
  test.setTimeout(120_000);
  for (const optimizer of ['sgd', 'adam']) {
    const settings = { optimizer, rate: optimizer === 'adam' ? 0.01 : 0.1 };
    const one = await run(page, settings, 1);
    const two = await run(page, settings, 2);
    expect([one.losses.length, two.losses.length, one.error, two.error]).toEqual([50, 50, undefined, undefined]);
    expect(one.losses[49]!).toBeLessThan(one.losses[0]! * 0.9);
    const most = differ(one.losses, two.losses);
    console.log(`${optimizer}: losses of 1 and 2 workers differ by at most ${most.toExponential(1)}`);
    expect(most).toBeLessThan(1e-5);
    expect(two.ended).toBe(3);
    for (const counts of Object.values(two.tensors)) expect(new Set(counts).size).toBe(1);
  }
});

test('throughput of 1 and 2 workers', { tag: '@chromium' }, async ({ page }) => {
  test.setTimeout(180_000);
  const settings = { examples: 4096, features: 256, hidden: 256, lastStep: 40 };
  for (const workers of [1, 2]) {
    const { ms, losses } = await run(page, settings, workers);
    expect(losses).toHaveLength(40);
    const perSecond = (39 * 4096 * 1000) / ms;
    console.log(`${workers} worker(s): ${(ms / 39).toFixed(1)} ms a step, ${Math.round(perSecond)} examples a second`);
  }
});

test('a worker killed at 20 random moments costs repeated steps and nothing else', async ({ page }) => {
  test.setTimeout(240_000);
  const lastStep = 220;
  const kills = Array.from({ length: 20 }, (_, i): Kill => ({
    role: 'worker', index: Math.floor(Math.random() * 2), step: 5 + i * 10, after: Math.random() * 30,
  }));
  const plain = await run(page, { lastStep }, 1);
  const killed = await run(page, { lastStep }, 2, kills);
  expect(killed.error).toBeUndefined();
  expect([killed.globalStep, killed.losses.length, killed.repeated]).toEqual([lastStep, lastStep, 0]);
  expect(killed.lost).toHaveLength(20);
  expect(differ(plain.losses, killed.losses)).toBeLessThan(1e-5);
});

test('a chief killed 5 times goes on from the checkpoint to the exact last step', async ({ page, browserName }) => {
  test.setTimeout(240_000);
  const lastStep = 150;
  const dir = `${browserName === 'chromium' ? 'opfs' : 'indexeddb'}://jobs/killed`;
  const kills = Array.from({ length: 5 }, (_, i): Kill => ({ role: 'chief', index: 0, step: 12 + i * 25, after: Math.random() * 20 }));
  const plain = await run(page, { lastStep }, 1);
  const killed = await run(page, { lastStep, dir, every: 10 }, 2, kills);
  expect(killed.error).toBeUndefined();
  expect(killed.lost).toEqual(Array.from({ length: 5 }, () => 'chief 0'));
  expect([killed.globalStep, killed.losses.length]).toEqual([lastStep, lastStep]);
  // A step that was lost or made twice would show in the weights. What a chief has told just
  // before it was killed is not heard, though a checkpoint may have that step.
  expect(killed.weights).toHaveLength(8 * 16);
  expect(differ(plain.weights, killed.weights)).toBeLessThan(1e-5);
  const heard = killed.losses.flatMap((loss, step) => (Number.isFinite(loss) ? [step] : []));
  console.log(`losses of ${lastStep - heard.length} steps were not heard`);
  expect(heard.length).toBeGreaterThan(lastStep / 2);
  expect(differ(heard.map((step) => plain.losses[step]!), heard.map((step) => killed.losses[step]!))).toBeLessThan(1e-5);
  const found = await page.evaluate(async (dir) => {
    const path = '/dist/index.js';
    const tf = (await import(path)) as Api;
    await tf.ready();
    return (tf.train as any).latestCheckpoint(dir);
  }, dir);
  expect(found).toBe(`${dir}/model.ckpt-${lastStep}`);
});

test('a second chief of the same name is refused, errors of workers are told', async ({ page, context }) => {
  test.setTimeout(120_000);
  const other = await context.newPage();
  await other.goto('/pages/blank.html');
  await page.evaluate(async () => {
    const path = '/dist/index.js';
    const tf = (await import(path)) as Api;
    await new Promise<void>((resolve) => {
      (globalThis as any).job = tf.train.startJob(null, {
        onLog: () => {},
        spawn: (_role, _index, name) => {
          const worker = new Worker('/pages/training/train.mjs?lastStep=1e9', { type: 'module', name });
          worker.addEventListener('message', ({ data }) => void (data.step === 1 && resolve()));
          return worker;
        },
      });
    });
  });
  const { error } = await run(other, {}, 1);
  expect(error).toContain("the job 'job' has a chief already, in this or another tab");
  const steps = await page.evaluate(async () => (await (globalThis as any).job.stop()).globalStep);
  expect(steps).toBeGreaterThan(1);
  expect((await run(page, { failAt: 3 }, 2)).error).toContain('worker 0: the step is broken');
  expect((await run(page, { nan: 1 }, 2)).error).toContain('NaN loss during training');
});
