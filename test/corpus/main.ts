import { corpusFiles } from './files.ts';
import { hasCorpus } from './lines.ts';
import { runCorpusFile, type Tally } from './run.ts';

// `npm run corpus`: every recorded interaction through both lanes of a real gateway; passed/total per file. `--failures` lists what failed.
const row = (cells: readonly (string | number)[]): string => cells.map((cell, index) => (index === 0 ? String(cell).padEnd(34) : String(cell).padStart(24))).join('');

if (!hasCorpus()) {
  console.log('The corpus is not here: skipped.');
} else {
  console.log(row(['file', 'native', 'translated', 'of these refused by 400']));
  const tallies: Tally[] = [];
  for (const file of corpusFiles) {
    const tally = await runCorpusFile(file);
    tallies.push(tally);
    console.log(row([tally.file, `${tally.native}/${tally.total}`, `${tally.translated}/${tally.total}`, tally.refused]));
  }
  const failures = tallies.flatMap(({ failures: found }) => found);
  if (process.argv.includes('--failures')) console.log(failures.join('\n'));
  const passed = tallies.reduce((sum, { native, translated }) => sum + native + translated, 0);
  console.log(`${passed} passed, ${failures.length} failed`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}
