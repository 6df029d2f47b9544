// The rules of chief and workers, over MessageChannels in one realm.
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { Crew } from '../../../js/src/train/jobs/crew.js';
import type { RoundRequest } from '../../../js/src/train/jobs/crew.js';
import type { Contribution, Hello, Order, Report, ToWorker } from '../../../js/src/train/jobs/messages.js';
import { fromRemote, toRemote } from '../../../js/src/train/jobs/remote_error.js';
import { Task } from '../../../js/src/train/jobs/task.js';
import { average } from '../../../js/src/train/jobs/values.js';
import { Coordinator } from '../../../js/src/train/session/coordinator.js';
import { Scaffold } from '../../../js/src/train/session/scaffold.js';
import { Realm, makeSide, settle } from './jobs/realm.js';
import type { Act, Side } from './jobs/realm.js';
import { FakeClock } from './support.js';

beforeAll(() => tf.ready());
let realm: Realm | undefined;

/** In a describe: the guard against leaks looks after it. */
function cleanUp(): void {
  afterEach(() => {
    realm?.close();
    realm = undefined;
    tf.resetDefaultGraph();
    tf.disposeVariables();
  });
}

const values = (v: tf.Variable): number[] => [...v.dataSync()];

describe('a step of workers', () => {
  cleanUp();
  test('the chief applies the mean of the gradients, weighed by examples, once', async () => {
    realm = new Realm(2);
    const acts: Act[] = [
      { gradient: [1, 0], count: 1, loss: 1, assign: [4, 4] },
      { gradient: [4, 4], count: 3, loss: 2, assign: [0, 8] },
    ];
    const sides = acts.map((act) => makeSide(() => act));
    const sessions = await Promise.all(sides.map(async (side, i) => realm!.worker(side, await realm!.line(i))));
    const runs = sessions.map((s, i) => s.run([sides[i]!.train, 'global_step']));
    const [step, result, loss, before] = await realm.session.run(['global_step', realm.chief.train, 'train/loss', realm.chief.w]);
    expect([step, result, loss, before]).toEqual([0, { loss: 1.75 }, 1.75, [1, 2]]);
    expect(values(realm.chief.w)).toEqual([-2.25, -1]);
    expect(values(realm.chief.average)).toEqual([1, 7]);
    expect([realm.chief.optimizer.iterations, sides[0]!.optimizer.iterations]).toEqual([1, 0]);
    // Workers change no weights of their own, and hear of the step when the chief goes on.
    expect(values(sides[1]!.w)).toEqual([1, 2]);
    realm.session.leave(undefined);
    expect(await Promise.all(runs)).toEqual([[{ loss: 1 }, 0], [{ loss: 2 }, 0]]);
    expect(sides.map(({ graph }) => tf.train.getGlobalStep(graph)!.number)).toEqual([1, 1]);
  });

  test('momentum is kept by the chief alone', async () => {
    const make = (): tf.Optimizer => tf.train.momentum(1, 0.5);
    realm = new Realm(1, 1000, make);
    const side = makeSide(() => ({ gradient: [1, 0] }), make);
    const worker = realm.worker(side, await realm.line(0));
    const loop = (async () => {
      for (let i = 0; i < 2; i++) await worker.run(side.train);
    })();
    for (let i = 0; i < 2; i++) await realm.session.run(realm.chief.train);
    realm.session.leave(undefined);
    await loop;
    expect(values(realm.chief.w)).toEqual([1 - 1 - 1.5, 2]);
    expect([realm.chief.optimizer.slots().length, side.optimizer.slots().length]).toEqual([1, 0]);
    tf.dispose([...realm.chief.optimizer.slots()].map(({ value }) => value));
    realm.chief.optimizer.dispose();
    side.optimizer.dispose();
  });

  test('summaries that the chief asks for come from the first worker', async () => {
    realm = new Realm(2);
    const sides = [3, 5].map((loss) => makeSide(() => ({ gradient: [0, 0], loss })));
    for (const [i, side] of sides.entries()) void realm.worker(side, await realm.line(i)).run(side.train).catch(() => {});
    const [, summary] = await realm.session.run([realm.chief.train, 'summary_op/loss']);
    const bytes = (summary as Uint8Array[])[0]!;
    expect(new DataView(bytes.buffer, bytes.byteOffset).getFloat32(bytes.length - 4, true)).toBe(3);
  });

  test('ask nobody when the run cannot be answered', async () => {
    realm = new Realm(1);
    // Nobody would answer.
    await expect(realm.session.run([realm.chief.train, 'nope'])).rejects.toThrow("nothing of the name 'nope'");
    const side = makeSide(() => ({ gradient: [0, 0] }));
    const raw = await realm.line(0);
    await expect(realm.worker(side, raw).run([side.train, 'nope'])).rejects.toThrow("nothing of the name 'nope'");
    expect([realm.chief, side].map(({ graph }) => tf.train.getGlobalStep(graph)!.number)).toEqual([0, 0]);
  });

  test('both must run the same steps, with the same variables', async () => {
    realm = new Realm(1);
    const raw = realm.raw(0);
    const run = realm.session.run(realm.chief.train);
    await raw.next();
    raw.send({ type: 'pull', epoch: 1000, version: 0, steps: ['other'] });
    await expect(run).rejects.toThrow("run: the chief makes the steps 'train' and worker 0 'other': both must run the same");
    realm.close();
    tf.disposeVariables();
    realm = new Realm(1);
    const side = makeSide();
    side.graph.unfinalize();
    side.graph.asDefault(() => tf.tidy(() => void tf.variable(tf.scalar(0), true, 'more')));
    const worker = realm.worker(side, await realm.line(0));
    const chief = realm.session.run(realm.chief.train).catch(() => {});
    await expect(worker.run(side.train)).rejects.toThrow("this worker has a variable 'more' that the chief has not");
    realm.crew.fail(new Error('over'));
    await chief;
  });
});

