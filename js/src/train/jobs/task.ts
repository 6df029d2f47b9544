/**
 * A realm as a task of a job: the line to whoever started it, the lock that
 * shows that it lives, and what its sessions are made with.
 */
import {originLock} from '../../io/storage/locks.js';
import type {StorageContext} from '../session/contracts.js';
import type {Coordinator} from '../session/coordinator.js';
import type {MasterRole, SessionConfig} from '../session/creators.js';
import {registerMaster} from '../session/creators.js';
import {
  DeadlineExceededError, FailedPreconditionError, valueError,
} from '../session/errors.js';
import {getGlobalStep} from '../session/global_step.js';
import type {Graph} from '../session/graph.js';
import type {RawSession} from '../session/session.js';
import {ChiefLine} from './chief_line.js';
import {ChiefSession} from './chief_session.js';
import {needConfig, taskConfig} from './config.js';
import {Crew} from './crew.js';
import type {Hello, Order, Report, TaskConfig} from './messages.js';
import {Line, platform} from './platform.js';
import {fromRemote, toRemote} from './remote_error.js';
import {WorkerSession} from './worker_session.js';

/** Milliseconds a dying chief is waited for before it counts as alive. */
const lockWait = 5000;
const opensALife = 1000;

/** What the task is called in messages. */
export function titleOf({role, index}: TaskConfig): string {
  return role === 'chief' ? 'chief' : `worker ${index}`;
}

const hasLocks = (): boolean =>
  (globalThis as {navigator?: {locks?: unknown}}).navigator?.locks !== undefined;

// Held until the realm is gone: that is what it is for.
async function showLife(config: TaskConfig): Promise<string | null> {
  if (!hasLocks()) return null;
  const {job, role, index, life} = config;
  const name = role === 'chief' ? `job:${job}:chief` :
    `job:${job}:worker:${index}:${life}:${Math.random()}`;
  try {
    await originLock(name, {wait: lockWait});
  } catch {
    throw new FailedPreconditionError(
        `the job '${job}' has a chief already, in this or another tab: give ` +
            'the second job another name');
  }
  return name;
}

/** This realm's part in a job. */
export class Task {
  readonly #control: Line<Order, Report>;
  #coord: Coordinator | undefined;
  #stopping = false;
  #failure: Error | undefined;
  #crew: Crew | undefined;
  #line: ChiefLine | undefined;
  #waiting: (() => void) | undefined;
  #opens = 0;
  #owesProgress = true;

  constructor(readonly config: TaskConfig, port: MessagePort) {
    this.#control = new Line<Order, Report>(port, (order) => this.#obey(order));
  }

  #obey(order: Order): void {
    switch (order.type) {
      case 'line':
        if (this.config.role === 'chief') {
          this.#crew?.add(order.index, order.port);
        } else {
          this.#line?.close();
          this.#line = new ChiefLine(order.port, () => this.#waiting?.());
        }
        break;
      case 'lost':
        this.#owesProgress = true;
        this.#crew?.lose(order.index);
        this.#line?.lose();
        break;
      case 'ended':
        this.#crew?.end(order.index);
        break;
      case 'stop':
        this.#stopping = true;
        this.#coord?.requestStop();
        break;
      case 'fail':
        this.#failure = fromRemote(order.error);
        this.#crew?.fail(this.#failure);
    }
  }

  /** Tells how training has ended. */
  leave(error: unknown, globalStep = 0): void {
    const failed = error !== undefined && error !== this.#failure;
    this.#control.send({
      type: 'left', globalStep,
      error: failed ? toRemote(error, titleOf(this.config)) : null,
    });
  }

  #events(graph: Graph) {
    return {
      coordinate: (coord: Coordinator): void => {
        this.#coord = coord;
        if (this.#stopping) coord.requestStop();
      },
      left: (error: unknown): void =>
        this.leave(error, getGlobalStep(graph)?.number ?? 0),
      closed: (): void => {
        this.#crew = undefined;
      },
      stepped: (): void => {
        if (this.#owesProgress) this.#control.send({type: 'progress'});
        this.#owesProgress = false;
      },
    };
  }

  openChief({graph, clock}: StorageContext, timeoutInMs: number): RawSession {
    const epoch = this.config.life * opensALife + this.#opens++;
    this.#crew = new Crew(this.config.workers, epoch);
    if (this.#failure) this.#crew.fail(this.#failure);
    const session = new ChiefSession(
        graph, clock, timeoutInMs, this.#crew, this.#events(graph));
    this.#control.send({type: 'open'});
    return session;
  }

  /** Waits for a chief. Errors: DeadlineExceeded. */
  async openWorker(
      {graph, clock}: StorageContext, timeoutInMs: number,
      maxWaitSecs: number): Promise<RawSession> {
    this.#line?.close();
    this.#line = undefined;
    const found = new AbortController();
    await new Promise<void>((resolve) => {
      this.#waiting = (): void => {
        const line = this.#line;
        if (line?.ready || line?.stopped) resolve();
      };
      this.#control.send({type: 'open'});
      void clock.sleep(maxWaitSecs, found.signal).then(resolve);
    });
    this.#waiting = undefined;
    found.abort();
    const line = this.#line as ChiefLine | undefined;
    if (!line?.ready && !line?.stopped) {
      throw new DeadlineExceededError(
          `Session was not ready after waiting ${maxWaitSecs} secs. ` +
              `The job '${this.config.job}' has no chief that is ready`);
    }
    return new WorkerSession(
        graph, clock, timeoutInMs, line, this.#events(graph));
  }
}

let joined: Promise<Task> | undefined;

/** Makes this realm known as a task; once is enough. */
export function joinJob(config: TaskConfig): Promise<Task> {
  joined ??= join(config);
  return joined;
}

async function join(config: TaskConfig): Promise<Task> {
  const {port1, port2} = new MessageChannel();
  const task = new Task(config, port1);
  const hello = (lock: string | null): void => {
    const message: Hello = {tidemark: 'job', port: port2, lock};
    platform().post(message, [port2]);
  };
  try {
    hello(await showLife(config));
  } catch (error) {
    hello(null);
    task.leave(error);
    throw error;
  }
  // Node makes an error of the Worker of it, browsers do not.
  (globalThis as {addEventListener?: Window['addEventListener']})
      .addEventListener?.('unhandledrejection', ({reason}) => {
        task.leave(reason);
      });
  return task;
}

registerMaster('worker', {
  isChief: () => taskConfig()?.role !== 'worker',
  async open(
      master: string, context: StorageContext,
      {operationTimeoutInMs = 0}: SessionConfig,
      {isChief, maxWaitSecs}: MasterRole): Promise<RawSession> {
    const config = needConfig(`master '${master}'`);
    const name = master.slice('worker://'.length);
    if (name !== config.job) {
      throw valueError(
          `master: this is a task of the job '${config.job}', not '${name}'`);
    }
    if (isChief !== (config.role === 'chief')) {
      throw valueError(
          `isChief: ${isChief}, but this is the ${titleOf(config)} of the job ` +
              `'${name}'`);
    }
    const task = await joinJob(config);
    return isChief ? task.openChief(context, operationTimeoutInMs) :
      task.openWorker(context, operationTimeoutInMs, maxWaitSecs);
  },
});
