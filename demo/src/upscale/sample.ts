// The built-in sample: a lighthouse at the edge of the sea, drawn here, so that
// no picture of anybody else has to be shipped.
import { random } from '../digits.js';

const [WIDTH, HEIGHT] = [240, 160];
/** It is drawn larger and shrunk, as cameras do. */
const DETAIL = 3;

/** The sample as a PNG file. */
export async function samplePicture(): Promise<File> {
  const large = canvasOf(WIDTH * DETAIL, HEIGHT * DETAIL);
  const pen = large.getContext('2d')!;
  pen.scale(DETAIL, DETAIL);
  paint(pen);
  const small = canvasOf(WIDTH, HEIGHT);
  const shrink = small.getContext('2d')!;
  shrink.imageSmoothingQuality = 'high';
  // Four copies half a pixel apart: lenses are softer than drawings.
  [[0, 0], [0.5, 0], [0, 0.5], [0.5, 0.5]].forEach(([x, y], i) => {
    shrink.globalAlpha = 1 / (i + 1);
    shrink.drawImage(large, x! - 0.5, y! - 0.5, WIDTH + 0.5, HEIGHT + 0.5);
  });
  const blob = await new Promise<Blob | null>((resolve) => {
    small.toBlob(resolve, 'image/png');
  });
  if (!blob) throw new Error('The browser could not draw the sample.');
  return new File([blob], 'lighthouse.png', { type: 'image/png' });
}

function canvasOf(width: number, height: number): HTMLCanvasElement {
  return Object.assign(document.createElement('canvas'), { width, height });
}

type Pen = CanvasRenderingContext2D;

function shape(pen: Pen, fill: string, points: [number, number][]): void {
  pen.fillStyle = fill;
  pen.beginPath();
  for (const [x, y] of points) pen.lineTo(x, y);
  pen.fill();
}

function disc(pen: Pen, fill: string, x: number, y: number, r: number): void {
  pen.fillStyle = fill;
  pen.beginPath();
  pen.arc(x, y, r, 0, 2 * Math.PI);
  pen.fill();
}

function paint(pen: Pen): void {
  const sky = pen.createLinearGradient(0, 0, 0, 100);
  sky.addColorStop(0, '#23446b');
  sky.addColorStop(0.6, '#d98a63');
  sky.addColorStop(1, '#f7d9a0');
  pen.fillStyle = sky;
  pen.fillRect(0, 0, WIDTH, 100);
  disc(pen, '#fff1c9', 78, 84, 13);
  gulls(pen);
  sea(pen);
  rocks(pen);
  tower(pen);
}

function gulls(pen: Pen): void {
  pen.strokeStyle = '#16293f';
  pen.lineWidth = 1.2;
  for (const [x, y, size] of [[40, 30, 7], [62, 22, 5], [96, 38, 6]] as const) {
    pen.beginPath();
    pen.moveTo(x - size, y - size / 3);
    pen.quadraticCurveTo(x - size / 2, y - size, x, y);
    pen.quadraticCurveTo(x + size / 2, y - size, x + size, y - size / 3);
    pen.stroke();
  }
}

function sea(pen: Pen): void {
  const water = pen.createLinearGradient(0, 98, 0, HEIGHT);
  water.addColorStop(0, '#c98a6a');
  water.addColorStop(0.3, '#3f6f86');
  water.addColorStop(1, '#0c3550');
  pen.fillStyle = water;
  pen.fillRect(0, 98, WIDTH, HEIGHT - 98);
  const next = random(5);
  for (let i = 0; i < 150; i++) {
    const depth = next();
    const y = 100 + depth * 58;
    const length = 3 + depth * 16 * next();
    const x = next() * WIDTH;
    const near = Math.abs(x - 78) < 10 + depth * 22;
    pen.strokeStyle = near ? '#ffe9b8cc' : '#9cc7cf66';
    pen.lineWidth = 0.5 + depth;
    pen.beginPath();
    pen.moveTo(x - length / 2, y);
    pen.quadraticCurveTo(x, y - 1.5, x + length / 2, y);
    pen.stroke();
  }
}

function rocks(pen: Pen): void {
  shape(pen, '#2a2730', [
    [140, 132], [150, 120], [160, 112], [172, 109], [184, 104], [203, 104],
    [214, 110], [228, 112], [240, 106], [240, 160], [128, 160], [130, 142],
  ]);
  shape(pen, '#454049', [
    [160, 112], [172, 109], [184, 104], [203, 104], [196, 114], [178, 122],
    [168, 134],
  ]);
  shape(pen, '#5a4f50', [[214, 110], [228, 112], [240, 106], [240, 120]]);
}

function tower(pen: Pen): void {
  const edge = (y: number): [number, number] => {
    const half = 7 + ((y - 44) / 60) * 5;
    return [193 - half, 193 + half];
  };
  const band = (top: number, bottom: number, fill: string): void => {
    const [a, b] = edge(top);
    const [c, d] = edge(bottom);
    shape(pen, fill, [[a, top], [b, top], [d, bottom], [c, bottom]]);
  };
  for (let i = 0; i < 5; i++) {
    band(44 + i * 12, 56 + i * 12, i % 2 ? '#e6dac8' : '#b5382c');
  }
  // The side away from the sun.
  shape(pen, '#0d1a3055', [[195, 44], [200, 44], [205, 104], [197, 104]]);
  for (const y of [62, 86]) {
    pen.fillStyle = '#2b2a35';
    pen.fillRect(190, y, 4, 6);
  }
  pen.fillStyle = '#2b2a35';
  pen.fillRect(183, 41, 20, 3);
  pen.fillRect(187, 30, 12, 11);
  pen.fillStyle = '#ffe9a8';
  pen.fillRect(189, 32, 8, 8);
  shape(pen, '#b5382c', [[185, 30], [193, 21], [201, 30]]);
  pen.strokeStyle = '#2b2a35';
  pen.lineWidth = 0.8;
  for (let x = 184; x <= 202; x += 3) {
    pen.beginPath();
    pen.moveTo(x, 41);
    pen.lineTo(x, 36);
    pen.stroke();
  }
  shape(pen, '#fff3c21f', [[189, 36], [0, 2], [0, 40]]);
}
