#!/usr/bin/env node
// Uses the packed package as a stranger would: a project of its own, strict
// types without skipLibCheck, Node, and a bundler that must find the wasm.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

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
const loss = (w: tf.Tensor): tf.Scalar => x.matMul(w.reshape([2, 1])).square().sum();
const slope: tf.Tensor = tf.tidy(() => tf.grad(loss)(tf.ones([2])));
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
  const assets = readdirSync(join(folder, 'dist/assets'));
  for (const variant of ['simd', 'relaxed']) {
    if (!assets.some((name) => name.startsWith(`tidemark-${variant}`) && name.endsWith('.wasm'))) {
      throw new Error(`consumer: Vite's output lacks tidemark-${variant}.wasm: ${assets.join(', ')}`);
    }
  }
  console.log('consumer: a bundler finds both variants');
} catch (error) {
  console.error(error.message, error.stdout ?? '', error.stderr ?? '');
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
