// The loop of every lane; the page shows this text.
import type { Look, Step } from './api.js';

export async function loop(steps: number, step: Step, look: Look) {
  for (let n = 0; n < steps; n++) {
    const value = await step(n);
    if (value !== 2 * n) throw new Error(`${n}: ${value}`);
    await new Promise((next) => setTimeout(next));
    look(n); // sends the figures to the page
  }
}
