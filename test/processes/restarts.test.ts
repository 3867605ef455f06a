import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { json, readJson } from '../support/admin.ts';
import { send } from '../support/http.ts';
import { until } from '../support/until.ts';
import { createAsk } from '../reload/generations.ts';
import { configOf, startKoine, type KoineProcess } from './koine-process.ts';

// KOINE_RESTARTS=200 KOINE_RELOADS=20 mocha test/processes/restarts.test.ts
const RESTARTS = Number(process.env['KOINE_RESTARTS'] ?? 10);
const RELOADS = Number(process.env['KOINE_RELOADS'] ?? 5);
const [CLIENTS, PAUSE_MS] = [8, 50];
/** About how long a restart takes on a busy machine, with room. */
const RESTART_MS = 10_000;

const unruly = fileURLToPath(new URL('../fixtures/extensions/unruly/index.ts', import.meta.url));
/** @param model of the upstream: a reload that changes it changes each response */
const settingsOf = (model: string) => ({
  server: { workers: 2, watch: false },
  models: { 'simulator/chat': { targets: [{ provider: 'simulator', model }] } },
  plugins: [{ use: 'metrics' }, { use: 'auth' }, { use: unruly }],
});

/** What clients saw. */
interface Seen {
  answered: number;
  /** Connections that were refused, and those that ended before a worker had responded on them. */
  refused: number;
  dropped: number;
  /** Requests on the connection of a worker that was killed. */
  killed: number;
  /** Requests on the connection of another one. */
  readonly lost: string[];
  readonly models: Set<string>;
}

/** One connection after the other, with one request after the other. A worker has it from its first response on. */
const runClient = async (
  koine: KoineProcess,
  killed: ReadonlySet<string>,
  over: AbortSignal,
  seen: Seen,
): Promise<void> => {
  while (!over.aborted) {
    const { ask, end } = createAsk(koine);
    let worker: string | undefined;
    try {
      while (!over.aborted) {
        const { status, headers, text } = await ask();
        worker = String(headers['x-worker']);
        if (status !== 200) seen.lost.push(`${worker}: ${status} ${text}`);
        seen.answered += 1;
        seen.models.add(/"model":"([\w-]+)"/.exec(text)?.[1] ?? text);
        // Otherwise the clients alone have the machine, and a successor starts for seconds.
        await delay(PAUSE_MS);
      }
    } catch (error) {
      if (worker !== undefined && !killed.has(worker)) seen.lost.push(`${worker}: ${String(error)}`);
      else if (worker !== undefined) seen.killed += 1;
      else if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') seen.refused += 1;
      else seen.dropped += 1;
    }
    end();
    await delay(5);
  }
};

/** Kills a worker. @param meanwhile waited for as well */
const restartOne = async (koine: KoineProcess, killed: Set<string>, meanwhile?: Promise<unknown>): Promise<void> => {
  const [victim = 0] = koine.liveWorkers();
  const known = koine.workers().length;
  killed.add(String(victim));
  koine.kill(victim);
  await Promise.all([meanwhile, until('a successor', () => koine.workers().length > known)]);
};

describe('workers that end again and again under load', function () {
  this.timeout(60_000 + RESTARTS * RESTART_MS);

  it('no request that another worker has is lost, none waits forever, and each reload succeeds', async () => {
    const koine = await startKoine(settingsOf('chat-0'));
    const over = new AbortController();
    const killed = new Set<string>();
    const seen: Seen = { answered: 0, refused: 0, dropped: 0, killed: 0, lost: [], models: new Set() };
    const results: string[] = [];
    const reload = async (model: string): Promise<void> => {
      writeFileSync(koine.file, stringify(configOf(settingsOf(model))));
      const reply = await send(koine.adminUrl, { path: '/admin/reload', headers: json, body: '{}' });
      results.push(readJson<{ readonly result: string }>(reply).result);
    };
    const clients = Array.from({ length: CLIENTS }, () => runClient(koine, killed, over.signal, seen));
    const every = Math.floor(RESTARTS / RELOADS);
    try {
      for (let restart = 1; restart <= RESTARTS; restart += 1) {
        await delay(100);
        const isReload = restart % every === 0 && results.length < RELOADS;
        await restartOne(koine, killed, isReload ? reload(`chat-${results.length + 1}`) : undefined);
      }
      await until('a response of the last configuration', () => seen.models.has(`chat-${RELOADS}`));
    } finally {
      over.abort();
      await Promise.all(clients);
      await koine.end();
    }
    const { lost, models, ...counts } = seen;
    if (process.env['KOINE_RESTARTS'] !== undefined)
      process.stdout.write(`${JSON.stringify({ ...counts, lost: lost.length, reloads: results.length })}\n`);
    expect(lost).to.deep.equal([]);
    expect(results).to.deep.equal(Array.from({ length: RELOADS }, () => 'reloaded'));
    expect([...models]).to.have.length(1 + RELOADS);
    expect(seen.answered).to.be.greaterThan(RESTARTS * 10);
  });
});
