/**
 * Budgets, and the rescue when the soft one is nearly used up.
 *
 * The engine does not know that a tensor object of a few bytes stands for
 * megabytes, so it sees no reason to collect. What it does see is memory of
 * its own: allocating a gigabyte of array buffers that nobody touches costs
 * nothing and makes it look for garbage. That is the rescue; it runs in turns
 * of its own, and programs that dispose never need it.
 */
import {TensorError, shown} from './errors.js';
import {flush, look, setOnPressure, tracer, watchLarge} from './finalizer.js';
import {answer, checked, details, wasm, whenLoaded} from './module.js';
import {linesFor} from './trace.js';
import {timerTurn} from './turns.js';

/** Bytes a session should stay below, and may have at most. */
export interface Budget {
  /**
   * Bytes of tensors that only a garbage collection can free. Near it, a
   * collection is provoked.
   */
  soft?: number;
  /** Bytes in use. An op that would need more throws. */
  hard?: number;
}

const MB = 2 ** 20;

// JavaScriptCore, told by a field that its errors have. It counts what lives
// after a collection and waits until there is twice of it, so its buffers are
// dropped at once; other engines collect more when buffers live on. And it
// calls finalizers only when no other task waits, so we look ourselves; in V8
// that would delay: its minor collections keep what weak references point to.
const jsc = 'line' in new Error('JavaScriptCore');

// More is allocated until something comes back. Engines differ in how much
// they want to see; sizes were measured in Chromium, Firefox and WebKit.
const ladder = [
  {total: 1024 * MB, piece: 64 * MB},
  {total: 4096 * MB, piece: 512 * MB},
  {total: 8192 * MB, piece: 512 * MB},
  ...(jsc ? [{total: 16384 * MB, piece: 512 * MB}] : []),
];
/** Timer turns to wait for finalizers after each step. */
const turns = 4;
/** A step that takes longer is the last: the engine touches the buffers. */
const slow = 200;
/** What has to come back, as a part of what could. */
const enough = 0.1;

const budgets = new Map<number, Required<Budget>>();
let running = false;
let turned = false;
let microtasks = false;
let warned = false;

/** What rescues have done so far. */
export const rescues = {count: 0, failed: 0, lastMs: 0, freedBytes: 0};

function defaultSoft(): number {
  const {deviceMemory} = (globalThis.navigator ?? {}) as
      {deviceMemory?: number};
  return Math.min(512 * MB, (deviceMemory ?? Infinity) * 1024 * MB / 4);
}

function assertBytes(name: string, bytes?: number): void {
  if (bytes === undefined || typeof bytes === 'number' && bytes > 0) return;
  throw new TensorError(
      'argument', `setBudget: ${name} must be a positive number of bytes, but ` +
          `is ${shown(bytes)}`);
}

/** Errors: no object; a member that it has not; what is no number of bytes. */
export function assertBudget(budget: Budget): void {
  const good = typeof budget === 'object' && budget !== null &&
      !Array.isArray(budget) &&
      Object.keys(budget).every((key) => key === 'soft' || key === 'hard');
  if (!good) {
    throw new TensorError(
        'argument', 'setBudget: expected an object with soft and hard, but ' +
            `got ${shown(budget)}`);
  }
  assertBytes('soft', budget.soft);
  assertBytes('hard', budget.hard);
}

/** Sets the budget of the session with this root; what is not given stays. */
export function setBudgetOf(root: number, budget: Budget): void {
  assertBudget(budget);
  const before = budgets.get(root) ?? {soft: defaultSoft(), hard: Infinity};
  const next = {
    soft: budget.soft ?? before.soft,
    hard: budget.hard ?? before.hard,
  };
  checked(wasm.sessionBudget(root, next.soft, next.hard));
  budgets.set(root, next);
}

/** Forgets the budget of a session that was closed. */
export function forgetBudgetOf(root: number): void {
  budgets.delete(root);
}

/** Sets the budget of the default session back to what it is at the start. */
export function resetBudget(): void {
  budgets.delete(0);
  setBudgetOf(0, {});
}

function pulse({total, piece}: {total: number, piece: number}): boolean {
  const start = performance.now();
  const held: ArrayBuffer[] = [];
  try {
    for (let bytes = 0; bytes < total; bytes += piece) {
      held[jsc ? 0 : held.length] = new ArrayBuffer(piece);
    }
  } catch {
    return false;  // no room, so no further step
  }
  return performance.now() - start < slow;
}

async function rescue(root: number): Promise<void> {
  const start = performance.now();
  const before = wasm.collectedBytes();
  const wanted = enough * wasm.sessionCollectable(root);
  // A count of 32 bits: it begins anew after 4 GB.
  const freed = () => (wasm.collectedBytes() - before) >>> 0;
  const cameBack = () => {
    flush();
    look();
    return freed() >= wanted;
  };
  for (const step of ladder) {
    const more = pulse(step);
    for (let i = 0; i < turns && !cameBack(); i++) {
      await timerTurn();
      turned = true;
    }
    if (freed() >= wanted || !more) break;
  }
  const rescued = freed() >= wanted;
  rescues.count++;
  if (!rescued) rescues.failed++;
  rescues.freedBytes += freed();
  rescues.lastMs = performance.now() - start;
  if (wasm.scopeIsOpen(root) === 0) return;
  const {soft} = budgets.get(root) ?? {soft: defaultSoft()};
  // What cannot be collected now is in use: there is no use in trying again
  // before there is a quarter more.
  wasm.sessionTrigger(
      root, rescued ? 0.75 * soft :
        1.25 * Math.max(0.75 * soft, wasm.sessionCollectable(root)));
}

function starved(root: number): void {
  const {soft} = budgets.get(root) ?? {soft: Infinity};
  if (warned || turned || !microtasks || wasm.sessionCollectable(root) < soft) return;
  warned = true;
  console.warn(
      'Tidemark: tensors nobody refers to cannot be freed, because this loop ' +
      'gives the engine no turn: `await` of a settled promise or of ' +
      'scheduler.yield() is none. Dispose of them (tf.tidy), or await ' +
      'tf.nextTurn() now and then.');
}

function relieve(): void {
  const root = wasm.sessionPressed();
  if (root < 0) return;
  if (running) {
    starved(root);
    return;
  }
  running = true;
  turned = false;
  // A loop that awaits nothing at all starves nobody: it will end.
  microtasks = false;
  void Promise.resolve().then(() => {
    microtasks = true;
  });
  void timerTurn().then(() => rescue(root)).finally(() => {
    running = false;
  });
}

setOnPressure(relieve);
watchLarge(jsc);
whenLoaded(() => {
  resetBudget();
});

details.memory = () => {
  const tried = rescues.count === 0 ? 'no rescue has been tried' :
    `${rescues.count} rescues have been tried, ${rescues.failed} in vain`;
  const sites = tracer === undefined ? [] :
    linesFor(answer(wasm.liveHandles())).slice(0, 3);
  return `; ${tried}` + sites.map((site) => `\n  ${site}`).join('');
};
