// Runs the functions of ../pages/memory in a fresh page of Chromium, Firefox
// or WebKitGTK.
import { test as base, type Browser, type BrowserContext, type LaunchOptions, type Page } from '@playwright/test';
import { residentBytes } from './processes.js';
import { openWebKit, type WebKit } from './webkit.js';

export { expect } from '@playwright/test';

export const MB = 2 ** 20;

type EngineName = 'chromium' | 'firefox' | 'webkitgtk';

/** One page. */
export interface Lab {
  engine: EngineName;
  /** The page, where Playwright drives it. */
  page: Page | undefined;
  /** Calls a function that a module of ../pages/memory exports. */
  run<T = any>(module: string, name: string, argument?: unknown): Promise<T>;
  /** The same, with the most that the page's process had meanwhile. */
  watch<T = any>(module: string, name: string, argument?: unknown): Promise<T & { residentGrowth: number }>;
  /** Closes the page, whatever it does. */
  close(): Promise<void>;
}

type Runner = Pick<Lab, 'engine' | 'page' | 'run' | 'close'>;

async function withPlaywright(browser: Browser, engine: EngineName, url: string): Promise<Runner> {
  const context: BrowserContext = await browser.newContext({ baseURL: url });
  const page = await context.newPage();
  await page.goto('/pages/blank.html');
  return {
    engine,
    page,
    run: (module, name, argument) =>
      page.evaluate(
        async ([path, f, x]) => ((await import(path as string)) as Record<string, (x: unknown) => any>)[f as string]!(x),
        [`/pages/memory/${module}.js`, name, argument],
      ),
    close: () => context.close(),
  };
}

async function withSelenium({ driver }: WebKit, url: string): Promise<Runner> {
  // A window of its own; what was closed earlier is gone from the list.
  const [first] = await driver.getAllWindowHandles();
  await driver.switchTo().window(first!);
  await driver.switchTo().newWindow('window');
  let open = true;
  await driver.get(`${url}/pages/blank.html`);
  return {
    engine: 'webkitgtk',
    page: undefined,
    async run(module, name, argument) {
      const answer = await driver.executeAsyncScript<{ value?: any; error?: string }>(
        `const [path, name, argument, done] = arguments;
         import(path).then((module) => module[name](argument))
           .then((value) => done({ value }), (error) => done({ error: String(error) + error.stack }));`,
        `${url}/pages/memory/${module}.js`, name, argument,
      );
      if (answer.error !== undefined) throw new Error(answer.error);
      return answer.value;
    },
    async close() {
      if (open) await driver.close();
      open = false;
    },
  };
}

/** Runs `act`; gives the most resident bytes that were seen meanwhile. */
async function watched<T>(act: () => Promise<T>): Promise<[T, number]> {
  const start = residentBytes();
  let most = start;
  const timer = setInterval(() => {
    most = Math.max(most, residentBytes());
  }, 100);
  try {
    return [await act(), most - start];
  } finally {
    clearInterval(timer);
  }
}

export const test = base.extend<{ lab: Lab }, { open: (url: string) => Promise<Runner> }>({
  open: [
    async ({ playwright }, use, { project }) => {
      if (project.name === 'webkitgtk') {
        const webkit = await openWebKit();
        await use((url) => withSelenium(webkit, url));
        return webkit.close();
      }
      const options = project.use.launchOptions as LaunchOptions;
      const name = project.name as 'chromium' | 'firefox';
      const browser = await playwright[name].launch({
        ...options,
        channel: project.use.channel,
        args: [...(options.args ?? []), ...(name === 'chromium' ? ['--js-flags=--expose-gc'] : [])],
      });
      await use((url) => withPlaywright(browser, name, url));
      await browser.close();
    },
    { scope: 'worker' },
  ],
  lab: async ({ open }, use, { project }) => {
    const runner = await open(project.use.baseURL!);
    await use({
      ...runner,
      async watch(module, name, argument) {
        const [value, residentGrowth] = await watched(() => runner.run<object>(module, name, argument));
        return { ...value, residentGrowth } as any;
      },
    });
    await runner.close();
  },
});
