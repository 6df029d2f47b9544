// Trains a convolutional network on handwritten digits in the terminal: the
// same network and training as the demo page.
//
//   npm run example -- [--epochs 5] [--train 8000] [--seed 7]
import { parseArgs } from 'node:util';

import * as tf from 'tidemark';

import { splitDigits } from '../src/digits.ts';
import { makeModel, summaryOf, train } from '../src/model.ts';
import { defaults } from '../src/settings.ts';
import { loadDigits } from '../tools/digits.mjs';
import { runAsProgram } from '../tools/program.mjs';

const percent = (share) => `${(share * 100).toFixed(2)} %`;

/**
 * Trains and returns `{ heldOut, tensorsLeft, epochs }`: held-out accuracy,
 * tensors left at the end and what each epoch reported. `show` hears of every
 * step; `verbose: 1` shows a bar in a terminal.
 */
export async function main(log, { show, verbose, trainCount, ...changes } = {}) {
  await tf.ready();
  const options = { ...defaults, ...changes };
  const digits = splitDigits(await loadDigits(), { trainCount });
  const atRest = tf.memory().numTensors;
  const model = makeModel(options.seed);
  if (verbose) log(summaryOf(model).join('\n'));
  log(
    `${digits.train.count} digits to learn, ` +
      `${digits.heldOut.count} held out, ` +
      `${model.countParams()} weights`,
  );
  const epochs = [];
  const onEpoch = (report) => {
    epochs.push(report);
    log(
      `epoch ${report.epoch}  loss ${report.loss.toFixed(4)}  ` +
        `train ${percent(report.accuracy)}  ` +
        `held out ${percent(report.heldOut)}  ` +
        `tensors ${report.tensorsBefore} -> ${report.tensorsAfter}`,
    );
  };
  try {
    await train(model, digits, options, { onStep: show, onEpoch, verbose });
  } finally {
    model.dispose();
  }
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

runAsProgram(import.meta.url, () =>
  main(console.log, { ...optionsFromArguments(), verbose: 1 }));
