/** What a save looks at before and after it writes. */
import {shown} from '../../errors.js';
import {StorageError} from '../../io/storage/storage.js';
import type {FileStorage} from '../../io/storage/storage.js';
import {Variable} from '../../variable.js';
import {isBroken} from './checkpoint_management.js';
import {CheckpointReader} from './checkpoint_reader.js';
import {ResourceExhaustedError, valueError} from './errors.js';
import {GlobalStep} from './global_step.js';
import type {Frozens} from './frozens.js';
import type {Graph} from './graph.js';
import {namesShown} from './late_optimizers.js';
import {isPlain} from './options.js';
import type {Saveables} from './saveables.js';
import type {SaveOptions, SaverOptions} from './saver_options.js';

const mostSteps = 2n ** 63n - 1n;

/** Errors: options of a saver that mean nothing. */
export function checkOptions(
    {maxToKeep, keepCheckpointEveryNHours: hours, varList}: SaverOptions): void {
  const whole = typeof maxToKeep === 'number' && maxToKeep >= 0 &&
      Number.isInteger(maxToKeep);
  if (maxToKeep !== undefined && maxToKeep !== null && !whole) {
    throw valueError('Saver: max_to_keep must be a whole number from 0 on, got ' +
        shown(maxToKeep));
  }
  if (hours !== undefined && !(typeof hours === 'number' && hours >= 0)) {
    throw valueError('Saver: keep_checkpoint_every_n_hours must be a number ' +
        `from 0 on, got ${shown(hours)}`);
  }
  if (varList === undefined || varList === null) return;
  if (!Array.isArray(varList) && !isPlain(varList)) {
    throw valueError('Saver: var_list must be a list of variables, or an ' +
        `object of them by their names, got ${shown(varList)}`);
  }
  for (const [key, v] of Object.entries(varList as object)) {
    if (v instanceof Variable || v instanceof GlobalStep) continue;
    throw valueError(`Saver: what '${key}' names in var_list is no variable`);
  }
}

/** What the step adds to a path. Errors: no step. */
export function stepSuffix(step: SaveOptions['globalStep'], pad: boolean): string {
  if (step === undefined || step === null) return '';
  const exact = step instanceof GlobalStep ? step.bigint : step;
  if (typeof exact === 'number' ? !Number.isSafeInteger(exact) || exact < 0 :
    typeof exact !== 'bigint' || exact < 0n || exact > mostSteps) {
    throw valueError(`save: the step ${String(step)} is no whole number` +
        ' from 0 to 2^63 - 1');
  }
  return `-${pad ? String(exact).padStart(8, '0') : exact}`;
}

/** Errors: names that a checkpoint and its list cannot have. */
export function checkPaths(base: string, given: string, latest: string): void {
  if (given === '') {
    throw valueError('save: the path must end with a name, as in dir/model.ckpt');
  }
  if (latest.includes('/')) {
    throw valueError(`'latest_filename' collides with a path: '${latest}'`);
  }
  if (base === latest || given === latest) {
    throw valueError(
        `'latest_filename' collides with 'save_path': '${latest}' and '${given}'`);
  }
}

/** The names that a saver has saved or restored last. */
export class SavedNames {
  readonly #of = new WeakMap<Graph, ReadonlySet<string>>();

  set(graph: Graph, saveables: Saveables): void {
    this.#of.set(graph, new Set(saveables.keys()));
  }

  /** What to warn of: names that this save has no more. */
  gone(graph: Graph, saveables: Saveables): string | undefined {
    const gone = [...this.#of.get(graph) ?? []]
        .filter((name) => !saveables.has(name));
    this.set(graph, saveables);
    return gone.length === 0 ? undefined :
      `save: disposed since the last checkpoint: ${namesShown(gone)}. This ` +
          'and later checkpoints are without, and a run that has these cannot ' +
          'be restored from them';
  }
}

/** A file that is made when it is its turn. */
export async function* lazily(make: () => Uint8Array): AsyncGenerator<Uint8Array> {
  yield make();
}

/** True when the checkpoint is there and has these values. */
export async function isSaved(
    storage: FileStorage, base: string, path: string,
    values: Frozens): Promise<boolean> {
  try {
    return await values.areIn(await CheckpointReader.in(storage, base, path));
  } catch (error) {
    if (isBroken(error)) return false;
    throw error;
  }
}

/** The error of a save that finds no room. */
export function noSpace(
    where: string, needed: number, left: number | undefined)
    : ResourceExhaustedError {
  return new ResourceExhaustedError(
      `'${where}': a checkpoint needs ${needed} bytes and ${left ?? 'fewer'} ` +
          'are available: remove something, or keep fewer checkpoints');
}

/** The same of an error of storage, if that is what it says. */
export async function withSpace(
    error: unknown, storage: FileStorage, path: string,
    needed: number): Promise<unknown> {
  if (!(error instanceof StorageError) || error.fault !== 'full') return error;
  const left = await storage.available().catch(() => undefined);
  const made = noSpace(path, needed, left);
  made.cause = error;
  return made;
}
