import type { Environment } from '../../config/read/interpolate.ts';
import { prepareConfig, type LoadedConfig } from '../../config/load.ts';
import { ConfigError, type Problem } from '../../config/problem.ts';
import type { BuiltIns } from '../../extensions/extension.ts';

export interface CheckOptions {
  readonly file: string;
  /** Also report the advice of a security review. */
  readonly audit: boolean;
  readonly builtIns: BuiltIns;
  readonly env: Environment;
}

export interface CheckResult {
  readonly problems: readonly Problem[];
  /** Absent where there are errors. */
  readonly loaded?: LoadedConfig;
}

const isError = ({ severity }: Problem): boolean => severity === 'error';

const checkConfig = async ({ file, audit, builtIns, env }: CheckOptions): Promise<CheckResult> => {
  const { opened, findings: found, audit: listAdvice, finish } = await prepareConfig(file, builtIns, env);
  const findings = audit ? [...found, ...listAdvice()] : found.filter(({ severity }) => severity !== 'advice');
  const problems = opened.collect(findings);
  if (problems.some(isError)) return { problems };
  const loaded = finish();
  // Imported on demand: it loads much of the gateway, which a file with errors does not need.
  const { dryRun } = await import('../../diagnostics/dry-run/dry-run.ts');
  const tried = opened.collect([...findings, ...(await dryRun(loaded, opened.isWritten(['routes'])))]);
  return tried.some(isError) ? { problems: tried } : { problems: tried, loaded };
};

/**
 * Finds the problems of a configuration without network. One without errors is also started in a dry run.
 * @throws GatewayError `KOINE_CONFIG_UNREADABLE`
 */
export async function findProblems(options: CheckOptions): Promise<CheckResult> {
  try {
    return await checkConfig(options);
  } catch (thrown) {
    if (thrown instanceof ConfigError) return { problems: thrown.problems };
    throw thrown;
  }
}
