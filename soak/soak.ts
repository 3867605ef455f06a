import { setTimeout as delay } from 'node:timers/promises';
import { readLedger } from '../test/ledger/read-ledger.ts';
import { readAccessLog, type LogReport } from './access-log.ts';
import { startClients } from './clients.ts';
import { faults as upstreamFaults } from './faults.ts';
import { startSoakedGateway, type SoakedGateway } from './gateway.ts';
import { look, type Look } from './look.ts';
import { soakSettings } from './settings.ts';
import { startSoakUpstream, type Pace, type SoakUpstream } from './upstream.ts';
import type { Facts, LedgerReport } from './verdict.ts';

export interface SoakOptions {
  readonly seconds: number;
  /** Goes on until the access log has enough, ten times as long at most: a short run on a slow machine meets everything too. */
  readonly isEnough?: (log: LogReport) => boolean;
  readonly streams: number;
  /** The share of calls that go wrong: all kinds of it alike, clients that leave among them. */
  readonly faults: number;
  readonly pace: Pace;
  /** Seconds between two looks. */
  readonly lookEvery: number;
  readonly tell: (look: Look) => void;
}

export interface SoakReport extends Facts {
  /** How often each upstream fault was done. */
  readonly done: ReadonlyMap<string, number>;
}

/** How long what is left of a load may take to end: what is still open then is left behind. */
const SETTLING_MS = 30_000;

const addUp = (upstreams: readonly SoakUpstream[]): ReadonlyMap<string, number> => {
  const sums = new Map<string, number>();
  for (const { done } of upstreams) for (const [name, times] of done) sums.set(name, (sums.get(name) ?? 0) + times);
  return sums;
};

const countRows = (database: string): Promise<LedgerReport> =>
  readLedger(database, async (ledger) => {
    const rows = await ledger
      .selectFrom('ledger')
      .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
      .groupBy('state')
      .execute();
    const count = (state: string): number => Number(rows.find((row) => row.state === state)?.count ?? 0);
    return { settled: count('settled'), open: count('pending') };
  });

/** Everything has been used once: what is opened on first use is open, and nothing else. */
const warmUp = ({ url }: SoakedGateway): Promise<void> => startClients(url, 'warm', 16, 0).stop();

const run = async (
  gateway: SoakedGateway,
  upstreams: readonly SoakUpstream[],
  { seconds, isEnough = () => true, streams, faults, lookEvery, tell }: SoakOptions,
): Promise<SoakReport> => {
  let startedAt = performance.now();
  const since = (): number => (performance.now() - startedAt) / 1_000;
  const lookNow = (): Promise<Look> =>
    look(gateway, () => ({
      at: since(),
      upstream: upstreams.reduce((sum, upstream) => sum + upstream.connections(), 0),
    }));
  const settle = async (isSettled: (found: Look) => boolean): Promise<Look> => {
    const deadline = performance.now() + SETTLING_MS;
    for (;;) {
      for (const upstream of upstreams) upstream.closeIdle();
      const found = await lookNow();
      if (isSettled(found) || performance.now() > deadline) return found;
      await delay(500);
    }
  };
  await warmUp(gateway);
  const before = await settle(({ upstream, inFlight }) => upstream === 0 && inFlight === 0);
  startedAt = performance.now();
  const clients = startClients(gateway.url, 'soak', streams, faults / (upstreamFaults.length + 1));
  const looks: Look[] = [];
  // Its last line may just be being written.
  const hasEnough = (): Promise<boolean> => readAccessLog(gateway.log).then(isEnough, () => false);
  const isOver = async (): Promise<boolean> => since() > seconds && (since() > seconds * 10 || (await hasEnough()));
  while (!(await isOver())) {
    await delay(lookEvery * 1_000);
    const found = await lookNow();
    looks.push(found);
    tell(found);
  }
  await clients.stop();
  const after = await settle(
    ({ descriptors, upstream, inFlight }) =>
      descriptors <= before.descriptors && upstream <= before.upstream && inFlight === 0,
  );
  const exitCode = await gateway.stop();
  const [log, ledger] = [await readAccessLog(gateway.log), await countRows(gateway.database)];
  return {
    before,
    looks,
    after,
    tally: clients.tally,
    log,
    ledger,
    said: gateway.said(),
    exitCode,
    done: addUp(upstreams),
  };
};

/** A gateway in a process of its own between clients and two vendors, for as long as was asked for. */
export async function soak(options: SoakOptions): Promise<SoakReport> {
  const kinds = upstreamFaults.length;
  const share = (options.faults * kinds) / (kinds + 1);
  const upstreams = [
    await startSoakUpstream(options.pace, share),
    await startSoakUpstream(options.pace, share),
  ] as const;
  const gateway = await startSoakedGateway(soakSettings(upstreams[0].url, upstreams[1].url, options.pace.every));
  try {
    return await run(gateway, upstreams, options);
  } finally {
    gateway.remove();
    for (const upstream of upstreams) await upstream.stop();
  }
}
