/** Makers: a class as the function that TensorFlow.js has for it. */
import {checkLayerName} from './naming.js';

/**
 * The function that makes objects of a class; without settings, of none.
 * Errors: a name that is no string or has a `/`.
 */
export function maker<A extends unknown[], T>(
    cls: new (...args: A) => T): (...args: A) => T {
  return (...args) => {
    const [settings, ...more] = args as unknown[];
    const given = settings ?? {};
    const {name} = given as {name?: unknown};
    if (name !== undefined && name !== null) {
      const {className} = cls as {className?: string};
      checkLayerName(className ?? 'layer', name);
    }
    return new cls(...[given, ...more] as A);
  };
}
