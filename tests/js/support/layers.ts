// The layers of the sources, as data: who may include whom. A file may always
// use its own layer; everything else that it uses must be named here.
import { posix } from 'node:path';
import ts from 'typescript';

export interface Layer {
  readonly name: string;
  readonly files: RegExp;
  readonly uses: readonly string[];
}

const base = ['base'];
const values = [...base, 'memory', 'tensor'];
const core = [...values, 'kernels', 'formats', 'tape', 'ops', 'gradients', 'graph', 'runtime'];
const shim = ['plain', 'module', 'engine', 'ops.ts'];
const library = [...shim, 'io', 'train', 'session', 'browser'];

/** The first layer that matches a file is the file's. */
export const LAYERS: readonly Layer[] = [
  { name: 'base', files: /^core\/base\//, uses: [] },
  { name: 'memory', files: /^core\/memory\//, uses: base },
  { name: 'tensor', files: /^core\/tensor\//, uses: [...base, 'memory'] },
  { name: 'kernels', files: /^core\/kernels\//, uses: base },
  { name: 'formats', files: /^core\/formats\//, uses: values },
  { name: 'tape', files: /^core\/autodiff\/(tape|op)\./, uses: values },
  { name: 'ops', files: /^core\/ops\//, uses: [...values, 'kernels', 'tape'] },
  { name: 'gradients', files: /^core\/autodiff\//, uses: [...values, 'kernels', 'tape', 'ops', 'formats'] },
  { name: 'graph', files: /^core\/graph\//, uses: [...values, 'kernels', 'tape', 'ops', 'formats'] },
  { name: 'runtime', files: /^core\/runtime\//, uses: values },
  { name: 'wasm', files: /^wasm\//, uses: core },

  // The glue stands beside the modules in the package.
  { name: 'contract', files: /^js\/generated\/|^js\/src\/tidemark-glue\./, uses: [] },
  { name: 'plain', files: /^js\/src\/(errors|types|nest|format|environment|util|backend_util|test_util)\.ts$/, uses: [] },
  { name: 'module', files: /^js\/src\/(module|compile|formats_module)\.ts$/, uses: ['contract', 'plain'] },
  { name: 'engine', files: /^js\/src\/((op|tensor|buffer|variable|container|memory|scope|session|gradients|async_scope|budget|finalizer|inspect|site|swept_map|trace|turns|profile|globals|engine|tensor_util)\.ts$|io\/storage\/)/, uses: ['module', 'plain'] },
  { name: 'ops.ts', files: /^js\/src\/ops\//, uses: ['plain', 'module', 'engine'] },
  // Sessions of training write files and know optimizers.
  { name: 'session', files: /^js\/src\/train\/(session|jobs)\//, uses: [...shim, 'io', 'train'] },
  // Three that know nothing of each other; layers know all.
  { name: 'io', files: /^js\/src\/io\//, uses: shim },
  { name: 'train', files: /^js\/src\/train\//, uses: shim },
  { name: 'browser', files: /^js\/src\/browser\//, uses: shim },
  { name: 'layers', files: /^js\/src\/layers\//, uses: library },
  { name: 'index', files: /^js\/src\/(index(\.node)?|chain)\.ts$/, uses: [...library, 'layers'] },
];

/** Paths, from the root, that a source includes or imports from the project. */
export function dependencies(file: string, text: string): string[] {
  if (!file.endsWith('.ts')) {
    return [...text.matchAll(/^[ \t]*#[ \t]*include[ \t]+"([^"]+)"/gm)].map((match) => match[1] ?? '');
  }
  return ts
    .preProcessFile(text, true, true)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((name) => name.startsWith('.'))
    .map((name) => posix.join(posix.dirname(file), name).replace(/\.js$/, '.ts'));
}

const layerOf = (file: string): Layer | undefined => LAYERS.find(({ files }) => files.test(file));

/** What the sources (path from the root -> text) do that the table forbids. */
export function violations(sources: ReadonlyMap<string, string>): string[] {
  const found: string[] = [];
  for (const [file, text] of sources) {
    const layer = layerOf(file);
    if (!layer) {
      found.push(`${file} belongs to no layer`);
      continue;
    }
    for (const used of dependencies(file, text)) {
      const other = layerOf(used);
      if (!other) found.push(`${file} uses ${used}, which belongs to no layer`);
      else if (other !== layer && !layer.uses.includes(other.name)) {
        found.push(`${file} (${layer.name}) must not use ${used} (${other.name})`);
      }
    }
  }
  return found;
}

/** One cycle of imports that matter at run time, as a path of files; empty when there is none. */
export function importCycle(sources: ReadonlyMap<string, string>): string[] {
  const edges = new Map<string, string[]>();
  for (const [file, text] of sources) {
    const compiled = ts.transpile(text, { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, verbatimModuleSyntax: true });
    edges.set(file, dependencies(file, compiled).filter((used) => sources.has(used)));
  }
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): string[] => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return [];
    path.push(file);
    for (const next of edges.get(file) ?? []) {
      const cycle = visit(next);
      if (cycle.length) return cycle;
    }
    path.pop();
    done.add(file);
    return [];
  };
  for (const file of sources.keys()) {
    const cycle = visit(file);
    if (cycle.length) return cycle;
  }
  return [];
}