describe('rounds', () => {
  cleanUp();
  let weighed = 0;
  const request = (version: number): RoundRequest => ({
    steps: ['train'], step: version - 1, version, summaries: false,
    weights: () => ({ places: [], bytes: new ArrayBuffer(weighed++ * 0) }),
  });
  const part = (round: number, loss: number, rest: Partial<Contribution> = {}): Contribution => ({
    type: 'gradients', epoch: 1000, round, step: 0, version: 1, count: 1,
    parts: { train: { updates: [], assigned: [], scalars: { loss }, summaries: null } }, ...rest,
  });
  const pull = (version = 0) => ({ type: 'pull', epoch: 1000, version, steps: ['train'] }) as const;
  const losses = (parts: readonly Contribution[]): unknown => parts.map(({ parts }) => parts['train']!.scalars);
  type Work = Extract<ToWorker, { type: 'work' }>;

  test('weights go out only to workers whose version is older', async () => {
    realm = new Realm(1);
    const raw = realm.raw(0);
    const round = realm.crew.gather(request(1));
    raw.send(pull());
    expect(((await raw.next()) as Work).weights).not.toBeNull();
    raw.send(part(1, 0));
    await round;
    realm.crew.publish(1, false);
    expect(await raw.next()).toEqual({ type: 'published', epoch: 1000, step: 1, stop: false });
    const again = realm.crew.gather(request(2));
    raw.send(pull(2));
    expect(((await raw.next()) as Work).weights).toBeNull();
    raw.send(part(2, 0, { version: 2 }));
    await again;
  });

  test('parts of an old epoch, round or version are dropped', async () => {
    realm = new Realm(1);
    const raw = realm.raw(0);
    const round = realm.crew.gather(request(1));
    let done = false;
    void round.then(() => (done = true));
    raw.send(pull());
    await raw.next();
    raw.send(part(1, 1, { epoch: 999 }));
    raw.send(part(0, 2));
    raw.send(part(1, 3, { version: 7 }));
    await settle();
    expect(done).toBe(false);
    raw.send(part(1, 4));
    expect(losses(await round)).toEqual([{ loss: 4 }]);
  });

  test('losing a worker drops the gradients of its step, and all repeat it', async () => {
    realm = new Realm(2);
    const [first, second] = [realm.raw(0), realm.raw(1)];
    const round = realm.crew.gather(request(1));
    first.send(pull());
    expect(((await first.next()) as Work).round).toBe(1);
    first.send(part(1, 1));
    second.send(pull());
    await second.next();
    await settle();
    realm.crew.lose(1);
    const repeated = (await first.next()) as Work;
    expect(repeated).toMatchObject({ type: 'work', round: 2, version: 1, weights: null });
    first.send(part(1, 2)); // late
    first.send(part(2, 3));
    second.send(part(1, 4)); // from the grave
    const heir = realm.raw(1);
    heir.send(pull());
    expect(((await heir.next()) as Work).weights).not.toBeNull();
    heir.send(part(2, 5));
    expect(losses(await round)).toEqual([{ loss: 3 }, { loss: 5 }]);
    expect(realm.crew.rounds).toBe(2);
  });

  test('a worker that ends well is not waited for; when all have ended, so has the data', async () => {
    realm = new Realm(2);
    const [first, second] = [realm.raw(0), realm.raw(1)];
    const round = realm.crew.gather(request(1));
    first.send(pull());
    await first.next();
    first.send(part(1, 1));
    second.send({ type: 'left', epoch: 1000 });
    expect(losses(await round)).toEqual([{ loss: 1 }]);
    realm.crew.publish(1, false);
    first.send({ type: 'left', epoch: 1000 });
    await expect(realm.crew.gather(request(2))).rejects.toBeInstanceOf(tf.errors.OutOfRangeError);
  });

  test('an error of another task ends the round', async () => {
    realm = new Realm(1);
    const round = realm.crew.gather(request(1));
    realm.crew.fail(new Error('worker 0: broken'));
    await expect(round).rejects.toThrow('worker 0: broken');
    await expect(realm.crew.gather(request(1))).rejects.toThrow('worker 0: broken');
  });

  test('the mean is over those that have a gradient or a value', () => {
    const values = (x: number) => [{ name: 'w', dtype: 'float32' as const, shape: [1], values: new Float32Array([x]) }];
    const of = (count: number, gradients: ReturnType<typeof values>, assigned: ReturnType<typeof values>): Contribution =>
      part(1, 0, { count, parts: { train: { updates: [{ optimizer: 0, kind: 'SGD', gradients }], assigned, scalars: null, summaries: null } } });
    const mean = average([of(1, values(8), []), of(3, [], values(5))], 'train');
    expect([...mean.updates[0]!.gradients[0]!.values]).toEqual([2]);
    expect([...mean.assigned[0]!.values]).toEqual([5]);
  });
});

