#!/usr/bin/env node
// Uses the packed package as a stranger would: a project of its own, strict
// types without skipLibCheck, Node, and bundlers that must find the wasm.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import webpack from 'webpack';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const BIN = join(ROOT, 'node_modules/.bin');
const folder = mkdtempSync(join(tmpdir(), 'tidemark-consumer-'));

const run = (command, ...args) =>
  execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const write = (name, text) => writeFileSync(join(folder, name), text);
const config = (module, moduleResolution) =>
  JSON.stringify({
    compilerOptions: {
      target: 'es2022', lib: ['es2022', 'dom'], types: [], module, moduleResolution,
      strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true,
      skipLibCheck: false, noEmit: true,
    },
    files: ['types.ts'],
  });

const WASM = ['simd', 'relaxed', 'formats'];

/** By content: a bundler may rename files, and keep only one of two equal ones. */
function mustHold(bundler, output) {
  const assets = join(folder, output);
  const built = readdirSync(assets).map((name) => readFileSync(join(assets, name)));
  for (const name of WASM) {
    const wasm = readFileSync(join(ROOT, `dist/tidemark-${name}.wasm`));
    if (!built.some((asset) => asset.equals(wasm))) {
      throw new Error(`consumer: ${bundler}'s output lacks tidemark-${name}.wasm`);
    }
  }
}

/** Bundles the program for `target` into a folder. */
function runWebpack(target, output) {
  const options = {
    mode: 'production', context: folder, entry: './run.js', target,
    experiments: { outputModule: true }, performance: { hints: false },
    output: { path: join(folder, output), filename: 'main.mjs', module: true, chunkFormat: 'module' },
  };
  return new Promise((resolve, reject) => {
    webpack(options, (error, stats) => {
      if (error || stats.hasErrors()) reject(error ?? new Error(stats.toString({ all: false, errors: true })));
      else resolve();
    });
  });
}

try {
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], { cwd: ROOT, encoding: 'utf8' }),
  );
  write('package.json', JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  run('npm', 'install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', `./${filename}`);

  write('types.ts', `
import * as tf from 'tidemark';
await tf.ready();
const x: tf.Tensor2D = tf.tensor2d([[1, 2], [3, 4]]);
const loss = (w: tf.Tensor): tf.Scalar => x.mul(w).square().sum() as tf.Scalar;
const slope: tf.Tensor = tf.tidy(() => tf.grad(loss)(tf.fill([2], 1)));
const values: Float32Array | Int32Array | Uint8Array = slope.dataSync();
const shape: number[] = slope.shape;
console.log(values, shape, tf.memory().numTensors);
`);
  for (const [module, resolution] of [['nodenext', 'nodenext'], ['esnext', 'bundler']]) {
    write('tsconfig.json', config(module, resolution));
    run(join(BIN, 'tsc'), '-p', '.');
    console.log(`consumer: compiles with moduleResolution ${resolution}`);
  }

  write('run.js', `
import * as tf from 'tidemark';
await tf.ready();
const before = tf.memory().numTensors;
const sum = tf.tidy(() => tf.add(tf.tensor1d([1, 2, 3]), 1).sum().dataSync()[0]);
if (sum !== 9) throw new Error('sum is ' + sum);
// A checkpoint, which needs the second file.
const w = tf.tidy(() => tf.variable(tf.tensor1d([1, 2]), true, 'w'));
const saver = new tf.train.Saver([w]);
const path = await saver.save(null, 'memory://consumer/model.ckpt', { globalStep: 3 });
tf.tidy(() => w.assign(tf.zeros([2])));
await saver.restore(null, path);
if (path !== 'memory://consumer/model.ckpt-3' || w.dataSync()[1] !== 2) throw new Error('no checkpoint');
tf.disposeVariables();
if (tf.memory().numTensors !== before) throw new Error('a tensor was left behind');
`);
  run('node', 'run.js');
  console.log('consumer: runs in Node, and makes a checkpoint');

  write('index.html', '<script type="module" src="./run.js"></script>');
  run(join(BIN, 'vite'), 'build', '--logLevel', 'error');
  mustHold('Vite', 'dist/assets');
  await runWebpack('web', 'webpack');
  mustHold('webpack', 'webpack');
  console.log('consumer: Vite and webpack find all files of wasm');
  await runWebpack('node20', 'webpack-node');
  run('node', 'webpack-node/main.mjs');
  console.log("consumer: webpack's bundle for Node runs");

  // Tree shaking must not take the chained methods away.
  await build({
    entryPoints: [join(folder, 'run.js')], outfile: join(folder, 'bundle/run.mjs'), bundle: true,
    format: 'esm', platform: 'node', target: 'es2022', minify: true, logLevel: 'error',
  });
  for (const name of WASM) {
    cpSync(join(ROOT, `dist/tidemark-${name}.wasm`), join(folder, `bundle/tidemark-${name}.wasm`));
  }
  run('node', 'bundle/run.mjs');
  console.log('consumer: a minified bundle runs');
} catch (error) {
  console.error(error.message, error.stdout ?? '', error.stderr ?? '');
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
