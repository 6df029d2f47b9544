// Trains in here, so that the page never stutters and can be rid of it at once.
import * as tf from 'tidemark';

import { splitDigits } from '../digits.js';
import { train } from './program.js';
import type { FromWorker, Order, ToWorker } from './protocol.js';

/** While paused, what the next step waits for. */
let pause: { over: Promise<void>; end: () => void } | undefined;

function tell(message: FromWorker): void {
  postMessage(message);
}

async function start(order: Order): Promise<void> {
  const [response] = await Promise.all([fetch(order.digitsUrl), tf.ready()]);
  if (!response.ok) {
    throw new Error(`The digits did not load: ${response.status}`);
  }
  const file = new Uint8Array(await response.arrayBuffer());
  const digits = splitDigits(file, { heldOutCount: 500 });
  await train(order, digits, tell, () => pause?.over);
}

onmessage = ({ data }: MessageEvent<ToWorker>) => {
  switch (data.kind) {
    case 'train':
      start(data.order).catch((error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        tell({ kind: 'failed', message });
      });
      break;
    case 'pause': {
      if (pause) break;
      let end = () => {};
      const over = new Promise<void>((resolve) => (end = resolve));
      pause = { over, end };
      break;
    }
    case 'continue':
      pause?.end();
      pause = undefined;
      break;
  }
};
