/** Layers out of the lists of layers that files have. */
import {TensorError} from '../errors.js';
import {Layer} from './layer.js';
import {deserialize} from './serialization.js';
import type {CustomObjects} from './serialization.js';

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).slice(0, 80);
}

/**
 * The layer that `{className, config}` describes; `where` is the place in the
 * file that messages name. Errors: another thing; a class that is no layer's.
 */
export function layerFrom(
    where: string, item: unknown, customObjects?: CustomObjects): Layer {
  const {className, config} = (item ?? {}) as
      {className?: unknown, config?: unknown};
  if (typeof className !== 'string' ||
      typeof (config ?? {}) !== 'object') {
    throw new TensorError(
        'argument', `${where}: {class_name, config} of a layer expected, but ` +
            `${shown(item)} is no layer`);
  }
  const made = deserialize<unknown>('layer', item, customObjects);
  if (made instanceof Layer) return made;
  throw new TensorError(
      'argument', `${where}: an object of the class ${className} is no layer`);
}
