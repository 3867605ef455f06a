import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { root } from '../../architecture/source-files.ts';

/** Keeps what it allocates, before and after; prints the size of the young generation each time, in MB. */
const program = `
import { getHeapSpaceStatistics } from 'node:v8';
import { keepHeapSmall, letHeapGrow } from '${root}core/services/small-heap.ts';
const kept = [];
const measure = () => {
  for (let index = 0; index < 600_000; index += 1) kept.push({ index });
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space').space_size / 2 ** 20;
};
keepHeapSmall();
const small = measure();
letHeapGrow();
for (let round = 0; round < 4; round += 1) measure();
console.log(JSON.stringify([small, measure()]));
`;

/**
 * Fills the heap, drops all of it, and prints the resident memory before and then, in MB, and again when most of it was
 * given back, which V8 does some seconds later.
 */
const fullProgram = `
import { giveMemoryBack } from '${root}core/services/small-heap.ts';
const measure = () => process.memoryUsage.rss() / 2 ** 20;
const before = measure();
let kept = [];
for (let index = 0; index < 3_000_000; index += 1) kept.push({ index });
kept = undefined;
const full = measure();
const end = Date.now() + 120_000;
await giveMemoryBack();
while (measure() - before > 40 && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 100));
console.log(JSON.stringify([before, full, measure()]));
`;

describe('the heap of a start', () => {
  it('the young generation stays small until it may grow', () => {
    const words = ['--input-type=module', '--eval', program];
    const { stdout } = spawnSync(process.execPath, words, { encoding: 'utf8' });
    const [small, grown] = JSON.parse(stdout) as readonly [number, number];
    expect(small).to.be.below(12);
    expect(grown).to.be.above(24);
  });

  it('what is no longer needed is given back to the operating system', function () {
    this.timeout(150_000);
    const words = ['--input-type=module', '--eval', fullProgram];
    const { stdout } = spawnSync(process.execPath, words, { encoding: 'utf8' });
    const [before, full, after] = JSON.parse(stdout) as readonly [number, number, number];
    expect(full - before).to.be.above(80);
    expect(after - before).to.be.below(40);
  });
});
