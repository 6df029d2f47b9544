/** Makers: a class as the function that TensorFlow.js has for it. */

/** The function that makes objects of a class. */
export function maker<A extends unknown[], T>(
    cls: new (...args: A) => T): (...args: A) => T {
  return (...args) => new cls(...args);
}
