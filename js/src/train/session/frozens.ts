/** What a checkpoint is written of: values as they were at one moment. */
import {BundleWriter, compareNames} from '../../io/checkpoint/bundle.js';
import type {BundleDtype, BundleEntry} from '../../io/checkpoint/bundle.js';
import {bytesOf} from '../../module.js';
import {clone} from '../../ops/creation.js';
import {keep, tidy} from '../../scope.js';
import {handleOf} from '../../tensor.js';
import type {Tensor} from '../../tensor.js';
import {nextTurn} from '../../turns.js';
import {Variable} from '../../variable.js';
import {pieceBytes} from './checkpoint_reader.js';
import type {CheckpointReader, HostTensor} from './checkpoint_reader.js';
import {InvalidArgumentError} from './errors.js';
import {isCounter} from './saveables.js';
import type {Saveable, Saveables} from './saveables.js';

/** A value as it was at one moment. */
interface Frozen {
  readonly name: string;
  readonly dtype: BundleDtype;
  readonly shape: readonly number[];
  readonly size: number;
  readonly value: Tensor | Uint8Array;
}

function frozen(name: string, s: Saveable): Frozen {
  if (s instanceof Variable) {
    if (s.isDisposed) {
      throw new InvalidArgumentError(
          `Saver: the variable '${name}' is disposed`);
    }
    const value = tidy(() => keep(clone(s as Tensor)));
    const shape = s.shape as number[];
    return {
      name, dtype: s.dtype, shape, value,
      size: s.size * (s.dtype === 'bool' ? 1 : 4),
    };
  }
  const value = isCounter(s) ? s.read() : s.bigint;
  const array = s.dtype === 'int64' ?
    BigInt64Array.of(BigInt(value)) : Float32Array.of(Number(value));
  const bytes = new Uint8Array(array.buffer);
  return {name, dtype: s.dtype, shape: [], size: bytes.length, value: bytes};
}

function frozenHost(name: string, {dtype, shape, data}: HostTensor): Frozen {
  const {buffer, byteOffset, byteLength} = data as Uint8Array;
  const value = new Uint8Array(buffer, byteOffset, byteLength);
  return {name, dtype, shape, size: byteLength, value};
}

/**
 * The values of saveables at one moment: references, no copies. `more` are
 * values of a former checkpoint that go into the next one as they are.
 */
export class Frozens {
  readonly #all: readonly Frozen[];

  constructor(
      saveables: Saveables, more: ReadonlyMap<string, HostTensor> = new Map()) {
    const all: Frozen[] = [];
    try {
      for (const [name, s] of saveables) all.push(frozen(name, s));
      for (const [name, host] of more) {
        if (!saveables.has(name)) all.push(frozenHost(name, host));
      }
      all.sort((a, b) => compareNames(a.name, b.name));
    } catch (error) {
      disposeAll(all);
      throw error;
    }
    this.#all = all;
  }

  /** Bytes of all values. */
  get size(): number {
    return this.#all.reduce((n, {size}) => n + size, 0);
  }

  /**
   * The data file's bytes, at most 1 MB in a turn of the event loop; `bundle`
   * takes note of them.
   */
  async* pieces(bundle: BundleWriter): AsyncGenerator<Uint8Array> {
    let parts: Uint8Array[] = [];
    let waiting = 0;
    for (const f of this.#all) {
      bundle.begin(f.name, f.dtype, f.shape);
      for (let at = 0; at < f.size; at += pieceBytes) {
        const end = Math.min(at + pieceBytes, f.size);
        if (waiting + end - at > pieceBytes) {
          yield joinParts(parts, waiting);
          await nextTurn();
          parts = [];
          waiting = 0;
        }
        bundle.add(view(f).subarray(at, end));
        // Taken anew: the call may have moved the memory.
        parts.push(view(f).slice(at, end));
        waiting += end - at;
      }
      bundle.end();
    }
    if (waiting > 0) yield joinParts(parts, waiting);
  }

  /** True when a checkpoint has just these values. */
  async areIn(reader: CheckpointReader): Promise<boolean> {
    const {entries} = reader;
    const same = entries.size === this.#all.length &&
        this.#all.every((f) => fits(f, entries.get(f.name)));
    if (!same) return false;
    const bundle = new BundleWriter();
    for await (const piece of this.pieces(bundle)) {
      if (piece.length > 0) await nextTurn();
    }
    if (!bundle.entries.every(({name, crc}) => entries.get(name)!.crc === crc)) {
      return false;
    }
    // The index says so; the data may be damaged all the same.
    for (const {name} of bundle.entries) await reader.getTensor(name);
    return true;
  }

  dispose(): void {
    disposeAll(this.#all);
  }
}

function disposeAll(all: readonly Frozen[]): void {
  for (const {value} of all) if (!ArrayBuffer.isView(value)) value.dispose();
}

const view = ({value, size}: Frozen): Uint8Array =>
  ArrayBuffer.isView(value) ? value : bytesOf(handleOf(value), size);

function joinParts(parts: readonly Uint8Array[], size: number): Uint8Array {
  if (parts.length === 1) return parts[0]!;
  const out = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

const fits = (
    {dtype, shape, size}: Frozen, entry: BundleEntry | undefined): boolean =>
  entry !== undefined && entry.dtype === dtype && entry.size === size &&
  String(entry.shape) === String(shape) && entry.shape.length === shape.length;
