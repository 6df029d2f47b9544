/**
 * Records what a function does: which kernels ran, on whose results, and which
 * variables were assigned. Tensors are told apart by their identity in C++,
 * which no later tensor has again. A recording holds no tensor.
 */
import {bytesOf, checked, wasm} from '../../module.js';
import {scalar} from '../../ops/creation.js';
import {noteGraph} from '../../profile.js';
import type {KernelAttr, KernelNote} from '../../profile.js';
import {tidy} from '../../scope.js';
import {handleOf, isTensor} from '../../tensor.js';
import type {Tensor} from '../../tensor.js';
import {dtypes} from '../../types.js';
import type {DataType} from '../../types.js';
import {Variable, hearAssignments} from '../../variable.js';
import type {FunctionOutput, Graph} from './graph.js';
import {saveablesOf} from './saveables.js';

/** Where a tensor came from. */
export type Source =
  {readonly kernel: number, readonly output: number} |
  {readonly placeholder: string} |
  /** By the name it is saved under. */
  {readonly variable: string} |
  /** One of the recording's `tensors`. */
  {readonly tensor: number};

export interface RecordedKernel {
  readonly name: string;
  /** Null for an input that was not given. */
  readonly inputs: readonly (Source | null)[];
  readonly inputShapes: readonly (readonly number[] | null)[];
  readonly inputDtypes: readonly (DataType | null)[];
  readonly outputShapes: readonly (readonly number[])[];
  readonly outputDtypes: readonly DataType[];
  readonly attrs: Readonly<Record<string, KernelAttr>>;
}

/** A tensor that no kernel of the function made. */
export interface RecordedTensor {
  readonly dtype: DataType;
  readonly shape: readonly number[];
  /** Set for a constant: a small one that was made while the function ran. */
  readonly bytes?: Uint8Array;
}

export interface RecordedAssign {
  readonly variable: string;
  readonly dtype: DataType;
  readonly value: Source;
}

/** What the first run of a function did. */
export interface Recording {
  readonly kernels: readonly RecordedKernel[];
  readonly tensors: readonly RecordedTensor[];
  readonly assigns: readonly RecordedAssign[];
}

/** Elements of the largest constant; the same in `wasm/bindings/profile.cc`. */
const mostOfConstant = 1024;

const identity = (x: Tensor): number => checked(wasm.identity(handleOf(x)));

/** Runs `f`, which is fed `fed`, and tells what it did. */
export function record<R>(
    graph: Graph, fed: readonly (readonly [string, Tensor])[], f: () => R)
    : {result: R, recording: Recording, outputs: FunctionOutput[]} {
  const recorder = new Recorder();
  for (const [name, x] of fed) recorder.fed(name, x);
  for (const s of saveablesOf(graph, true).values()) {
    if (s instanceof Variable && !s.isDisposed) recorder.read(s);
  }
  const notes: KernelNote[] = [];
  const result = noteGraph(notes, () => hearAssignments(
      (v, value, assign) => recorder.assign(v, value, assign), f));
  // Slots may have been made by the run.
  return {result, ...recorder.finish(graph, notes, result)};
}

class Recorder {
  readonly #placeholders = new Map<number, string>();
  readonly #variables = new Map<number, Variable>();
  // What variables hold is another identity of what was assigned.
  readonly #aliases = new Map<number, number>();
  readonly #assigns: {v: Variable, value: number}[] = [];
  readonly #made = new Map<number, Source>();
  readonly #tensors: RecordedTensor[] = [];
  readonly #constants = new Map<number, ArrayLike<number>>();
  // What is younger was made by the function.
  readonly #begin = tidy(() => identity(scalar(0)));

  fed(name: string, x: Tensor): void {
    this.#placeholders.set(identity(x), name);
  }

  read(v: Variable): void {
    this.#variables.set(identity(v), v);
  }

  assign(v: Variable, value: Tensor, assign: () => void): void {
    const id = identity(value);
    const before = identity(v);
    this.#keep(value, id);
    if (!this.#aliases.has(before)) this.#variables.set(before, v);
    assign();
    this.#aliases.set(identity(v), id);
    this.#assigns.push({v, value: id});
  }

  /** Takes the bytes of what may turn out to be a constant. */
  #keep(x: Tensor, id: number): void {
    if (id <= this.#begin || x.size > mostOfConstant) return;
    const length = x.size * (x.dtype === 'bool' ? 1 : 4);
    this.#constants.set(id, bytesOf(handleOf(x), length).slice());
  }

  finish(graph: Graph, notes: readonly KernelNote[], result: unknown)
      : {recording: Recording, outputs: FunctionOutput[]} {
    const names = new Map<unknown, string>(
        [...saveablesOf(graph, true)].map(([name, s]) => [s, name]));
    notes.forEach((note, kernel) => {
      note.outputs.forEach(
          (id, output) => this.#made.set(id, {kernel, output}));
      for (const [id, bytes] of Object.entries(note.constants)) {
        this.#constants.set(Number(id), bytes);
      }
    });
    const kernels = notes.map((note): RecordedKernel => {
      const dtype = (n: number): DataType => dtypes[n]!;
      return {
        name: note.name,
        inputs: note.inputs.map((id, i) => id === 0 ? null : this.#source(
            id, names, dtype(note.inputDtypes[i]!), note.inputShapes[i]!)),
        inputShapes: note.inputShapes,
        inputDtypes: note.inputDtypes.map((n) => n < 0 ? null : dtype(n)),
        outputShapes: note.outputShapes,
        outputDtypes: note.outputDtypes.map(dtype),
        attrs: note.attrs,
      };
    });
    const assigns = this.#assigns.flatMap(({v, value}): RecordedAssign[] => {
      const variable = names.get(v);
      if (variable === undefined) return [];
      const {dtype} = v;
      const source = this.#source(value, names, dtype, v.shape);
      return [{variable, dtype, value: source}];
    });
    const outputs = tensorsIn(result).map(([path, x]): FunctionOutput => {
      const {dtype} = x;
      const shape = x.shape as number[];
      const id = identity(x);
      this.#keep(x, id);
      return {path, dtype, shape, source: this.#source(id, names, dtype, shape)};
    });
    return {recording: {kernels, tensors: this.#tensors, assigns}, outputs};
  }

  #source(
      id: number, names: ReadonlyMap<unknown, string>, dtype: DataType,
      shape: readonly number[]): Source {
    let first = id;
    while (this.#aliases.has(first)) first = this.#aliases.get(first)!;
    const made = this.#made.get(first);
    if (made !== undefined) return made;
    const placeholder = this.#placeholders.get(first);
    if (placeholder !== undefined) return {placeholder};
    const variable = names.get(this.#variables.get(first));
    if (variable !== undefined) return {variable};
    const bytes = this.#constants.get(first);
    const source = {tensor: this.#tensors.length};
    this.#tensors.push(bytes === undefined ? {dtype, shape} :
      {dtype, shape, bytes: Uint8Array.from(bytes)});
    this.#made.set(first, source);
    return source;
  }
}

/** Where the tensors of a result are. */
function tensorsIn(result: unknown, path = ''): [string, Tensor][] {
  if (isTensor(result)) return [[path, result]];
  if (typeof result !== 'object' || result === null ||
      ArrayBuffer.isView(result)) {
    return [];
  }
  return Object.entries(result).flatMap(([key, x]) =>
    tensorsIn(x, path === '' ? key : `${path}/${key}`));
}
