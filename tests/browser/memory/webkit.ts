// WebKitGTK by way of WebKitWebDriver and MiniBrowser, in a display of its own.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { Builder, Capabilities, type WebDriver } from 'selenium-webdriver';

const DRIVER = '/usr/bin/WebKitWebDriver';
const DISPLAY = '/usr/bin/Xvfb';
const BROWSERS = [
  '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser',
  '/usr/lib/aarch64-linux-gnu/webkit2gtk-4.1/MiniBrowser',
];

/** What of WebKitGTK is missing on this machine. */
export function missingForWebKit(): string[] {
  const missing = [DRIVER, DISPLAY].filter((file) => !existsSync(file));
  if (!BROWSERS.some((file) => existsSync(file))) missing.push('MiniBrowser');
  return missing;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

async function untilReady(port: number, driver: ChildProcess): Promise<void> {
  const end = Date.now() + 20_000;
  while (Date.now() < end && driver.exitCode === null) {
    const ready = await fetch(`http://127.0.0.1:${port}/status`).then(({ ok }) => ok, () => false);
    if (ready) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('WebKitWebDriver does not answer');
}

export interface WebKit {
  driver: WebDriver;
  close(): Promise<void>;
}

/** Starts a browser with one empty window. */
export async function openWebKit(): Promise<WebKit> {
  // The server chooses the display's number: a fixed one may be taken.
  const display = spawn(DISPLAY, ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  let server: ChildProcess | undefined;
  try {
    const [number] = (await once(display.stdio[3]!, 'data')) as [Buffer];
    const port = await freePort();
    server = spawn(DRIVER, [`--port=${port}`], {
      stdio: 'ignore',
      env: { ...process.env, DISPLAY: `:${number.toString().trim()}`, JSC_useWasmRelaxedSIMD: '1' },
    });
    await untilReady(port, server);
    const binary = BROWSERS.find((file) => existsSync(file));
    const driver = await new Builder()
      .usingServer(`http://127.0.0.1:${port}`)
      .withCapabilities(new Capabilities({
        browserName: 'MiniBrowser',
        'webkitgtk:browserOptions': { binary, args: ['--automation'] },
      }))
      .build();
    await driver.manage().setTimeouts({ script: 180_000 });
    return {
      driver,
      async close() {
        await driver.quit().catch(() => undefined);
        server?.kill();
        display.kill();
      },
    };
  } catch (error) {
    server?.kill();
    display.kill();
    throw error;
  }
}
