import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { FileCost } from '../mocha/costs.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { listTestFiles } from './files.ts';
import { inParallel, runMocha } from './mocha.ts';

// `npm run test:costs -- [folder ...]`: the CPU time of each test file, most expensive first. `--write` writes the
// files that take longest to longest-first.txt, which `npm test` starts first.
const LONGEST = 60;
const LISTED = 50;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false }, jobs: { type: 'string' } },
});

const folder = createTemporaryFolder();
const output = join(folder.path, 'costs.jsonl');
const { parallel } = listTestFiles(positionals, true);
const jobs = values.jobs === undefined ? undefined : Number(values.jobs);
process.exitCode = await runMocha([...inParallel(jobs), '--reporter', 'dot', ...parallel], {
  ...process.env,
  KOINE_TEST_COSTS: output,
});

const cpu = ({ own, children }: FileCost): number => own + children;
const costs = readFileSync(output, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as FileCost);
folder.remove();

const seconds = (milliseconds: number): string => (milliseconds / 1_000).toFixed(1).padStart(8);
const sum = (of: (cost: FileCost) => number): number => costs.reduce((total, cost) => total + of(cost), 0);
console.log(`${seconds(sum(cpu))} s of CPU time in ${costs.length} files\n     own children    wall  file`);
for (const cost of costs.toSorted((one, other) => cpu(other) - cpu(one)).slice(0, LISTED))
  console.log(`${seconds(cost.own)} ${seconds(cost.children)}${seconds(cost.wall)}  ${cost.file}`);

if (values.write) {
  const longest = costs.toSorted((one, other) => other.wall - one.wall).slice(0, LONGEST);
  writeFileSync(join(import.meta.dirname, 'longest-first.txt'), longest.map(({ file }) => `${file}\n`).join(''));
}
