import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { listTestFiles } from './files.ts';
import { inParallel, runMocha } from './mocha.ts';
import { pauseAgainAndAgain } from './pauses.ts';
import { shuffle } from './shuffle.ts';

// `npm run test:stress -- [folder ...]`: all tests several times, in a random order of files, on a machine with other
// load, or with `--pauses` on one that stops all of them for moments. A test that fails in any round fails by
// chance, or depends on the tests that ran before it in its process.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '10' },
    seed: { type: 'string' },
    jobs: { type: 'string' },
    pauses: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);
const first = Number(values.seed ?? Date.now() % 1_000_000);

/** A busy process for each core. @returns ends them */
const loadCores = (): (() => void) => {
  const load = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' }),
  );
  return () => load.forEach((child) => child.kill('SIGKILL'));
};
process.once('exit', values.pauses ? pauseAgainAndAgain() : loadCores());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const { parallel, alone } = listTestFiles(positionals, true);
const jobs = values.jobs === undefined ? undefined : Number(values.jobs);
const reporter = ['--reporter', join(import.meta.dirname, 'failures-reporter.ts')];
let failures = 0;

/** Mocha's exit code is the number of failures, up to 255. */
const runRound = async (round: number, kind: string, words: readonly string[]): Promise<void> => {
  console.log(`round ${round}, ${kind}`);
  failures += await runMocha([...words, ...reporter]);
};

for (let round = 1; round <= rounds; round += 1) {
  const seed = first + round - 1;
  console.log(`round ${round}: --seed ${seed} --rounds 1 repeats it`);
  if (parallel.length > 0) await runRound(round, 'parallel', [...inParallel(jobs), ...shuffle(parallel, seed)]);
  if (alone.length > 0) await runRound(round, 'alone', shuffle(alone, seed));
}
console.log(`${failures} failures in ${rounds} rounds`);
process.exit(failures === 0 ? 0 : 1);
