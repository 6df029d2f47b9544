import { fileURLToPath } from 'node:url';

import { defineConfig, type Plugin } from 'vite';

import { writeDigits } from './tools/digits.mjs';
import { publicFolder, writeUpscaler } from './tools/upscaler.mjs';

function path(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}

/** Makes sure that the packed digits exist before the page asks for them. */
function digits(): Plugin {
  return {
    name: 'tidemark-digits',
    async buildStart() {
      await writeDigits();
    },
  };
}

// A page that is isolated from other origins may share memory with workers.
const headers = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

const pages = ['index.html', 'upscale.html', 'training.html', 'leaks.html'].map(path);

// Before Vite looks at what is in the public folder.
const upscaler = await writeUpscaler();

export default defineConfig({
  root: path('.'),
  publicDir: publicFolder,
  define: { __UPSCALER__: JSON.stringify(upscaler) },
  base: './',
  plugins: [digits()],
  resolve: { alias: { tidemark: path('../dist/index.js') } },
  worker: { format: 'es' },
  // Only a worker imports them, so that Vite would find them late and reload.
  optimizeDeps: {
    include: ['@tensorflow/tfjs', '@tensorflow/tfjs-backend-wasm'],
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    rolldownOptions: { input: pages },
  },
  server: { host: '127.0.0.1', headers, fs: { allow: [path('..')] } },
  preview: { host: '127.0.0.1', headers },
});
