// The examples in doc comments: ```js blocks whose `// =>` lines are assertions.

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
