/** Layers and saved weights: public bug reports as checks; see README.md. */
export const cases = [
  // separableConv2d with depthMultiplier > 1 could not be reloaded (shape
  // mismatch).
  // Wanted: Depthwise output order is channel-major (c0m0,c0m1,c1m0,c1m1):
  // 3*1+30*2+500*3+5000*4; save/load round trip works.
  {
    id: 97,
    source: 'tensorflow/tfjs#1149',
    needs: ['layers', 'io'],
    run: async (tf, { f32, seq }) => {
      const y = tf
        .separableConv2d(
          f32([3, 5], [1, 1, 1, 2]),
          f32([1, 10, 100, 1000], [1, 1, 2, 2]),
          f32([1, 2, 3, 4], [1, 1, 4, 1]),
          1,
          'valid',
        )
        .dataSync()[0];
      const m = tf.sequential();
      m.add(
        tf.layers.separableConv2d({
          filters: 1,
          kernelSize: 1,
          depthMultiplier: 2,
          depthwiseInitializer: 'ones',
          pointwiseInitializer: 'ones',
          inputShape: [2, 2, 1],
        }),
      );
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
      const l = await tf.loadLayersModel(tf.io.fromMemory(art));
      const r = l
        .predict(seq(4, [1, 2, 2, 1]))
        .flatten()
        .arraySync();
      m.dispose();
      l.dispose();
      return [y, r];
    },
    expect: [21563, [2, 4, 6, 8]],
  },

  // Stateful RNN output was freed by the executor, or state was kept
  // wrongly outside training.
  // Wanted: State carries over between calls, resets on demand, and does
  // not accumulate tensors.
  {
    id: 98,
    source: 'tensorflow/tfjs#1503 (tfjs-layers PR#520; also #858, #650)',
    needs: ['layers'],
    run: (tf, { f32, count }) => {
      const m = tf.sequential();
      m.add(
        tf.layers.simpleRNN({
          units: 1,
          stateful: true,
          kernelInitializer: 'ones',
          recurrentInitializer: 'ones',
          activation: 'linear',
          batchInputShape: [1, 1, 1],
        }),
      );
      const x = f32([2], [1, 1, 1]);
      const o = [];
      let n;
      for (let k = 0; k < 3; k++) {
        const p = m.predict(x);
        o.push(p.dataSync()[0]);
        p.dispose();
        if (k === 0) n = count();
      }
      const grow = count() - n;
      m.resetStates();
      const p = m.predict(x);
      o.push(p.dataSync()[0]);
      p.dispose();
      x.dispose();
      m.dispose();
      return [o, grow];
    },
    expect: [[2, 4, 6, 2], 0],
  },

  // Loading 8-bit weights followed by float weights failed on 4-byte
  // alignment.
  // Wanted: Any order of 1-, 2- and 4-byte weights; value = q*scale+min,
  // no rounding for float weights.
  {
    id: 99,
    source: 'tensorflow/tfjs#591 (also #1474, #1655)',
    needs: ['io'],
    run: (tf) => {
      const b = new ArrayBuffer(3 + 8 + 1 + 4);
      const u = new Uint8Array(b);
      u.set([0, 1, 2], 0);
      u.set(new Uint8Array(new Float32Array([1.5, -2]).buffer), 3);
      u.set([1], 11);
      u.set(new Uint8Array(new Int32Array([7]).buffer), 12);
      const w = tf.io.decodeWeights(b, [
        {
          name: 'q',
          shape: [3],
          dtype: 'float32',
          quantization: { dtype: 'uint8', scale: 0.5, min: -1 },
        },
        { name: 'f', shape: [2], dtype: 'float32' },
        { name: 'b', shape: [1], dtype: 'bool' },
        { name: 'k', shape: [1], dtype: 'int32' },
      ]);
      return ['q', 'f', 'b', 'k'].map((n) => [w[n].dtype, Array.from(w[n].dataSync()).map(Number)]);
    },
    expect: [
      ['float32', [-1, -0.5, 0]],
      ['float32', [1.5, -2]],
      ['bool', [1]],
      ['int32', [7]],
    ],
  },
];
