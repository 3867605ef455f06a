import { resolve } from 'node:path';
import { redactSecrets } from '../../canonical/text/redact.ts';
import { describePath } from '../../config/describe-path.ts';
import { findChanges } from '../../config/diff/find-changes.ts';
import type { LoadedConfig } from '../../config/load.ts';
import { ConfigError, encodeProblem, type Problem } from '../../config/problem.ts';
import type { Clock, Log, Metrics } from '../../contracts/services.ts';
import { GatewayError, toGatewayError } from '../../errors/gateway-error.ts';
import { keepRestartRequired } from './restart-required.ts';
import { createReloadMeters, type ReloadResult } from './reload-meters.ts';

export type ReloadTrigger = 'signal' | 'file' | 'admin';
/** What is wrong with a configuration; without a place where it was good, and could not be started. */
export type ReloadProblem = Omit<Problem, 'frame'> | { readonly rule: string; readonly message: string };

/** What came of a reload. */
export interface ReloadReport {
  /** Unix milliseconds of its end. */
  readonly at: number;
  readonly trigger: ReloadTrigger;
  readonly result: ReloadResult;
  /** Of the configuration that is in force now. */
  readonly hash: string;
  /** Settings that are others now. */
  readonly changed: readonly string[];
  /** Settings of the file that wait for the next start. */
  readonly needsRestart: readonly string[];
  /** Settings that are others in the file, and for which the command line has said something else. */
  readonly overruled: readonly string[];
  readonly problems: readonly ReloadProblem[];
}

/** The configuration of a gateway, and how it becomes another. */
export interface Reloads {
  readonly live: LoadedConfig;
  /** Unix milliseconds. */
  readonly loadedAt: number;
  readonly last: ReloadReport | undefined;
  readonly needsRestart: readonly string[];
  /** Files whose change may make it another configuration; absolute. Those that were found faulty are among them. */
  readonly files: readonly string[];
  /** Reads it anew. Who asks while one is under way waits for the next, all of them for the same. @throws GatewayError `shutting_down` */
  request(trigger: ReloadTrigger): Promise<ReloadReport>;
  /** Resolves when none is under way. */
  idle(): Promise<void>;
  /** None begins from now on. */
  stop(): Promise<void>;
}

export interface ReloadParts {
  readonly first: LoadedConfig;
  /** @throws ConfigError, GatewayError */
  readonly load: () => Promise<LoadedConfig>;
  /** Puts it in force, or throws and has changed nothing. */
  readonly replace: (loaded: LoadedConfig) => Promise<void>;
  readonly log: Log;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

const describeFailure = (thrown: unknown): readonly ReloadProblem[] => {
  if (thrown instanceof ConfigError) return thrown.problems.map(encodeProblem);
  const { code, message } = toGatewayError(thrown);
  return [{ rule: code, message: redactSecrets(message) }];
};
const describeProblem = (problem: ReloadProblem): string => {
  const { rule, message } = problem;
  return 'file' in problem
    ? `${problem.file}:${problem.line}:${problem.column} ${problem.severity} ${rule} ${message}`
    : `${rule} ${message}`;
};
const filesOf = (problems: readonly ReloadProblem[]): readonly string[] =>
  problems.flatMap((problem) => ('file' in problem ? [resolve(problem.file)] : []));

/** Whatever goes wrong on the way to another configuration, the one in force stays. */
export function createReloads({ first, load, replace, log, clock, metrics }: ReloadParts): Reloads {
  const meters = createReloadMeters(metrics, clock);
  let live = first;
  let loadedAt = clock.now();
  let last: ReloadReport | undefined;
  let restartRequired: readonly string[] = [];
  let running: Promise<ReloadReport> | undefined;
  let next: Promise<ReloadReport> | undefined;
  let isStopped = false;

  const take = async (): Promise<Pick<ReloadReport, 'result' | 'changed' | 'overruled' | 'problems'>> => {
    const read = await load();
    if (read.hash === live.hash) return { result: 'unchanged', changed: [], overruled: [], problems: [] };
    const overruled = findChanges(live.overruled, read.overruled).map(describePath);
    const reloadable = keepRestartRequired(read, live.config);
    const changed = findChanges(live.config, reloadable.loaded.config).map(describePath);
    await replace(reloadable.loaded);
    live = reloadable.loaded;
    loadedAt = clock.now();
    restartRequired = reloadable.restartRequired.map(describePath);
    return { result: 'reloaded', changed, overruled, problems: read.warnings.map(encodeProblem) };
  };
  const say = ({ trigger, result, hash, changed, needsRestart, overruled, problems }: ReloadReport): void => {
    const told = problems.map(describeProblem);
    if (result === 'failed')
      log.error({ trigger, hash, problems: told }, 'the configuration was not reloaded: the one before stays in force');
    else if (result === 'unchanged') log.info({ trigger, hash }, 'the configuration is what it was');
    else
      log.info(
        { trigger, hash, changed, ...(told.length === 0 ? {} : { problems: told }) },
        'the configuration was reloaded',
      );
    if (result === 'reloaded' && needsRestart.length > 0)
      log.warn({ needsRestart }, 'some settings wait for the next start');
    if (overruled.length > 0) log.warn({ overruled }, 'some settings of the file are overruled by the command line');
  };
  const reload = async (trigger: ReloadTrigger): Promise<ReloadReport> => {
    const outcome = await take().catch(
      (thrown: unknown) =>
        ({ result: 'failed', changed: [], overruled: [], problems: describeFailure(thrown) }) as const,
    );
    const report: ReloadReport = {
      at: clock.now(),
      trigger,
      hash: live.hash,
      needsRestart: restartRequired,
      ...outcome,
    };
    // That a file was touched is nothing to remember.
    if (trigger === 'file' && report.result === 'unchanged' && last?.result !== 'failed') return report;
    last = report;
    meters.note(report.result);
    say(report);
    return report;
  };
  const begin = (trigger: ReloadTrigger): Promise<ReloadReport> => {
    next = undefined;
    if (isStopped) return Promise.reject(new GatewayError('shutting_down'));
    running = reload(trigger).finally(() => {
      running = undefined;
    });
    return running;
  };
  return {
    get live() {
      return live;
    },
    get loadedAt() {
      return loadedAt;
    },
    get last() {
      return last;
    },
    get needsRestart() {
      return restartRequired;
    },
    get files() {
      return [...new Set([...live.files, ...(last === undefined ? [] : filesOf(last.problems))])];
    },
    request: (trigger) => (running === undefined ? begin(trigger) : (next ??= running.then(() => begin(trigger)))),
    idle: async () => {
      await (next ?? running);
    },
    stop: async () => {
      isStopped = true;
      await running;
    },
  };
}
