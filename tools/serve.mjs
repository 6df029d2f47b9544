#!/usr/bin/env node
// A static server for this machine only, with the headers that make a page
// cross-origin isolated (threads need them).
//
//   node tools/serve.mjs [--port 4173] [--mount /path=folder]... folder
//
// The first free port from --port on is taken unless --strict-port is given.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};

export const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** The file that answers a URL path, or undefined when it would leave its folder. */
function locate(path, root, mounts) {
  let folder = root;
  for (const [prefix, target] of mounts) {
    if (path === prefix || path.startsWith(prefix + '/')) {
      folder = target;
      path = path.slice(prefix.length) || '/';
      break;
    }
  }
  const file = normalize(join(folder, path));
  return file === folder || file.startsWith(folder + sep) ? file : undefined;
}

async function answer(request, response, root, mounts) {
  const refuse = (code, text) => {
    response.writeHead(code, { ...ISOLATION, 'Content-Type': 'text/plain' });
    response.end(text + '\n');
  };
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405, 'only GET and HEAD');
  let path;
  try {
    path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
  } catch {
    return refuse(400, 'bad URL');
  }
  let file = locate(path, root, mounts);
  let found = file && (await stat(file).catch(() => undefined));
  if (found?.isDirectory()) {
    if (!path.endsWith('/')) {
      // A path that starts with // would send the browser to another host.
      response.writeHead(301, { ...ISOLATION, Location: path.replace(/^\/+/, '/') + '/' });
      return response.end();
    }
    file = join(file, 'index.html');
    found = await stat(file).catch(() => undefined);
  }
  if (!found?.isFile()) return refuse(404, `not found: ${path}`);
  response.writeHead(200, {
    ...ISOLATION,
    'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
    'Content-Length': found.size,
    'Cache-Control': 'no-cache',
  });
  if (request.method === 'HEAD') return response.end();
  createReadStream(file).on('error', () => response.destroy()).pipe(response);
}

/** Serves `folder` on 127.0.0.1; resolves to the server and its URL. */
export async function serve(folder, { port = 0, mounts = [], strictPort = false } = {}) {
  const root = resolve(folder);
  const folders = mounts.map(([prefix, target]) => [prefix.replace(/\/$/, ''), resolve(target)]);
  const server = createServer((request, response) => {
    answer(request, response, root, folders).catch(() => response.destroy());
  });
  for (;;) {
    try {
      await new Promise((done, failed) => {
        server.once('error', failed);
        server.listen(port, '127.0.0.1', () => {
          server.removeListener('error', failed);
          done();
        });
      });
      break;
    } catch (error) {
      if (error.code !== 'EADDRINUSE' || strictPort) throw error;
      port++;
    }
  }
  return { server, url: `http://127.0.0.1:${server.address().port}/` };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      port: { type: 'string', default: '4173' },
      mount: { type: 'string', multiple: true, default: [] },
      'strict-port': { type: 'boolean', default: false },
    },
  });
  const mounts = values.mount.map((text) => text.split('='));
  const { url } = await serve(positionals[0] ?? '.', {
    port: Number(values.port),
    mounts,
    strictPort: values['strict-port'],
  });
  console.log(`serving ${positionals[0] ?? '.'} at ${url}`);
}
