import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readStates } from '../../../../core/server/reload/file-states.ts';
import { FileWatch } from '../../../../core/server/reload/watch-files.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';
import { until } from '../../../support/until.ts';

const times = { settleMs: 10, pollMs: 30 };

describe('FileWatch', () => {
  const folder = createTemporaryFolder();
  const file = join(folder.path, 'gateway.yaml');
  let reports = 0;
  let watch: FileWatch | undefined;
  const count = (): void => void (reports += 1);
  beforeEach(() => {
    reports = 0;
    writeFileSync(file, 'a: 1\n');
  });
  afterEach(() => watch?.close());
  after(() => folder.remove());

  it('does not report a file that is as it was before the gateway read it', async () => {
    watch = new FileWatch(count, times, await readStates([file]));
    watch.follow([file]);
    await delay(300);
    expect(reports).to.equal(0);
    writeFileSync(file, 'a: 2\n');
    await until('a report', () => reports === 1);
  });

  it('reports a file that has changed since then', async () => {
    const known = await readStates([file]);
    writeFileSync(file, 'a: 3\n');
    // Without a poll that could notice it.
    watch = new FileWatch(count, { ...times, pollMs: 600_000 }, known);
    watch.follow([file]);
    await until('a report', () => reports === 1);
  });

  it('reports a file whose earlier state is not known, to be safe', async () => {
    watch = new FileWatch(count, times);
    watch.follow([file]);
    await until('a report', () => reports === 1);
  });
});
