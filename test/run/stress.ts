import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { listTestFiles } from './files.ts';
import { inParallel, runMocha } from './mocha.ts';
import { shuffle } from './shuffle.ts';

// `npm run test:stress -- [folder ...]`: all tests several times, in a random order of files, on a machine with other
// load. A test that fails in any round fails by chance, or depends on the tests that ran before it in its process.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '10' }, seed: { type: 'string' }, jobs: { type: 'string' } },
});
const rounds = Number(values.rounds);
const first = Number(values.seed ?? Date.now() % 1_000_000);

/** A busy process for each core. */
const load = Array.from({ length: availableParallelism() }, () =>
  spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' }),
);
process.once('exit', () => load.forEach((child) => child.kill('SIGKILL')));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

interface Report {
  readonly stats: { readonly tests: number };
  readonly failures: readonly { readonly fullTitle: string; readonly err: { readonly message?: string } }[];
}

const folder = createTemporaryFolder();
mkdirSync(folder.path, { recursive: true });
const { parallel, alone } = listTestFiles(positionals, true);
const jobs = values.jobs === undefined ? undefined : Number(values.jobs);
const failed: string[] = [];

const runRound = async (round: number, kind: string, words: readonly string[]): Promise<void> => {
  const output = join(folder.path, `${round}-${kind}.json`);
  const code = await runMocha([...words, '--reporter', 'json', '--reporter-option', `output=${output}`]);
  const { stats, failures } = JSON.parse(readFileSync(output, 'utf8')) as Report;
  console.log(`round ${round}, ${kind}: ${stats.tests} tests, ${failures.length} failed, exit code ${code}`);
  for (const { fullTitle, err } of failures) console.log(`  ${fullTitle}\n    ${err.message?.split('\n')[0] ?? ''}`);
  failed.push(...failures.map(({ fullTitle }) => fullTitle));
  if (code !== 0 && failures.length === 0) failed.push(`round ${round}, ${kind}: exit code ${code}`);
};

for (let round = 1; round <= rounds; round += 1) {
  const seed = first + round - 1;
  console.log(`round ${round}: --seed ${seed} --rounds 1 repeats it`);
  if (parallel.length > 0) await runRound(round, 'parallel', [...inParallel(jobs), ...shuffle(parallel, seed)]);
  if (alone.length > 0) await runRound(round, 'alone', shuffle(alone, seed));
}
folder.remove();
console.log(`${failed.length} failures in ${rounds} rounds`);
process.exit(failed.length === 0 ? 0 : 1);
