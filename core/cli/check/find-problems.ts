import type { GatewayConfig } from '../../config/gateway-config.ts';
import type { Environment } from '../../config/read/interpolate.ts';
import { prepareConfig } from '../../config/load.ts';
import { ConfigError, type Problem } from '../../config/problem.ts';
import type { BuiltIns } from '../../extensions/extension.ts';

export interface CheckQuestion {
  readonly file: string;
  /** Ask what a security review would ask, too. */
  readonly audit: boolean;
  readonly builtIns: BuiltIns;
  readonly env: Environment;
}

export interface CheckResult {
  readonly problems: readonly Problem[];
  /** Absent where there are errors. */
  readonly config?: GatewayConfig;
}

const isError = ({ severity }: Problem): boolean => severity === 'error';

const prepareAndTry = async ({ file, audit, builtIns, env }: CheckQuestion): Promise<CheckResult> => {
  const { opened, findings: found, audit: askMore, finish } = await prepareConfig(file, builtIns, env);
  const findings = audit ? [...found, ...askMore()] : found.filter(({ severity }) => severity !== 'advice');
  const problems = opened.collect(findings);
  if (problems.some(isError)) return { problems };
  const loaded = finish();
  // It imports much of the gateway: only a file that is good so far waits for that.
  const { dryRun } = await import('../../server/dry-run/dry-run.ts');
  const tried = opened.collect([...findings, ...(await dryRun(loaded, opened.isWritten(['routes'])))]);
  return tried.some(isError) ? { problems: tried } : { problems: tried, config: loaded.config };
};

/**
 * All that can be found wrong with a configuration without reaching out. One without errors is also started in a dry run.
 * @throws GatewayError `KOINE_CONFIG_UNREADABLE`
 */
export async function findProblems(question: CheckQuestion): Promise<CheckResult> {
  try {
    return await prepareAndTry(question);
  } catch (thrown) {
    if (thrown instanceof ConfigError) return { problems: thrown.problems };
    throw thrown;
  }
}
