// The module of a job: one linear model, whose settings come from the URL.
// Chief and workers tell their parent what they see. Runs in Node and in pages.
const inPage = typeof WorkerGlobalScope !== 'undefined';
// Node's threads lose the query of their URL.
const settings = new URL(`http://x/?${inPage ? location.search.slice(1) : process.argv[2]}`).searchParams;
const tf = await import(inPage ? '/dist/index.js' : '../../../../dist/index.node.js');
await tf.ready();
const parent = inPage ? self : (await import('node:worker_threads')).parentPort;
const tell = (message) => parent.postMessage(message);

const get = (name, otherwise) => settings.get(name) ?? otherwise;
const lastStep = Number(get('lastStep', '50'));
const examples = Number(get('examples', '32'));
const features = Number(get('features', '8'));
const hidden = Number(get('hidden', '16'));
const { isChief, index, workers } = tf.train.jobConfig();

// The same data everywhere; a worker takes its part of each batch.
const random = (seed) => () => {
  seed = (seed * 1103515245 + 12345) % 2147483648;
  return seed / 2147483648 - 0.5;
};
const next = random(7);
const list = (n) => Float32Array.from({ length: n }, next);
const x = tf.tensor2d(list(examples * features), [examples, features]);
const y = tf.tensor2d(list(examples * 2), [examples, 2]);
const w1 = tf.tidy(() => tf.variable(tf.tensor2d(list(features * hidden), [features, hidden]), true, 'w1'));
const w2 = tf.tidy(() => tf.variable(tf.tensor2d(list(hidden * 2), [hidden, 2]), true, 'w2'));
const optimizer = tf.train[get('optimizer', 'sgd')](Number(get('rate', '0.1')));
const part = Math.floor(examples / workers);
const failAt = Number(get('failAt', '-1'));

const train = tf.train.step('train', () => {
  if (index === 0 && tf.train.getGlobalStep().number === failAt) throw new Error('the step is broken');
  const [xs, ys] = [x, y].map((all) => all.slice([index * part, 0], [part, -1]));
  tf.train.countExamples(part);
  const loss = optimizer.minimize(() => xs.matMul(w1).tanh().matMul(w2).sub(ys).square().mean(), true, [w1, w2]);
  tf.summary.scalar('loss', loss);
  return { loss, nan: get('nan') === String(index) ? NaN : 0 };
});
const read = tf.train.fetch('read', () => w1.sum());

class Tell extends tf.train.SessionRunHook {
  before_run() {
    return new tf.train.SessionRunArgs(['global_step', 'train/loss', 'train/nan']);
  }
  after_run(_context, { results: [step, loss] }) {
    tell({ step, loss, isChief, index, tensors: tf.memory().numTensors });
  }
  async end(session) {
    const [globalStep, weights, sum] = await session.run(['global_step', w1, read]);
    tell({ ended: true, globalStep, weights, sum, isChief, index });
  }
}

const hooks = [new Tell(), new tf.train.NanTensorHook('train/nan')];
if (get('stop') !== 'chief' || isChief) hooks.push(new tf.train.StopAtStepHook({ lastStep }));
await tf.train.withMonitoredTrainingSession(
  {
    master: 'worker://' + get('job', 'job'),
    checkpointDir: settings.get('dir'),
    saveCheckpointSteps: Number(get('every', '5')),
    hooks,
    onLog: (line, level) => tell({ line, level, isChief, index }),
    maxWaitSecs: Number(get('maxWait', '60')),
  },
  async (sess) => {
    while (!sess.shouldStop()) await sess.run(train);
  },
);
