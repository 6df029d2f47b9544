// Saves that fail at any of their storage operations, on the storages of browsers: what was saved stays, whole.
import { expect, test } from './quick_disk.js';
import { modes } from '../pages/training/faults.js';

interface Answer {
  operations: number;
  seconds: number;
  left: number;
  syncAppend: boolean;
  error?: string;
}

for (const mode of modes) {
  for (const [where, kind, least] of [
    ['page', 'indexeddb', 15], ['page', 'opfs', 50], ['page', 'helped', 20], ['worker', 'opfs', 50],
  ] as const) {
    test(`${mode} at every operation: ${kind} in a ${where}`, async ({ page }) => {
      test.setTimeout(240_000);
      await page.goto('/pages/blank.html');
      const answer = await page.evaluate(async ([where, kind, mode]) => {
        const source = '/pages/training/fault_runs.js';
        if (where === 'page') {
          const { faultRuns } = await import(source) as { faultRuns(...order: string[]): Promise<Answer> };
          return faultRuns(kind, mode);
        }
        const worker = new Worker(source, { type: 'module' });
        const heard = (): Promise<unknown> => new Promise((resolve, reject) => {
          worker.onmessage = ({ data }) => resolve(data);
          worker.onerror = ({ message }) => reject(new Error(message));
        });
        await heard();
        worker.postMessage([kind, mode]);
        return await heard() as Answer;
      }, [where, kind, mode] as const);
      console.log(`${kind} in a ${where}, ${mode}: ${answer.operations} operations, ${answer.seconds} s`);
      expect(answer.error).toBeUndefined();
      expect(answer.operations).toBeGreaterThan(least);
      expect(answer).toMatchObject({ left: 0, syncAppend: true });
    });
  }
}
