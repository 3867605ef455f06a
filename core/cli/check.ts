import { loadConfig, type LoadedConfig } from '../config/load.ts';
import { ConfigError, encodeProblem, formatProblem, type Problem } from '../config/problem.ts';
import type { BuiltIns } from '../extensions/extension.ts';
import { DEFAULT_CONFIG, MisuseError, parseOptions, type Command } from './command.ts';

const count = (amount: number, noun: string): string => `${amount} ${noun}${amount === 1 ? '' : noun.endsWith('s') ? 'es' : 's'}`;

const describeGood = ({ file, config }: LoadedConfig): string => {
  const keys = Object.values(config.organizations).flatMap(({ projects }) => Object.values(projects).flatMap((project) => Object.keys(project.keys)));
  const parts = [
    count(Object.keys(config.providers).length, 'provider'),
    count(Object.keys(config.models).length, 'model'),
    count(Object.keys(config.aliases).length, 'alias'),
    count(keys.length, 'key'),
    count(config.routes.length, 'route'),
    count(config.plugins.length, 'plugin'),
  ];
  return `${file} is good: ${parts.join(', ')}.`;
};

const printProblems = (problems: readonly Problem[], format: string): void => {
  if (format === 'json') console.log(JSON.stringify(problems.map(encodeProblem), undefined, 2));
  else for (const problem of problems) console.log(`${formatProblem(problem)}\n`);
};

const checkConfig = async (file: string, format: string, builtIns: BuiltIns): Promise<number> => {
  try {
    const loaded = await loadConfig(file, builtIns, process.env);
    printProblems(loaded.warnings, format);
    if (format === 'text') console.log(describeGood(loaded));
    return 0;
  } catch (thrown) {
    if (!(thrown instanceof ConfigError)) throw thrown;
    printProblems(thrown.problems, format);
    return 1;
  }
};

export const check: Command = {
  name: 'check',
  summary: 'says what is wrong with a configuration, with file, line and column',
  usage: '[--config FILE] [--format text|json]',
  run: (args, builtIns) => {
    const { config, format } = parseOptions(args, { config: { type: 'string', default: DEFAULT_CONFIG }, format: { type: 'string', default: 'text' } });
    if (format !== 'text' && format !== 'json') throw new MisuseError(`--format must be text or json, not "${format}".`);
    return checkConfig(config, format, builtIns);
  },
};
