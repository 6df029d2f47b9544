/** Tensors as text, the way NumPy shows arrays. */
import type {DataType} from './types.js';

const edge = 3;  // items shown at each end of a long dimension
const limit = 20;  // longer dimensions are shortened
const digits = 7;

function cell(value: number, dtype: DataType): string {
  if (dtype === 'bool') return value === 0 ? 'false' : 'true';
  // Small numbers keep their digits; the others have seven after the point.
  const small = value !== 0 && Math.abs(value) < 1e-3;
  return String(Number(
      small ? value.toPrecision(digits) : value.toFixed(digits)));
}

/** The values of a tensor as text; `verbose` adds dtype, rank and shape. */
export function formatTensor(
    values: ArrayLike<number>, shape: readonly number[], dtype: DataType,
    verbose: boolean): string {
  let lines = body(values, shape, dtype)
      .map((line, i) => (i === 0 || line === '' ? line : `    ${line}`))
      .join('\n');
  // TensorFlow.js shifts what has no elements by one.
  if (shape.length > 1 && shape.includes(0)) lines = ` ${lines}`;
  if (!verbose) return `Tensor\n    ${lines}`;
  return [
    'Tensor', `  dtype: ${dtype}`, `  rank: ${shape.length}`,
    `  shape: [${shape.join(',')}]`, '  values:', `    ${lines}`,
  ].join('\n');
}

function body(
    values: ArrayLike<number>, shape: readonly number[],
    dtype: DataType): string[] {
  if (shape.length === 0) return [cell(values[0]!, dtype)];
  const shown = (d: number): (number | null)[] => {
    const n = shape[d]!;
    const all = Array.from({length: n}, (_, i) => i);
    return n <= limit ? all : [...all.slice(0, edge), null, ...all.slice(-edge)];
  };
  const steps = shape.map((_, d) => shape.slice(d + 1).reduce((a, b) => a * b, 1));
  // Columns line up: the last dimension's items are as wide as the widest.
  const widths: number[] = [];
  const measure = (d: number, at: number): void => {
    for (const i of shown(d)) {
      if (i === null) continue;
      if (d + 1 < shape.length) measure(d + 1, at + i * steps[d]!);
      else widths[i] = Math.max(
          widths[i] ?? 0, cell(values[at + i]!, dtype).length);
    }
  };
  measure(0, 0);
  const level = (d: number, at: number): string[] => {
    if (d + 1 === shape.length) {
      const cells = shown(d).map((i) =>
        i === null ? '...' : cell(values[at + i]!, dtype).padEnd(widths[i]!));
      return [`[${cells.join(', ')}]`];
    }
    const out: string[] = [];
    for (const i of shown(d)) {
      if (out.length > 0) {
        out[out.length - 1] += ',';
        for (let k = d + 2; k < shape.length; k++) out.push('');
      }
      if (i === null) out.push('...');
      else out.push(...level(d + 1, at + i * steps[d]!));
    }
    if (out.length === 0) return [d === 0 ? '[]' : ' []'];
    const text = out.map((line, i) => (line === '' ? '' : (i === 0 ? '[' : ' ') + line));
    text[text.length - 1] += ']';
    return text;
  };
  return level(0, 0);
}
