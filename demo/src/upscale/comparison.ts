// Before and after, one on top of the other, with a slider between them.
import { byId } from '../dom.js';
import { SCALE } from './scale.js';
import type { Box } from './tiles.js';

export class Comparison {
  readonly #stage = byId('stage');
  readonly #before = byId<HTMLCanvasElement>('before');
  readonly #after = byId<HTMLCanvasElement>('after');
  readonly #slider = byId<HTMLInputElement>('slider');
  isFinished = false;

  constructor() {
    this.#slider.addEventListener('input', () => this.#split());
    this.#split();
  }

  /** How many pixels the result has. */
  get resultPixels(): number {
    return this.#after.width * this.#after.height;
  }

  /** Shows the picture as it is; the result comes on top, piece by piece. */
  begin(source: ImageBitmap): void {
    this.isFinished = false;
    const { width, height } = source;
    for (const canvas of [this.#before, this.#after]) {
      canvas.width = width * SCALE;
      canvas.height = height * SCALE;
    }
    const context = this.#before.getContext('2d')!;
    context.imageSmoothingQuality = 'high';
    context.drawImage(source, 0, 0, width * SCALE, height * SCALE);
    source.close();
    this.#stage.style.setProperty('--ratio', `${width / height}`);
    this.#stage.style.setProperty('--width', `${width * SCALE}px`);
    this.#stage.classList.add('filled');
    this.#slider.disabled = false;
    // All of the result is in sight while it is made.
    this.#slider.value = '0';
    this.#split();
  }

  put(pixels: Uint8ClampedArray<ArrayBuffer>, { x, y, width, height }: Box): void {
    const image = new ImageData(pixels, width, height);
    this.#after.getContext('2d')!.putImageData(image, x, y);
  }

  finish(): void {
    this.isFinished = true;
    this.#slider.value = '50';
    this.#split();
  }

  /** The result as a PNG file. */
  async png(): Promise<Blob> {
    const blob = await new Promise<Blob | null>((resolve) => {
      this.#after.toBlob(resolve, 'image/png');
    });
    if (!blob) throw new Error('The browser could not write the PNG file.');
    return blob;
  }

  #split(): void {
    this.#stage.style.setProperty('--split', `${this.#slider.value}%`);
    this.#slider.setAttribute(
      'aria-valuetext', `${this.#slider.value} % of the original in sight`,
    );
  }
}
