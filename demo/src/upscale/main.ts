// The upscaler's page: takes a picture, has the worker double it and shows
// both. What a test or an assistive tool may want to know stands in data
// attributes of #app.
import '@fontsource-variable/geist';
import '@fontsource-variable/geist-mono';

import { byId, megabytes, oncePerFrame } from '../dom.js';
import '../style/base.css';
import '../style/controls.css';
import '../style/charts.css';
import '../style/upscale.css';
import { Comparison } from './comparison.js';
import { Timeline } from './figures.js';
import { takeFiles } from './intake.js';
import type { FromWorker, Loading, MemorySample, ToWorker } from './protocol.js';
import { samplePicture } from './sample.js';

type State = 'loading' | 'ready' | 'working' | 'done' | 'failed';
type Tile = Extract<FromWorker, { kind: 'tile' }>;

declare const __UPSCALER__: string;

/** `?tile=64` changes how large tiles are. */
function tileSizeFrom(query: URLSearchParams): number {
  const size = Math.floor(Number(query.get('tile') ?? 128));
  return size >= 16 && size <= 512 ? size : 128;
}

const tileSize = tileSizeFrom(new URLSearchParams(location.search));
const worker = new Worker(new URL('./worker.ts', import.meta.url), {
  type: 'module',
});
const app = byId('app');
const stopButton = byId<HTMLButtonElement>('stop');
const downloadButton = byId<HTMLButtonElement>('download');
const comparison = new Comparison();
const timeline = new Timeline();
const drawTimeline = oncePerFrame(() => timeline.draw());
let id = 0;
let name = 'picture';
/** Chosen before the network was there. */
let waiting: File | undefined;

function send(message: ToWorker): void {
  worker.postMessage(message);
}

function enter(state: State): void {
  app.dataset.state = state;
  stopButton.disabled = state !== 'working';
  downloadButton.disabled = state !== 'done';
}

function status(text: string, aside = ''): void {
  byId('status').textContent = text;
  byId('eta').textContent = aside;
}

function announce(text: string): void {
  byId('announcement').textContent = text;
}

function advance(what: string, share: number): void {
  const bar = byId('progress');
  bar.setAttribute('aria-label', what);
  bar.setAttribute('aria-valuenow', `${Math.round(share * 100)}`);
  const fill = bar.firstElementChild as HTMLElement;
  fill.style.transform = `translateX(${(share - 1) * 100}%)`;
}

function complain(message: string): void {
  const error = byId('error');
  error.textContent = message;
  error.hidden = message === '';
}

function fail(message: string): void {
  enter('failed');
  status('Stopped by an error');
  complain(message);
}

/** Takes a picture, now or once the network is there. */
function begin(file: File): void {
  complain('');
  name = file.name.replace(/\.[^.]*$/, '') || 'picture';
  if (app.dataset.state === 'failed') return fail('The network is missing.');
  if (app.dataset.state === 'loading') return void (waiting = file);
  enter('working');
  status('Reading the picture');
  send({ kind: 'upscale', id: ++id, picture: file, tileSize });
}

function showLoading({ fraction, file, loaded, total, fromCache }: Loading): void {
  advance('Loading the network', fraction);
  const from = fromCache ? 'from the cache' : 'over the network';
  status(
    `Loading ${file} ${total ? from : ''}`,
    total ? `${megabytes(loaded)} of ${megabytes(total)}` : '',
  );
}

function showReady(message: Extract<FromWorker, { kind: 'ready' }>): void {
  const { variant, loaded, memory } = message;
  byId('variant').textContent = variant;
  app.dataset.variant = variant;
  app.dataset.fromCache = `${loaded.fromCache}`;
  enter('ready');
  advance('Upscaling', 0);
  const source = loaded.fromCache ? 'out of the browser’s cache' : 'downloaded';
  status('Ready: give it a picture', `${megabytes(loaded.total)} ${source}`);
  announce('Ready for a picture');
  showMemory(memory);
  if (waiting) begin(waiting);
  waiting = undefined;
}

function showMemory(memory: MemorySample): void {
  timeline.add(memory);
  drawTimeline();
  app.dataset.tensors = `${memory.tensors}`;
  app.dataset.peakBytes = `${memory.peak}`;
  byId('stat-tensors').textContent = `${memory.tensors}`;
  byId('stat-peak').textContent = megabytes(memory.peak);
}

function showTile(message: Tile): void {
  const { done, tiles, elapsedMs, box, pixels, memory } = message;
  comparison.put(pixels, box);
  advance('Upscaling', done / tiles);
  const left = (elapsedMs / done) * (tiles - done);
  status(
    `Tile ${done} of ${tiles}`,
    done < tiles ? `about ${Math.ceil(left / 1000)} s left` : '',
  );
  const speed = ((done / tiles) * comparison.resultPixels * 1000) / elapsedMs;
  byId('stat-speed').textContent = Number(speed.toPrecision(2)).toLocaleString('en');
  showMemory(memory);
}

function showDone(elapsedMs: number): void {
  enter('done');
  const seconds = `${(elapsedMs / 1000).toFixed(1)} s`;
  status('Done', seconds);
  announce(`Upscaled in ${seconds}. Move the slider to compare.`);
  comparison.finish();
}

function receive(message: FromWorker): void {
  // What is left of a picture that was given up.
  if ('id' in message && message.id !== id) return;
  switch (message.kind) {
    case 'loading': return showLoading(message);
    case 'ready': return showReady(message);
    case 'begun': {
      const { width, height } = message.source;
      timeline.clear();
      comparison.begin(message.source);
      byId('stat-size').textContent = `${width * 2} × ${height * 2}`;
      app.dataset.tiles = `${message.tiles}`;
      return announce(`Upscaling a picture of ${width} by ${height}`);
    }
    case 'tile': return showTile(message);
    case 'done': return showDone(message.elapsedMs);
    case 'refused':
      enter(comparison.isFinished ? 'done' : 'ready');
      advance('Upscaling', 0);
      status('Give it another picture');
      return complain(message.message);
    case 'failed': return fail(message.message);
  }
}

function stop(): void {
  send({ kind: 'stop' });
  id++;
  enter('ready');
  advance('Upscaling', 0);
  status('Stopped: give it another picture');
  announce('Stopped');
}

async function download(): Promise<void> {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await comparison.png());
  link.download = `${name}-2x.png`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

const trouble = (error: unknown): void =>
  complain(error instanceof Error ? error.message : String(error));

worker.onmessage = ({ data }: MessageEvent<FromWorker>) => receive(data);
worker.onerror = (event) => fail(event.message || 'The worker did not load.');
takeFiles(begin, complain);
byId('sample').addEventListener('click', () => {
  samplePicture().then(begin).catch(trouble);
});
stopButton.addEventListener('click', stop);
downloadButton.addEventListener('click', () => {
  download().catch(trouble);
});
enter('loading');
const modelUrl = new URL(`${__UPSCALER__}/model.json`, document.baseURI).href;
send({ kind: 'load', modelUrl });
