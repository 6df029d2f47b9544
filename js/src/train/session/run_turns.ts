/** Turns of the event loop for loops of runs that never leave one by themselves. */
import {nextTurn} from '../../turns.js';

const longestMs = 50;
// Real time, whatever clock a session has: it is the platform that waits.
let last = performance.now();

/**
 * Resolves after a turn of the event loop when the last one here was more than
 * 50 ms ago, so that signals, messages and events of the page come through.
 */
export async function passTurn(): Promise<void> {
  if (performance.now() - last <= longestMs) return;
  await nextTurn();
  last = performance.now();
}
