/** Turns of the event loop: tasks, which let finalizers run, not microtasks. */

type Task = () => void;
interface Immediate {
  unref(): void;
}

// Node has its own way.
const {setImmediate} = globalThis as
    {setImmediate?: (task: Task) => Immediate | undefined};

const waiting: Task[] = [];
let port: MessagePort | undefined;

function post(task: Task): void {
  if (typeof MessageChannel === 'undefined') {
    setTimeout(task, 0);
    return;
  }
  if (port === undefined) {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => waiting.shift()?.();
    port = channel.port2;
  }
  waiting.push(task);
  port.postMessage(0);
}

/**
 * Runs `task` in a turn of its own, soon. A process waits for it: what is
 * posted here ends by itself.
 */
export function postTask(task: Task): void {
  if (setImmediate) setImmediate(task);
  else post(task);
}

/** Resolves in a timer's turn, which every engine lets collections run in. */
export function timerTurn(): Promise<void> {
  return new Promise((resolve) => {
    const timer: unknown = setTimeout(resolve, 0);
    (timer as Partial<Immediate>).unref?.();
  });
}

/**
 * Resolves in the next turn of the event loop.
 *
 * Long loops await it so that the page stays alive and tensors nobody refers
 * to can be freed: finalizers run between turns, never at `await` of a settled
 * promise or of `scheduler.yield()`.
 *
 * ```js
 * for (let step = 0; step < 3; step++) {
 *   tf.tidy(() => tf.ones([4]).square());
 *   await tf.nextTurn();
 * }
 * ```
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (setImmediate) setImmediate(resolve);
    else post(resolve);
  });
}
