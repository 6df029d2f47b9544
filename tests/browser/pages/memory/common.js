// What the pages of the memory tests share. These modules run in the page, or
// in a worker of it, in every browser.

/** Loads a copy of the library. */
export async function load(path = '/dist/index.js') {
  const tf = await import(path);
  await tf.ready();
  return tf;
}

let port;
const posted = [];

/** Ways to wait for a later turn, by name; a microtask is none. */
export const turns = {
  setTimeout: () => new Promise((resolve) => setTimeout(resolve, 0)),
  MessageChannel: () => new Promise((resolve) => {
    if (port === undefined) {
      const channel = new globalThis.MessageChannel();
      channel.port1.onmessage = () => posted.shift()();
      port = channel.port2;
    }
    posted.push(resolve);
    port.postMessage(0);
  }),
  microtask: () => Promise.resolve(),
};

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Makes the engine collect garbage, as often as `done` needs to become true;
 * says whether it did. Where there is no gc(), untouched array buffers are
 * allocated until the engine looks for something to free.
 */
export async function collect(done, tries = 12) {
  for (let i = 0; i < tries; i++) {
    if (globalThis.gc) globalThis.gc();
    else pulse(i < 4 ? 2 ** 30 : 2 ** 33);
    for (let turn = 0; turn < 20 && !done(); turn++) await sleep(turn);
    if (done()) return true;
  }
  return false;
}

function pulse(bytes) {
  const pieces = [];
  const piece = bytes > 2 ** 30 ? 2 ** 29 : 2 ** 26;
  for (let i = 0; i < bytes; i += piece) pieces.push(new ArrayBuffer(piece));
  return pieces.length;
}

/** What a function throws, or what its promise is rejected with. */
export async function thrownBy(f) {
  try {
    await f();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** A generator of numbers from 0 to 1 that are the same each time. */
export function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
