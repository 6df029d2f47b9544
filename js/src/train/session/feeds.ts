/** Feeds of several sources in one. */
import {runtimeError} from './errors.js';
import type {Graph, Placeholder} from './graph.js';
import {resolveFeeds} from './placeholder.js';
import type {FeedValue, Feeds} from './placeholder.js';

/**
 * The caller's feeds with those of hooks; without any of hooks, the caller's
 * own object. Errors: one placeholder fed by two.
 */
export function mergeFeeds(
    graph: Graph, own: Feeds | null,
    ofHooks: readonly (Feeds | null)[]): Feeds | null {
  const hooks = new Map<Placeholder, FeedValue>();
  for (const feeds of ofHooks) {
    for (const [p, value] of resolveFeeds(graph, feeds)) {
      if (hooks.has(p)) {
        throw runtimeError(
            `Same tensor is fed by two hooks: '${p.name}'.`);
      }
      hooks.set(p, value);
    }
  }
  if (hooks.size === 0) return own;
  for (const [p, value] of resolveFeeds(graph, own)) {
    if (hooks.has(p)) {
      throw runtimeError(
          `Same tensor is fed by a SessionRunHook and user: '${p.name}'.`);
    }
    hooks.set(p, value);
  }
  return hooks;
}
