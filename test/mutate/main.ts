import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { copyCheckout, type MutatedCheckout } from './checkout.ts';
import { coveringTests } from './covering.ts';
import { chooseMutations, type Mutation } from './mutations.ts';

// `npm run mutate`: changes single lines of core, providers and plugins, each in a copy of the checkout, and runs the
// tests that load the file. A change that no test notices is a promise that no test holds.
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
const NOT_LOADED = 'no test could be loaded';
/** A change may make a loop that never ends. */
const TIMEOUT_MS = 600_000;

/** @returns the title of the first test that fails, or undefined */
const findFailure = ({ path }: MutatedCheckout, files: readonly string[]): string | undefined => {
  const words = [join(path, 'node_modules/mocha/bin/mocha.js'), '--bail', '--reporter', 'dot', ...files];
  const { status, stdout } = spawnSync(process.execPath, words, {
    cwd: path,
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
    maxBuffer: 1e8,
  });
  if (status === 0) return undefined;
  const [, title] = /^ +1\) (.*(?:\n {7}.*)*)/m.exec(stdout) ?? [];
  return title?.replaceAll(/\s+/g, ' ') ?? (status === null ? 'it does not end' : NOT_LOADED);
};

const test = (checkout: MutatedCheckout, { file }: Mutation, undo: () => void): string | undefined => {
  const files = coveringTests(file).slice(0, Number(values.files));
  for (let start = 0; start < files.length; start = start === 0 ? FIRST_BATCH : start + BATCH) {
    const batch = files.slice(start, start === 0 ? FIRST_BATCH : start + BATCH);
    const failure = findFailure(checkout, batch);
    if (failure === NOT_LOADED) {
      undo();
      if (findFailure(checkout, batch) === NOT_LOADED)
        throw new Error(`Without the change these tests cannot be loaded either: ${batch.join(' ')}`);
    }
    if (failure !== undefined) return failure;
  }
  return undefined;
};

const mutations = chooseMutations(Number(values.count), Number(values.seed));
const checkout = copyCheckout();
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
