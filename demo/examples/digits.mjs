// Trains a convolutional network on handwritten digits in the terminal: the
// same network and loop as the demo page. `npm run example` runs it.
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
    `${digits.train.count} digits to learn, ${digits.heldOut.count} held out, ` +
      `${net.parameterCount} weights`,
  );
  const epochs = [];
  for (const report of train(net, digits, options)) {
    if (report.kind === 'step') {
      show?.(report);
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

runAsProgram(import.meta.url, async () => {
  const { MultiBar, Presets } = await import('cli-progress');
  const bars = new MultiBar(
    {
      format:
        '{bar} {percentage}% | step {value}/{total} | ' +
        'loss {loss} | {eta_formatted} left',
      clearOnComplete: true,
      hideCursor: true,
    },
    Presets.shades_classic,
  );
  let bar;
  const show = ({ step, steps, loss }) => {
    bar ??= bars.create(steps, 0, { loss: '–' });
    bar.update(step, { loss: loss.toFixed(3) });
  };
  // Above a bar in a terminal, and plainly where there is none.
  const log = (line) =>
    bar && process.stdout.isTTY ? bars.log(`${line}\n`) : console.log(line);
  try {
    await main(log, { show });
  } finally {
    bars.stop();
  }
});
