// Every include and every import obeys the table in support/layers.ts.
import { describe, expect, test } from '@jest/globals';
import { sources } from './support/files.js';
import { dependencies, importCycle, LAYERS, violations } from './support/layers.js';

const SOURCES = /^(core|wasm)\/.*\.(h|cc)$|^js\/(src|generated)\/.*\.ts$/;

describe('layers', () => {
  const all = sources(SOURCES);

  test('the sources are found', () => {
    for (const folder of ['core/base/', 'core/ops/', 'wasm/', 'js/src/']) {
      expect([...all.keys()].filter((file) => file.startsWith(folder))).not.toEqual([]);
    }
  });

  test('no file uses a layer above its own', () => {
    expect(violations(all)).toEqual([]);
  });

  test('no import cycle', () => {
    expect(importCycle(new Map([...all].filter(([file]) => file.startsWith('js/'))))).toEqual([]);
  });

  test('the table names only layers that exist', () => {
    const names = LAYERS.map(({ name }) => name);
    expect(LAYERS.flatMap(({ uses }) => uses).filter((name) => !names.includes(name))).toEqual([]);
  });
});

// A check that finds nothing proves nothing until it has been seen to find something.
describe('the check itself', () => {
  const find = (file: string, text: string): string[] => violations(new Map([[file, text]]));

  test.each([
    ['core/base/shape.h', '#include "core/tensor/tensor.h"'],
    ['core/kernels/map.h', '  #  include "core/tensor/tensor.h"'],
    ['core/kernels/map.h', '#include "core/memory/pool.h"'],
    ['core/ops/unary.cc', '#include "core/autodiff/gradients.h"'],
    ['core/runtime/handles.cc', '#include "core/ops/unary.h"'],
    ['core/ops/unary.cc', '#include "wasm/wire.h"'],
    ['js/src/tensor.ts', `import { add } from './ops/binary.js';`],
    ['js/src/ops/unary.ts', `import type { MainModule } from '../../generated/contract.js';`],
    ['js/src/train/adam.ts', `export { dense } from '../layers/dense.js';`],
    ['js/src/train/adam.ts', `import { save } from '../io/io.js';`],
    ['js/src/io/http.ts', `import type { LayersModel } from '../layers/model.js';`],
    ['js/src/module.ts', `const { op } = await import('./op.js');`],
    ['js/src/ops/unary.ts', `import '../index.js';`],
  ])('%s must not contain %s', (file, text) => {
    expect(find(file, text)).toHaveLength(1);
  });

  test.each([
    ['core/ops/unary.cc', '#include "core/kernels/map.h"\n#include "core/autodiff/tape.h"\n#include <cmath>'],
    ['core/ops/unary.cc', '// #include "wasm/wire.h"'],
    ['wasm/bindings.cc', '#include "core/runtime/handles.h"'],
    ['js/src/ops/unary.ts', `import { op } from '../op.js'; // import '../index.js'`],
    ['js/src/layers/dense.ts', `import { adam } from '../train/adam.js';`],
    ['js/src/layers/saving/load.ts', `import { http } from '../../io/http.js';`],
  ])('%s may contain %s', (file, text) => {
    expect(find(file, text)).toEqual([]);
  });

  test('a file of no layer is reported', () => {
    expect(find('core/misc/x.h', '')).toEqual(['core/misc/x.h belongs to no layer']);
    expect(find('core/ops/unary.cc', '#include "unary.h"')).toHaveLength(1);
  });

  test('a cycle is reported, unless it is one of types', () => {
    const cycle = (kind: string): string[] =>
      importCycle(new Map([
        ['js/src/a.ts', `import { b } from './b.js';\nexport const a = (): unknown => b;`],
        ['js/src/b.ts', `import ${kind} { a } from './a.js';\nexport const b = (): typeof a => undefined as never;`],
      ]));
    expect(cycle('')).toEqual(['js/src/a.ts', 'js/src/b.ts', 'js/src/a.ts']);
    expect(cycle('type')).toEqual([]);
  });

  test('dependencies are resolved from the root', () => {
    expect(dependencies('js/src/ops/unary.ts', `import { op } from '../op.js';`)).toEqual(['js/src/op.ts']);
    expect(dependencies('core/ops/a.cc', '#include "core/ops/a.h"')).toEqual(['core/ops/a.h']);
  });
});
