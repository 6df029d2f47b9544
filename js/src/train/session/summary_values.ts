/** Encoded summaries: their tags, and several as one. */
import {TensorError, shown} from '../../errors.js';
import {InvalidArgumentError, valueError} from './errors.js';

type Fields = ReadonlyMap<number, readonly Uint8Array[]>;

function noSummary(x: unknown): TensorError {
  return valueError(
      'summary: expected encoded values or an encoded Summary, got ' +
          (x instanceof Uint8Array ? `${x.length} bytes that are none` : shown(x)) +
          '; add_summary takes numbers too, as {loss: 0.5}');
}

/** The fields of an encoded message; of numbers, without what they are. */
function fieldsOf(message: unknown): Fields {
  if (!(message instanceof Uint8Array)) throw noSummary(message);
  const fields = new Map<number, Uint8Array[]>();
  let at = 0;
  const varint = (): number => {
    let n = 0;
    for (let shift = 1; at < message.length; shift *= 128) {
      const byte = message[at++]!;
      n += (byte & 127) * shift;
      if (byte < 128) return n;
    }
    throw noSummary(message);
  };
  const sizes: Record<number, () => number> =
      {0: () => (varint(), 0), 1: () => 8, 2: varint, 5: () => 4};
  while (at < message.length) {
    const key = varint();
    const size = sizes[key & 7]?.() ?? Infinity;
    if (at + size > message.length) throw noSummary(message);
    const field = Math.floor(key / 8);
    const all = fields.get(field) ?? [];
    fields.set(field, all);
    all.push(message.subarray(at, at += size));
  }
  return fields;
}

/**
 * The tag of an encoded value, and whether it has metadata. Errors: bytes that
 * are no value.
 */
export function tagOf(value: Uint8Array): {tag: string, metadata: boolean} {
  const fields = fieldsOf(value);
  const tag = new TextDecoder().decode(fields.get(1)?.at(-1));
  // A number, an image, a histogram, a sound, a tensor.
  if (tag === '' || ![2, 3, 4, 5, 6, 8].some((field) => fields.has(field))) {
    throw noSummary(value);
  }
  return {tag, metadata: fields.has(9)};
}

/** Values of one summary: a list of them, or what they are encoded in. */
export function valuesIn(summary: unknown): readonly Uint8Array[] {
  if (Array.isArray(summary)) return summary as readonly Uint8Array[];
  const fields = fieldsOf(summary);
  const values = fields.get(1) ?? [];
  if (fields.size !== (values.length > 0 ? 1 : 0)) throw noSummary(summary);
  return values;
}

/** Errors: a tag that is no text, or empty. */
export function checkTag(what: string, tag: unknown): void {
  if (typeof tag === 'string' && tag !== '') return;
  throw new InvalidArgumentError(
      `${what}: the tag must be a text that is not empty, got ${shown(tag)}`);
}

/**
 * The values of several summaries as one; one may be an encoded Summary.
 * Errors: two of one tag; what is no summary.
 *
 * ```js
 * tf.summary.merge([[], []]).length; // => 0
 * ```
 */
export function merge(
    summaries: readonly (readonly Uint8Array[] | Uint8Array)[]): Uint8Array[] {
  if (!Array.isArray(summaries)) throw noSummary(summaries);
  const all = summaries.flatMap(valuesIn);
  const seen = new Set<string>();
  for (const value of all) {
    const {tag} = tagOf(value);
    if (seen.has(tag)) {
      throw valueError(`Duplicate tag ${tag} found in summary inputs`);
    }
    seen.add(tag);
  }
  return all;
}
