import type { Api } from '../api.js';

export async function step(tf: Api, n: number) {
  const frame = tf.fill([1024, 1024], n); // 4 MB
  const bright = frame.mul(2); // 4 MB
  const most = bright.max();
  const [value] = await most.data();
  return value; // and nothing is freed
}
