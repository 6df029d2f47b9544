import type { Api } from '../api.js';

export function prepare(tf: Api) {
  const options = tf.EagerSession.options()
    .resourceCleanupStrategy('ON_SAFE_POINTS');
  tf.EagerSession.initDefault(options);
}

// Then the step with no care at all:
export { step } from './careless.js';
