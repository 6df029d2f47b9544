#!/usr/bin/env node
// Sets the machine up, builds, and serves the demo on 127.0.0.1.
//
//   node tools/start.mjs [--dev] [--port 4173]
//
// --dev builds one variant and serves the demo's sources by Vite's own server.
import { spawn, spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { dev: { type: 'boolean', default: false }, port: { type: 'string', default: '4173' } },
});
process.chdir(join(dirname(fileURLToPath(import.meta.url)), '..'));

function must(command, ...args) {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' });
  if (error) console.error(`start: ${command}: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

must('tools/setup');
must('tools/build', '--variant', values.dev ? 'simd' : 'all');

let args;
if (values.dev) {
  args = ['node_modules/.bin/vite', 'demo', '--host', '127.0.0.1', '--port', values.port];
} else {
  must('node_modules/.bin/vite', 'build', 'demo');
  args = ['tools/serve.mjs', '--port', values.port, 'demo/dist'];
}
const server = spawn(process.execPath, args, { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));
server.on('exit', (code) => process.exit(code ?? 0));
