/** Starting and watching the tasks of a job. */
import {shown} from '../../errors.js';
import {consoleLog, systemClock} from '../session/clock.js';
import {
  FailedPreconditionError, UnavailableError, runtimeError, valueError,
} from '../session/errors.js';
import {optionsOf} from '../session/options.js';
import {nameOf} from './config.js';
import type {JobEvent, JobOptions, JobResult, TaskRole} from './job_options.js';
import type {Hello, Order, RemoteError, Report, TaskConfig} from './messages.js';
import {Line, listen, platform} from './platform.js';
import type {TaskWorker} from './platform.js';
import {fromRemote, toRemote} from './remote_error.js';
import {titleOf} from './task.js';

interface Handle {
  readonly config: TaskConfig;
  readonly worker: TaskWorker;
  readonly watch: AbortController;
  control?: Line<Report, Order>;
  state: 'running' | 'failing' | 'ended' | 'lost';
  /** Has a session that waits for its line or lines. */
  open: boolean;
}

/** For messages that are under way when training or a task ends. */
const lastWordsSecs = 0.2;

const running = new Set<string>();
const optionNames = [
  'job', 'workers', 'spawn', 'onEvent', 'stopGracePeriodSecs', 'maxRespawns',
  'onLog', 'clock',
];

/** A job that was started; see {@link startJob}. */
export class Job {
  static readonly className: string = 'Job';
  /** Resolves when training has ended; rejects with the first task's error. */
  readonly end: Promise<JobResult>;
  readonly name: string;
  readonly #options: JobOptions;
  readonly #source: URL | string | null;
  #chief!: Handle;
  readonly #workers: Handle[] = [];
  #respawns = 0;
  #stopping = false;
  #failure: Error | undefined;
  #result: JobResult | undefined;
  #over = false;
  readonly #patience = new AbortController();
  #settle!: {resolve: (r: JobResult) => void, reject: (e: unknown) => void};

