import { parseArgs } from 'node:util';
import { listTestFiles } from './files.ts';
import { inParallel, runMocha } from './mocha.ts';

// `npm test` and `npm run test:all`. A folder as argument runs all of its tests, and no others:
// `npm test -- test/limits`.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean', default: false }, jobs: { type: 'string' } },
});

const { parallel, alone, unchanged } = listTestFiles(positionals, values.all);
const jobs = values.jobs === undefined ? undefined : Number(values.jobs);
const codes = [
  parallel.length === 0 ? 0 : await runMocha([...inParallel(jobs), ...parallel]),
  alone.length === 0 ? 0 : await runMocha(alone),
];
if (unchanged.length > 0)
  console.log(`Not run, because nothing of theirs has changed (npm run test:all runs them):
  ${unchanged.join('\n  ')}`);
process.exitCode = Math.max(...codes);
