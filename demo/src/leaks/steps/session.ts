import type { Api, Session } from '../api.js';

let session: Session | undefined;

export async function step(tf: Api, n: number) {
  session ??= tf.EagerSession.options()
    .resourceCleanupStrategy('ON_SESSION_CLOSE')
    .build();
  const most = session.run(() => {
    const frame = tf.fill([1024, 1024], n);
    return frame.mul(2).max();
  });
  const [value] = await most.data();
  if (n % 20 === 19) {
    session.close();
    session = undefined;
  }
  return value;
}
