/** The WebAssembly heap: growth, reuse and bounds: public bug reports as checks; see README.md. */
export const cases = [
  // Views made before the heap grew become detached (length 0) and throw
  // or read nothing.
  // Wanted: Arrays already given to the user stay whole after growth, and
  // every internal view is refreshed.
  {
    id: 19,
    source: 'emscripten-core/emscripten#6747',
    run: (tf, { f32 }) => {
      const x = f32([1.5, 2.5]);
      const early = x.dataSync();
      const big = [];
      for (let k = 0; k < 20; k++) big.push(tf.zeros([1 << 20]));
      const r = [Array.from(early), Array.from(x.dataSync()), big[19].sum().dataSync()[0]];
      tf.dispose(big);
      x.dispose();
      return r;
    },
    expect: [[1.5, 2.5], [1.5, 2.5], 0],
  },

  // Finalizers never run during one long synchronous job, so memory that
  // relies on them only grows.
  // Wanted: Scopes free deterministically without yielding to the event
  // loop; finalizers are only a safety net that reports.
  {
    id: 21,
    source: 'wasm-bindgen/wasm-bindgen#3917',
    run: (tf, { count, heapBytes }) => {
      const n = count();
      const b = heapBytes();
      tf.engine().startScope();
      for (let k = 0; k < 3000; k++) {
        tf.engine().startScope();
        tf.ones([256]).add(k);
        tf.engine().endScope();
      }
      tf.engine().endScope();
      return [count() - n, heapBytes() - b < 4 * 1048576];
    },
    expect: [0, true],
  },

  // Making a tensor from a subarray copied the whole underlying buffer
  // over the WASM heap.
  // Wanted: Only the bytes of the view are copied; neighbours are
  // untouched.
  {
    id: 22,
    source: 'tensorflow/tfjs PR#2591',
    run: (tf, { f32 }) => {
      const guard1 = f32([11, 12]);
      const big = new Float32Array(100000).fill(9);
      big[40] = 1;
      big[41] = 2;
      const t = tf.tensor1d(big.subarray(40, 42));
      const guard2 = f32([13]);
      const r = [t.arraySync(), guard1.arraySync(), guard2.arraySync()];
      tf.dispose([t, guard1, guard2]);
      return r;
    },
    expect: [[1, 2], [11, 12], [13]],
  },

  // avgPool with a window larger than one side crashed the WASM module
  // with "memory access out of bounds".
  // Wanted: Bad geometry is refused (or gives a zero-size result of shape
  // [2,0,1]) before native code runs; the module keeps working.
  {
    id: 25,
    source: 'tensorflow/tfjs#8407 (same class: #7605)',
    run: (tf, { f32, seq }) => {
      let first;
      try {
        const y = tf.avgPool(f32([1, 2, 3], [3, 1, 1]), 2, [1, 1], 0, 'floor');
        first = y.shape.join();
      } catch (e) {
        first = /bounds|unreachable|abort/i.test(e.message) ? 'TRAP' : 'clear error';
      }
      const ok = tf.tidy(
        () =>
          tf
            .matMul(seq(4, [2, 2]), seq(4, [2, 2]))
            .sum()
            .dataSync()[0],
      );
      return [first === '2,0,1' || first === 'clear error', ok];
    },
    expect: [true, 54],
  },
];
