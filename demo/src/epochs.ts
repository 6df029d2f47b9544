// What each epoch has brought: its line in the table, and what is misread.
import { SIZE } from './digits.js';
import { byId, make, percent, showPicture } from './dom.js';
import type { FromWorker, Misread } from './protocol.js';

type Epoch = Extract<FromWorker, { kind: 'epoch' }>;

const GOAL = 0.97;
const emptyRow = byId('epochs').firstElementChild!;
const emptyHint = byId('misread-hint').textContent;

/** Adds the epoch's line and shows the digits that it ended up misreading. */
export function showEpoch(epoch: Epoch): void {
  emptyRow.remove();
  byId('epochs').append(rowOf(epoch));
  const { guesses, heldOut, misread } = epoch;
  const wrong = guesses.length - Math.round(heldOut * guesses.length);
  byId('misread-hint').textContent =
    `${wrong} of ${guesses.length.toLocaleString('en')} held-out digits`;
  showMisread(misread);
}

/** Empties both. */
export function clearEpochs(): void {
  byId('epochs').replaceChildren(emptyRow);
  byId('misread-hint').textContent = emptyHint;
  showMisread([]);
}

function rowOf(message: Epoch): HTMLTableRowElement {
  const { tensorsBefore: before, tensorsAfter: after } = message;
  const verdict = make('span', { className: 'ok', title: 'equal' }, ' ✓');
  const tensors = make('td', {}, `${before} → ${after}`);
  if (before === after) tensors.append(verdict);
  const row = make(
    'tr', {},
    make('td', {}, `${message.epoch}`),
    make('td', {}, message.loss.toFixed(3)),
    make('td', {}, percent(message.accuracy)),
    make('td', {}, percent(message.heldOut)),
    tensors,
  );
  row.classList.toggle('reached', message.heldOut >= GOAL);
  return row;
}

function showMisread(misread: readonly Misread[]): void {
  byId('misread-empty').hidden = misread.length > 0;
  byId('misread').replaceChildren(
    ...misread.map(({ pixels, label, guess }) => {
      const canvas = make('canvas', { width: SIZE, height: SIZE });
      canvas.ariaLabel = `A ${label} that was read as ${guess}`;
      canvas.role = 'img';
      showPicture(canvas, pixels);
      const words = make('p', {}, `${label} `, make('s', {}, `${guess}`));
      words.ariaHidden = 'true';
      return make('li', {}, canvas, words);
    }),
  );
}
