// The loop of every lane; the page shows this text.
export async function loop(
  steps: number,
  step: (n: number) => Promise<number | undefined>,
  look: (n: number) => void,
) {
  for (let n = 0; n < steps; n++) {
    const value = await step(n);
    if (value !== 2 * n) throw new Error(`step ${n} gave ${value}`);
    await new Promise((next) => setTimeout(next));
    look(n);
  }
}
