import { setTimeout as delay } from 'node:timers/promises';
import { residentMemory } from '../gateways/machine.ts';
import { start, startBare, startKoine, type Running } from '../gateways/processes.ts';
import { settingsOf } from '../gateways/settings.ts';
import { median } from '../measure/statistics.ts';
import { options } from '../options.ts';
import type { Extra } from './extra.ts';

const STARTS = 5;
/** Until what a start has left behind is collected, as far as it will be. */
const IDLE_MS = 5_000;
const NODE_ALONE = 'console.log("ready"); setInterval(() => {}, 60_000)';

const timeStarts = async (startOne: () => Promise<Running>): Promise<number> => {
  const times: number[] = [];
  for (let time = 0; time < STARTS; time += 1) {
    const before = performance.now();
    const running = await startOne();
    times.push(performance.now() - before);
    await running.stop();
  }
  return median(times);
};
const memoryOf = async (running: Running): Promise<number> => {
  await delay(IDLE_MS);
  const bytes = residentMemory(running.pids());
  await running.stop();
  return bytes / 1e6;
};

const startNode = (): Promise<Running> =>
  start({ command: [process.execPath, '-e', NODE_ALONE], place: 'gateway' }, (line) => line);

/** From the start of the process to the line that it serves, and what it holds when it has been idle for a while. */
export const startAndMemory: Extra = {
  name: 'start',
  title: 'Start to ready (medians of five starts), and resident memory when idle',
  run: async (upstream) => {
    const startEverything = (root?: string) => () => startKoine(settingsOf('everything', upstream.url), root);
    const gateways: readonly (readonly [what: string, start: () => Promise<Running>])[] = [
      ['everything', startEverything()],
      ...(options.other === undefined ? [] : [['everything (other)', startEverything(options.other)] as const]),
      ['bare', () => startBare(upstream.url)],
      ['Node alone', startNode],
    ];
    const figures = [];
    for (const [what, startOne] of gateways) {
      figures.push({ what: `${what}: start to ready`, value: await timeStarts(startOne), unit: 'ms' });
      figures.push({ what: `${what}: idle memory`, value: await memoryOf(await startOne()), unit: 'MB' });
    }
    return figures;
  },
};
