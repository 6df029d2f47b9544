import type { Api } from '../api.js';

export async function step(tf: Api, n: number) {
  using frame = tf.fill([1024, 1024], n);
  using bright = frame.mul(2);
  using most = bright.max();
  const [value] = await most.data();
  return value;
}
