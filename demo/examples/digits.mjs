// Trains a convolutional network on handwritten digits in the terminal: the
// same network and loop as the demo page.
//
//   npm run example -- [--epochs 5] [--train 8000] [--seed 7]
import { setImmediate } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import * as tf from 'tidemark';

import { splitDigits } from '../src/digits.ts';
import { DigitNet, train } from '../src/model.ts';
import { defaults } from '../src/settings.ts';
import { loadDigits } from '../tools/digits.mjs';
import { runAsProgram } from '../tools/program.mjs';

const percent = (share) => `${(share * 100).toFixed(2)} %`;

/**
 * Trains and returns `{ heldOut, tensorsLeft, epochs }`: held-out accuracy,
 * tensors left at the end and what each epoch reported. `show` hears of every
 * step, for a progress bar.
 */
export async function main(log, { show, trainCount, ...changes } = {}) {
  await tf.ready();
  const options = { ...defaults, ...changes };
  const digits = splitDigits(await loadDigits(), { trainCount });
  const atRest = tf.memory().numTensors;
  const net = new DigitNet(options.seed);
  log(
    `${digits.train.count} digits to learn, ` +
      `${digits.heldOut.count} held out, ` +
      `${net.parameterCount} weights`,
  );
  const epochs = [];
  for (const report of train(net, digits, options)) {
    if (report.kind === 'step') {
      show?.(report);
      // Without a pause no timer runs, and none would redraw the bar.
      await setImmediate();
      continue;
    }
    epochs.push(report);
    log(
      `epoch ${report.epoch}  loss ${report.loss.toFixed(4)}  ` +
        `train ${percent(report.accuracy)}  ` +
        `held out ${percent(report.heldOut)}  ` +
        `tensors ${report.tensorsBefore} -> ${report.tensorsAfter}`,
    );
  }
  net.dispose();
  const tensorsLeft = tf.memory().numTensors - atRest;
  log(`tensors left: ${tensorsLeft}`);
  return { heldOut: epochs.at(-1).heldOut, tensorsLeft, epochs };
}

/** Counts from the command line; what is missing keeps its default. */
function optionsFromArguments() {
  const number = { type: 'string' };
  const { values } = parseArgs({
    options: { epochs: number, train: number, seed: number },
  });
  const options = {};
  for (const [name, text] of Object.entries(values)) {
    const value = Number(text);
    if (!Number.isInteger(value) || value < 1) {
      throw new Error(`--${name} is a whole number from 1 on, not ${text}`);
    }
    options[name === 'train' ? 'trainCount' : name] = value;
  }
  return options;
}

runAsProgram(import.meta.url, async () => {
  const options = optionsFromArguments();
  const { Presets, SingleBar } = await import('cli-progress');
  const format =
    '{bar} {percentage}% | step {value}/{total} | ' +
    'loss {loss} | {eta_formatted} left';
  const bar = new SingleBar(
    { format, clearOnComplete: true, hideCursor: true, fps: 5 },
    Presets.shades_classic,
  );
  const show = ({ step, steps, loss }) => {
    const figures = { loss: loss.toFixed(3) };
    if (bar.isActive) bar.update(step, figures);
    else bar.start(steps, step, figures);
  };
  // A finished line replaces the bar, which comes back with the next step.
  const log = (line) => {
    bar.stop();
    console.log(line);
  };
  try {
    await main(log, { ...options, show });
  } finally {
    bar.stop();
  }
});
