import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { install, type Installation } from '../../../test/package/install.ts';
import { cpuTime, residentMemory } from '../gateways/machine.ts';
import { start, startBare, startKoine, type Running } from '../gateways/processes.ts';
import { settingsOf } from '../gateways/settings.ts';
import { median } from '../measure/statistics.ts';
import { options } from '../options.ts';
import type { Extra, Figure } from './extra.ts';

const STARTS = 5;
/** Until what a start has left behind is collected, as far as it will be. */
const IDLE_MS = 5_000;
const NODE_ALONE = 'console.log("ready"); setInterval(() => {}, 60_000)';

const memoryOf = async (running: Running): Promise<number> => {
  await delay(IDLE_MS);
  const bytes = residentMemory(running.pids());
  await running.stop();
  return bytes / 1e6;
};

const measureStarts = async (what: string, startOne: () => Promise<Running>): Promise<readonly Figure[]> => {
  const [times, cpus]: [number[], number[]] = [[], []];
  // The first start compiles the code that the others find in a cache.
  await memoryOf(await startOne());
  for (let time = 0; time < STARTS; time += 1) {
    const before = performance.now();
    const running = await startOne();
    times.push(performance.now() - before);
    cpus.push(cpuTime(running.pids()) / 1e3);
    await running.stop();
  }
  return [
    { what: `${what}: start to ready`, value: median(times), unit: 'ms' },
    { what: `${what}: CPU to ready`, value: median(cpus), unit: 'ms' },
    { what: `${what}: idle memory`, value: await memoryOf(await startOne()), unit: 'MB' },
  ];
};

const startNode = (): Promise<Running> =>
  start({ command: [process.execPath, '-e', NODE_ALONE], role: 'gateway' }, (line) => line);

/** The package as `npm install` installs it, with the same settings as `everything`. It needs a registry. */
const installOrSkip = async (): Promise<Installation | undefined> => {
  try {
    return await install();
  } catch (error) {
    console.error(`The package is left out, since it cannot be installed: ${String(error)}`);
    return undefined;
  }
};

/** From the start of the process to the line that it serves, and what it holds when it has been idle for a while. */
export const startAndMemory: Extra = {
  name: 'start',
  title: 'Start to ready (medians of five starts), its processor time, and resident memory when idle',
  run: async (upstream) => {
    const installed = await installOrSkip();
    const startEverything = (root?: string) => () => startKoine(settingsOf('everything', upstream.url), root);
    const gateways: readonly (readonly [what: string, start: () => Promise<Running>])[] = [
      ...(installed === undefined ? [] : [['installed', startEverything(join(installed.folder, 'dist'))] as const]),
      ['everything', startEverything()],
      ...(options.other === undefined ? [] : [['everything (other)', startEverything(options.other)] as const]),
      ['bare', () => startBare(upstream.url)],
      ['Node alone', startNode],
    ];
    const figures: Figure[] = [];
    for (const [what, startOne] of gateways) figures.push(...(await measureStarts(what, startOne)));
    if (installed !== undefined) {
      const memoryWith = async (workers: number): Promise<number> => {
        const settings = settingsOf('everything', upstream.url, { server: { port: 0, workers } });
        return memoryOf(await startKoine(settings, join(installed.folder, 'dist')));
      };
      await memoryWith(2);
      const [two, six] = [await memoryWith(2), await memoryWith(6)];
      figures.push({ what: 'installed: memory of a further worker', value: (six - two) / 4, unit: 'MB' });
    }
    installed?.remove();
    return figures;
  },
};
