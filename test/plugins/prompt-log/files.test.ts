import { expect } from 'chai';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { raceProcesses } from '../../support/race-processes.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';

const MB = 1_048_576;
const PROCESSES = 3;
/** A process looks at the size of all files after one hundredth of it, and one write. */
const AHEAD = PROCESSES * (MB / 100 + 4_001);

describe('files of the prompt log that several processes write', () => {
  it('stay within their size together while all of them write, and each file within its own', async () => {
    const folder = createTemporaryFolder();
    const directory = join(folder.path, 'prompts');
    const measure = (): readonly number[] => {
      const names = statSync(directory, { throwIfNoEntry: false }) === undefined ? [] : readdirSync(directory);
      return names.map((name) => statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0);
    };
    const seen: number[] = [];
    const racing = { isOver: false };
    const watch = async (): Promise<void> => {
      while (!racing.isOver) {
        seen.push(measure().reduce((sum, size) => sum + size, 0));
        await delay(5);
      }
    };
    const watching = watch();
    const script = new URL('files-racing.ts', import.meta.url);
    expect(await raceProcesses(script, folder.path, PROCESSES)).to.deep.equal(Array(PROCESSES).fill('written'));
    racing.isOver = true;
    await watching;
    const last = measure();
    folder.remove();
    expect(Math.max(...seen)).to.be.greaterThan(MB / 2);
    expect(Math.max(...seen)).to.be.at.most(MB + AHEAD);
    expect(Math.max(...last)).to.be.at.most(65_536);
    expect(new Set(last).size).to.be.greaterThan(0);
  });
});
