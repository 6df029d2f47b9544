/** Indexing, slicing, joining and other array ops: public bug reports as checks; see README.md. */
export const cases = [
  // concat with an empty tensor threw; with mismatched other dims one
  // backend accepted it.
  // Wanted: Empty parts are legal; other dims must still match on every
  // backend.
  {
    id: 55,
    source: 'tensorflow/tfjs#581 (also #6125)',
    run: (tf, { f32 }) => {
      let bad = 'accepted';
      try {
        tf.concat([tf.zeros([1, 0, 2]), tf.ones([1, 3, 4])], 1);
      } catch {
        bad = 'error';
      }
      return [
        tf.concat([tf.zeros([0, 2]), f32([1, 2], [1, 2])], 0).arraySync(),
        tf.concat([tf.zeros([0, 2]), tf.zeros([0, 2])], 0).shape,
        bad,
      ];
    },
    expect: [[[1, 2]], [0, 2], 'error'],
  },

  // Out-of-range gather/gatherND indices returned unrelated values.
  // Wanted: A clear error, or zeros - the same on every backend; never
  // stray memory.
  {
    id: 57,
    source: 'tensorflow/tfjs#777 (PR#5984, PR#6464; same class: onnx/onnx#2179)',
    run: (tf, { f32, i32 }) => {
      const x = f32([10, 20, 30]);
      const t = (f) => {
        try {
          return Array.from(f().dataSync());
        } catch (e) {
          return /bounds of memory|memory access|unreachable/.test(e.message) ? 'TRAP' : 'error';
        }
      };
      return [
        t(() => tf.gather(x, i32([0, 3]))),
        t(() => tf.gather(x, i32([-1]))),
        t(() => tf.gatherND(x, i32([5], [1, 1]))),
      ].map((r, k) => r === 'error' || JSON.stringify(r) === ['[10,0]', '[0]', '[0]'][k]);
    },
    expect: [true, true, true],
  },

  // Out-of-range classes switched on cells of other rows.
  // Wanted: Out-of-range rows are all off-value.
  {
    id: 58,
    source: 'tensorflow/tfjs#443 (rule confirmed in tensorflow/tensorflow#11727)',
    run: (tf, { i32 }) => [
      tf.oneHot(i32([-1, 3, 1]), 3).arraySync(),
      tf.oneHot(i32([2, -5]), 3, 7, -1).arraySync(),
    ],
    expect: [
      [
        [0, 0, 0],
        [0, 0, 0],
        [0, 1, 0],
      ],
      [
        [-1, -1, 7],
        [-1, -1, -1],
      ],
    ],
  },

  // scatterND rejected valid partial indices on one backend.
  // Wanted: Partial indices write whole slices; duplicates add.
  {
    id: 59,
    source: 'tensorflow/tfjs#971 (also #806)',
    run: (tf, { f32, i32 }) =>
      tf
        .scatterND(
          i32([0, 1, 1, 0, 0, 1], [3, 2]),
          f32([1, 1, 1, 2, 2, 2, 10, 10, 10], [3, 3]),
          [2, 2, 3],
        )
        .arraySync(),
    expect: [
      [
        [0, 0, 0],
        [11, 11, 11],
      ],
      [
        [2, 2, 2],
        [0, 0, 0],
      ],
    ],
  },

  // sorted=false behaved differently by backend; elsewhere values and
  // indices came out of step.
  // Wanted: With sorted=false the order is free, but the set is right and
  // indices match values.
  {
    id: 61,
    source: 'tensorflow/tfjs#8528 (also tensorflow/tensorflow#22383)',
    run: (tf, { f32 }) => {
      const x = [4, 8, 1, 6, 2];
      const r = tf.topk(f32(x), 3, false);
      const v = r.values.arraySync(),
        k = r.indices.arraySync();
      return [v.every((q, j) => x[k[j]] === q), v.slice().sort((a, b) => b - a)];
    },
    expect: [true, [8, 6, 4]],
  },

  // cumsum used the wrong axis on one backend; large inputs gave wrong
  // results.
  // Wanted: exclusive and reverse combine; result keeps input order; large
  // inputs exact.
  {
    id: 62,
    source: 'tensorflow/tfjs-core PR#1054 (also tfjs#326, tfjs#1867, tensorflow/tensorflow#4593)',
    run: (tf, { seq }) => {
      const x = seq(6, [2, 3]);
      return [
        tf.cumsum(x, 0, true, true),
        tf.cumsum(x, 1, true),
        tf.cumsum(x, -1, false, true),
        tf.cumprod(x, 1, true, true),
      ]
        .map((t) => t.arraySync())
        .concat([
          tf
            .cumsum(tf.ones([200000]))
            .slice([199999], [1])
            .dataSync()[0],
        ]);
    },
    expect: [
      [
        [4, 5, 6],
        [0, 0, 0],
      ],
      [
        [0, 1, 3],
        [0, 4, 9],
      ],
      [
        [6, 5, 3],
        [15, 11, 6],
      ],
      [
        [6, 3, 1],
        [30, 6, 1],
      ],
      200000,
    ],
  },

  // Strided slice with ellipsis plus masks, new axis, or shrink with begin
  // -1 gave wrong regions.
  // Wanted: Same as numpy x[...,1:3], x[...,0:], x[newaxis,0:2], x[-1].
  {
    id: 63,
    source: 'tensorflow/tfjs PR#3488 (also PR#1829, PR#3304; apache/tvm#5172)',
    run: (tf, { f32, seq }) => {
      const x = seq(12, [2, 2, 3]);
      return [
        tf.stridedSlice(x, [0, 1], [0, 3], [1, 1], 0, 0, 1).arraySync(),
        tf.stridedSlice(x, [0, 0], [0, 2], [1, 1], 0, 2, 1).shape,
        tf.stridedSlice(f32([1, 2, 3]), [0, 0], [0, 2], [1, 1], 0, 0, 0, 1).arraySync(),
        tf.stridedSlice(f32([4, 5, 6, 7]), [-1], [0], [1], 0, 0, 0, 0, 1).arraySync(),
      ];
    },
    expect: [
      [
        [
          [2, 3],
          [5, 6],
        ],
        [
          [8, 9],
          [11, 12],
        ],
      ],
      [2, 2, 3],
      [[1, 2]],
      7,
    ],
  },

  // einsum gave wrong shape/values for some sums over labels absent from
  // the output.
  // Wanted: Every label missing from the output is summed; scalar output
  // has rank 0. Unsupported forms must throw.
  {
    id: 65,
    source: 'tensorflow/tfjs#8227',
    needs: ['einsum'],
    run: (tf, { f32 }) => {
      const A = f32([1, 2, 3, 4], [2, 2]),
        B = f32([5, 6, 7, 8], [2, 2]);
      return [
        tf.einsum('ij,jk->', A, B).arraySync(),
        tf.einsum('ij,k->ij', A, f32([1, 2])).arraySync(),
        tf.einsum('ab,cd->ac', A, B).arraySync(),
        tf.einsum('ij,jk->ki', A, B).arraySync(),
        tf.einsum('ij->j', A).arraySync(),
      ];
    },
    expect: [
      134,
      [
        [3, 6],
        [9, 12],
      ],
      [
        [33, 45],
        [77, 105],
      ],
      [
        [19, 43],
        [22, 50],
      ],
      [4, 6],
    ],
  },

  // 4D x 3D matMul used the wrong batch; a batch dim of 1 was dropped.
  // Wanted: numpy batch broadcasting, with transposes and int32 too.
  {
    id: 66,
    source: 'tensorflow/tfjs#7061 (also #4192; PR#7062)',
    run: (tf, { i32, seq }) => [
      tf
        .matMul(seq(12, [2, 3, 1, 2]), seq(6, [3, 2, 1]))
        .flatten()
        .arraySync(),
      tf.matMul(tf.ones([1, 2, 3]), tf.ones([3, 4])).shape,
      tf.matMul(seq(6, [1, 3, 2]), seq(12, [2, 3, 2]), true, false).arraySync(),
      ((t) => [t.dtype, t.arraySync()])(
        tf.matMul(i32([1, 2, 3, 4], [2, 2]), i32([1, 2, 3, 4], [2, 2])),
      ),
    ],
    expect: [
      [5, 25, 61, 23, 67, 127],
      [1, 2, 4],
      [
        [
          [35, 44],
          [44, 56],
        ],
        [
          [89, 98],
          [116, 128],
        ],
      ],
      [
        'int32',
        [
          [7, 10],
          [15, 22],
        ],
      ],
    ],
  },

  // Rank-6 tile and rank-5 model inputs were unsupported.
  // Wanted: Ranks up to 6 everywhere.
  {
    id: 67,
    source: 'tensorflow/tfjs#1884 (also #767, #1985)',
    needs: ['layers'],
    run: (tf, { seq }) => {
      const m = tf.sequential();
      m.add(tf.layers.flatten({ inputShape: [1, 1, 1, 2] }));
      m.add(tf.layers.dense({ units: 1, kernelInitializer: 'ones' }));
      return [
        tf
          .tile(seq(2, [1, 1, 1, 1, 1, 2]), [2, 1, 1, 1, 1, 2])
          .flatten()
          .arraySync(),
        tf
          .transpose(seq(8, [1, 2, 1, 2, 1, 2]), [5, 4, 3, 2, 1, 0])
          .flatten()
          .arraySync(),
        tf
          .sum(seq(64, [2, 2, 2, 2, 2, 2]), [0, 2, 4])
          .flatten()
          .arraySync(),
        tf
          .add(seq(2, [2, 1, 1, 1, 1, 1]), seq(2, [1, 1, 1, 1, 1, 2]))
          .flatten()
          .arraySync(),
        m
          .predict(tf.ones([3, 1, 1, 1, 2]), { batchSize: 2 })
          .flatten()
          .arraySync(),
      ];
    },
    expect: [
      [1, 2, 1, 2, 1, 2, 1, 2],
      [1, 5, 3, 7, 2, 6, 4, 8],
      [176, 184, 208, 216, 304, 312, 336, 344],
      [2, 3, 3, 4],
      [2, 2, 2],
    ],
  },

  // bincount lost counts for medium-sized values (index overflow).
  // Wanted: Exact counts; values >= size are dropped; weights add.
  {
    id: 69,
    source: 'tensorflow/tensorflow#63013',
    run: (tf, { f32, i32 }) => {
      const b = tf.bincount(tf.range(0, 50000, 1, 'int32'), [], 50000);
      return [
        b.sum().dataSync()[0],
        b.max().dataSync()[0],
        tf.bincount(i32([1, 1, 7]), [], 3).arraySync(),
        tf.bincount(i32([1, 1, 2]), f32([0.5, 0.25, 4]), 4).arraySync(),
      ];
    },
    expect: [50000, 1, [0, 2, 0], [0, 0.75, 4, 0]],
  },
];
