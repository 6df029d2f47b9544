/** Names that runs and hooks ask for. */
import {variableNamed} from '../../variable.js';
import {InvalidArgumentError} from './errors.js';
import {checkLeaf, leavesOf} from './fetches.js';
import {getGlobalStep} from './global_step.js';
import type {Declared, Graph} from './graph.js';
import {isPlain, nearest} from './options.js';

/** Without TensorFlow's number of an output. */
export const bare = (name: string): string => name.replace(/:0$/, '');

/** True for the names of summaries: all of them, or those of a tag. */
export const isSummary = (name: string): boolean =>
  /^summary_op(\/|$)/.test(name);

/** The part of a result that `a/b` leads to, undefined for none. */
function part(result: unknown, path: readonly string[]): unknown {
  let x = result;
  for (const key of path) {
    if (!(Array.isArray(x) || isPlain(x)) || !Object.hasOwn(x, key)) {
      return undefined;
    }
    x = (x as Record<string, unknown>)[key];
  }
  return x;
}

/** What a name means of what a function returned, undefined for nothing. */
export function partNamed(name: string, f: Declared, result: unknown): unknown {
  if (name === f.name) return result ?? null;
  return name.startsWith(`${f.name}/`) ?
    part(result, name.slice(f.name.length + 1).split('/')) : undefined;
}

/** Errors: a function gives what a variable of the graph is named. */
export function checkClash(
    name: string, f: Declared, result: unknown, more = ''): void {
  if (result === undefined || partNamed(name, f, result) === undefined) return;
  throw new InvalidArgumentError(
      `run: '${name}' is a variable, and what the ${f.kind} '${f.name}' ` +
          'returned: give one of them another name, or fetch the variable ' +
          'itself' + more);
}

/** The functions whose result or part a name may be, the likeliest last. */
const ownersOf = (name: string, graph: Graph): Declared[] =>
  graph.functions
      .filter((f) => name === f.name || name.startsWith(`${f.name}/`))
      .sort((a, b) => a.name.length - b.name.length);

/** False once a function has run and returned nothing of this name. */
const mayGive = (f: Declared, name: string): boolean =>
  f.outline === undefined || partNamed(name, f, f.outline) !== undefined;

const lacks = (who: string, {name}: Declared, part: string): string =>
  `${who}: what '${name}' returned has no '${part}'`;

/**
 * Errors: what is no fetch; a name that no run of this graph could ever give. A function that is
 * there may still not be in a run, or not return such a part.
 */
export function checkNamed(who: string, fetches: unknown, graph: Graph): void {
  for (const leaf of leavesOf(fetches)) {
    checkLeaf(who, leaf);
    if (typeof leaf !== 'string') continue;
    const name = bare(leaf);
    if (isSummary(name) || graph.has(name) || graph.has(leaf)) continue;
    if (name === 'global_step' && getGlobalStep(graph) !== null) continue;
    const owners = ownersOf(name, graph);
    if (owners.some((f) => mayGive(f, name))) continue;
    if (owners.length > 0) {
      throw new InvalidArgumentError(lacks(who, owners.at(-1)!, name));
    }
    const near = nearest(name, [
      ...graph.variables.keys(),
      ...[...graph.functions, ...graph.placeholders].map((x) => x.name),
    ]);
    throw new InvalidArgumentError(
        `${who}: the graph has nothing of the name '${leaf}'` +
            (variableNamed(name) !== undefined ?
              ': the variable of that name was made in another graph, as ' +
                'before clear_session() or resetDefaultGraph()' :
              near === undefined ? '' : `; did you mean '${near}'?`));
  }
}

/**
 * Why none of the functions of a run gives what is asked for by a name,
 * undefined where one `gives` it; `lenient` goes without functions that are not
 * in the run.
 */
export function notGiven(
    name: string, graph: Graph, ran: ReadonlySet<unknown>, lenient: boolean,
    gives: (f: Declared, name: string) => boolean = mayGive)
    : string | undefined {
  const owners = ownersOf(name, graph);
  if (owners.some((f) => ran.has(f) && gives(f, name))) return undefined;
  const f = owners.at(-1)!;
  // Hooks go without functions that did not run, but not without parts that
  // functions do not have: those are misspelt.
  if (ran.has(f)) return lacks('run', f, name);
  return lenient ? undefined :
    `run: '${name}' is a result of the ${f.kind} '${f.name}', which is not ` +
        'part of this run: a name never makes a function run';
}
