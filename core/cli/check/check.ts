import type { GatewayConfig } from '../../config/gateway-config.ts';
import { reports } from './report.ts';
import { MisuseError, parseOptions, type Command } from '../command.ts';
import { checkOptions } from '../options/configuration.ts';
import { findProblems } from './find-problems.ts';

const count = (amount: number, noun: string): string =>
  `${amount} ${noun}${amount === 1 ? '' : noun.endsWith('s') ? 'es' : 's'}`;

const describeGood = (file: string, config: GatewayConfig): string => {
  const keys = Object.values(config.organizations).flatMap(({ projects }) =>
    Object.values(projects).flatMap((project) => Object.keys(project.keys)),
  );
  const parts = [
    count(Object.keys(config.providers).length, 'provider'),
    count(Object.keys(config.models).length, 'model'),
    count(Object.keys(config.aliases).length, 'alias'),
    count(keys.length, 'key'),
    count(config.routes.length, 'route'),
    count(config.plugins.length, 'plugin'),
  ];
  return `${file} is valid: ${parts.join(', ')}.`;
};

export const check: Command['run'] = async (args, builtIns) => {
  const { config: file, format, audit, live, strict } = parseOptions(args, checkOptions);
  const report = reports.get(format);
  if (report === undefined)
    throw new MisuseError(`--format must be one of ${[...reports.keys()].join(', ')}, not "${format}".`);
  const { problems, loaded } = await findProblems({ file, audit, builtIns, env: process.env });
  process.stdout.write(report(problems));
  if (loaded === undefined) return 1;
  if (format === 'text') console.log(describeGood(file, loaded.config));
  const warned = strict && problems.some(({ severity }) => severity === 'warning') ? 1 : 0;
  if (!live) return warned;
  const lines = await (await import('./check-live.ts')).checkLive(loaded);
  for (const line of lines) console.error(line);
  return lines.length === 0 ? warned : 1;
};
