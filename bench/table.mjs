/** How results are printed. */
const NAME = 34;

/** Microseconds with three digits that count. */
function time(us) {
  if (us >= 1e5) return `${(us / 1000).toFixed(0)} ms`;
  if (us >= 1000) return `${(us / 1000).toPrecision(3)} ms`;
  return `${us.toPrecision(3)} us`;
}

const spread = ({ p10, p90 }) => `${time(p10)} - ${time(p90)}`;

/** What runs, and the head of the table. */
export function header({ theirs, variant, isolated, agent }) {
  const chromium = /Chrome\/([\d.]+)/.exec(agent)?.[1] ?? agent;
  const mode = `${theirs.simd ? 'simd' : 'no simd'}, ${theirs.threads ? 'threads' : '1 thread'}`;
  return [
    `Chromium ${chromium}${isolated ? ', isolated' : ''}; ours: ${variant ?? 'not told'}; ` +
      `theirs: TensorFlow.js ${theirs.version} ${theirs.backend} (${mode})`,
    'ratio: median over pairs of our time divided by theirs; p10 - p90 in brackets',
    [
      'case'.padEnd(NAME),
      'ratio',
      'ours'.padEnd(30),
      'theirs'.padEnd(30),
      'error  ',
      'tfjs cpu',
    ].join('  '),
  ].join('\n');
}

/** One case as a line. */
export function row({ name, ratio, ours, theirs, error, cpu }) {
  const cell = (one) => `${time(one.median)} (${spread(one)})`.padEnd(30);
  return [
    name.padEnd(NAME),
    ratio.toFixed(2).padStart(5),
    cell(ours),
    cell(theirs),
    error.toExponential(1).padEnd(7),
    cpu ? time(cpu.median) : '',
  ].join('  ');
}
