import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { copyCheckout, type MutatedCheckout } from './checkout.ts';
import { coveringTests } from './covering.ts';
import { chooseMutations, type Mutation } from './mutations.ts';

// `npm run mutate`: changes single lines of core, providers and plugins, each in a copy of the checkout, and runs the
// compiler and the tests that load the file. A change that neither notices is a promise that no test holds.
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '25' },
    seed: { type: 'string', default: '1' },
    /** The tests of one change that are run at most, nearest first. */
    files: { type: 'string', default: '240' },
    list: { type: 'boolean', default: false },
  },
});

/** Mocha starts once for so many files: the nearest catch most changes. */
const FIRST_BATCH = 6;
const BATCH = 40;
/** A change may make a loop that never ends. */
const TIMEOUT_MS = 600_000;

interface Failure {
  readonly fullTitle: string;
  /** Absent if no test could be loaded, or if they do not end. */
  readonly file?: string;
}

/** @returns the first test that fails, or undefined */
const findFailure = ({ path }: MutatedCheckout, files: readonly string[]): Failure | undefined => {
  const output = join(path, 'test/output/failures.json');
  rmSync(output, { force: true });
  const reporter = ['--reporter', 'json', '--reporter-option', `output=${output}`];
  const words = [join(path, 'node_modules/mocha/bin/mocha.js'), '--bail', ...reporter, ...files];
  const { status } = spawnSync(process.execPath, words, {
    cwd: path,
    stdio: 'ignore',
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  if (status === 0) return undefined;
  if (status === null) return { fullTitle: 'the tests do not end' };
  if (!existsSync(output)) return { fullTitle: 'no test can be loaded' };
  return (JSON.parse(readFileSync(output, 'utf8')) as { readonly failures: readonly Failure[] }).failures[0];
};

const compiler = join(process.cwd(), 'node_modules/typescript/bin/tsc');

/** @returns the first problem of the sources, as `npm run check` reports it */
const findTypeError = ({ path }: MutatedCheckout): string | undefined => {
  const words = [compiler, '-p', 'tsconfig.build.json', '--noEmit'];
  const { status, stdout } = spawnSync(process.execPath, words, { cwd: path, encoding: 'utf8' });
  return status === 0 ? undefined : (stdout.split('\n')[0] ?? '');
};

const test = (checkout: MutatedCheckout, { file }: Mutation, undo: () => void): string | undefined => {
  const error = findTypeError(checkout);
  if (error !== undefined) return `the compiler: ${error}`;
  const files = coveringTests(file).slice(0, Number(values.files));
  for (let start = 0; start < files.length; start = start === 0 ? FIRST_BATCH : start + BATCH) {
    const batch = files.slice(start, start === 0 ? FIRST_BATCH : start + BATCH);
    const failure = findFailure(checkout, batch);
    if (failure === undefined) continue;
    undo();
    const before = findFailure(checkout, failure.file === undefined ? batch : [failure.file]);
    if (before !== undefined) throw new Error(`It fails without the change, too: ${before.fullTitle}`);
    return failure.fullTitle;
  }
  return undefined;
};

const mutations = chooseMutations(Number(values.count), Number(values.seed));
const checkout = copyCheckout();
const error = values.list ? undefined : findTypeError(checkout);
if (error !== undefined) throw new Error(`The checkout does not compile: ${error}`);
let caught = 0;
for (const [index, mutation] of mutations.entries()) {
  console.log(`${index + 1}. ${mutation.file}:${mutation.line}`);
  console.log(`   - ${mutation.before.trim()}\n   + ${mutation.after.trim()}`);
  if (values.list) continue;
  const undo = checkout.apply(mutation);
  const failure = test(checkout, mutation, undo);
  undo();
  if (failure !== undefined) caught += 1;
  console.log(failure === undefined ? '   survived' : `   caught by: ${failure}`);
}
checkout.remove();
if (!values.list) console.log(`${caught} of ${mutations.length} were caught.`);
process.exitCode = values.list || caught >= mutations.length - 1 ? 0 : 1;
