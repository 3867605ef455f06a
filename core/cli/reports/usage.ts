import { readList, readObject, readObjects, readText } from '../../canonical/json/read.ts';
import type { JsonObject } from '../../canonical/wire.ts';
import type { BuiltIns } from '../../extensions/extension.ts';
import { fetchAdmin, fetchAdminObject, findAdmin } from '../admin-client.ts';
import { alignColumns } from '../align-columns.ts';
import { MisuseError, parseOptions } from '../command.ts';
import { usageOptions } from '../options/requests.ts';
import { cell, readFrom, writeQuery } from './period.ts';

const percent = (value: unknown): string => (typeof value === 'number' ? `${(value * 100).toFixed(2)} %` : '-');

const figuresOf = (line: JsonObject): readonly string[] => {
  const tokens = readObject(line['tokens']);
  return [
    cell(line['exchanges']),
    percent(line['successRate']),
    cell(tokens['input']),
    cell(tokens['cacheRead']),
    cell(tokens['output']),
    cell(line['unpriced']),
    cell(line['cost']),
  ];
};

const formatUsage = (report: JsonObject): string => {
  const by = readList(report['by']).map(String);
  const names = [...(readText(report['bucket']) === '' ? [] : ['start']), ...by];
  const rows = [
    ...readObjects(report['lines']).map((line) => [...names.map((name) => cell(line[name])), ...figuresOf(line)]),
    ...readObjects([report['other']].flat()).map((line) => [...names.map(() => 'other'), ...figuresOf(line)]),
    ...readObjects([report['totals']]).map((line) => [...names.map(() => 'total'), ...figuresOf(line)]),
  ];
  const figures = ['REQUESTS', 'SUCCESS', 'INPUT', 'CACHED', 'OUTPUT', 'UNPRICED', 'USD'];
  const time = `${cell(report['from'])} to ${cell(report['to'])}`;
  return `${time}\n${alignColumns([...names.map((name) => name.toUpperCase()), ...figures], rows)}`;
};

/** Reads `--where model=a,b`. @throws MisuseError */
const readFilters = (texts: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    texts.map((text) => {
      const [, name, value] = /^([\w:.-]+)=(.+)$/.exec(text) ?? [];
      if (name !== undefined && value !== undefined) return [name, value];
      throw new MisuseError(`--where must look like model=openai/gpt-4.1 or tag:team=search, not "${text}".`);
    }),
  );

/** `koine usage`: what GET /admin/usage of a running gateway reports. */
export async function reportUsage(args: readonly string[], builtIns: BuiltIns): Promise<number> {
  const { config, admin, token, format, where = [], from, to, last, ...values } = parseOptions(args, usageOptions);
  if (format !== 'text' && format !== 'json' && format !== 'csv')
    throw new MisuseError(`--format must be text, json or csv, not "${format}".`);
  const address = await findAdmin({ config, admin, token }, builtIns);
  const parameters = { ...values, ...readFilters(where), to, from: readFrom({ from, to, last }, Date.now()) };
  if (format === 'csv') {
    process.stdout.write(await fetchAdmin(address, `/admin/usage?${writeQuery({ ...parameters, format })}`));
    return 0;
  }
  const report = await fetchAdminObject(address, `/admin/usage?${writeQuery(parameters)}`);
  console.log(format === 'json' ? JSON.stringify(report, undefined, 2) : formatUsage(report));
  return 0;
}
