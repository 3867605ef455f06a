import { readFileSync, writeFileSync } from 'node:fs';
import { extras } from './extras/extras.ts';
import { pinThisProcess } from './gateways/machine.ts';
import { startUpstream, type Running } from './gateways/processes.ts';
import { groups } from './measure/lanes.ts';
import { runGroup, type GroupResult } from './measure/run-group.ts';
import { options } from './options.ts';
import { formatExtra, formatGroup, formatRun } from './report.ts';
import { describeRun, type ExtraResult } from './run.ts';

const names = [...groups.flatMap(({ lanes }) => lanes), ...extras].map(({ name }) => name);
const unknown = options.lanes?.filter((name) => !names.includes(name)) ?? [];
if (unknown.length > 0) throw new Error(`there is no lane ${unknown.join(', ')}; --list shows all`);

const list = (): void => {
  for (const { title, lanes } of groups) console.log(`${title}: ${lanes.map(({ name }) => name).join(', ')}`);
  for (const { title, name } of extras) console.log(`${title}: ${name}`);
};

const measureGroups = async (wanted: Set<string>, upstream: Running): Promise<readonly GroupResult[]> => {
  const results: GroupResult[] = [];
  for (const group of groups) {
    const own = group.lanes.map(({ name }) => name).filter((name) => wanted.has(name));
    // A lane that stands in two groups is measured in the first, unless all are.
    if (options.lanes !== undefined) own.forEach((name) => wanted.delete(name));
    if (own.length === 0) continue;
    const result = await runGroup(group, new Set(own), upstream);
    console.log(`\n${formatGroup(result)}`);
    results.push(result);
  }
  return results;
};

const measureExtras = async (wanted: ReadonlySet<string>, upstream: Running): Promise<readonly ExtraResult[]> => {
  const results: ExtraResult[] = [];
  for (const { name, title, run } of extras) {
    if (!wanted.has(name)) continue;
    const result = { title, figures: await run(upstream) };
    console.log(`\n${formatExtra(result)}`);
    results.push(result);
  }
  return results;
};

const measure = async (): Promise<void> => {
  pinThisProcess();
  const about = describeRun();
  console.log(`${about.commit}, node ${about.node}, ${about.machine}`);
  const upstream = await startUpstream();
  const wanted = new Set(options.lanes ?? names);
  const results = await measureGroups(wanted, upstream);
  const run = { ...about, groups: results, extras: await measureExtras(wanted, upstream) };
  await upstream.stop();
  if (options.lanes !== undefined || options.other !== undefined) return;
  writeFileSync(
    new URL('./README.md', import.meta.url),
    formatRun(run, readFileSync(new URL('./notes.md', import.meta.url), 'utf8')),
  );
  writeFileSync(new URL('./results.json', import.meta.url), `${JSON.stringify(run, undefined, 1)}\n`);
};

if (options.isList) list();
else await measure();
