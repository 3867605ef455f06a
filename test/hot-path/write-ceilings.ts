import { readFileSync, writeFileSync } from 'node:fs';
import { ceilings } from './ceilings.ts';
import { ceilingFor, measures, type Counts } from './counts.ts';
import type { Measured } from './measure.ts';

const file = new URL('./ceilings.ts', import.meta.url);

const lower = ({ lane, counts, events }: Measured): Counts => {
  const lowered = measures.flatMap((measure) => {
    const count = counts[measure];
    if (count === undefined) return [];
    const now = ceilingFor(measure, count, events);
    return [[measure, Math.min(now, ceilings[lane]?.[measure] ?? now)] as const];
  });
  return Object.fromEntries(lowered);
};
const write = (lane: string, ceiling: Counts): string => {
  const kept = measures.filter((measure) => ceiling[measure] !== undefined);
  const lines = kept.map((measure) => `    ${measure}: ${ceiling[measure]},`);
  const name = /^\w+$/.test(lane) ? lane : `'${lane}'`;
  return [`  ${name}: {`, ...lines, '  },'].join('\n');
};

/** Lowers the ceilings of these lanes to lower counts. None is raised. */
export const writeCeilings = (found: readonly Measured[]): void => {
  const next = { ...ceilings, ...Object.fromEntries(found.map((each) => [each.lane, lower(each)])) };
  const lanes = Object.entries(next).map(([lane, ceiling]) => write(lane, ceiling));
  const text = readFileSync(file, 'utf8').replace(/= \{[^]*$/, `= {\n${lanes.join('\n')}\n};\n`);
  writeFileSync(file, text);
};
