import { resolve } from 'node:path';
import { redactSecrets } from '../../canonical/text/redact.ts';
import { ConfigError, encodeProblem, type Problem } from '../../config/problem.ts';
import type { Alert, Log } from '../../contracts/services.ts';
import { toGatewayError } from '../../errors/gateway-error.ts';
import type { ReloadResult } from './reload-meters.ts';

export type ReloadTrigger = 'signal' | 'file' | 'admin';
/** A problem of a configuration. One that is valid and could not be started has a rule and a message, and no place. */
export type ReloadProblem = Omit<Problem, 'frame'> | { readonly rule: string; readonly message: string };

/** The result of a reload. */
export interface ReloadReport {
  /** When it ended, in unix milliseconds. */
  readonly at: number;
  readonly trigger: ReloadTrigger;
  readonly result: ReloadResult;
  /** Of the configuration that is active now. */
  readonly hash: string;
  /** Settings that have a new value, or whose file has another content. Of a failed reload: only certificates. */
  readonly changed: readonly string[];
  /** Settings of the file that apply after the next start. */
  readonly needsRestart: readonly string[];
  /** Settings that changed in the file and have no effect, because the command line sets them. */
  readonly overruled: readonly string[];
  readonly problems: readonly ReloadProblem[];
}

export const describeFailure = (thrown: unknown): readonly ReloadProblem[] => {
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

/** The files that the problems are in; absolute. */
export const listFaultyFiles = ({ problems }: Pick<ReloadReport, 'problems'>): readonly string[] =>
  problems.flatMap((problem) => ('file' in problem ? [resolve(problem.file)] : []));

/** The same problems are an alert again after this time. */
const ALERT_MS = 3_600_000;
const MOST_PROBLEMS = 20;

/** The alert of a reload that failed. */
export function describeFailedReload({ trigger, hash, problems }: ReloadReport): Alert {
  const described = problems.slice(0, MOST_PROBLEMS).map(describeProblem);
  return {
    event: 'reload.failed',
    text: 'the configuration was not reloaded: the previous one stays active',
    key: `reload.failed;${described.join(';')}`,
    onceFor: ALERT_MS,
    fields: { trigger, hash, count: problems.length, problems: described },
    isLogged: true,
  };
}

export function logReload(log: Log, report: ReloadReport): void {
  const { trigger, result, hash, changed, needsRestart, overruled } = report;
  const problems = report.problems.map(describeProblem);
  if (result === 'failed') {
    log.error({ trigger, hash, problems }, 'the configuration was not reloaded: the previous one stays active');
    if (changed.length > 0) log.info({ changed }, 'the certificates were reloaded nevertheless');
  } else if (result === 'unchanged') log.info({ trigger, hash }, 'the configuration has not changed');
  else {
    log.info({ trigger, hash, changed }, 'the configuration was reloaded');
    // Errors would have refused it.
    if (problems.length > 0) log.warn({ warnings: problems }, 'the configuration has warnings');
  }
  if (result !== 'failed' && needsRestart.length > 0)
    log.warn({ needsRestart }, 'some settings apply after the next start');
  if (overruled.length > 0)
    log.warn({ overruled }, 'some settings of the file have no effect: the command line sets them');
}
