import { writeFileSync } from 'node:fs';
import { send } from '../support/http.ts';
import { startKoine } from '../processes/koine-process.ts';
import { createAsk, generationIn, generationOf, writeGeneration } from './generations.ts';

export interface UnderLoadOptions {
  readonly reloads: number;
  readonly perSecond: number;
  readonly workers: number;
  /** The minimum time between reloads, in milliseconds. */
  readonly every?: number;
}

/** The results of many reloads under load. */
export interface UnderLoad {
  /** How many responses each generation gave. Other results are counted by their message. */
  readonly answers: ReadonlyMap<string, number>;
  /** How many reloads had each result. */
  readonly results: ReadonlyMap<string, number>;
  readonly opened: number;
  readonly closed: number;
  /** Error lines of the log, without refused configurations. */
  readonly errors: readonly object[];
  /** The memory of the process after each tenth of the reloads, in bytes. */
  readonly memory: readonly number[];
  readonly seconds: number;
}

const json = { 'content-type': 'application/json' };
const count = (counts: Map<string, number>, name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);

/** Reloads with the admin API (B, then one that is refused, then A, and so on) while clients send requests. */
export const reloadUnderLoad = async ({
  reloads,
  perSecond,
  workers,
  every = 0,
}: UnderLoadOptions): Promise<UnderLoad> => {
  const koine = await startKoine(generationOf('A', { server: { workers } }));
  const generations = [
    writeGeneration('B', { server: { workers } }),
    writeGeneration('C', { server: { workers } }, { broken: true }),
    writeGeneration('A', { server: { workers } }),
    'models: [half-writ',
  ];
  const { ask, end } = createAsk(koine);
  const answers = new Map<string, number>();
  const results = new Map<string, number>();
  const memory: number[] = [];
  const startedAt = performance.now();
  const over = new AbortController();
  const open = new Set<Promise<void>>();

  const askOnce = async (): Promise<void> =>
    count(answers, await ask().then(generationIn, (error: Error) => error.message));
  const load = async (): Promise<void> => {
    for (let sent = 0; !over.signal.aborted;) {
      for (const due = ((performance.now() - startedAt) / 1_000) * perSecond; sent < due; sent += 1) {
        const asking = askOnce().finally(() => open.delete(asking));
        open.add(asking);
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await Promise.all(open);
  };
  const reload = async (index: number): Promise<void> => {
    writeFileSync(koine.file, generations[index % generations.length] ?? '');
    const { text } = await send(koine.adminUrl, { path: '/admin/reload', headers: json, body: '{}' });
    count(results, (JSON.parse(text) as { readonly result: string }).result);
  };

  try {
    const loading = load();
    for (let index = 0; index < reloads; index += 1) {
      await Promise.all([reload(index), new Promise((resolve) => setTimeout(resolve, every))]);
      if ((index + 1) % Math.ceil(reloads / 10) === 0) memory.push(koine.memory());
    }
    over.abort();
    await loading;
    end();
    koine.signal('SIGTERM');
    await koine.exit;
    const lines = koine.lines();
    const sum = (text: string): number => lines.filter(({ message }) => message === text).length;
    const errors = lines.filter(
      ({ level, message }) => level === 'error' && !String(message).startsWith('the configuration was not reloaded'),
    );
    return {
      answers,
      results,
      opened: sum('generation opened'),
      closed: sum('generation closed'),
      errors,
      memory,
      seconds: (performance.now() - startedAt) / 1_000,
    };
  } finally {
    over.abort();
    end();
    await koine.end();
  }
};
