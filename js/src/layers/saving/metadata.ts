/** Notes of the user's own that are saved with a model. */
import {TensorError} from '../../errors.js';

const largest = 1024 * 1024;

/** Throws unless the notes can be saved as JSON; warns when they are large. */
export function checkMetadata(
    metadata: unknown, model: string): asserts metadata is object {
  const fail = (path: string): never => {
    throw new TensorError(
        'argument', 'User-defined metadata is expected to be a JSON object, ' +
            `but is not${path === '' ? '.' : `: ${path} cannot be saved.`}`);
  };
  const walk = (x: unknown, path: string): void => {
    if (x === null || ['string', 'boolean'].includes(typeof x)) return;
    if (typeof x === 'number' && Number.isFinite(x)) return;
    if (Array.isArray(x)) {
      x.forEach((item, i) => walk(item, `${path}[${i}]`));
    } else if (isPlain(x)) {
      for (const [key, value] of Object.entries(x)) {
        walk(value, path === '' ? key : `${path}.${key}`);
      }
    } else {
      fail(path);
    }
  };
  if (!isPlain(metadata)) fail('');
  walk(metadata, '');
  const {length} = JSON.stringify(metadata);
  if (length > largest) {
    console.warn(
        `User-defined metadata of model "${model}" is too large in size ` +
        `(length=${length} when serialized). It is not recommended to store ` +
        'such large objects in user-defined metadata. Please make sure its ' +
        `serialized length is <= ${largest}.`);
  }
}

function isPlain(x: unknown): x is object {
  if (typeof x !== 'object' || x === null) return false;
  const prototype: unknown = Object.getPrototypeOf(x);
  // Objects of other realms are plain, too.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
