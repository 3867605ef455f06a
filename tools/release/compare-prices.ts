import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readLiteLlm, readModelsDev, readShipped, type Figures, type Table } from './price-tables.ts';

/** Differences of at most this share are rounding. */
const TOLERANCE = 0.01;

const isSame = (one: number, other: number): boolean => Math.abs(one - other) <= TOLERANCE * Math.max(one, other);

/** The kind at whose rate a kind is charged that has none of its own. */
const defaults: Readonly<Record<string, string>> = {
  cacheRead: 'input',
  cacheWrite5m: 'input',
  cacheWrite1h: 'cacheWrite5m',
  cacheWrite12h: 'cacheWrite1h',
  inputAudio: 'input',
  inputImage: 'input',
  inputVideo: 'input',
  cacheReadAudio: 'cacheRead',
  cacheReadImage: 'cacheRead',
  outputAudio: 'output',
  outputImage: 'output',
};

/** What a table charges for a figure: that of the same card for another kind, or that of the card around it. */
const charge = (figures: Figures, name: string): number => {
  const own = figures[name];
  if (own !== undefined) return own;
  const words = name.split(' ');
  const kind = words.pop() ?? '';
  const card = words.map((word) => `${word} `).join('');
  const other = defaults[kind];
  if (other !== undefined && figures[`${card}input`] !== undefined) return charge(figures, `${card}${other}`);
  if (words.length === 0 || kind === 'us') return kind === 'us' ? 1 : 0;
  // A tier without rates for long prompts has its own rates for all of them.
  return charge(figures, [...(words.length > 1 ? words.slice(1) : []), kind].join(' '));
};

/** A line for each figure of another table at which this one charges something else, by more than one percent. */
export function compareTables(ours: Table, theirs: Table): readonly string[] {
  const lines: string[] = [];
  for (const [model, figures] of ours)
    for (const [name, other] of Object.entries(theirs.get(model) ?? {})) {
      const own = charge(figures, name);
      if (isSame(own, other)) continue;
      const note = figures[name] === undefined ? ' (no figure of its own)' : '';
      lines.push(`${model}  ${name}: ${Number(own.toPrecision(9))} here${note}, ${Number(other.toPrecision(9))} there`);
    }
  return lines;
}

/** The models of other tables that have no shipped price, by vendor, with the input and output that all agree on. */
export function listMissing(ours: Table, tables: readonly Table[]): ReadonlyMap<string, readonly string[]> {
  const ids = new Set(tables.flatMap((table) => [...table].flatMap(([id, { input }]) => (input ? [id] : []))));
  const lines = [...ids].flatMap((id): readonly (readonly [string, string])[] => {
    if (ours.has(id)) return [];
    const [vendor = ''] = id.split('/');
    const all = tables.map((table) => table.get(id)).filter((figures) => figures !== undefined);
    const { input = 0, output = 0 } = all[0] ?? {};
    const isAgreed =
      all.length > 1 &&
      all.every((other) => isSame(input, other['input'] ?? 0) && isSame(output, other['output'] ?? 0));
    return [[vendor, `${id.slice(vendor.length + 1)}${isAgreed ? ` (${input}, ${output})` : ''}`]];
  });
  return new Map(
    [...Map.groupBy(lines, ([vendor]) => vendor)].map(([vendor, found]) => [vendor, found.map(([, line]) => line)]),
  );
}

const run = async (): Promise<void> => {
  const { values } = parseArgs({ options: { litellm: { type: 'string' }, 'models-dev': { type: 'string' } } });
  const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
  const ours = await readShipped(Date.now());
  const tables: readonly (readonly [string, Table])[] = [
    ...(values.litellm === undefined ? [] : [['LiteLLM', readLiteLlm(read(values.litellm))] as const]),
    ...(values['models-dev'] === undefined ? [] : [['models.dev', readModelsDev(read(values['models-dev']))] as const]),
  ];
  for (const [name, table] of tables) {
    const lines = compareTables(ours, table);
    const shared = [...ours.keys()].filter((model) => table.has(model));
    console.log(`${name}: ${shared.length} of ${ours.size} shipped models, ${lines.length} differences`);
    for (const line of lines) console.log(`  ${line}`);
  }
  console.log('without a shipped price, with the input and output that several tables agree on:');
  const missing = listMissing(
    ours,
    tables.map(([, table]) => table),
  );
  for (const [vendor, models] of missing) console.log(`  ${vendor}: ${models.join(', ')}`);
};

if (import.meta.main) await run();