describe('a worker and its chief', () => {
  cleanUp();
  test('a chief that is gone is Unavailable, one made anew Aborted', async () => {
    realm = new Realm(1);
    const side = makeSide();
    const line = await realm.line(0);
    const run = realm.worker(side, line).run(side.train);
    line.lose();
    await expect(run).rejects.toBeInstanceOf(tf.errors.UnavailableError);
    const other = await realm.line(0);
    const again = realm.worker(side, other).run(side.train);
    realm.crew.welcome();
    await settle();
    realm.crew.close(false);
    await expect(again).rejects.toBeInstanceOf(tf.errors.AbortedError);
  });

  test('messages of a former epoch are dropped', async () => {
    realm = new Realm(1);
    const { port1, port2 } = new MessageChannel();
    const { ChiefLine } = await import('../../../js/src/train/jobs/chief_line.js');
    const line = new ChiefLine(port2, () => {});
    const send = (message: ToWorker): void => port1.postMessage(message);
    send({ type: 'welcome', epoch: 2 });
    send({ type: 'published', epoch: 1, step: 7, stop: true });
    send({ type: 'published', epoch: 2, step: 8, stop: false });
    expect(await line.next()).toEqual({ type: 'published', epoch: 2, step: 8, stop: false });
    line.close();
  });

  test('a recoverable session goes on with the next chief', async () => {
    realm = new Realm(1);
    const side: Side = makeSide(() => ({ gradient: [1, 1] }));
    const lines = [await realm.line(0)];
    const clock = new FakeClock();
    const crew = new Crew(1, 2000);
    const monitored = side.graph.enter(() => new tf.train.MonitoredSession({
      clock, onLog: () => {}, handleSignals: false, hooks: [],
      sessionCreator: {
        scaffold: new Scaffold(),
        createSession: async () => realm!.worker(side, lines.shift() ?? (await realm!.line(0, crew))),
      },
    }));
    const first = lines[0]!;
    const run = monitored.run(side.train);
    await settle();
    first.lose();
    await settle();
    const heir = realm.chiefSession(crew);
    await heir.run(realm.chief.train);
    heir.leave(undefined);
    expect(await run).toEqual({ loss: 0 });
    expect(monitored.shouldStop()).toBe(true);
    expect([clock.slept, values(realm.chief.w)]).toEqual([[0.1], [0, 1]]);
    crew.close(true);
    await monitored.close();
  });

  test('the end of the chief ends the loop of a worker that waits for work', async () => {
    realm = new Realm(1);
    const side = makeSide();
    const session = realm.worker(side, await realm.line(0));
    const coord = new Coordinator();
    session.coordinate(coord);
    const run = session.run(side.train);
    await settle();
    realm.session.leave(undefined);
    await realm.session.close();
    await expect(run).rejects.toBeInstanceOf(tf.errors.OutOfRangeError);
    expect([coord.shouldStop(), realm.events]).toEqual([true, [['left', undefined]]]);
  });

  test('a chief is waited for no longer than max_wait_secs', async () => {
    const { port1, port2 } = new MessageChannel();
    const clock = new FakeClock();
    const reports: Report[] = [];
    port2.onmessage = ({ data }: MessageEvent<Report>) => void reports.push(data);
    const task = new Task({ job: 'j', role: 'worker', index: 0, workers: 1, life: 1 }, port1);
    const graph = new tf.Graph();
    await expect(task.openWorker({ graph, clock, log: () => {} }, 0, 7)).rejects.toThrow(
      "Session was not ready after waiting 7 secs. The job 'j' has no chief that is ready",
    );
    expect(clock.slept).toEqual([7]);
    await settle();
    expect(reports).toEqual([{ type: 'open' }]);
    port1.close();
    port2.close();
  });

  test('a worker is let in by an event, without polling', async () => {
    const control = new MessageChannel();
    const chief = new MessageChannel();
    const clock = new FakeClock();
    let asleep = 0;
    clock.sleep = (_secs, signal?: AbortSignal) => new Promise((resolve) => {
      asleep++;
      signal?.addEventListener('abort', () => resolve());
    });
    const task = new Task({ job: 'j', role: 'worker', index: 0, workers: 1, life: 1 }, control.port1);
    const side = makeSide();
    const opening = task.openWorker({ graph: side.graph, clock, log: () => {} }, 0, 7200);
    const order: Order = { type: 'line', index: 0, port: chief.port2 };
    control.port2.postMessage(order, [chief.port2]);
    chief.port1.postMessage({ type: 'welcome', epoch: 1 });
    const session = await opening;
    expect(asleep).toBe(1);
    await session.close();
    for (const port of [control.port1, control.port2, chief.port1]) port.close();
  });
});

