#!/usr/bin/env node
// Uses the packed package as a stranger would: a project of its own, strict
// types without skipLibCheck, Node, and a bundler that must find the wasm.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

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
if (tf.memory().numTensors !== before) throw new Error('a tensor was left behind');
`);
  run('node', 'run.js');
  console.log('consumer: runs in Node');

  write('index.html', '<script type="module" src="./run.js"></script>');
  run(join(BIN, 'vite'), 'build', '--logLevel', 'error');
  // By content: a bundler may rename them, and keep only one of two equal files.
  const assets = join(folder, 'dist/assets');
  const built = readdirSync(assets).map((name) => readFileSync(join(assets, name)));
  for (const variant of ['simd', 'relaxed']) {
    const wasm = readFileSync(join(ROOT, `dist/tidemark-${variant}.wasm`));
    if (!built.some((asset) => asset.equals(wasm))) {
      throw new Error(`consumer: Vite's output lacks tidemark-${variant}.wasm`);
    }
  }
  console.log('consumer: a bundler finds both variants');

  // Tree shaking must not take the chained methods away.
  await build({
    entryPoints: [join(folder, 'run.js')], outfile: join(folder, 'bundle/run.mjs'), bundle: true,
    format: 'esm', platform: 'node', target: 'es2022', minify: true, logLevel: 'error',
  });
  for (const name of ['simd', 'relaxed']) {
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
