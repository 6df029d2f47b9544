/** Encoded summaries: their tags, and several as one. */
import {valueError} from './errors.js';

/** The tag of an encoded value, and whether it has metadata. */
export function tagOf(value: Uint8Array): {tag: string, metadata: boolean} {
  let tag = '';
  let metadata = false;
  let at = 0;
  const varint = (): number => {
    let n = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = value[at++]!;
      n += (byte & 127) * shift;
      if (byte < 128) return n;
    }
  };
  while (at < value.length) {
    const key = varint();
    const type = key & 7;
    if (type === 0) varint();
    else if (type !== 2) at += type === 1 ? 8 : 4;
    else {
      const length = varint();
      if (key >> 3 === 1) {
        tag = new TextDecoder().decode(value.subarray(at, at + length));
      }
      metadata ||= key >> 3 === 9;
      at += length;
    }
  }
  return {tag, metadata};
}

/**
 * The values of several summaries as one. Errors: two of one tag.
 *
 * ```js
 * tf.summary.merge([[], []]).length; // => 0
 * ```
 */
export function merge(
    summaries: readonly (readonly Uint8Array[])[]): Uint8Array[] {
  const all = summaries.flat();
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
