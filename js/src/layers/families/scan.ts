/** Running a cell over the steps of a sequence. */
import {TensorError} from '../../errors.js';
import {stack, unstack} from '../../ops/concat.js';
import {cast, zerosLike} from '../../ops/creation.js';
import {where} from '../../ops/select.js';
import {expandDims} from '../../ops/shape.js';
import {transpose} from '../../ops/transpose.js';
import {dispose, tidy} from '../../scope.js';
import type {Tensor} from '../../tensor.js';
import type {CellRun} from './cell_run.js';

/** How `scan` goes over a sequence. */
export interface ScanOptions {
  /** `[batch, time]`: what steps leave output and states as they are. */
  mask?: Tensor | null;
  goBackwards: boolean;
  /** Whether the outputs of all steps are wanted, or the last. */
  sequences: boolean;
  /** Whether the first states are zeros. */
  fresh: boolean;
  /** Whether masked steps give zeros. */
  zeroOutput: boolean;
}

/** What `scan` gives: the output, then the last states. */
export type ScanResult = [Tensor, ...Tensor[]];

/** `[batch, time, …]` as tensors of `[batch, …]`, one for each step. */
function steps(x: Tensor): Tensor[] {
  return unstack(x, 1);
}

/** The mask as `[batch, 1]` for each step. */
function maskSteps(mask: Tensor): Tensor[] {
  const flags = cast(mask, 'bool');
  return steps(flags.rank === 2 ? expandDims(flags, 2) : flags);
}

/**
 * Runs over `x`, `[batch, time, features]`. The output is `[batch, features]`,
 * with `sequences` `[batch, time, features]` in the order of the steps taken. A
 * masked step repeats the output before it (zeros at first), or gives zeros.
 */
export function scan(
    run: CellRun, x: Tensor, first: readonly Tensor[],
    options: ScanOptions): ScanResult {
  const time = x.shape[1]!;
  if (time === 0) {
    throw new TensorError(
        'shape', `RNN: the sequences have no steps, the input's shape is ` +
            `[${x.shape}]`);
  }
  // Steps first: a step of the projection is then a block of memory.
  const inputs = tidy(() =>
    run.project(transpose(x, [1, 0, ...x.shape.slice(2).map((_, i) => i + 2)]))
        .map((part) => unstack(part)));
  const masks = options.mask ? tidy(() => maskSteps(options.mask!)) : undefined;
  const outputs: Tensor[] = [];
  // What must outlive its step.
  const held = new Set<Tensor>(first);
  let states: Tensor[] = [...first];
  let output: Tensor | undefined;
  for (let n = 0; n < time; n++) {
    const t = options.goBackwards ? time - 1 - n : n;
    const stepped = tidy(() => {
      const made = run.step(inputs.map((part) => part[t]!), states);
      return masks ?
        keepMasked(masks[t]!, made, output, states, options) : made;
    });
    const before = output === undefined ? states : [output, ...states];
    [output, ...states] = stepped as [Tensor, ...Tensor[]];
    if (options.sequences) {
      outputs.push(output);
      held.add(output);
    }
    // Else they would pile up until the whole call ends.
    dispose(inputs.map((part) => part[t]));
    dispose(before.filter((old) => !held.has(old) && !stepped.includes(old)));
  }
  return [
    options.sequences ? stack(outputs, 1) : output!, ...states,
  ];
}

function keepMasked(
    mask: Tensor, made: Tensor[], output: Tensor | undefined,
    states: Tensor[], {fresh, zeroOutput}: ScanOptions): Tensor[] {
  const [now, ...next] = made;
  const kept = next.map((state, i) => where(mask, state, states[i]!));
  // Most cells give their first state out.
  const same = now === next[0] && !zeroOutput &&
      (output === undefined ? fresh : output === states[0]);
  if (same) return [kept[0]!, ...kept];
  const before = zeroOutput ? undefined : output;
  return [where(mask, now!, before ?? zerosLike(now!)), ...kept];
}
