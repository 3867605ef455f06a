import { setTimeout as delay } from 'node:timers/promises';
import { startPostgres } from '../../../test/support/servers/postgres.ts';
import { startRedis } from '../../../test/support/servers/redis.ts';
import { noTally, startClients, type Clients } from '../clients.ts';
import { createRotation } from '../rotation.ts';
import { shorten } from '../verdict.ts';
import { startSoakUpstream, type Pace, type SoakUpstream } from '../upstream.ts';
import { readBooks, readBudgets, readRows, readSpools } from './books.ts';
import { findWrongBudgets, type Outcome } from './compare.ts';
import { Host } from './host.ts';
import type { Outage, Scene } from './plan.ts';
import { keyPaths, outageSettings, secretOf } from './settings.ts';

export interface OutageOptions {
  /** Played in turn until the time is over, each at least once. */
  readonly outages: readonly Outage[];
  readonly seconds: number;
  /** Whether the clients pause after each outage of this round, until everything agrees. The first round is 0. */
  readonly isRoundChecked: (round: number) => boolean;
  /** Factor on the lengths of the outages and of the pauses between them. */
  readonly scale: number;
  readonly streams: number;
  readonly plain: number;
  readonly pace: Pace;
  /** Of the ledger and of reservations, such as `15s`. */
  readonly lease: string;
  /** How long everything may take to agree after the end. */
  readonly settleSeconds: number;
  /** Called with what happens. */
  readonly log: (text: string) => void;
}

/** Between two outages. */
const PAUSE_SECONDS = 10;
/** Requests of a gateway before the next outage, and the longest wait for them. */
const [SERVED, SERVED_MS] = [10, 60_000];
const SCRAPE_MS = 1_000;
const PLAIN_PAUSE_MS = 100;
/** Shares of calls that fail, and of requests that are aborted. */
const [FAULTS, ABORTS] = [0.03, 0.02];

class OutageRun {
  readonly #options: OutageOptions;
  readonly #scene: Scene;
  readonly #tally = noTally();
  /** Checks between outages that found a difference. */
  readonly #differences: string[] = [];
  #isOver = false;

  constructor(options: OutageOptions, scene: Scene) {
    this.#options = options;
    this.#scene = scene;
  }

  async play(): Promise<Outcome> {
    const { hosts, postgres } = this.#scene;
    const scraping = this.#scrape();
    await this.#playOutages();
    this.#isOver = true;
    await scraping;
    const books = await readBooks(postgres.url, hosts);
    const lives = hosts.flatMap((host) => host.lives);
    return {
      books,
      tally: this.#tally,
      differences: this.#differences,
      stderr: lives.map(({ gateway }) => gateway.stderr()).join('\n'),
    };
  }

  #startClients({ streams, plain }: Pick<OutageOptions, 'streams' | 'plain'> = this.#options): Clients {
    const { pace } = this.#options;
    const { hosts } = this.#scene;
    const [nextHost, nextKey] = [createRotation([0, 1], 1), createRotation(keyPaths, 1)];
    const url = (): string => {
      const first = nextHost() ?? 0;
      return (hosts[first]?.life ?? hosts[1 - first]?.life)?.gateway.url ?? 'http://127.0.0.1:9';
    };
    return startClients({
      url,
      key: () => secretOf(nextKey() ?? ''),
      name: 'soak',
      streams,
      plain,
      pauseMs: Math.min(PLAIN_PAUSE_MS, pace.every),
      abortShare: streams === 0 ? 0 : ABORTS,
      tally: this.#tally,
    });
  }

  async #scrape(): Promise<void> {
    while (!this.#isOver) {
      await Promise.all(this.#scene.hosts.map((host) => host.scrape()));
      await delay(SCRAPE_MS);
    }
  }

  /** An outage in which Redis loses its counts hides what was wrong before, so that some rounds are checked. */
  async #playOutages(): Promise<void> {
    const { outages, seconds, isRoundChecked, log } = this.#options;
    const startedAt = performance.now();
    const passed = (): number => (performance.now() - startedAt) / 1_000;
    let clients = this.#startClients();
    for (let index = 0; index < outages.length || passed() < seconds; index += 1) {
      const outage = outages[index % outages.length];
      await this.#load();
      const begun = passed();
      await outage?.play(this.#scene);
      log(`${begun.toFixed(0)} s: ${outage?.name} (${(passed() - begun).toFixed(1)} s)`);
      if (!isRoundChecked(Math.floor(index / outages.length))) continue;
      await this.#load();
      await clients.stop();
      await this.#settle(outage?.name ?? '');
      clients = this.#startClients();
    }
    await this.#load();
    await clients.stop();
    await this.#settle('the last outage');
  }

  /** The time between two outages: every gateway has served some requests. */
  async #load(): Promise<void> {
    await this.#scene.hold(PAUSE_SECONDS);
    const deadline = performance.now() + SERVED_MS;
    const hasServed = ({ life }: Host): boolean => (life?.counted.requests ?? 0) >= SERVED;
    while (!this.#scene.hosts.every(hasServed) && performance.now() < deadline) await delay(100);
  }

  /** Waits until no row is open, nothing is in a spool, and the budgets are what the ledger has. */
  async #settle(after: string): Promise<void> {
    const { settleSeconds, log } = this.#options;
    const { hosts, postgres } = this.#scene;
    const startedAt = performance.now();
    for (;;) {
      // Requests release the reservations of gateways that were killed: one of each key at each host.
      await this.#startClients({ streams: 0, plain: hosts.length * keyPaths.length }).stop();
      await delay(500);
      const rows = await readRows(postgres.url);
      const open = rows.filter(({ state }) => state === 'pending').length;
      const [spooled, wrong] = [readSpools(hosts), findWrongBudgets(await Promise.all(hosts.map(readBudgets)), rows)];
      const seconds = (performance.now() - startedAt) / 1_000;
      if (open === 0 && spooled === 0 && wrong.length === 0) {
        log(`  after ${seconds.toFixed(0)} s, the budgets are what the ledger has: ${rows.length} rows`);
        return;
      }
      if (seconds > settleSeconds) {
        this.#differences.push(`${after}: ${open} open, ${spooled} bytes in spools, ${shorten(wrong)}`);
        return log(`  BAD  ${this.#differences.at(-1)}`);
      }
      await delay(1_000);
    }
  }
}

/** Runs two gateways on one Postgres and one Redis through the outages. */
export async function soakOutages(options: OutageOptions): Promise<Outcome> {
  const { pace, lease, scale } = options;
  const upstreams: readonly [SoakUpstream, SoakUpstream] = [
    await startSoakUpstream(pace, FAULTS),
    await startSoakUpstream(pace, FAULTS),
  ];
  // Commits must survive a kill -9 of the server.
  const [postgres, redis] = [await startPostgres('-c', 'synchronous_commit=on'), await startRedis()];
  const createHost = (workers: number): Host =>
    new Host((spool) =>
      outageSettings({
        upstreams: [upstreams[0].url, upstreams[1].url],
        pause: pace.every,
        postgres: postgres.url,
        redis: redis.url,
        workers,
        lease,
        spool,
      }),
    );
  const hosts = [createHost(1), createHost(2)] as const;
  const hold = (seconds: number): Promise<void> => delay(seconds * scale * 1_000);
  try {
    await Promise.all(hosts.map((host) => host.start()));
    return await new OutageRun(options, { redis, postgres, hosts, hold }).play();
  } finally {
    for (const host of hosts) host.remove();
    await Promise.all([...upstreams.map((upstream) => upstream.stop()), redis.stop(), postgres.stop()]);
  }
}
