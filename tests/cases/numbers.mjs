/** Numerical edge cases: NaN, int32, large arguments: public bug reports as checks; see README.md. */
export const cases = [
  // max/min ignored NaN; pairwise versions depended on which side the NaN
  // was.
  // Wanted: NaN in, NaN out, in both argument orders.
  {
    id: 45,
    source: 'tensorflow/tfjs#4883 (PR#5028)',
    run: (tf, { f32 }) =>
      [
        tf.max(f32([5, NaN, 1])),
        tf.min(f32([5, NaN, 1])),
        tf.maximum(f32([NaN, 2]), f32([2, NaN])),
        tf.minimum(f32([NaN, 2]), f32([2, NaN])),
      ].map((t) => Array.from(t.dataSync())),
    expect: [[NaN], [NaN], [NaN, NaN], [NaN, NaN]],
  },

  // relu/relu6 turned NaN into 0 on some backends, hiding broken training.
  // Wanted: NaN survives every activation and clip, at vector body and
  // tail lengths alike.
  {
    id: 46,
    source: 'tensorflow/tfjs-core PR#1001 (same class: tensorflow/tensorflow#40072, #119628)',
    run: (tf, { f32 }) => {
      const x = f32([NaN, -3, 9]);
      const tails = [];
      for (let n = 1; n <= 9; n++)
        tails.push(
          Array.from(tf.relu6(tf.fill([n], NaN)).dataSync()).filter((v) => v !== v).length,
        );
      return [x.relu().arraySync(), x.relu6().arraySync(), x.clipByValue(0, 2).arraySync(), tails];
    },
    expect: [
      [NaN, 0, 9],
      [NaN, 0, 6],
      [NaN, 0, 2],
      [1, 2, 3, 4, 5, 6, 7, 8, 9],
    ],
  },

  // argMax/argMin treat NaN differently from max, or by position; one
  // kernel lost denormals.
  // Wanted: One rule, not position-dependent: first NaN wins (numpy,
  // agrees with max) - or NaN always skipped, documented. Denormals count;
  // ties give the lowest index.
  {
    id: 47,
    source:
      'ml-explore/mlx#4274 (also tensorflow/tensorflow#118647, #77853; webmachinelearning/webnn#811)',
    run: (tf, { f32 }) => [
      [
        [NaN, 1, 3],
        [1, NaN, 3],
        [1, 3, NaN],
      ].map((a) => tf.argMax(f32(a)).dataSync()[0]),
      tf.argMax(f32([-1, -0, 1.401298464324817e-45])).dataSync()[0],
      tf.argMax(f32([2, 7, 7])).dataSync()[0],
      tf.argMin(f32([2, 1, 1])).dataSync()[0],
    ],
    expectAny: [
      [[0, 1, 2], 2, 1, 1],
      [[2, 2, 1], 2, 1, 1],
    ],
  },

  // int32 division returned floats or truncated; 3/3 became 0 through
  // rounding.
  // Wanted: Floor division and floor modulo (sign of divisor); dividing by
  // zero is a defined result or a clear error, never a WASM trap.
  {
    id: 49,
    source: 'tensorflow/tfjs#136 (tfjs-core PR#960; same class: onnx/tensorflow-onnx#2174)',
    run: (tf, { i32 }) => {
      let trap = 'none';
      for (const op of ['div', 'mod', 'floorDiv'])
        try {
          tf[op](i32([1]), i32([0])).dataSync();
        } catch (e) {
          if (/remainder by zero|divide by zero|unreachable|RuntimeError/.test(e.name + e.message))
            trap = op;
        }
      return [
        tf.div(i32([-5, -4, 3, 7]), i32([3, 2, 3, -2])).arraySync(),
        tf.floorDiv(i32([-7, 7]), i32([2, -2])).arraySync(),
        tf.mod(i32([-7, 7, -7]), i32([3, -3, -3])).arraySync(),
        trap,
      ];
    },
    expect: [[-2, -2, 1, -4], [-4, -4], [2, -2, -1], 'none'],
  },

  // cos of large arguments differed between backends.
  // Wanted: Correct argument reduction for the float32 value actually
  // stored (1e20 is stored as 100000002004087734272). Tolerance 1e-5.
  {
    id: 50,
    source: 'tensorflow/tfjs#8389',
    run: (tf, { f32 }) => [
      tf.cos(f32([2e8, -6e8, 1e9])).arraySync(),
      tf.sin(f32([1e5, 1e20])).arraySync(),
    ],
    expect: [
      [-0.7359025, 0.613588, 0.83788717],
      [0.0357488, 0.65657668],
    ],
    tol: 0.00001,
  },

  // tanh went slightly above 1, or NaN for large inputs.
  // Wanted: Range is respected and extremes saturate.
  {
    id: 51,
    source:
      'tensorflow/tensorflow#35435 (also #23054; microsoft/onnxruntime PR#19201; deeplearning4j#7382)',
    run: (tf, { f32 }) => {
      const a = [];
      for (let k = 0; k <= 100; k++) a.push(8.3 + k / 100);
      const t = tf.tanh(f32(a)).dataSync();
      return [
        Math.max(...t) <= 1,
        Math.min(...t) > 0.9999998,
        tf.tanh(f32([1000, -1000, 89])).arraySync(),
        tf.sigmoid(f32([-1000, 1000])).arraySync(),
      ];
    },
    expect: [true, true, [1, -1, 1], [0, 1]],
  },

  // pow of negative base and fractional exponent, and its gradient at
  // 0/negative bases, were wrong on one backend.
  // Wanted: NaN only where the real result is undefined; d/db is 0 for
  // base <= 0 (TF rule), so training does not go NaN.
  {
    id: 53,
    source: 'tensorflow/tfjs#350 (also #346)',
    run: (tf, { f32 }) => {
      const g = tf.grads((a, b) => tf.pow(a, b).sum())([f32([0, -3, 2]), f32([2, 2, 3])]);
      return [
        tf.pow(f32([-9, -2, -2, 0, 0]), f32([0.5, 3, -2, 0, 2])).arraySync(),
        g[0].arraySync(),
        g[1].arraySync(),
      ];
    },
    expect: [
      [NaN, -8, 0.25, 1, 0],
      [0, -6, 12],
      [0, 0, 5.5451774],
    ],
  },

  // An int32 value above 2^24 changed after slice.
  // Wanted: Moving data never changes it.
  {
    id: 54,
    source: 'tensorflow/tfjs#4313',
    run: (tf, { i32 }) => {
      const a = 33554433,
        b = 2147483647,
        x = i32([a, b, -b]);
      return [
        x.slice([0], [1]),
        x.gather(i32([1])),
        tf.concat([x, x]).slice([4], [1]),
        x.reverse().slice([0], [1]),
        x.reshape([3, 1]).transpose().slice([0, 1], [1, 1]),
        tf.where(tf.tensor1d([false, true, false], 'bool'), x, i32([a, a, a])),
        x.pad([[1, 0]]).slice([3], [1]),
        x.tile([2]).slice([3], [1]),
      ].map((t) => Array.from(t.dataSync()));
    },
    expect: [
      [33554433],
      [2147483647],
      [2147483647],
      [-2147483647],
      [2147483647],
      [33554433, 2147483647, 33554433],
      [-2147483647],
      [33554433],
    ],
  },
];
