import type { Api } from '../api.js';

export async function step(tf: Api, n: number) {
  const most = tf.tidy(() => {
    const frame = tf.fill([1024, 1024], n);
    const bright = frame.mul(2);
    return bright.max();
  });
  const [value] = await most.data();
  most.dispose();
  return value;
}
