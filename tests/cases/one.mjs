/** Runs one case: node --expose-gc one.mjs ID TARGET; prints a RESULT line. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { cases, helpersFor, same, show } from './table.mjs';

const [id, target] = process.argv.slice(2);
const module = await import(pathToFileURL(path.resolve(target)).href);
const { default: main } = module;
const tf = module.tf ?? main?.tf ?? (main?.tensor ? main : module);
await tf.ready?.();

const chosen = cases.find((one) => one.id === Number(id));
const wanted = chosen.expectAny ?? [chosen.expect];
let result;
try {
  const got = await chosen.run(tf, helpersFor(tf));
  const ok = wanted.some((want) => same(got, want, chosen.tol));
  result = { ok, got: show(got) };
} catch (error) {
  const message = String(error?.message ?? error).slice(0, 200);
  result = { ok: false, got: `threw ${message}` };
}
console.log(`RESULT ${JSON.stringify(result)}`);
process.exit(0);
