import { corpusFiles, describeLeftOut } from './files.ts';
import { hasCorpus } from './lines.ts';
import type { Tally } from './run.ts';

// `npm run corpus`: every recorded interaction through a real gateway, on its own wire and to the SDKs of the others;
// passed/total per file and way,
// of these how many requests were refused by name (their answers are read all the same) and how many lost words and
// named the loss.
// `--failures` lists what failed, `--refusals` what was refused by name; a file name (or the beginning of one) runs
// that file alone.
const row = (cells: readonly (string | number)[]): string =>
  cells.map((cell, index) => (index < 2 ? String(cell).padEnd(44 - index * 4) : String(cell).padStart(12))).join('');
const show = ({ file, way, passed, total, refused, lossy }: Tally): string =>
  row([
    file,
    way,
    `${passed}/${total}`,
    refused === 0 ? '' : `${refused} refused`,
    lossy === 0 ? '' : `${lossy} lossy`,
  ]);

const runAll = async (only: string): Promise<readonly Tally[]> => {
  const tallies: Tally[] = [];
  for (const each of corpusFiles.filter(({ file }) => file.startsWith(only))) {
    const found = await each.run();
    for (const tally of found) console.log(show(tally));
    const leftOut = describeLeftOut(each);
    if (leftOut !== '') console.log(`${each.file} ${each.reason}: ${leftOut}`);
    tallies.push(...found);
  }
  return tallies;
};

if (!hasCorpus()) {
  console.log('The corpus is not here: skipped.');
} else {
  const asked = process.argv.slice(2);
  console.log(row(['file', 'way', 'passed', '']));
  const tallies = await runAll(asked.find((word) => !word.startsWith('-')) ?? '');
  if (asked.includes('--refusals')) console.log(tallies.flatMap(({ refusals }) => refusals).join('\n'));
  if (asked.includes('--failures')) console.log(tallies.flatMap(({ failures }) => failures).join('\n'));
  const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0);
  const failed = tallies.reduce((sum, { failures }) => sum + failures.length, 0);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
