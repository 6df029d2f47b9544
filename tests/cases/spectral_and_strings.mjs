/** Fourier transforms and strings: public bug reports as checks; see README.md. */
export const cases = [
  // FFT accuracy collapsed above 2^14 points; other lengths (odd, 1, very
  // long) failed.
  // Wanted: Any length >= 1, round trip within 1e-4.
  {
    id: 85,
    source: 'tensorflow/tfjs#2638 (also #8191; tensorflow/tensorflow#17825, #112406)',
    needs: ['spectral'],
    run: (tf, { f32, seq }) =>
      tf.tidy(() => {
        const n = 32768;
        const x = tf.sin(tf.range(0, n).mul(0.37));
        const e = tf
          .sub(x, tf.real(tf.ifft(tf.fft(tf.complex(x, tf.zerosLike(x))))))
          .abs()
          .max()
          .dataSync()[0];
        const r = tf.spectral.rfft(seq(6));
        const one = tf.spectral.rfft(f32([7]));
        return [e < 1e-4, tf.real(r).arraySync(), tf.imag(r).arraySync(), tf.real(one).arraySync()];
      }),
    expect: [true, [21, -3, -3, -3], [0, 5.1961524, 1.7320508, 0], [7]],
  },

  // Strings could not be stacked/concatenated; a split on blanks cut UTF-8
  // letters in two.
  // Wanted: UTF-8 safe, same answers on the WASM backend.
  {
    id: 86,
    source: 'tensorflow/tfjs#4437 (PR#4440; also tensorflow/tensorflow#47022)',
    needs: ['strings'],
    run: (tf) => {
      const s = tf.string.stringSplit(tf.tensor1d(['x à y']), tf.scalar(' '));
      return [
        tf.concat([tf.tensor1d(['α', 'b']), tf.tensor1d([''])]).arraySync(),
        tf.stack([tf.scalar('é'), tf.scalar('z')]).arraySync(),
        tf.unstack(tf.tensor1d(['p', 'q'])).map((t) => t.arraySync()),
        s.values.arraySync(),
        Array.from(tf.equal(tf.tensor1d(['a', 'ß']), tf.tensor1d(['a', 'c'])).dataSync()).map(
          Number,
        ),
      ];
    },
    expect: [
      ['α', 'b', ''],
      ['é', 'z'],
      ['p', 'q'],
      ['x', 'à', 'y'],
      [1, 0],
    ],
  },
];
