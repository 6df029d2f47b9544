/**
 * Keys of model files: Python writes snake_case, JavaScript reads camelCase.
 * Words that stand for settings (`channels_last`, `glorot_uniform`) change with
 * the keys, as TensorFlow.js has it; names of things stay.
 */
import {tfjsSnakeCase} from './naming.js';

// What these keys hold are names, not words.
const names = new Set([
  'name', 'className', 'class_name', 'registeredName', 'registered_name',
  'module', 'dtype', 'kerasVersion', 'keras_version', 'backend',
]);

/** `batch_input_shape` in camelCase. */
export function toCamelCase(key: string): string {
  if (key.length <= 1 || !key.includes('_') || key.startsWith('__')) return key;
  return key.replace(/_+(\w|$)/g, (_, next: string) => next.toUpperCase());
}

/** A place in a graph: layer, node, output. Its first item is a name. */
function isReference(items: readonly unknown[]): boolean {
  return items.length >= 3 && typeof items[0] === 'string' &&
      Number.isInteger(items[1]) && Number.isInteger(items[2]);
}

function convert(
    value: unknown, keyCase: (key: string) => string,
    wordCase: (word: string) => string): unknown {
  const walk = (x: unknown): unknown => {
    if (typeof x === 'string') return wordCase(x);
    if (Array.isArray(x)) {
      return isReference(x) ? [x[0], ...x.slice(1).map(walk)] : x.map(walk);
    }
    if (typeof x !== 'object' || x === null) return x;
    return Object.fromEntries(Object.entries(x).map(([key, v]) => [
      keyCase(key),
      names.has(key) && typeof v === 'string' ? v : walk(v ?? null),
    ]));
  };
  return walk(value);
}

/** A config out of a file, as classes take it. */
export function fromPythonic(config: unknown): unknown {
  return convert(config, toCamelCase, toCamelCase);
}

/** A config as files have it. */
export function toPythonic(config: unknown): unknown {
  return convert(config, tfjsSnakeCase, (word) => {
    const snake = tfjsSnakeCase(word);
    // Only words that come back the same.
    return toCamelCase(snake) === word ? snake : word;
  });
}
