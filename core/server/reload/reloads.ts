import { isDeepStrictEqual } from 'node:util';
import { renewCertificates } from '../../config/certificates/read-certificates.ts';
import { describePath } from '../../config/describe-path.ts';
import { findChanges, listChanges } from '../../config/diff/find-changes.ts';
import type { GatewayConfig } from '../../config/gateway-config.ts';
import type { Proposals } from '../../config/proposals.ts';
import type { LoadedConfig } from '../../config/load.ts';
import { ConfigError, encodeProblem, type Path } from '../../config/problem.ts';
import type { Alert, Metrics, Clock, Log } from '../../contracts/services.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { runInSlices, type Steps } from '../../services/slices.ts';
import { compareCode } from './compare-code.ts';
import { createReloadMeters } from './reload-meters.ts';
import {
  describeFailedReload,
  describeFailure,
  listFaultyFiles,
  logReload,
  type ReloadProblem,
  type ReloadReport,
  type ReloadTrigger,
} from './reload-report.ts';
import { keepRestartRequired } from './restart-required.ts';

export interface ReloadParts {
  /** The configuration that the process starts with. */
  readonly first: LoadedConfig;
  /** @param live the active configuration @throws ConfigError, GatewayError */
  readonly load: (live: LoadedConfig) => Promise<LoadedConfig>;
  /** For the admin API. */
  readonly proposals?: Proposals | undefined;
  /** Makes it active, or throws and has changed nothing. */
  readonly replace: (loaded: LoadedConfig) => Promise<void>;
  /** Adds the prices of the active configuration to the price history. */
  readonly keepPrices: (loaded: LoadedConfig) => void;
  readonly log: Log;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly alerts: { raise(alert: Alert): Promise<boolean> };
}

/** The settings whose files have another content. */
const findCertificateChanges = (
  before: Pick<LoadedConfig, 'certificates'>,
  after: Pick<LoadedConfig, 'certificates'>,
): readonly Path[] =>
  findChanges(before.certificates, after.certificates).flatMap(([listener, ...member]) =>
    listener === undefined ? [] : [[listener, 'tls', ...member]],
  );

/** Of more changes only the sections are named: a line of the log with 100,000 settings helps no one. */
const MOST_CHANGES = 1_000;

/** The settings that changed, by path. */
function* collectChanges(before: GatewayConfig, after: GatewayConfig): Steps<readonly Path[]> {
  let found = new Map<string, Path>();
  let depth = Infinity;
  const add = (path: Path): void => void found.set(path.slice(0, depth).join('\0'), path.slice(0, depth));
  for (const path of listChanges(before, after)) {
    yield;
    if (path !== undefined) add(path);
    while (found.size > MOST_CHANGES) {
      const all = [...found.values()];
      depth = Math.max(...all.map(({ length }) => length)) - 1;
      found = new Map();
      all.forEach(add);
    }
  }
  return [...found.values()];
}

type Outcome = Pick<ReloadReport, 'result' | 'changed' | 'overruled' | 'problems'>;

/**
 * The active configuration of a gateway and its reloads, one at a time. When a reload fails, the active configuration
 * stays.
 */
export class Reloads {
  readonly #parts: ReloadParts;
  readonly #countReload: ReturnType<typeof createReloadMeters>;
  #live: LoadedConfig;
  #loadedAt: number;
  #last: ReloadReport | undefined;
  #needsRestart: readonly string[] = [];
  /** The files of the configuration that was read last, active or not. */
  #filesRead: readonly string[] = [];
  #running: Promise<ReloadReport> | undefined;
  #next: Promise<ReloadReport> | undefined;
  #isStopped = false;

  constructor(parts: ReloadParts) {
    this.#parts = parts;
    this.#countReload = createReloadMeters(parts.metrics, parts.clock);
    this.#live = parts.first;
    this.#loadedAt = parts.clock.now();
  }

  /** The active configuration. */
  get live(): LoadedConfig {
    return this.#live;
  }

  /** When it became active, in unix milliseconds. */
  get loadedAt(): number {
    return this.#loadedAt;
  }

  get proposals(): Proposals | undefined {
    return this.#parts.proposals;
  }

  get last(): ReloadReport | undefined {
    return this.#last;
  }

