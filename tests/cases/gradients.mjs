/** Gradients: public bug reports as checks; see README.md. */
export const cases = [
  // Gradient of max along a middle axis had a transposed shape.
  // Wanted: Gradient shape equals input shape for any axis/keepDims.
  {
    id: 87,
    source: 'tensorflow/tfjs#4135 (also #677)',
    run: (tf, { f32 }) => [
      tf
        .grad((v) => tf.max(v, 1))(tf.ones([2, 1, 3]))
        .arraySync(),
      tf
        .grad((v) => tf.max(v, 1).sum())(f32([1, 5, 7, 2], [2, 2]))
        .arraySync(),
      tf
        .grad((v) => tf.min(v, 0, true).sum())(f32([1, 5, 7, 2], [2, 2]))
        .arraySync(),
    ],
    expect: [
      [[[1, 1, 1]], [[1, 1, 1]]],
      [
        [0, 1],
        [1, 0],
      ],
      [
        [1, 0],
        [0, 1],
      ],
    ],
  },

  // No gradient for einsum.
  // Wanted: Gradient of sum(x.x) = J x^T + x^T J.
  {
    id: 89,
    source: 'tensorflow/tfjs#7722',
    needs: ['einsum'],
    run: (tf, { f32 }) =>
      tf
        .grad((x) => tf.einsum('ij,jk->ik', x, x).sum())(f32([1, 2, 3, 4], [2, 2]))
        .arraySync(),
    expect: [
      [7, 11],
      [9, 13],
    ],
  },

  // Gradient of gather with batch dims asked for an impossible reshape.
  // Wanted: Forward and gradient honour batchDims; repeated indices add.
  {
    id: 90,
    source: 'tensorflow/tfjs#7494',
    run: (tf, { f32, i32, seq }) => [
      tf.gather(seq(4, [2, 2]), i32([1, 0], [2, 1]), 1, 1).arraySync(),
      tf
        .grad((x) => tf.gather(x, i32([1, 0], [2, 1]), 1, 1).sum())(seq(4, [2, 2]))
        .arraySync(),
      tf
        .grad((x) => tf.gather(x, i32([0, 0, 1])).sum())(f32([1, 2, 3]))
        .arraySync(),
    ],
    expect: [
      [[2], [3]],
      [
        [0, 1],
        [1, 0],
      ],
      [2, 1, 0],
    ],
  },

  // matMul gradient forgot to sum over broadcast batch dims.
  // Wanted: Gradient shapes equal input shapes.
  {
    id: 91,
    source: 'tensorflow/tfjs-core PR#1598',
    run: (tf, { seq }) => {
      const [a, b] = tf.grads((a, b) => tf.matMul(a, b).sum())([
        seq(8, [2, 2, 2]),
        seq(4, [1, 2, 2]),
      ]);
      const [, d] = tf.grads((a, b) => tf.matMul(a, b).sum())([seq(8, [2, 2, 2]), seq(4, [2, 2])]);
      return [a.flatten().arraySync(), b.arraySync(), d.arraySync()];
    },
    expect: [
      [3, 7, 3, 7, 3, 7, 3, 7],
      [
        [
          [16, 16],
          [20, 20],
        ],
      ],
      [
        [16, 16],
        [20, 20],
      ],
    ],
  },

  // A comparison inside the differentiated function, or an unused bad
  // branch of where, breaks the gradient.
  // Wanted: Comparisons are constants to the tape (no error); the selected
  // branch alone decides.
  {
    id: 93,
    source: 'tensorflow/tensorflow#38349 (also tensorflow/tfjs#7710)',
    run: (tf, { f32 }) => [
      tf
        .grad((x) => tf.where(x.greater(0), x.log(), x).sum())(f32([2, -1]))
        .arraySync(),
      tf
        .grad((x) => tf.losses.computeWeightedLoss(x, f32([1, 0])))(f32([1, 2]))
        .arraySync(),
      tf
        .grad((x) => x.mul(x.greater(0).cast('float32')).sum())(f32([2, -1]))
        .arraySync(),
    ],
    expect: [
      [0.5, 1],
      [1, 0],
      [1, 0],
    ],
  },

  // No gradient for prod.
  // Wanted: Right also with one or two zeros (no division by x).
  {
    id: 94,
    source: 'tensorflow/tfjs#2587',
    run: (tf, { f32 }) => {
      const g = (a) =>
        tf
          .grad((x) => x.prod())(f32(a))
          .arraySync();
      return [g([1, 2, 3]), g([0, 2, 3]), g([0, 0, 3])];
    },
    expect: [
      [6, 3, 2],
      [6, 0, 0],
      [0, 0, 0],
    ],
  },

  // Training a conv layer on the WASM backend fails: backward kernel
  // missing. (We add dilation, which no tfjs backend supports.)
  // Wanted: Every op a layer uses has forward and backward kernels in
  // WASM.
  {
    id: 95,
    source: 'tensorflow/tfjs#8474',
    run: (tf, { f32, seq }) => {
      const g = tf.grads((x, w) => tf.conv2d(x, w, 1, 'valid').sum())([
        seq(4, [1, 2, 2, 1]),
        f32([5, 6, 7, 8], [2, 2, 1, 1]),
      ]);
      const d = tf.grads((x, w) => tf.conv2d(x, w, 1, 'valid', 'NHWC', 2).sum())([
        seq(9, [1, 3, 3, 1]),
        tf.ones([2, 2, 1, 1]),
      ]);
      return [
        g[0].flatten().arraySync(),
        g[1].flatten().arraySync(),
        d[0].flatten().arraySync(),
        d[1].flatten().arraySync(),
      ];
    },
    expect: [
      [5, 6, 7, 8],
      [1, 2, 3, 4],
      [1, 0, 1, 0, 0, 0, 1, 0, 1],
      [1, 3, 7, 9],
    ],
  },
];
