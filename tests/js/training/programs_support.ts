// Programs on real storage: a directory of its own for each test.
import { afterEach, beforeEach } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { decodeEvent } from '../../../js/src/io/events/event.js';
import type { ReadEvent } from '../../../js/src/io/events/event.js';
import { readRecords } from '../../../js/src/io/events/record.js';
import { openStorage } from '../../../js/src/io/storage/open.js';

let number = 0;
export let dir = '';
export const options = { onLog: () => {}, handleSignals: false };

export async function filesIn(directory: string): Promise<string[]> {
  return (await openStorage(directory).list()).map(({ name }) => name);
}

export async function eventsIn(directory: string): Promise<ReadEvent[]> {
  const storage = openStorage(directory);
  const events: ReadEvent[] = [];
  for (const { name } of await storage.list()) {
    if (name.includes('tfevents')) events.push(...readRecords(await storage.read(name)).records.map(decodeEvent));
  }
  return events;
}

export const scalars = (events: ReadEvent[], tag: string): [number, number][] =>
  events.flatMap(({ step, summary = [] }) => summary
    .filter((v) => v.tag === tag).map((v): [number, number] => [Number(step), v.simpleValue!]));

/** A program of one variable, as a page that was just loaded makes it. */
export function fresh(body?: (w: tf.Variable) => unknown) {
  tf.disposeVariables();
  tf.keras.backend.clear_session();
  const initial = tf.scalar(1);
  const w: tf.Variable = tf.variable(initial, true, 'w');
  initial.dispose();
  return tf.train.step('train', () => (body ? body(w) : w.assign(w.sub(0.1))));
}

/** Saves as they happen: the steps, of every hook. */
export class Saves extends tf.train.CheckpointSaverListener {
  readonly steps: number[] = [];
  override afterSave(_: unknown, step: number): void {
    this.steps.push(step);
  }
}

/** Call it in a describe block: before each test a new graph, and nothing after. */
export function programs(): void {
  beforeEach(() => {
    dir = `memory://programs/${++number}`;
    tf.keras.backend.clear_session();
  });
  afterEach(() => {
    tf.disposeVariables();
    tf.keras.backend.clear_session();
  });
}