  constructor(source: URL | string | null, options: JobOptions) {
    this.#source = source;
    this.#options = options;
    this.name = options.job ?? 'job';
    const count = options.workers ?? 1;
    if (!Number.isInteger(count) || count < 1) {
      throw valueError(
          `startJob: workers: ${shown(count)} is no number of workers`);
    }
    if (running.has(this.name)) {
      throw new FailedPreconditionError(
          `startJob: the job '${this.name}' is running already`);
    }
    this.end = new Promise((resolve, reject) => {
      this.#settle = {resolve, reject};
    });
    running.add(this.name);
    try {
      this.#chief = this.#start('chief', 0, 1);
      for (let i = 0; i < count; i++) {
        this.#workers.push(this.#start('worker', i, 1));
      }
    } catch (error) {
      this.#over = true;
      [this.#chief, ...this.#workers].filter(Boolean)
          .forEach((task) => this.#drop(task));
      running.delete(this.name);
      throw error;
    }
  }

  /** Asks the chief to end after the step in progress; resolves as `end`. */
  stop(): Promise<JobResult> {
    this.#stopping = true;
    this.#chief.control?.send({type: 'stop'});
    return this.end;
  }

  /** Ends a task at once, as a crash would: for tests and demonstrations. */
  kill(role: TaskRole, index = 0): void {
    const task = role === 'chief' ? this.#chief : this.#workers[index];
    if (task === undefined) {
      throw valueError(`kill: the job has no ${role} ${index}`);
    }
    if (task.state === 'running') this.#lose(task);
  }

  #start(role: TaskRole, index: number, life: number): Handle {
    const config: TaskConfig = {
      job: this.name, role, index, life, workers: this.#options.workers ?? 1,
    };
    const name = nameOf(config);
    const {spawn} = this.#options;
    const worker = spawn ? spawn(role, index, name) : this.#launch(name);
    if (typeof worker?.terminate !== 'function') {
      throw valueError(`startJob: spawn returned ${shown(worker)}, no Worker`);
    }
    const task: Handle = {
      config, worker, state: 'running', open: false,
      watch: new AbortController(),
    };
    listen(worker, {
      message: (data) => {
        const hello = data as Partial<Hello> | null;
        if (hello?.tidemark === 'job') this.#meet(task, hello as Hello);
      },
      error: (error) => void this.#fail(task, error),
      exit: () => {
        if (task.control === undefined && task.state === 'running') {
          this.#ended(task, toRemote(runtimeError(
              'the module has ended without a session'), titleOf(config)));
        } else {
          this.#lose(task);
        }
      },
    });
    this.#tell('started', task);
    return task;
  }

  #launch(name: string): TaskWorker {
    try {
      return platform().start(this.#source!, name);
    } catch (error) {
      throw valueError(
          `startJob: no Worker of '${this.#source}': ${(error as Error).message}` +
              "; give new URL('./train.js', import.meta.url)");
    }
  }

  #tell(type: JobEvent['type'], {config: {role, index, life}}: Handle): void {
    this.#options.onEvent?.({type, role, index, life});
  }

  #meet(task: Handle, {port, lock}: Hello): void {
    if (task.state !== 'running') return;
    task.control = new Line<Report, Order>(
        port, (report) => this.#hear(task, report));
    if (this.#stopping && task === this.#chief) {
      task.control.send({type: 'stop'});
    }
    if (lock === null) return;
    // Whoever gets it knows that the task is gone.
    navigator.locks.request(
        `tidemark:${lock}`, {signal: task.watch.signal},
        () => this.#lose(task)).catch(() => {});
  }

  #hear(task: Handle, report: Report): void {
    if (task.state === 'ended' || task.state === 'lost') return;
    if (report.type === 'progress') {
      this.#respawns = 0;
    } else if (report.type === 'open') {
      task.open = true;
      this.#link();
    } else {
      if (report.error === null && task === this.#chief) {
        this.#result = {globalStep: report.globalStep};
      }
      this.#ended(task, report.error);
    }
  }

  // Lines from the chief to workers that have none yet.
  #link(): void {
    const chief = this.#chief;
    if (!chief.open) return;
    for (const worker of this.#workers) {
      const {index} = worker.config;
      if (worker.state === 'ended') {
        chief.control!.send({type: 'ended', index});
      } else if (worker.open) {
        worker.open = false;
        const {port1, port2} = new MessageChannel();
        chief.control!.send({type: 'line', index, port: port1}, [port1]);
        worker.control!.send({type: 'line', index, port: port2}, [port2]);
      }
    }
  }

  // A Worker's failure may arrive before its own report, which knows the
  // error's class.
  async #fail(task: Handle, error: Error): Promise<void> {
    if (task.control !== undefined && task.state === 'running') {
      task.state = 'failing';
      const {clock = systemClock} = this.#options;
      await clock.sleep(lastWordsSecs);
    }
    this.#ended(task, toRemote(error, titleOf(task.config)));
  }

  #drop(task: Handle): void {
    task.watch.abort();
    task.control?.close();
    void task.worker.terminate();
  }

  #lose(task: Handle): void {
    if (this.#over || task.state !== 'running') return;
    task.state = 'lost';
    this.#drop(task);
    this.#tell('lost', task);
    const {role, index, life} = task.config;
    if (this.#failure !== undefined) {
      if (role === 'chief') this.#finish();
      return;
    }
    if (this.#result !== undefined) {
      this.#finishWhenAlone();
      return;
    }
    const {maxRespawns = 10} = this.#options;
    if (++this.#respawns > maxRespawns) {
      this.#ended(task, toRemote(new UnavailableError(
          `tasks were lost ${this.#respawns} times without a step in between`),
      titleOf(task.config)));
      return;
    }
    if (role === 'chief') {
      for (const {control} of this.#workers) {
        control?.send({type: 'lost', index: 0});
      }
      this.#chief = this.#start(role, index, life + 1);
    } else {
      this.#chief.control?.send({type: 'lost', index});
      this.#workers[index] = this.#start(role, index, life + 1);
    }
  }

  #ended(task: Handle, error: RemoteError | null): void {
    if (this.#over) return;
    if (task.state === 'running' || task.state === 'failing') {
      task.state = 'ended';
      task.watch.abort();
      this.#tell('ended', task);
    }
    if (error !== null && this.#failure === undefined) {
      this.#failure = fromRemote(error);
      // The chief closes its files before it goes.
      const {control, state} = this.#chief;
      if (task !== this.#chief && control && state === 'running') {
        control.send({type: 'fail', error});
        void this.#wait();
      } else {
        this.#finish();
      }
    } else if (this.#failure !== undefined) {
      if (this.#chief.state !== 'running') this.#finish();
    } else if (task === this.#chief) {
      // Nobody will answer these any more.
      for (const worker of this.#workers) {
        if (worker.state === 'running' && (worker.open || !worker.control)) {
          worker.state = 'ended';
          this.#drop(worker);
        }
      }
      void this.#wait();
      this.#finishWhenAlone();
    } else if (this.#result !== undefined) {
      this.#finishWhenAlone();
    } else {
      this.#link();
    }
  }

  async #wait(): Promise<void> {
    const {
      clock = systemClock, stopGracePeriodSecs = 120, onLog = consoleLog,
    } = this.#options;
    await clock.sleep(stopGracePeriodSecs, this.#patience.signal);
    if (this.#over) return;
    const late = [this.#chief, ...this.#workers]
        .filter(({state}) => state === 'running')
        .map(({config}) => titleOf(config));
    onLog(`The job '${this.name}' ends with tasks still running: ` +
        late.join(', '), 'warn');
    this.#finish();
  }

  #finishWhenAlone(): void {
    if (this.#workers.every(({state}) => state !== 'running')) this.#finish();
  }

  #finish(): void {
    if (this.#over) return;
    this.#over = true;
    this.#patience.abort();
    void this.#settleAll();
  }

  async #settleAll(): Promise<void> {
    // What tasks have just told their parent is lost when they are ended.
    const {clock = systemClock} = this.#options;
    if (this.#failure === undefined) await clock.sleep(lastWordsSecs);
    for (const task of [this.#chief, ...this.#workers]) this.#drop(task);
    running.delete(this.name);
    if (this.#failure !== undefined) this.#settle.reject(this.#failure);
    else this.#settle.resolve(this.#result ?? {globalStep: 0});
  }
}

/**
 * Starts data-parallel training: one chief and so many workers, all of one
 * module, each in a Worker (in Node, a thread) of its own. The module makes the
 * same model and steps in all of them and opens a session on the job:
 *
 *     // train.js
 *     import * as tf from 'tidemark';
 *     await tf.ready();
 *     const {job, index, workers} = tf.train.jobConfig();
 *     const data = share(index, workers);  // yours: a part for each worker
 *     const model = ...;                   // compiled, with known input shapes
 *     const train = tf.train.step('train', () => model.trainStep(...data()));
 *     await tf.train.withMonitoredTrainingSession({
 *       master: `worker://${job}`, checkpointDir: 'opfs://runs/digits',
 *       hooks: [new tf.train.StopAtStepHook({lastStep: 1000})],
 *     }, async (sess) => {
 *       while (!sess.shouldStop()) await sess.run(train);
 *     });
 *
 *     // page.js
 *     const job = tf.train.startJob(
 *         new URL('./train.js', import.meta.url), {workers: 2});
 *     const {globalStep} = await job.end;
 *
 * Bundlers want to see the Worker being made. Then give `null` and `spawn`:
 *
 *     tf.train.startJob(null, {workers: 2, spawn: (role, index, name) =>
 *       new Worker(new URL('./train.js', import.meta.url),
 *           {type: 'module', name})});
 *
 * (in Node, with `{workerData: name}`.)
 *
 * In a `run` with a step, workers take the chief's weights if theirs are older
 * and call the step, whose `minimize` or `trainStep` changes nothing: the
 * gradients go to the chief, which applies their mean, weighed by examples, with
 * its own optimizer, once. The count is that of `countExamples`, else of
 * `trainStep`, else the length of what is fed first. What a step assigns
 * itself, as moving averages, is averaged in the same way. The workers' `run`
 * resolves when the chief goes on, to their own values. The chief does not call
 * the step: its `run` gives the weighed means of the scalars, and null for what
 * is none; summaries are those of the first worker. So `NanTensorHook` and
 * `LoggingTensorHook` on 'train/loss' work in the chief, and so do checkpoints.
 * Several updates in one step are all computed with the weights of before it.
 *
 * A worker that dies is started anew, and the step repeated; after the death of
 * the chief a new one goes on from the checkpoint, and workers find it. With
 * the same number of examples each, no dropout and no batch normalization,
 * losses are those of one worker with the whole batch. When the chief's session
 * is closed the Workers are ended: what is to be done with the trained model is
 * done in the session's block or in a hook's `end`.
 *
 * | option | |
 * |---|---|
 * | `job` | the name: the `master` is `worker://` and it; `'job'` |
 * | `workers` | how many besides the chief; 1 |
 * | `spawn(role, index, name)` | makes a Worker of that name |
 * | `onEvent({type, role, index, life})` | hears of 'started', 'lost', 'ended' |
 * | `stopGracePeriodSecs` | that workers have to end after the chief; 120 |
 * | `maxRespawns` | in a row, without a step in between; 10 |
 * | `onLog`, `clock` | as sessions have them |
 *
 * Returns `{end, stop(), kill(role, index), name}`; `end` is a promise of
 * `{globalStep}`, rejected with the first error of a task: of its steps and
 * hooks, out of memory, a second chief of the same name in another tab.
 *
 * Errors: a job of this name is running; no Worker of that; wrong options.
 *
 * ```js
 * let message = '';
 * try {
 *   tf.train.startJob(null, {workers: 2});
 * } catch (error) {
 *   message = error.message;
 * }
 * message; // => 'startJob: expected the URL of a module, or `spawn`, got null'
 * ```
 */
export function startJob(
    source: URL | string | null, options: JobOptions = {}): Job {
  const o = optionsOf<JobOptions>('startJob', [options], [], optionNames);
  const isUrl = source instanceof URL || (typeof source === 'string' && source);
  if (!isUrl && o.spawn === undefined) {
    throw valueError('startJob: expected the URL of a module, or `spawn`, got ' +
        shown(source));
  }
  return new Job(source, o);
}
