/** Convolution, pooling, resizing and normalization: public bug reports as checks; see README.md. */
export const cases = [
  // WASM depthwiseConv2d with a 1xN or Nx1 filter, stride 2, "same" gives
  // wrong output.
  // Wanted: Pad left/top = floor(total/2), rest right/bottom, and never
  // negative.
  {
    id: 70,
    source: 'tensorflow/tfjs#6629',
    run: (tf, { f32, seq }) => [
      tf
        .depthwiseConv2d(seq(16, [1, 4, 4, 1]), f32([1, 10, 100], [1, 3, 1, 1]), 2, 'same')
        .flatten()
        .arraySync(),
      tf
        .depthwiseConv2d(seq(16, [1, 4, 4, 1]), f32([1, 10, 100], [3, 1, 1, 1]), 2, 'same')
        .flatten()
        .arraySync(),
    ],
    expect: [
      [321, 43, 1209, 131],
      [951, 1173, 139, 161],
    ],
  },

  // WASM conv2d returns all zeros when the stride exceeds the input size
  // with "same".
  // Wanted: Output 1x1 = 1*5 + 3*7.
  {
    id: 71,
    source: 'tensorflow/tfjs#5907 (also #8405)',
    run: (tf, { f32, seq }) =>
      tf
        .conv2d(seq(4, [1, 2, 2, 1]), f32([5, 7], [2, 1, 1, 1]), [5, 2], 'same')
        .flatten()
        .arraySync(),
    expect: [26],
  },

  // Dilation larger than the input produced a shape with negative numbers.
  // Wanted: Clear error (or zero-size result); never negative dims or a
  // write past the end.
  {
    id: 73,
    source: 'tensorflow/tfjs#5902',
    run: (tf) => {
      let r;
      try {
        r = tf
          .conv2d(tf.ones([1, 3, 3, 1]), tf.ones([2, 3, 1, 1]), 1, 'valid', 'NHWC', [5, 4])
          .shape.every((d) => d >= 0)
          ? 'zero-size'
          : 'NEGATIVE SHAPE';
      } catch {
        r = 'clear error';
      }
      return [r !== 'NEGATIVE SHAPE', tf.ones([3]).sum().dataSync()[0]];
    },
    expect: [true, 3],
  },

  // The graph loader read the wrong two of the four dilation numbers.
  // Wanted: Height dilation 1, width dilation 2.
  {
    id: 74,
    source: 'tensorflow/tfjs#1587 (tfjs-converter PR#363)',
    needs: ['graph', 'io'],
    run: async (tf, { seq }) => {
      const F = { type: 'DT_FLOAT' },
        L = (a) => ({ list: { i: a.map(String) } });
      const art = {
        modelTopology: {
          node: [
            {
              name: 'x',
              op: 'Placeholder',
              input: [],
              attr: {
                dtype: F,
                shape: {
                  shape: {
                    dim: [{ size: '1' }, { size: '3' }, { size: '5' }, { size: '1' }],
                  },
                },
              },
            },
            {
              name: 'w',
              op: 'Const',
              input: [],
              attr: {
                dtype: F,
                value: {
                  tensor: {
                    dtype: 'DT_FLOAT',
                    tensorShape: {
                      dim: [{ size: '2' }, { size: '2' }, { size: '1' }, { size: '1' }],
                    },
                  },
                },
              },
            },
            {
              name: 'y',
              op: 'Conv2D',
              input: ['x', 'w'],
              attr: {
                T: F,
                strides: L([1, 1, 1, 1]),
                dilations: L([1, 1, 2, 1]),
                padding: { s: 'VkFMSUQ=' },
                data_format: { s: 'TkhXQw==' },
              },
            },
          ],
          library: {},
          versions: { producer: 1 },
        },
        weightSpecs: [{ name: 'w', shape: [2, 2, 1, 1], dtype: 'float32' }],
        weightData: new Float32Array([1, 1, 1, 1]).buffer,
        format: 'graph-model',
      };
      const m = await tf.loadGraphModel(tf.io.fromMemory(art));
      const y = m.predict(seq(15, [1, 3, 5, 1]));
      const r = [y.shape, y.flatten().arraySync()];
      m.dispose();
      return r;
    },
    expect: [
      [1, 2, 3, 1],
      [18, 22, 26, 38, 42, 46],
    ],
  },

  // 3D average pooling with a numeric pad gave NaN or wrong values. (We
  // extend it to max pooling of negatives.)
  // Wanted: Average counts real cells only; max starts from -Infinity, not
  // from the smallest positive float.
  {
    id: 75,
    source: 'tensorflow/tfjs#7122 (also #8402)',
    needs: ['pool3d'],
    run: (tf) => {
      const a = tf.avgPool3d(tf.ones([1, 2, 2, 2, 1]), 2, 1, 1),
        m = tf.maxPool3d(tf.fill([1, 2, 2, 2, 1], -2), 2, 1, 1);
      return [
        a.shape,
        Math.min(...a.dataSync()),
        Math.max(...a.dataSync()),
        Math.min(...m.dataSync()),
        Math.max(...m.dataSync()),
      ];
    },
    expect: [[1, 3, 3, 3, 1], 1, 1, -2, -2],
  },

  // Average pooling "same" counts padding differently across libraries;
  // 1x1 pooling with stride was wrong in WASM.
  // Wanted: TensorFlow rule: divide by the number of real cells.
  {
    id: 77,
    source: 'tensorflow/tensorflow#45579 (also mil-tokyo/webdnn#694; tfjs#5920, PR#6969)',
    run: (tf, { f32, seq }) =>
      [
        tf.avgPool(seq(9, [1, 3, 3, 1]), 2, 1, 'same'),
        tf.maxPool(seq(9, [1, 3, 3, 1]), 1, 2, 'valid'),
        tf.avgPool(seq(9, [1, 3, 3, 1]), 1, 2, 'same'),
        tf.maxPool(f32([-1, -2, -3, -4], [1, 2, 2, 1]), 3, 1, 'same'),
      ].map((t) => t.flatten().arraySync()),
    expect: [
      [3, 4, 4.5, 6, 7, 7.5, 7.5, 8.5, 9],
      [1, 3, 7, 9],
      [1, 3, 7, 9],
      [-1, -1, -1, -1],
    ],
  },

  // Transposed conv "same" with an even kernel: which side is padded, and
  // output size, confuse people and ports.
  // Wanted: Exact adjoint of the forward conv with the same padding.
  {
    id: 78,
    source: 'tensorflow/tensorflow#45999 (also mil-tokyo/webdnn PR#705)',
    run: (tf, { f32, seq }) => [
      tf
        .conv2dTranspose(
          seq(4, [1, 2, 2, 1]),
          f32([1, 10, 100, 1000], [2, 2, 1, 1]),
          [1, 2, 2, 1],
          1,
          'same',
        )
        .flatten()
        .arraySync(),
      tf
        .conv2dTranspose(seq(4, [1, 2, 2, 1]), tf.ones([3, 3, 1, 1]), [1, 4, 4, 1], 2, 'same')
        .flatten()
        .arraySync(),
    ],
    expect: [
      [1, 12, 103, 1234],
      [1, 1, 3, 2, 1, 1, 3, 2, 4, 4, 10, 6, 3, 3, 7, 4],
    ],
  },

  // resizeBilinear without align corners did not match PyTorch/TF2
  // (half-pixel centres).
  // Wanted: Three modes, three results; both flags true is an error.
  {
    id: 79,
    source: 'tensorflow/tfjs#1729 (also #4364, PR#4152, PR#4323)',
    run: (tf, { f32 }) => {
      const x = f32([0, 10], [1, 2, 1]);
      return [
        tf.image.resizeBilinear(x, [1, 4]),
        tf.image.resizeBilinear(x, [1, 4], false, true),
        tf.image.resizeBilinear(x, [1, 4], true),
      ].map((t) => t.flatten().arraySync());
    },
    expect: [
      [0, 5, 10, 10],
      [0, 2.5, 7.5, 10],
      [0, 3.3333333, 6.6666667, 10],
    ],
  },

  // Non-max suppression mis-measured overlap for boxes with negative
  // coordinates.
  // Wanted: IoU 0.9025 suppresses; disjoint boxes stay; flipped corners
  // are normalised; output in score order.
  {
    id: 81,
    source: 'tensorflow/tfjs#5856',
    needs: ['boxes'],
    run: (tf, { f32 }) => [
      tf.image
        .nonMaxSuppression(f32([-1, -1, 1, 1, -0.9, -0.9, 1, 1], [2, 4]), f32([0.9, 0.8]), 2, 0.5)
        .arraySync(),
      tf.image
        .nonMaxSuppression(f32([-3, -3, -2, -2, 1, 1, 2, 2], [2, 4]), f32([0.1, 0.8]), 2, 0.5)
        .arraySync(),
      tf.image
        .nonMaxSuppression(f32([1, 1, 0, 0, 0, 0, 1, 1], [2, 4]), f32([0.9, 0.8]), 2, 0.5)
        .arraySync(),
    ],
    expect: [[0], [1, 0], [0]],
  },

  // iouThreshold 0 removed boxes that do not overlap at all (>= instead of
  // >).
  // Wanted: Suppress only when overlap is strictly greater than the
  // threshold (or document otherwise).
  {
    id: 82,
    source: 'tensorflow/tensorflow#34268 (also #42348)',
    needs: ['boxes'],
    run: (tf, { f32 }) =>
      tf.image
        .nonMaxSuppression(
          f32([0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5], [3, 4]),
          f32([0.3, 0.9, 0.6]),
          3,
          0,
        )
        .arraySync(),
    expect: [1, 2, 0],
  },

  // Epsilon added outside the square root in one backend.
  // Wanted: (x-mean)/sqrt(var+eps): 2/sqrt(0.0005). The wrong form gives
  // 99.50.
  {
    id: 83,
    source: 'keras-team/keras PR#10427 (also tensorflow/tensorflow#24690)',
    run: (tf, { f32 }) =>
      tf
        .batchNorm(f32([3], [1, 1]), f32([1]), f32([0.0004]), f32([0]), f32([1]), 0.0001)
        .arraySync(),
    expect: [[89.442719]],
  },
];
