/** How Chromium's DevTools show tensors, when custom formatters are on. */
import {Tensor, isTensor} from './tensor.js';

type Markup = [string, ...unknown[]];
interface Formatter {
  header(x: unknown): Markup | null;
  hasBody(x: unknown): boolean;
  body(x: unknown): Markup | null;
}

const grey = {style: 'color: grey'};

/** One line per tensor, its values when unfolded. */
export const formatter: Formatter = {
  header(x) {
    if (!isTensor(x)) return null;
    if (x.isDisposed) return ['span', grey, 'Tensor (disposed)'];
    return [
      'span', {}, `Tensor ${x.dtype}[${(x.shape as number[]).join()}]`,
      ['span', grey, ` ${x.size * (x.dtype === 'bool' ? 1 : 4)} bytes`],
    ];
  },
  hasBody: (x) => isTensor(x) && !x.isDisposed,
  body: (x) => (isTensor(x) && !x.isDisposed ?
    ['pre', {}, Tensor.prototype.toString.call(x)] : null),
};

/** Makes DevTools use it; once. */
export function installFormatter(): void {
  const place = globalThis as {
    document?: unknown, devtoolsFormatters?: Formatter[],
  };
  if (place.document === undefined) return;
  place.devtoolsFormatters ??= [];
  if (!place.devtoolsFormatters.includes(formatter)) {
    place.devtoolsFormatters.push(formatter);
  }
}