test('errors keep class, code and text on their way', () => {
  const there = (error: unknown): Error => fromRemote(structuredClone(toRemote(error, 'worker 1')));
  expect(there(new tf.errors.ResourceExhaustedError('full'))).toMatchObject({ name: 'ResourceExhaustedError', message: 'worker 1: full', code: 'memory' });
  expect(there(new tf.errors.ResourceExhaustedError('full'))).toBeInstanceOf(tf.errors.ResourceExhaustedError);
  expect(there(new tf.train.NanLossDuringTrainingError())).toBeInstanceOf(tf.train.NanLossDuringTrainingError);
  expect(there(new RangeError('of a program'))).toMatchObject({ name: 'RangeError', message: 'worker 1: of a program' });
});

describe("a Worker's failure", () => {
  // As a browser may tell it: the failure of the module before what the session has said.
  class FailingWorker extends EventTarget {
    readonly #channel = new MessageChannel();

    constructor() {
      super();
      const hello: Hello = { tidemark: 'job', port: this.#channel.port2, lock: null };
      setTimeout(() => this.dispatchEvent(new MessageEvent('message', { data: hello })));
    }

    fail(report?: Report): void {
      this.dispatchEvent(Object.assign(new Event('error'), { message: 'Uncaught Error: of the module' }));
      if (report) this.#channel.port1.postMessage(report);
    }

    terminate(): void {
      this.#channel.port1.close();
    }
  }

  test.each([
    ['waits for its own report', { type: 'left', error: toRemote(new tf.errors.ResourceExhaustedError('full'), 'chief'), globalStep: 3 }, 'ResourceExhaustedError', 'chief: full'],
    ['is told when there is none', undefined, 'Error', 'chief: Uncaught Error: of the module'],
    ['is told after a good end', { type: 'left', error: null, globalStep: 3 }, 'Error', 'chief: Uncaught Error: of the module'],
  ] as const)('%s', async (_what, report, name, message) => {
    const chief = new FailingWorker();
    const job = tf.train.startJob(null, { job: 'failing', spawn: (role) => (role === 'chief' ? chief : new FailingWorker()) });
    await settle();
    await new Promise((resolve) => setTimeout(resolve, 20));
    chief.fail(report);
    await expect(job.end).rejects.toMatchObject({ name, message });
  });
});
