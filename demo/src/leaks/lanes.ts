// The lanes of the page. The code that a lane shows is the file that it runs.
import loopText from './loop.ts?raw';
import carelessText from './steps/careless.ts?raw';
import safePointsText from './steps/safe_points.ts?raw';
import sessionText from './steps/session.ts?raw';
import tidyText from './steps/tidy.ts?raw';
import usingText from './steps/using.ts?raw';

export type StepName =
  'careless' | 'tidy' | 'using' | 'session' | 'safe_points';

export interface Lane {
  /** Also the id of its card. */
  id: string;
  library: 'tidemark' | 'tfjs';
  step: StepName;
  title: string;
  words: string;
  /** True when a collection is provoked near the budget. */
  rescued?: boolean;
}

/** A source as a reader wants it: without imports and `export`. */
function plain(source: string): string {
  return source
    .replace(/^\/\/ .*\n(?=import)/, '')
    .replace(/^import .*;\n+/gm, '')
    .replace(/^export (?=(async )?function)/gm, '')
    .trim();
}

/** What runs, with a heading each. */
export const codes: [title: string, code: string][] = [
  ['The loop of all', plain(loopText)],
  ['No care at all, in both libraries', plain(carelessText)],
  ['tidy', plain(tidyText)],
  ['using', plain(usingText)],
  ['A session, closed every 20 steps', plain(sessionText)],
  ['No care, but ON_SAFE_POINTS', plain(safePointsText)],
];

/** Two at a time run side by side, in this order. */
export const lanes: Lane[] = [
  {
    id: 'tfjs',
    library: 'tfjs',
    step: 'careless',
    title: 'TensorFlow.js, wasm backend',
    words: 'The garbage collector cannot see its memory. Nothing comes back.',
  },
  {
    id: 'careless',
    library: 'tidemark',
    step: 'careless',
    title: 'Tidemark, no care at all',
    words:
      'Lost tensors are freed in the background. Near the budget, a ' +
      'collection is provoked: a rescue.',
    rescued: true,
  },
  {
    id: 'tidy',
    library: 'tidemark',
    step: 'tidy',
    title: 'tidy',
    words: 'What the function makes is freed when it returns.',
  },
  {
    id: 'using',
    library: 'tidemark',
    step: 'using',
    title: 'using',
    words: 'Each tensor is freed at the end of its block.',
  },
  {
    id: 'session',
    library: 'tidemark',
    step: 'session',
    title: 'Session, 20 steps each',
    words: 'Nothing is freed early; close() frees all of it at once.',
  },
  {
    id: 'safe-points',
    library: 'tidemark',
    step: 'safe_points',
    title: 'No care, but ON_SAFE_POINTS',
    words: 'Lost tensors are freed only when the next op starts.',
    rescued: true,
  },
];
