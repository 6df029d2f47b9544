// Loads the network and upscales, tile by tile. Between two tiles it looks into
// its letter box: a new picture or a stop ends the one at hand.
import * as tf from 'tidemark';

import { upscaleTile } from './network.js';
import type { FromWorker, Loading, MemorySample, ToWorker } from './protocol.js';
import { SCALE } from './scale.js';
import { tilesOf, type Box } from './tiles.js';

/** Larger pictures would take minutes. */
const MOST_PIXELS = 4_000_000;

let model: tf.LayersModel | undefined;
/** The picture at hand; older ones give up at their next tile. */
let current = 0;

function post(message: FromWorker, transfer: Transferable[] = []): void {
  postMessage(message, { transfer });
}

function memory(): MemorySample {
  const { numTensors, numBytes, peakBytes, heapBytes } = tf.memory();
  return {
    tensors: numTensors, bytes: numBytes, peak: peakBytes, heap: heapBytes,
  };
}

async function load(url: string): Promise<void> {
  let loaded: Loading = {
    fraction: 0, file: 'model.json', loaded: 0, total: 0, fromCache: false,
  };
  post({ kind: 'loading', ...loaded });
  // Before the model: out of the cache it may be there sooner than the core.
  await tf.ready();
  model = await tf.loadLayersModel(url, {
    // Files stay in the browser: a second visit asks nobody.
    cache: true,
    onProgress(fraction, { file, allLoaded, allTotal, fromCache }) {
      loaded = { fraction, file, loaded: allLoaded, total: allTotal, fromCache };
      post({ kind: 'loading', ...loaded });
    },
  });
  const variant = tf.getVariant()!;
  post({ kind: 'ready', variant, loaded, memory: memory() });
}

class Refusal extends Error {}

async function decode(picture: Blob): Promise<ImageBitmap> {
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(picture);
  } catch {
    throw new Refusal(
      picture.size === 0
        ? 'The file is empty.'
        : 'This is not a picture that the browser can read. ' +
          'PNG, JPEG, WebP, AVIF and GIF are.',
    );
  }
  const { width, height } = bitmap;
  if (width * height > MOST_PIXELS) {
    bitmap.close();
    const size = (n: number) => (n / 1e6).toFixed(1);
    throw new Refusal(
      `The picture has ${width} x ${height} = ${size(width * height)} ` +
        `megapixels; ${size(MOST_PIXELS)} is the most that is upscaled here.`,
    );
  }
  return bitmap;
}

function contextOf(width: number, height: number) {
  const context = new OffscreenCanvas(width, height).getContext('2d', {
    willReadFrequently: true,
  });
  if (!context) throw new Error('The browser gives no canvas in a worker.');
  return context;
}

function cut(bitmap: ImageBitmap, box: Box, scale: number): ImageData {
  const { x, y, width, height } = box;
  const context = contextOf(width * scale, height * scale);
  context.drawImage(
    bitmap, x, y, width, height, 0, 0, width * scale, height * scale,
  );
  return context.getImageData(0, 0, width * scale, height * scale);
}

/** The network knows no opacity: that is stretched as browsers do. */
function takeOpacity(pixels: Uint8ClampedArray, from: Uint8ClampedArray): void {
  for (let i = 3; i < pixels.length; i += 4) pixels[i] = from[i]!;
}

async function upscale(
  id: number,
  picture: Blob,
  tileSize: number,
): Promise<void> {
  if (!model) throw new Error('The network is not loaded.');
  const bitmap = await decode(picture);
  try {
    if (id !== current) return;
    const tiles = tilesOf(bitmap.width, bitmap.height, tileSize);
    const source = await createImageBitmap(bitmap);
    post({ kind: 'begun', id, source, tiles: tiles.length }, [source]);
    const start = performance.now();
    const elapsed = () => performance.now() - start;
    for (const [i, tile] of tiles.entries()) {
      await tf.nextTurn();
      if (id !== current) return;
      const { inner, outer } = tile;
      const pixels = upscaleTile(model, cut(bitmap, outer, 1), tile);
      takeOpacity(pixels, cut(bitmap, inner, SCALE).data);
      const box = {
        x: inner.x * SCALE, y: inner.y * SCALE,
        width: inner.width * SCALE, height: inner.height * SCALE,
      };
      post({
        kind: 'tile', id, done: i + 1, tiles: tiles.length, box, pixels,
        elapsedMs: elapsed(), memory: memory(),
      }, [pixels.buffer]);
    }
    post({ kind: 'done', id, elapsedMs: elapsed(), memory: memory() });
  } finally {
    bitmap.close();
  }
}

async function handle(message: ToWorker): Promise<void> {
  switch (message.kind) {
    case 'load': return load(message.modelUrl);
    case 'stop': return void (current = -1);
    case 'upscale': {
      const { id, picture, tileSize } = message;
      current = id;
      return upscale(id, picture, tileSize).catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
        post({ kind: 'refused', id, message: error.message });
      });
    }
  }
}

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  handle(data).catch((error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    post({ kind: 'failed', message });
  });
};
