// The little that this page needs of a framework.
import { SIZE } from './digits.js';

/** The element of that id; a missing one is a mistake in index.html. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`index.html has no #${id}`);
  return found as T;
}

/** A new element with some properties and children. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** Runs `f` at most once a frame, however often the result is called. */
export function oncePerFrame(f: () => void): () => void {
  let due = false;
  return () => {
    if (due) return;
    due = true;
    requestAnimationFrame(() => {
      due = false;
      f();
    });
  };
}

/** Calls `f` whenever the reader switches between light and dark. */
export function onScheme(f: () => void): void {
  const query = matchMedia('(prefers-color-scheme: dark)');
  query.addEventListener('change', f);
}

/** A colour of style/base.css, such as `--sea`, in the scheme in force. */
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name);
}

/** Shows 28 x 28 bytes, white ink on black as the network gets them. */
export function showPicture(
  canvas: HTMLCanvasElement,
  picture: Uint8Array,
): void {
  const image = new ImageData(SIZE, SIZE);
  picture.forEach((value, i) => image.data.fill(value, i * 4, i * 4 + 3));
  picture.forEach((_, i) => (image.data[i * 4 + 3] = 255));
  canvas.getContext('2d')!.putImageData(image, 0, 0);
}

export function percent(share: number, digits = 1): string {
  return `${(share * 100).toFixed(digits)} %`;
}

export function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(bytes < 10 * 2 ** 20 ? 2 : 1)} MB`;
}
