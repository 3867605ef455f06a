import { setTimeout as delay } from 'node:timers/promises';
import { readLedger } from '../../test/ledger/read-ledger.ts';
import { readAccessLog, type LogReport } from './access-log.ts';
import { startClients, type Clients } from './clients.ts';
import { faults as upstreamFaults } from './faults.ts';
import { startSoakGateway, type SoakGateway } from './gateway.ts';
import { takeSample, type Sample } from './sample.ts';
import { createRotation } from './rotation.ts';
import { KEY, NARROW_KEY, soakSettings } from './settings.ts';
import { startSoakUpstream, type Pace, type SoakUpstream } from './upstream.ts';
import type { Facts, LedgerReport } from './verdict.ts';

export interface SoakOptions {
  readonly seconds: number;
  /**
   * The run continues until the access log has enough, for at most ten times `seconds`, so that a short run on a slow
   * machine covers everything as well.
   */
  readonly isEnough?: (log: LogReport) => boolean;
  readonly streams: number;
  /** The share of calls that fail, with all faults equally often, aborting clients included. */
  readonly faults: number;
  readonly pace: Pace;
  /** Seconds between two samples. */
  readonly sampleEvery: number;
  readonly onSample: (sample: Sample) => void;
}

export interface SoakReport extends Facts {
  /** How often each upstream fault was used. */
  readonly faultCounts: ReadonlyMap<string, number>;
}

/** Time for the remains of a load to end. What is open after that is a leak. */
const SETTLING_MS = 30_000;
const PLAIN_PAUSE_MS = 1_000;

const sumFaults = (upstreams: readonly SoakUpstream[]): ReadonlyMap<string, number> => {
  const sums = new Map<string, number>();
  for (const { faultCounts } of upstreams)
    for (const [name, times] of faultCounts) sums.set(name, (sums.get(name) ?? 0) + times);
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

/** One client in ten does not stream. */
const load = ({ url }: SoakGateway, name: string, streams: number, abortShare: number): Clients => {
  const narrow = createRotation([NARROW_KEY], 0.05);
  const plain = Math.ceil(streams / 10);
  return startClients({
    url: () => url,
    key: () => narrow() ?? KEY,
    name,
    streams,
    plain,
    pauseMs: PLAIN_PAUSE_MS,
    abortShare,
  });
};

/** Uses everything once, so that whatever is opened on first use is open. */
const warmUp = (gateway: SoakGateway): Promise<void> => load(gateway, 'warm', 16, 0).stop();

class SoakRun {
  readonly #gateway: SoakGateway;
  readonly #upstreams: readonly SoakUpstream[];
  readonly #options: SoakOptions;
  #startedAt = performance.now();

  constructor(gateway: SoakGateway, upstreams: readonly SoakUpstream[], options: SoakOptions) {
    this.#gateway = gateway;
    this.#upstreams = upstreams;
    this.#options = options;
  }

  async play(): Promise<SoakReport> {
    await warmUp(this.#gateway);
    const before = await this.#settle(({ upstream, inFlight }) => upstream === 0 && inFlight === 0);
    this.#startedAt = performance.now();
    const { streams, faults } = this.#options;
    const clients = load(this.#gateway, 'soak', streams, faults / (upstreamFaults.length + 1));
    const samples = await this.#sampleLoad();
    await clients.stop();
    const after = await this.#settle(
      ({ descriptors, upstream, inFlight }) =>
        descriptors <= before.descriptors && upstream <= before.upstream && inFlight === 0,
    );
    const exitCode = await this.#gateway.stop();
    return {
      before,
      samples,
      after,
      tally: clients.tally,
      log: await readAccessLog(this.#gateway.log),
      ledger: await countRows(this.#gateway.database),
      stderr: this.#gateway.stderr(),
      exitCode,
      faultCounts: sumFaults(this.#upstreams),
    };
  }

  /** Takes samples until the run is over. */
  async #sampleLoad(): Promise<readonly Sample[]> {
    const { sampleEvery, onSample } = this.#options;
    const samples: Sample[] = [];
    while (!(await this.#isOver())) {
      await delay(sampleEvery * 1_000);
      const sample = await this.#takeSample();
      samples.push(sample);
      onSample(sample);
    }
    return samples;
  }

  async #isOver(): Promise<boolean> {
    const { seconds, isEnough = () => true } = this.#options;
    if (this.#elapsed() <= seconds) return false;
    if (this.#elapsed() > seconds * 10) return true;
    // The last line can be incomplete while it is written.
    return readAccessLog(this.#gateway.log).then(isEnough, () => false);
  }

  async #settle(isSettled: (sample: Sample) => boolean): Promise<Sample> {
    const deadline = performance.now() + SETTLING_MS;
    for (;;) {
      for (const upstream of this.#upstreams) upstream.closeIdle();
      const sample = await this.#takeSample();
      if (isSettled(sample) || performance.now() > deadline) return sample;
      await delay(500);
    }
  }

  #takeSample(): Promise<Sample> {
    return takeSample(this.#gateway, () => ({
      at: this.#elapsed(),
      upstream: this.#upstreams.reduce((sum, upstream) => sum + upstream.connections(), 0),
    }));
  }

  /** Seconds since the start of the load. */
  #elapsed(): number {
    return (performance.now() - this.#startedAt) / 1_000;
  }
}

/** Runs a gateway in its own process between clients and two vendors. */
export async function soak(options: SoakOptions): Promise<SoakReport> {
  const kinds = upstreamFaults.length;
  const share = (options.faults * kinds) / (kinds + 1);
  const upstreams = [
    await startSoakUpstream(options.pace, share),
    await startSoakUpstream(options.pace, share),
  ] as const;
  const gateway = await startSoakGateway(soakSettings(upstreams[0].url, upstreams[1].url, options.pace.every));
  try {
    return await new SoakRun(gateway, upstreams, options).play();
  } finally {
    gateway.remove();
    for (const upstream of upstreams) await upstream.stop();
  }
}
