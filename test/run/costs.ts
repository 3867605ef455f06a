import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { FileCost } from '../mocha/costs.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { listTestFiles } from './files.ts';
import { inParallel, runMocha } from './mocha.ts';

// `npm run test:costs -- [folder ...]`: the CPU time of each test file, most expensive first. `--write` writes the most
// expensive ones to expensive.txt, so many that the others take three and a half minutes of two cores. `npm test` then
// takes four.
const OTHERS_MS = 3.5 * 60_000 * 2;
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

const mostFirst = costs.toSorted((one, other) => cpu(other) - cpu(one));

const seconds = (milliseconds: number): string => (milliseconds / 1_000).toFixed(1).padStart(8);
const sum = (of: (cost: FileCost) => number): number => costs.reduce((total, cost) => total + of(cost), 0);
console.log(`${seconds(sum(cpu))} s of CPU time in ${costs.length} files\n     own children    wall  file`);
for (const cost of mostFirst.slice(0, LISTED))
  console.log(`${seconds(cost.own)} ${seconds(cost.children)}${seconds(cost.wall)}  ${cost.file}`);

if (values.write) {
  let others = sum(cpu);
  const expensive: FileCost[] = [];
  for (const cost of mostFirst) {
    if (others <= OTHERS_MS) break;
    others -= cpu(cost);
    expensive.push(cost);
  }
  const longest = expensive.toSorted((one, other) => other.wall - one.wall);
  writeFileSync(join(import.meta.dirname, 'expensive.txt'), longest.map(({ file }) => `${file}\n`).join(''));
}
