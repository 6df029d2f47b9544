// TypeScript bindings for emscripten-generated code.  Automatically generated at compile time.
declare namespace RuntimeExports {
    let wasmMemory: any;
    let HEAPF32: any;
    let HEAPF64: any;
    let HEAP_DATA_VIEW: any;
    let HEAP8: any;
    let HEAPU8: any;
    let HEAP16: any;
    let HEAPU16: any;
    let HEAP32: any;
    let HEAPU32: any;
    let HEAP64: any;
    let HEAPU64: any;
}
interface WasmModule {
}

type EmbindString = ArrayBuffer|Uint8Array|Uint8ClampedArray|Int8Array|string;
interface EmbindModule {
  add(a: number, b: number): number;
  sub(a: number, b: number): number;
  mul(a: number, b: number): number;
  div(a: number, b: number): number;
  greater(a: number, b: number): number;
  fill(shape: number, value: number, dtype: number): number;
  clone(x: number): number;
  cast(x: number, dtype: number): number;
  sum(x: number, axes: number, keepDims: number): number;
  blockAddress(): number;
  reserve(doubles: number): number;
  errorCode(): number;
  errorMessage(): string;
  empty(shape: number, dtype: number): number;
  scalar(value: number, dtype: number): number;
  dataAddress(x: number): number;
  describe(x: number): number;
  storageId(x: number): number;
  alive(handle: number): number;
  dispose(handle: number): number;
  keep(handle: number): number;
  alias(x: number): number;
  variable(initial: number): number;
  assign(variable: number, value: number): number;
  scopeName(name: EmbindString): number;
  scopeOpen(name: number): number;
  scopeCurrent(): number;
  scopeClose(scope: number, results: number): number;
  numTensors(): number;
  numBytes(): number;
  numBuffers(): number;
  poolBytes(): number;
  peakBytes(): number;
  cachedBytes(): number;
  resetPeak(): number;
  trim(): number;
  tapeOpen(xs: number): number;
  tapeDrop(): number;
  tapeDepth(): number;
  tapeRecording(): number;
  tapePause(): number;
  tapeResume(): number;
  customRecord(id: number, inputs: number, output: number): number;
  backwardOpen(y: number, xs: number, dy: number): number;
  backwardStep(): number;
  backwardDy(): number;
  backwardAnswer(gradients: number): number;
  backwardClose(): number;
  backwardDrop(): number;
  reset(): number;
  reshape(x: number, shape: number): number;
  broadcastTo(x: number, shape: number): number;
  neg(x: number): number;
  square(x: number): number;
  exp(x: number): number;
  expm1(x: number): number;
  relu(x: number): number;
  leakyRelu(x: number, alpha: number): number;
  step(x: number, alpha: number): number;
}

export type MainModule = WasmModule & typeof RuntimeExports & EmbindModule;
export default function MainModuleFactory (options?: unknown): Promise<MainModule>;
