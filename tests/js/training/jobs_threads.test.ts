// Jobs in worker threads: the same losses as one session, tasks that are killed,
// errors that reach who started the job. The tasks run the built package.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import type { Job } from '../../../js/src/train/jobs/job.js';
import type { JobEvent, JobOptions } from '../../../js/src/train/jobs/job_options.js';
import { latestCheckpoint } from '../../../js/src/train/session/checkpoint_management.js';
import '../../../js/src/index.node.js';

const module = new URL('../../browser/pages/training/train.mjs', import.meta.url);

interface Told {
  step?: number;
  loss?: number;
  ended?: boolean;
  isChief: boolean;
  index: number;
  tensors?: number;
  sum?: number;
}

interface Run {
  job: Job;
  told: Told[];
  events: JobEvent[];
  /** Resolves when the chief has made so many steps. */
  at(step: number): Promise<void>;
}

function start(settings: Record<string, string | number>, options: JobOptions = {}): Run {
  const told: Told[] = [];
  const events: JobEvent[] = [];
  const waiting: { step: number; go: () => void }[] = [];
  const query = new URLSearchParams(Object.entries(settings).map(([k, v]) => [k, String(v)])).toString();
  const job = tf.train.startJob(null, {
    ...options,
    onEvent: (event) => events.push(event),
    spawn: (_role, _index, name) => {
      const worker = new Worker(module, { workerData: name, argv: [query] });
      worker.on('message', (message: Told) => {
        told.push(message);
        if (!message.isChief) return;
        for (const { step, go } of waiting) if ((message.step ?? -1) >= step) go();
      });
      return worker;
    },
  });
  return { job, told, events, at: (step) => new Promise((go) => waiting.push({ step, go })) };
}

const chiefLosses = (told: readonly Told[]): number[] => {
  const losses: number[] = [];
  for (const { isChief, step, loss } of told) if (isChief && step !== undefined) losses[step] = loss!;
  return losses;
};

async function losses(settings: Record<string, string | number>, workers: number): Promise<number[]> {
  const { job, told } = start(settings, { workers });
  await job.end;
  return chiefLosses(told);
}

const differ = (a: readonly number[], b: readonly number[]): number => Math.max(...a.map((x, i) => Math.abs(x - b[i]!)));

describe('jobs in threads', () => {
  test.each(['sgd', 'adam'])('2 workers have the losses of 1, with %s', async (optimizer) => {
    const settings = { optimizer, rate: optimizer === 'adam' ? 0.01 : 0.1 };
    const [one, two] = [await losses(settings, 1), await losses(settings, 2)];
    expect([one.length, two.length]).toEqual([50, 50]);
    expect(one[49]!).toBeLessThan(one[0]! * 0.8);
    expect(differ(one, two)).toBeLessThan(1e-5);
  }, 120_000);

  test('a stop of the chief, or from outside, ends all cleanly, and no realm keeps tensors', async () => {
    const { job, told, events } = start({ stop: 'chief', lastStep: 30 }, { workers: 2 });
    expect(await job.end).toEqual({ globalStep: 30 });
    expect(told.filter(({ ended }) => ended)).toHaveLength(3);
    expect(events.map(({ type }) => type).sort()).toEqual(['ended', 'ended', 'ended', 'started', 'started', 'started']);
    for (const task of [told.filter((t) => t.isChief), told.filter((t) => !t.isChief && t.index === 1)]) {
      expect(new Set(task.flatMap(({ tensors }) => tensors ?? [])).size).toBe(1);
    }
    const other = start({ lastStep: 1e6 }, { workers: 1 });
    await other.at(10);
    const { globalStep } = await other.job.stop();
    expect(globalStep).toBeGreaterThanOrEqual(11);
    expect(other.told.filter(({ ended }) => ended)).toHaveLength(2);
  }, 120_000);

  test('an error in a worker reaches the promise of the job', async () => {
    const { job, told } = start({ failAt: 5 }, { workers: 2 });
    await expect(job.end).rejects.toThrow('worker 0: the step is broken');
    expect(told.some(({ ended }) => ended)).toBe(false);
    await expect(start({ nan: 1 }, { workers: 2 }).job.end).rejects.toBeInstanceOf(tf.train.NanLossDuringTrainingError);
  }, 120_000);

  test('what cannot be started is told', async () => {
    const first = start({ lastStep: 1e6 });
    expect(() => start({})).toThrow("startJob: the job 'job' is running already");
    await first.at(1);
    await first.job.stop();
    expect(() => tf.train.startJob(null, { workers: 0, spawn: () => 0 as never })).toThrow('workers: 0 is no number of workers');
    expect(() => tf.train.startJob('x', { works: 1 } as never)).toThrow("there is no option 'works'");
    expect(() => tf.train.startJob('x', { maxRespawns: 'many' as never })).toThrow("startJob: max_respawns must be a whole number from 0 on, got 'many'");
    expect(() => tf.train.startJob(null, { spawn: 'worker.js' as never })).toThrow('startJob: spawn must be a function');
    await expect(start({ job: 'other' }).job.end).rejects.toThrow("this is a task of the job 'job', not 'other'");
  }, 120_000);

  test('killed workers cost repeated steps, a killed chief goes on from the checkpoint', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'job-'));
    try {
      const plain = await losses({ lastStep: 120 }, 1);
      const { job, told, events, at } = start({ lastStep: 120, dir, every: 10 }, { workers: 2 });
      for (const step of [13, 35, 52, 74]) {
        await at(step);
        if (step === 52) job.kill('chief');
        else job.kill('worker', step % 2);
      }
      expect(await job.end).toEqual({ globalStep: 120 });
      const lost = events.filter(({ type }) => type === 'lost').map(({ role, index }) => `${role} ${index}`);
      expect(lost).toEqual(['worker 1', 'worker 1', 'chief 0', 'worker 0']);
      expect(differ(plain, chiefLosses(told))).toBeLessThan(1e-5);
      expect(await latestCheckpoint(dir)).toBe(join(dir, 'model.ckpt-120'));
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  }, 180_000);
});
