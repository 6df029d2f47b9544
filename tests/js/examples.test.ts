// Runs every file of demo/examples and checks what its `main` returns.
import { readdirSync } from 'node:fs';

import { describe, expect, test } from '@jest/globals';

const folder = new URL('../../demo/examples/', import.meta.url);
const files = readdirSync(folder).sort();

type Figures = Record<string, unknown>;
type Main = (log: (line: string) => void, options?: object) => Promise<Figures>;

/** Runs an example; returns its figures and the lines it has printed. */
async function run(file: string, options?: object) {
  const { main } = (await import(new URL(file, folder).href)) as { main: Main };
  const lines: string[] = [];
  const figures = await main((line) => lines.push(line), options);
  return { figures, lines };
}

interface Epoch {
  heldOut: number;
  tensorsBefore: number;
  tensorsAfter: number;
}

const checks: Record<string, () => Promise<void>> = {
  'digits.mjs': async () => {
    const steps: number[] = [];
    const show = ({ step }: { step: number }) => steps.push(step);
    const small = { epochs: 2, trainCount: 3000, show };
    const { figures, lines } = await run('digits.mjs', small);
    const epochs = figures.epochs as Epoch[];
    expect(steps).toEqual(Array.from({ length: 120 }, (_, i) => i + 1));
    expect(epochs).toHaveLength(2);
    for (const { tensorsBefore, tensorsAfter } of epochs) {
      expect(tensorsAfter).toBe(tensorsBefore);
    }
    expect(epochs[1]!.heldOut).toBeGreaterThan(epochs[0]!.heldOut);
    expect(figures.heldOut).toBeGreaterThan(0.9);
    expect(figures.tensorsLeft).toBe(0);
    expect(lines).toHaveLength(4);
  },
  'line.mjs': async () => {
    const { figures } = await run('line.mjs');
    // 100 points with noise of 0.1: standard errors are 0.017 and 0.01.
    expect(Math.abs((figures.slope as number) - 3)).toBeLessThan(0.07);
    expect(Math.abs((figures.offset as number) + 1)).toBeLessThan(0.04);
    expect(figures.loss).toBeLessThan(0.02);
    expect(figures.tensorsLeft).toBe(0);
  },
  'memory.mjs': async () => {
    const { figures } = await run('memory.mjs');
    expect(figures).toEqual({
      created: 1, chained: 3, disposed: 1, tidied: 2, kept: 3,
      newBuffers: 0, reshaped: 4, error: 'Tensor is disposed.', end: 0,
    });
  },
  'using.ts': async () => {
    const { figures } = await run('using.ts');
    const error = 'norm: all values are zero';
    expect(figures).toEqual({ norm: 5, error, tensorsLeft: 0 });
  },
  'xor.mjs': async () => {
    const { figures } = await run('xor.mjs');
    const guesses = figures.guesses as number[];
    expect(guesses.map(Math.round)).toEqual([0, 1, 1, 0]);
    expect(figures.loss).toBeLessThan(0.05);
    expect(figures.tensorsLeft).toBe(0);
  },
};

describe('examples', () => {
  test('each has a check here', () => {
    expect(files).toEqual(Object.keys(checks).sort());
  });

  test.each(files)('%s', async (file) => checks[file]!(), 60_000);
});
