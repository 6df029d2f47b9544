// The leak lab: one leaky loop, run by several workers, drawn side by side.
import '@fontsource-variable/geist';
import '@fontsource-variable/geist-mono';

import { byId, make, oncePerFrame } from '../dom.js';
import '../style/base.css';
import '../style/controls.css';
import '../style/charts.css';
import '../style/leaks.css';
import { Card, size } from './card.js';
import { codes, lanes } from './lanes.js';
import { runLane, Start } from './run.js';
import { settingsFrom } from './settings.js';

/** Lanes that run side by side: more would fight for the processor. */
const AT_ONCE = 2;
const MADE_PER_STEP = 2 * 4 * 2 ** 20;

const settings = settingsFrom(new URLSearchParams(location.search));
const app = byId('app');
const go = byId<HTMLButtonElement>('go');
const scale = { top: 1.25 * settings.budget };
let drawn = scale.top;

const draw = oncePerFrame(() => {
  const rescaled = drawn !== scale.top;
  drawn = scale.top;
  for (const card of cards) card.draw(rescaled);
  showScore();
});
const cards: Card[] = [];
cards.push(...lanes.map((lane) => new Card(lane, settings, scale, draw)));

/** Where the cards of the duel stand one below the other, their numbers. */
function showScore(): void {
  byId('score').replaceChildren(...cards.slice(0, 2).map((card) => {
    const cell = make('p', {},
      make('span', {}, card.lane.library === 'tfjs' ? 'TensorFlow.js' : 'Tidemark'),
      make('b', {}, card.held()),
      make('small', {}, card.verdict()));
    cell.className = card.lane.library;
    return cell;
  }));
}

let stop: AbortController | undefined;

function say(text: string): void {
  byId('status').textContent = text;
}

async function runAll(signal: AbortSignal): Promise<void> {
  for (const card of cards) card.wait();
  const queue = [...cards];
  const { steps, budget, cap } = settings;
  const lane = async (card: Card, start?: Start): Promise<void> => {
    const order = { step: card.lane.step, steps, budget, cap };
    card.end(await runLane(card.lane, order, card, signal, start));
    if (!signal.aborted) say(`${card.lane.title}: ${card.verdict()}.`);
  };
  const track = async (): Promise<void> => {
    for (let card = queue.shift(); card; card = queue.shift()) await lane(card);
  };
  // The two of the duel start together, and the rest only after both.
  const start = new Start(AT_ONCE);
  const duel = queue.splice(0, AT_ONCE);
  await Promise.all(duel.map((card) => lane(card, start)));
  await Promise.all(Array.from({ length: AT_ONCE }, track));
}

/** What a person should take home. */
function conclusion(): string {
  const [theirs, ours] = cards as [Card, Card];
  const step = (card: Card) => card.last?.step ?? 0;
  const them = {
    died: `died at step ${step(theirs) + 1}, with`,
    capped: `was stopped at step ${step(theirs)}, with`,
  }[theirs.state as string] ?? `ended at step ${step(theirs)}, with`;
  return `TensorFlow.js ${them} ${size(theirs.peak)} of tensors nobody could ` +
    `reach. Tidemark ran ${step(ours)} steps of the same loop and never held ` +
    `more than ${size(ours.peak)}.`;
}

async function start(): Promise<void> {
  stop = new AbortController();
  app.dataset.state = 'running';
  byId('go-label').textContent = 'Stop';
  scale.top = 1.25 * settings.budget;
  say('Running: TensorFlow.js and Tidemark, the same loop.');
  await runAll(stop.signal);
  const { aborted } = stop.signal;
  stop = undefined;
  app.dataset.state = aborted ? 'stopped' : 'done';
  byId('go-label').textContent = 'Run again';
  say(aborted ? 'Stopped.' : conclusion());
}

go.addEventListener('click', () => {
  if (stop) stop.abort();
  else void start();
});

byId('codes').append(...codes.map(([title, code]) =>
  make('div', {}, make('h3', {}, title), make('pre', { tabIndex: 0 }, code))));
byId('amount').textContent =
  `${settings.steps} steps, ${size(settings.steps * MADE_PER_STEP)} in all`;
byId('budget').textContent = size(settings.budget);
byId('cap').textContent = size(settings.cap);
byId('small').hidden = !settings.small;
