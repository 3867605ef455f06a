import { parseArgs } from 'node:util';
import { lanes } from './lanes.ts';
import { measureLanes, type Measured } from './measure.ts';
import { formatTable } from './table.ts';
import { writeCeilings } from './write-ceilings.ts';

// npm run hot-path: the cost of one warm request on each lane, as in hot-path.test.ts.
const HELP = `npm run hot-path -- [options] [lane ...]
  --where   the places that make asynchronous resources (promises, timers and others), per request
  --calls   the functions that are called most, per request
  --write   lowers the ceilings in test/hot-path/ceilings.ts to what is counted
lanes: ${lanes.map(({ name }) => name).join(', ')}`;
const SHOWN = 60;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    where: { type: 'boolean' },
    calls: { type: 'boolean' },
    write: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});

const printList = (title: string, list: readonly (readonly [what: string, count: number])[]): void => {
  console.log(`\n${title}`);
  const sorted = list.filter(([, count]) => count >= 0.1).toSorted(([, one], [, other]) => other - one);
  for (const [what, count] of sorted.slice(0, SHOWN)) console.log(`${count.toFixed(1).padStart(8)}  ${what}`);
};

const run = async (): Promise<void> => {
  const named = lanes.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const chosen = lanes.filter((lane) => named.includes(lane) || named.some(({ beyond }) => beyond === lane.name));
  const found: readonly Measured[] = await measureLanes(chosen, values.where);
  console.log(formatTable(found));
  for (const { lane, places, called } of found) {
    if (values.where === true) printList(`${lane}: where asynchronous resources are made, per request`, places);
    if (values.calls === true) printList(`${lane}: functions by their calls, per request`, called);
  }
  if (values.write === true) writeCeilings(found);
};

if (values.help === true) console.log(HELP);
else await run();
