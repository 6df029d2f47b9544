import type { Api } from '../api.js';

export async function step(tf: Api, n: number) {
  // 4 MB each, and nothing is freed.
  const frame = tf.fill([1024, 1024], n);
  const bright = frame.mul(2);
  const most = bright.max();
  const [value] = await most.data();
  return value;
}
