import { expect } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { loadConfig } from '../../core/config/load.ts';
import { startGateway } from '../../core/gateway.ts';
import { systemClock } from '../../core/services/clock.ts';
import { createTestLog } from '../../core/testing/index.ts';
import { builtIns } from '../support/gateway.ts';
import { writeGeneration } from './generations.ts';

/** The heap is measured after a garbage collection. */
const collectGarbage = (): void => {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
};

const WARM = 40;
const ROUNDS = 80;
const ATTEMPTS = 3;
const MOST = 1.05;

describe('the memory of a process over many reloads', function () {
  this.timeout(300_000);

  it('memory does not grow over many reloads', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'koine-reload-'));
    const file = join(folder, 'gateway.yaml');
    const log = { ...createTestLog(), info: () => {}, warn: () => {} };
    const write = (name: string) => writeFile(file, writeGeneration(name));
    await write('A');
    const load = () => loadConfig(file, builtIns, process.env);
    const gateway = await startGateway(await load(), { log: { ...log, child: () => log }, clock: systemClock, load });
    try {
      const reload = async (times: number): Promise<number> => {
        for (let index = 0; index < times; index += 1) {
          await write(index % 2 === 0 ? 'B' : 'A');
          expect((await gateway.reloads.request('admin')).result).to.equal('reloaded');
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
        collectGarbage();
        return process.memoryUsage().heapUsed;
      };
      let before = await reload(WARM);
      const growths: number[] = [];
      // What else the process does can add to one comparison, not to all of them.
      while (growths.length < ATTEMPTS && !growths.some((growth) => growth < MOST)) {
        const after = await reload(ROUNDS);
        growths.push(after / before);
        before = after;
      }
      expect(Math.min(...growths)).to.be.below(MOST);
    } finally {
      await gateway.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
