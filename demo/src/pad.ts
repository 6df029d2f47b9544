// The sheet to draw on, by pointer or by keyboard. It keeps strokes, not
// pixels, in units of the sheet's width.
import { SIZE } from './digits.js';
import { colour, onScheme } from './dom.js';
import type { Point } from './strokes.js';

const PEN = 0.075;
const NUDGE = 0.035;

const arrows: Record<string, Point> = {
  ArrowLeft: { x: -NUDGE, y: 0 },
  ArrowRight: { x: NUDGE, y: 0 },
  ArrowUp: { x: 0, y: -NUDGE },
  ArrowDown: { x: 0, y: NUDGE },
};

export class Pad {
  readonly #canvas: HTMLCanvasElement;
  readonly #changed: () => void;
  #strokes: Point[][] = [];
  /** A picture shown instead of strokes. */
  #picture: Uint8Array | undefined;
  /** The stroke that a pointer is drawing. */
  #current: Point[] | undefined;
  /** Where the keyboard's pen is; undefined unless the keyboard is in use. */
  #pen: Point | undefined;
  #penDown = false;

  constructor(canvas: HTMLCanvasElement, changed: () => void) {
    this.#canvas = canvas;
    this.#changed = changed;
    canvas.addEventListener('pointerdown', (e) => this.#touch(e));
    canvas.addEventListener('pointermove', (e) => this.#move(e));
    canvas.addEventListener('pointerup', () => this.#lift());
    canvas.addEventListener('pointercancel', () => this.#lift());
    canvas.addEventListener('keydown', (e) => this.#key(e));
    canvas.addEventListener('blur', () => this.#leave());
    onScheme(() => this.#draw());
  }

  get strokes(): readonly (readonly Point[])[] {
    return this.#strokes;
  }

  get picture(): Uint8Array | undefined {
    return this.#picture;
  }

  get empty(): boolean {
    return this.#strokes.length === 0 && !this.#picture;
  }

  clear(): void {
    this.#wipe();
    this.#update();
  }

  /** Shows a ready picture of 28 x 28 bytes instead of strokes. */
  show(picture: Uint8Array): void {
    this.#wipe();
    this.#picture = picture;
    this.#update();
  }

  #wipe(): void {
    this.#strokes = [];
    this.#picture = undefined;
    this.#current = undefined;
    this.#penDown = false;
  }

  #begin(point: Point): Point[] {
    // Drawing over a picture starts a new sheet.
    if (this.#picture) this.#wipe();
    const stroke = [point];
    this.#strokes.push(stroke);
    return stroke;
  }

  #touch(event: PointerEvent): void {
    if (event.button !== 0 || this.#current) return;
    this.#canvas.setPointerCapture(event.pointerId);
    this.#pen = undefined;
    this.#current = this.#begin(this.#place(event));
    this.#update();
  }

  #move(event: PointerEvent): void {
    if (!this.#current) return;
    // A fast pen moves several times between two frames.
    const passed = event.getCoalescedEvents?.() ?? [];
    for (const e of passed.length ? passed : [event]) {
      this.#current.push(this.#place(e));
    }
    this.#update();
  }

  #lift(): void {
    this.#current = undefined;
  }

  #place(event: PointerEvent): Point {
    const box = this.#canvas.getBoundingClientRect();
    return {
      x: (event.clientX - box.left) / box.width,
      y: (event.clientY - box.top) / box.height,
    };
  }

  #key(event: KeyboardEvent): void {
    const arrow = arrows[event.key];
    if (arrow) {
      this.#step(arrow);
    } else if (event.key === ' ') {
      this.#pen ??= { x: 0.5, y: 0.5 };
      this.#penDown = !this.#penDown;
      if (this.#penDown) this.#begin(this.#pen);
    } else if (event.key === 'Escape' || event.key === 'Delete') {
      this.#wipe();
    } else {
      return;
    }
    event.preventDefault();
    this.#update();
  }

  #step(by: Point): void {
    const { x, y } = this.#pen ?? { x: 0.5, y: 0.5 };
    this.#pen = { x: inside(x + by.x), y: inside(y + by.y) };
    if (this.#penDown) this.#strokes.at(-1)!.push(this.#pen);
  }

  #leave(): void {
    this.#pen = undefined;
    this.#penDown = false;
    this.#draw();
  }

  #update(): void {
    this.#draw();
    this.#changed();
  }

  #draw(): void {
    const { width } = this.#canvas;
    const context = this.#canvas.getContext('2d')!;
    context.clearRect(0, 0, width, width);
    context.strokeStyle = context.fillStyle = colour('--ink');
    if (this.#picture) drawPicture(context, this.#picture, width / SIZE);
    context.lineCap = context.lineJoin = 'round';
    context.lineWidth = PEN * width;
    for (const stroke of this.#strokes) drawStroke(context, stroke, width);
    if (this.#pen) drawPen(context, this.#pen, width, this.#penDown);
  }
}

function inside(value: number): number {
  return Math.min(1 - PEN / 2, Math.max(PEN / 2, value));
}

function drawStroke(
  context: CanvasRenderingContext2D,
  stroke: readonly Point[],
  width: number,
): void {
  context.beginPath();
  // From the first point to itself, so that a mere touch leaves a dot.
  context.moveTo(stroke[0]!.x * width, stroke[0]!.y * width);
  for (const { x, y } of stroke) context.lineTo(x * width, y * width);
  context.stroke();
}

function drawPicture(
  context: CanvasRenderingContext2D,
  picture: Uint8Array,
  scale: number,
): void {
  picture.forEach((value, i) => {
    context.globalAlpha = value / 255;
    const x = (i % SIZE) * scale;
    const y = Math.floor(i / SIZE) * scale;
    context.fillRect(x, y, scale, scale);
  });
  context.globalAlpha = 1;
}

function drawPen(
  context: CanvasRenderingContext2D,
  { x, y }: Point,
  width: number,
  down: boolean,
): void {
  context.strokeStyle = context.fillStyle = colour('--mark');
  context.lineWidth = 4;
  context.beginPath();
  context.arc(x * width, y * width, (PEN * width) / 2, 0, 2 * Math.PI);
  if (down) context.fill();
  context.stroke();
}
