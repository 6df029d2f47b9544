// The examples in doc comments and pages: ```js blocks whose `// =>` lines are assertions.

import ts from 'typescript';

export interface Example {
  /** File and the name of what is documented. */
  readonly where: string;
  readonly code: string;
}

/** The examples in the doc comments of a TypeScript source. */
export function examplesIn(file: string, text: string): Example[] {
  const found: Example[] = [];
  for (const { index, 1: comment = '' } of text.matchAll(/\/\*\*([\s\S]*?)\*\//g)) {
    const rest = text.slice(index + comment.length + 5);
    const name = /^\s*(?:export )?(?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|const|interface|type)?\s*([\w$]+)/.exec(rest)?.[1] ?? '?';
    const plain = comment.replace(/^\s*\* ?/gm, '');
    let n = 0;
    for (const { 1: code = '' } of plain.matchAll(/```js\n([\s\S]*?)```/g)) {
      found.push({ where: `${file} ${name}${n++ ? ` (${n})` : ''}`, code });
    }
  }
  return found;
}

/** The examples in a page of documentation, named by their headings. */
export function examplesInPage(file: string, text: string): Example[] {
  let heading = '';
  const counts = new Map<string, number>();
  const found: Example[] = [];
  for (const { 1: title, 2: code } of text.matchAll(/^#+ (.+)$|^```js\n([\s\S]*?)^```$/gm)) {
    heading = title ?? heading;
    if (code === undefined) continue;
    const n = (counts.get(heading) ?? 0) + 1;
    counts.set(heading, n);
    found.push({ where: `${file} ${heading}${n > 1 ? ` (${n})` : ''}`, code });
  }
  return found;
}

/** How many assertions an example makes. */
export const assertions = (code: string): number => [...code.matchAll(/\/\/ => /g)].length;

const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor as new (code: string) => unknown;

function parses(expression: string): boolean {
  try {
    new AsyncFunction(`return (${expression}\n);`);
    return true;
  } catch {
    return false;
  }
}

/** The example with every `expression; // => value` turned into a check. */
export function runnable(code: string): string {
  const lines: string[] = [];
  for (const line of code.split('\n')) {
    const [, last, value] = /^(.+?);?[ \t]*\/\/ => (.+)$/.exec(line) ?? [];
    if (last === undefined || value === undefined) {
      lines.push(line);
      continue;
    }
    // The expression may have begun on earlier lines.
    let expression = last;
    while (!parses(expression) && lines.length > 0) expression = `${lines.pop()}\n${expression}`;
    lines.push(`check((${expression}\n), (${value}), ${JSON.stringify(expression)});`);
  }
  return lines.join('\n');
}

/** The same for a page: the library is there already, and `using` for engines that lack it. */
export function runnablePage(code: string): string {
  const body = runnable(code.replace(/^import \* as tf from 'tidemark';\n/m, ''));
  if (!/\busing\b/.test(body)) return body;
  // What stands at the top may use `await`, so the whole is made a function.
  const { outputText } = ts.transpileModule(`const run = async () => {\n${body}\n};`, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  return `${outputText}\nawait run();`;
}

/** Equal, with numbers compared as float32 allows. */
export function equal(a: unknown, b: unknown): boolean {
  if (typeof a === 'number' && typeof b === 'number') {
    return Object.is(a, b) || a === b || Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(b));
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const keys = Object.keys(b);
  return Object.keys(a).length === keys.length &&
    keys.every((key) => equal((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]));
}
