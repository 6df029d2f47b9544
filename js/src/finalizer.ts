/**
 * Finalizers: how tensors that JavaScript has lost are freed.
 *
 * A tensor is registered when it has escaped every scope, not before: what a
 * scope will free costs nothing here. And it is registered late: handles wait
 * in a list, and only those still alive when it is full, or when the turn
 * ends, are. A finalizer's callback names the handle to C++ and does no more;
 * C++ frees at its next safe point or in the task posted here. Handles have
 * generations, so a callback that comes late does no harm and nothing is ever
 * unregistered.
 */
import {list, listItem, mark, release, trapped, wasm} from './module.js';
import {postTask} from './turns.js';

/** Hears of tensors' lives while tracing is on. */
export interface Tracer {
  made(handle: number): void;
  gone(handles: Iterable<number>, how: string): void;
}

// Reachable for ever: a registry that is collected calls nobody.
const registry = new FinalizationRegistry<number>(collected);

/** A large tensor that a finalizer is registered for. */
interface Watched {
  readonly ref: WeakRef<object>;
  readonly handle: number;
}

// Engines clear these when they collect. Finalizers are tasks, which WebKit
// keeps back for a second while others are waiting.
let watched: Watched[] = [];
let watchesLarge = false;
/** How many there may be before those disposed of are left out. */
let room = 1024;

/** How many tensors wait before they are looked through. */
const batch = 128;
/** How often a loop that never ends its turn looks at the budget. */
const glance = 32;
/** Milliseconds that one task of ours frees for. */
const slice = 4;

// Filled and emptied in place: this is on the way of every top-level op.
const objects = new Array<object | undefined>(batch).fill(undefined);
const handles = new Float64Array(batch);
let waiting = 0;
let posted = false;
let draining = false;
let escaping = true;
let onPressure: (() => void) | undefined;

/** Who traces, if anybody does. */
export let tracer: Tracer | undefined;
/** True when `made` must be told of new tensors. */
export let watching = true;

/** Sets who traces. */
export function setTracer(next: Tracer | undefined): void {
  tracer = next;
  watching = escaping || tracer !== undefined;
}

/**
 * Says whether tensors made from now on are owned by the root of a session
 * that collects: what C++ answers when the current scope changes.
 */
export function setEscaping(on: number): void {
  escaping = on === 1;
  watching = escaping || tracer !== undefined;
}

/** Sets what to do when a session is above its budget. */
export function setOnPressure(act: () => void): void {
  onPressure = act;
}

/** A tensor was made. Called only while `watching`. */
export function made(object: object, handle: number): void {
  tracer?.made(handle);
  if (escaping) escaped(object, handle);
}

/** A tensor came to be owned by a session. C++ decides what that means. */
export function escaped(object: object, handle: number): void {
  objects[waiting] = object;
  handles[waiting++] = handle;
  if (!posted) {
    posted = true;
    postTask(endOfTurn);
  }
  if (waiting % glance > 0) return;
  if (waiting >= batch) flush();
  else if (wasm.sessionPressed() >= 0) onPressure?.();
}

function endOfTurn(): void {
  posted = false;
  if (!trapped) flush();
}

/** Registers those of the waiting tensors that are alive and collectable. */
export function flush(): void {
  const n = waiting;
  if (n === 0) return;
  const position = mark();
  const at = list(handles.subarray(0, n));
  release(position);
  let left = wasm.claim(at);  // none where all were disposed meanwhile
  for (let i = 0; left > 0; i++) {
    const size = listItem(at, i);
    if (size === 0) continue;
    registry.register(objects[i]!, handles[i]!);
    if (watchesLarge && size === 2) watch(objects[i]!, handles[i]!);
    left--;
  }
  objects.fill(undefined, 0, n);
  waiting = 0;
  if (wasm.sessionPressed() >= 0) onPressure?.();
}

/** Says whether `look` is to find large tensors. */
export function watchLarge(on: boolean): void {
  watchesLarge = on;
}

function watch(object: object, handle: number): void {
  if (watched.length >= room) {
    watched = watched.filter((one) => wasm.alive(one.handle) === 1);
    room = 2 * watched.length + 1024;
  }
  watched.push({ref: new WeakRef(object), handle});
}

/**
 * Names the large tensors that have been collected, whether or not finalizers
 * have run. Those that are not collected stay so until the turn ends: it must
 * not come before what provokes a collection.
 */
export function look(): void {
  watched = watched.filter(({ref, handle}) => {
    if (ref.deref() !== undefined) return true;
    collected(handle);
    return false;
  });
}

/** Frees all that finalizers have named, in every session. */
export function drainAll(): void {
  flush();
  wasm.drain(Infinity, 1);
}

/** What a finalizer does: it names the handle. */
export function collected(handle: number): void {
  if (trapped || wasm.finalize(handle) === 0 || draining) return;
  draining = true;
  postTask(drainSome);
}

function drainSome(): void {
  if (trapped) return;
  const end = performance.now() + slice;
  let left: number;
  do {
    left = wasm.drain(256, 0);
  } while (left > 0 && performance.now() < end);
  draining = left > 0;
  if (draining) postTask(drainSome);
}
