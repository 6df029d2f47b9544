/** Errors leave the runtime usable: public bug reports as checks; see README.md. */
export const cases = [
  // On the error path the native status/options objects were never freed.
  // Wanted: Failing calls cost nothing: 600 errors, no storage left.
  {
    id: 31,
    source: 'tensorflow/tensorflow#17698 (also #10119)',
    run: (tf, { f32, count }) => {
      const n = count(),
        d = tf.engine().backend.numDataIds();
      let errs = 0;
      for (let k = 0; k < 200; k++) {
        const x = f32([1, 2]),
          y = f32([1, 2, 3]);
        try {
          tf.add(x, y);
        } catch {
          errs++;
        }
        try {
          x.reshape([3, 5]);
        } catch {
          errs++;
        }
        const p = x.expandDims(0),
          q = y.expandDims(0);
        try {
          tf.matMul(p, q);
        } catch {
          errs++;
        }
        tf.dispose([x, y, p, q]);
      }
      return [errs, count() - n, tf.engine().backend.numDataIds() - d];
    },
    expect: [600, 0, 0],
  },
];
