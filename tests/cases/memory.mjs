/** Scopes, disposal and leaks: public bug reports as checks; see README.md. */
export const cases = [
  // tf.keep called in an inner tidy on a tensor made by the outer tidy did
  // not protect it; it was disposed.
  // Wanted: keep wins over every enclosing scope, not only the innermost
  // one.
  {
    id: 1,
    source: 'tensorflow/tfjs#69',
    run: (tf) => {
      let kept;
      tf.tidy(() => {
        const a = tf.tensor1d([4, 2]);
        tf.tidy(() => {
          kept = tf.keep(a);
        });
      });
      const r = [kept.isDisposed, kept.isDisposed ? null : kept.arraySync()];
      kept.dispose();
      return r;
    },
    expect: [false, [4, 2]],
  },

  // Starting an async read inside tidy returned null because tidy disposed
  // the tensor before the read finished.
  // Wanted: Disposal waits for (or snapshots for) a pending read; nothing
  // is left over afterwards.
  {
    id: 2,
    source: 'tensorflow/tfjs#394',
    run: async (tf, { f32, count }) => {
      const n = count();
      let p;
      tf.tidy(() => {
        p = f32([7, 8, 9]).data();
      });
      return [Array.from(await p), count() - n];
    },
    expect: [[7, 8, 9], 0],
  },

  // User surprised that chained ops leave a hidden middle tensor behind
  // when only the ends are disposed.
  // Wanted: memory() must count the hidden middle tensor (exactly 1), and
  // tidy must remove it (0). A session/leak report should name the line
  // that made it.
  {
    id: 3,
    source: 'tensorflow/tfjs#7640',
    run: (tf, { f32, count }) => {
      let n = count();
      const x = f32([1, 2]);
      const y = x.add(1).mul(2);
      x.dispose();
      y.dispose();
      const chained = count() - n;
      n = count();
      const u = f32([1, 2]);
      const v = tf.tidy(() => u.add(1).mul(2));
      u.dispose();
      v.dispose();
      return { chained, tidied: count() - n };
    },
    expect: { chained: 1, tidied: 0 },
  },

  // Sorting the array returned by clone().dataSync() also changed the
  // original tensor (shared storage handed out).
  // Wanted: Tensors are immutable: writing into an array obtained from a
  // read changes no tensor.
  {
    id: 5,
    source: 'tensorflow/tfjs#1032',
    run: (tf, { f32 }) => {
      const x = f32([3, 1, 2]);
      const c = x.clone();
      const d = c.dataSync();
      d.sort();
      const r = [Array.from(x.dataSync()), Array.from(c.dataSync())];
      x.dispose();
      c.dispose();
      return r;
    },
    expect: [
      [3, 1, 2],
      [3, 1, 2],
    ],
  },

  // MomentumOptimizer.dispose() leaves one scalar alive.
  // Wanted: Every optimizer, used or unused, returns the counts to the
  // start after dispose().
  {
    id: 6,
    source: 'tensorflow/tfjs#4647',
    run: (tf, { count }) => {
      const out = {};
      for (const k of ['sgd', 'momentum', 'adagrad', 'rmsprop', 'adam', 'adamax']) {
        const n = count();
        const init = tf.tensor1d([1, 2]);
        const v = tf.variable(init);
        init.dispose();
        const o = k === 'momentum' ? tf.train.momentum(0.1, 0.9) : tf.train[k](0.1);
        o.minimize(() => v.square().sum());
        o.dispose();
        v.dispose();
        out[k] = count() - n;
      }
      return out;
    },
    expect: { sgd: 0, momentum: 0, adagrad: 0, rmsprop: 0, adam: 0, adamax: 0 },
  },

  // model.save with includeOptimizer leaks one tensor per save.
  // Wanted: Saving is read-only: 4 saves, 0 new tensors.
  {
    id: 7,
    source: 'tensorflow/tfjs#8238',
    needs: ['layers', 'io'],
    run: async (tf, { count }) => {
      const m = tf.sequential();
      m.add(tf.layers.dense({ units: 1, inputShape: [1] }));
      m.compile({ loss: 'meanSquaredError', optimizer: 'adam' });
      const x = tf.ones([2, 1]);
      await m.fit(x, x, { epochs: 1, verbose: 0 });
      const n = count();
      for (let k = 0; k < 4; k++)
        await m.save(
          tf.io.withSaveHandler(async () => ({
            modelArtifactsInfo: {
              dateSaved: new Date(),
              modelTopologyType: 'JSON',
            },
          })),
          { includeOptimizer: true },
        );
      const d = count() - n;
      x.dispose();
      m.dispose();
      return d;
    },
    expect: 0,
  },

  // LayersModel.dispose() after loading left most of the weight tensors
  // alive.
  // Wanted: Load adds one tensor per weight (8 here) and dispose removes
  // all of them; initialiser leftovers count as a leak.
  {
    id: 9,
    source: 'tensorflow/tfjs#5034 (also #995, #1146)',
    needs: ['layers', 'io'],
    run: async (tf, { count }) => {
      const n = count();
      const m = tf.sequential();
      m.add(tf.layers.conv2d({ filters: 2, kernelSize: 3, inputShape: [5, 5, 1] }));
      m.add(tf.layers.batchNormalization());
      m.add(tf.layers.flatten());
      m.add(tf.layers.dense({ units: 2 }));
      let art;
      await m.save(
        tf.io.withSaveHandler(async (a) => {
          art = a;
          return {
            modelArtifactsInfo: {
              dateSaved: new Date(),
              modelTopologyType: 'JSON',
            },
          };
        }),
      );
      m.dispose();
      const a = count() - n;
      const l = await tf.loadLayersModel(tf.io.fromMemory(art));
      const b = count() - n;
      l.dispose();
      return [a, b, count() - n];
    },
    expect: [0, 8, 0],
  },

  // fit kept about one more tensor per epoch.
  // Wanted: Live tensors after fit do not depend on the number of epochs;
  // dispose returns to the start.
  {
    id: 10,
    source: 'tensorflow/tfjs#481 (also #200, #1167)',
    needs: ['layers'],
    run: async (tf, { count }) => {
      const one = async (e) => {
        const n = count();
        const m = tf.sequential();
        m.add(tf.layers.dense({ units: 3, inputShape: [2], activation: 'relu' }));
        m.add(tf.layers.dense({ units: 1 }));
        m.compile({
          loss: 'meanSquaredError',
          optimizer: 'adam',
          metrics: ['mae'],
        });
        const x = tf.ones([8, 2]),
          y = tf.ones([8, 1]);
        await m.fit(x, y, {
          epochs: e,
          batchSize: 3,
          validationSplit: 0.25,
          verbose: 0,
        });
        const d = count() - n;
        x.dispose();
        y.dispose();
        m.dispose();
        return [d, count() - n];
      };
      const a = await one(1),
        b = await one(25);
      return { sameAfter1And25: a[0] === b[0], left: [a[1], b[1]] };
    },
    expect: { sameAfter1And25: true, left: [0, 0] },
  },

  // Async work (fit with validationSplit, or a detector promise) started
  // inside tidy crashed on tensors tidy had already freed.
  // Wanted: Either the work finishes with right numbers and no leftovers,
  // or tidy throws at once saying async functions are not allowed. Never a
  // late "undefined"/use-after-free.
  {
    id: 11,
    source: 'tensorflow/tfjs#927 (also #8223)',
    needs: ['layers'],
    run: async (tf, { seq, count }) => {
      const n = count();
      const m = tf.sequential();
      m.add(tf.layers.dense({ units: 1, inputShape: [1] }));
      m.compile({ loss: 'meanSquaredError', optimizer: 'sgd' });
      const x = seq(4, [4, 1]);
      let p;
      tf.tidy(() => {
        p = m.fit(x, x, { epochs: 2, validationSplit: 0.25, verbose: 0 });
      });
      const hist = await p;
      x.dispose();
      m.dispose();
      return [hist.history.loss.length, hist.history.val_loss.length, count() - n];
    },
    expect: [2, 2, 0],
  },

  // Graph model: second executeAsync failed with "Tensor is disposed";
  // other versions leaked a tensor per call.
  // Wanted: Repeatable calls, constants never freed by a run, no tensor
  // left per call, none after dispose.
  {
    id: 13,
    source: 'tensorflow/tfjs#897 (also #1186, #5324)',
    needs: ['graph', 'io'],
    run: async (tf, { f32, count }) => {
      const F = { type: 'DT_FLOAT' };
      const node = (name, op, input, attr) => ({
        name,
        op,
        input: input || [],
        attr: attr || {},
      });
      const art = {
        modelTopology: {
          node: [
            node('x', 'Placeholder', [], {
              dtype: F,
              shape: { shape: { dim: [{ size: '-1' }] } },
            }),
            node('w', 'Const', [], {
              dtype: F,
              value: {
                tensor: {
                  dtype: 'DT_FLOAT',
                  tensorShape: { dim: [{ size: '2' }] },
                },
              },
            }),
            node('y', 'Mul', ['x', 'w'], { T: F }),
            node('g', 'Greater', ['y', 'w'], { T: F }),
            node('idx', 'Where', ['g'], { T: { type: 'DT_BOOL' } }),
          ],
          library: {},
          versions: { producer: 1 },
        },
        weightSpecs: [{ name: 'w', shape: [2], dtype: 'float32' }],
        weightData: new Float32Array([10, 100]).buffer,
        format: 'graph-model',
      };
      const n = count();
      const m = await tf.loadGraphModel(tf.io.fromMemory(art));
      const x = f32([3, 0.5]);
      const base = count();
      const out = [];
      for (let k = 0; k < 3; k++) {
        const r = await m.executeAsync({ x }, ['y', 'idx']);
        out.push(r.map((t) => Array.from(t.dataSync())));
        tf.dispose(r);
      }
      const leak = count() - base;
      x.dispose();
      m.dispose();
      return [out, leak, count() - n];
    },
    expect: [
      [
        [[30, 50], [0]],
        [[30, 50], [0]],
        [[30, 50], [0]],
      ],
      0,
      0,
    ],
  },

  // Process memory grew without end in a long create/reshape/dispose loop
  // though numTensors stayed flat (wasm backend included).
  // Wanted: After warm-up neither the tensor count nor the WebAssembly
  // memory size changes; process memory must be flat too (check by hand
  // over 5 minutes).
  {
    id: 14,
    source: 'tensorflow/tfjs#8570 (also #8459)',
    run: (tf, { count, heapBytes }) => {
      const heap = () => heapBytes();
      const step = () =>
        tf.tidy(() => {
          const a = tf.tensor2d(new Float32Array(1500), [1, 1500]);
          a.reshape([1, 150, 10]);
        });
      for (let k = 0; k < 500; k++) step();
      const n = count(),
        b = heap();
      for (let k = 0; k < 20000; k++) step();
      return [count() - n, heap() - b];
    },
    expect: [0, 0],
  },

  // variable.assign(t) disposed t, breaking later use in the same formula.
  // Wanted: assign copies or shares safely; its argument stays usable.
  {
    id: 15,
    source: 'tensorflow/tfjs-core#681',
    run: (tf, { f32, count }) => {
      const n = count();
      const r = tf.tidy(() => {
        const v = tf.variable(f32([0, 0]));
        const t = f32([1, 2]).mul(3);
        v.assign(t);
        const s = v.add(t).arraySync();
        v.dispose();
        return s;
      });
      return [r, count() - n];
    },
    expect: [[6, 12], 0],
  },
];
