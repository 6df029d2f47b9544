/** Where a model lies, as text, and in the words of errors. */
import {TensorError} from '../../errors.js';
import type {ModelArtifacts} from '../../io/types.js';

/** A URL object as the text that the handlers of `tf.io` know. */
export function textOf(url: URL): string {
  // Files have the names they have on the disk.
  return url.protocol === 'file:' ?
    `file://${decodeURIComponent(url.pathname)}` : url.href;
}

/**
 * What `f` gives; the errors of the library that do not name the file get its
 * name.
 */
export async function inFile<T>(
    where: string, f: () => Promise<T>): Promise<T> {
  try {
    return await f();
  } catch (error) {
    if (error instanceof TensorError && error.constructor === TensorError &&
        !error.message.includes(where) && where !== 'the model') {
      throw new TensorError(error.code, `${where}: ${error.message}`);
    }
    throw error;
  }
}

/** Throws if what is saved of training has an optimizer that has no name. */
export function assertOptimizerNamed(artifacts: ModelArtifacts): void {
  const saved = (artifacts?.trainingConfig as
      {optimizer_config?: unknown} | null | undefined)?.optimizer_config;
  if (saved === undefined || saved === null) return;
  const name = (saved as {class_name?: unknown}).class_name;
  if (typeof saved === 'string' || typeof name === 'string') return;
  throw new TensorError(
      'argument', 'loadTrainingConfig: the class_name of optimizer_config must ' +
          `be text, got ${JSON.stringify(name)}`);
}