  /** Settings of the file that apply after the next start. */
  get needsRestart(): readonly string[] {
    return this.#needsRestart;
  }

  /**
   * The files to watch: those of the active configuration and of the one that was read last, and those in which the
   * last reload found problems. Absolute.
   */
  get files(): readonly string[] {
    const faulty = this.#last === undefined ? [] : listFaultyFiles(this.#last);
    return [...new Set([...this.#live.files, ...this.#filesRead, ...faulty])];
  }

  /**
   * Reloads the configuration. Requests that come during a reload share the one that follows it.
   * @throws GatewayError `shutting_down`
   */
  request(trigger: ReloadTrigger): Promise<ReloadReport> {
    if (this.#running === undefined) return this.#begin(trigger);
    return (this.#next ??= this.#running.then(() => this.#begin(trigger)));
  }

  /** Resolves when no reload is running. */
  async idle(): Promise<void> {
    await (this.#next ?? this.#running);
  }

  /** Refuses further reloads. Resolves when the running one has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  #begin(trigger: ReloadTrigger): Promise<ReloadReport> {
    this.#next = undefined;
    if (this.#isStopped) return Promise.reject(new GatewayError('shutting_down'));
    this.#running = this.#reload(trigger).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #reload(trigger: ReloadTrigger): Promise<ReloadReport> {
    const outcome = await this.#apply().catch((thrown: unknown) => {
      if (thrown instanceof ConfigError) this.#filesRead = thrown.files;
      return this.#renewOnly(describeFailure(thrown));
    });
    const { log, clock, alerts } = this.#parts;
    const report: ReloadReport = {
      at: clock.now(),
      trigger,
      hash: this.#live.hash,
      needsRestart: this.#needsRestart,
      ...outcome,
    };
    if (trigger === 'file' && this.#isKnown(report)) return report;
    this.#last = report;
    this.#countReload(report.result);
    logReload(log, report);
    if (report.result === 'failed') void alerts.raise(describeFailedReload(report));
    return report;
  }

  /** A file that was saved without a change is not reported, and no problem twice. */
  #isKnown({ result, changed, problems }: ReloadReport): boolean {
    if (result === 'unchanged') return this.#last?.result !== 'failed';
    return result === 'failed' && changed.length === 0 && isDeepStrictEqual(problems, this.#last?.problems);
  }

  /** The outcome of a reload that failed. An error in a file must not keep renewed certificates from being served. */
  async #renewOnly(problems: readonly ReloadProblem[]): Promise<Outcome> {
    const certificates = renewCertificates(this.#live.certificates, this.#live.config);
    const changed = findCertificateChanges(this.#live, { certificates }).map(describePath);
    const outcome: Outcome = { result: 'failed', changed, overruled: [], problems };
    if (changed.length === 0) return outcome;
    const renewed = { ...this.#live, certificates };
    try {
      await this.#parts.replace(renewed);
      this.#live = renewed;
      return outcome;
    } catch (thrown) {
      return { ...outcome, changed: [], problems: [...problems, ...describeFailure(thrown)] };
    }
  }

  async #apply(): Promise<Outcome> {
    const read = await this.#parts.load(this.#live);
    this.#filesRead = read.files;
    const { changed: changedCode, outdated } = compareCode(this.#live, read);
    const overruled = findChanges(this.#live.overruled, read.overruled).map(describePath);
    const { loaded, restartRequired } = keepRestartRequired(read, this.#live);
    const certificates = findCertificateChanges(this.#live, loaded);
    if (read.digest === this.#live.digest && changedCode.length === 0 && certificates.length === 0) {
      this.#needsRestart = [...new Set([...this.#needsRestart, ...outdated.map(describePath)])];
      return { result: 'unchanged', changed: [], overruled: [], problems: [] };
    }
    const settings = await runInSlices(collectChanges(this.#live.config, loaded.config));
    const changes = [...settings, ...certificates, ...changedCode];
    await this.#parts.replace(loaded);
    this.#parts.keepPrices(loaded);
    this.#live = loaded;
    this.#loadedAt = this.#parts.clock.now();
    this.#needsRestart = [...restartRequired, ...outdated].map(describePath);
    const changed = [...new Set(changes.map(describePath))];
    return { result: 'reloaded', changed, overruled, problems: read.warnings.map(encodeProblem) };
  }
}
