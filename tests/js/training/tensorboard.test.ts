// A whole run of ours as TensorBoard and TensorFlow see it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from '@jest/globals';
import * as tf from '../../../js/src/index.node.js';
import { GOLDEN } from '../formats/golden.js';
import { PYTHON, withTensorFlow } from '../support/python.js';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-run-'));
const dir = join(folder, 'run');
afterAll(() => rmSync(folder, { recursive: true }));

/** Trains with summaries of every kind; returns what the readers must find. */
async function trainedRun() {
  tf.keras.backend.clear_session();
  const [x, y] = tf.tidy(() => [tf.randomNormal([16, 3], 0, 1, 'float32', 1), tf.randomNormal([16, 2], 0, 1, 'float32', 2)]);
  const model = tf.keras.Sequential([tf.keras.layers.Dense(2, { inputShape: [3] })]);
  model.compile({ optimizer: tf.train.adam(0.01), loss: 'meanSquaredError' });
  const train = tf.train.step('train', () => {
    const loss = model.trainStep(x, y)['loss']!;
    tf.summary.scalar('loss', loss);
    tf.summary.histogram('kernel', model.weights[0]!.read());
    tf.summary.image('noise', tf.fill([1, 4, 5, 3], 0.5), 1);
    return { loss };
  });
  const losses: number[] = [];
  await tf.train.withMonitoredTrainingSession({
    checkpointDir: dir, saveCheckpointSteps: 4, saveSummariesSteps: 2, logStepCountSteps: 3,
    hooks: [new tf.train.StopAtStepHook({ lastStep: 9 })], onLog: () => {}, handleSignals: false,
  }, async (sess) => {
    while (!sess.shouldStop()) losses.push((await sess.run(train))['loss']);
  });
  const variables = Object.fromEntries(model.weights.map((w) => [w.originalName, Array.from(w.read().dataSync())]));
  tf.dispose([x, y]);
  const { optimizer } = model;
  model.dispose();
  optimizer.dispose();
  return { dir, steps: [0, 4, 8, 9], loss: [1, 3, 5, 7, 9].map((n) => [n, losses[n - 1]]), variables };
}

withTensorFlow('TensorBoard shows our summaries and graph, TensorFlow loads our checkpoint', async () => {
  writeFileSync(join(folder, 'expected.json'), JSON.stringify(await trainedRun()));
  const { status, stdout, stderr } = spawnSync(PYTHON, [join(GOLDEN, 'check_run.py'), join(folder, 'expected.json')]);
  expect([status, stdout.toString(), stderr.toString().slice(-2000)]).toEqual([0, expect.stringContaining('right: all'), expect.anything()]);
});
