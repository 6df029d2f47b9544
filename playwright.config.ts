// Headless Chromium and stock Firefox, both from the system's packages; with
// TIDEMARK_WEBKIT=1 the memory tests run in WebKitGTK too. What a run leaves
// behind (screenshots, traces of failures) is in test-results/browser.
import { createServer } from 'node:net';
import { defineConfig } from '@playwright/test';
import { missingForWebKit } from './tests/browser/memory/webkit.js';

// A free port, chosen once: the workers read this file too and must agree.
process.env['TIDEMARK_PORT'] ??= await new Promise<string>((resolve) => {
  const probe = createServer().listen(0, '127.0.0.1', () => {
    const address = probe.address();
    probe.close(() => resolve(String(typeof address === 'object' ? address?.port : 0)));
  });
});
const url = `http://127.0.0.1:${process.env['TIDEMARK_PORT']}`;

const quiet = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const isRoot = process.getuid?.() === 0;

export default defineConfig({
  testDir: 'tests/browser',
  outputDir: 'test-results/browser',
  fullyParallel: false,
  workers: 1,
  retries: 0,
  forbidOnly: true,
  timeout: 60_000,
  reporter: [['list'], ['json', { outputFile: 'test-results/browser.json' }]],
  webServer: {
    command: `node tools/serve.mjs --strict-port --port ${process.env['TIDEMARK_PORT']} --mount /dist=dist --mount /pages=tests/browser/pages --mount /copy=dist --mount /tensorflow=node_modules/@tensorflow demo/dist`,
    url: `${url}/dist/index.js`,
    reuseExistingServer: false,
  },
  use: { baseURL: url, screenshot: 'only-on-failure', trace: 'off' },
  projects: [
    {
      name: 'chromium',
      use: {
        browserName: 'chromium',
        launchOptions: {
          executablePath: '/usr/bin/chromium',
          // Chromium refuses its sandbox to root.
          args: isRoot ? ['--no-sandbox', ...quiet] : quiet,
        },
      },
    },
    {
      name: 'firefox',
      // What is done through Chromium's own protocol, or is a figure of Chromium.
      grepInvert: /@chromium/,
      use: {
        browserName: 'firefox',
        channel: 'moz-firefox',
        launchOptions: { executablePath: '/usr/bin/firefox-esr' },
      },
    },
    ...(!process.env['TIDEMARK_WEBKIT'] || missingForWebKit().length ? [] : [{ name: 'webkitgtk', testDir: 'tests/browser/memory' }]),
  ],
});
