import { parseArgs } from 'node:util';

const HELP = `npm run bench -- [options]
  --lanes a,b      only these lanes, and what they are set against       (or BENCH_LANES)
  --turns 8        turns of each lane; the figures are their medians     (or BENCH_TURNS)
  --seconds 3      length of a turn, whole seconds                       (or BENCH_SECONDS)
  --processes 2    processes of each gateway of the first group that share its turns     (or BENCH_PROCESSES)
  --warm-up 12     seconds of load on each lane before its first turn    (or BENCH_WARM_UP)
  --other FOLDER   each lane of Koine in another checkout as well, in the same run       (or BENCH_OTHER)
  --list           the names of the lanes
A run of all lanes takes some 18 minutes; it alone writes tools/bench/README.md and tools/bench/results.json.`;

const read = (name: string): string | undefined => process.env[`BENCH_${name.toUpperCase().replace('-', '_')}`];
const names = ['lanes', 'turns', 'seconds', 'processes', 'warm-up', 'other'] as const;
interface Given extends Readonly<Partial<Record<(typeof names)[number], string>>> {
  readonly list?: boolean;
  readonly help?: boolean;
}
const given: Given = parseArgs({
  options: {
    ...Object.fromEntries(names.map((name) => [name, { type: 'string' }] as const)),
    list: { type: 'boolean' },
    help: { type: 'boolean' },
  },
}).values;

if (given.help === true) {
  console.log(HELP);
  process.exit(0);
}

const textOf = (name: (typeof names)[number]): string | undefined => given[name] ?? read(name);
const numberOf = (name: (typeof names)[number], otherwise: number): number => {
  const number = Number(textOf(name) ?? otherwise);
  if (!Number.isInteger(number) || number < 1) throw new Error(`${name} has to be a whole number above 0`);
  return number;
};

const chosen = textOf('lanes');
/** What the command line or the environment says of this run. */
export const options = {
  /** Undefined: all. */
  lanes: chosen?.split(',').map((name) => name.trim()),
  turns: numberOf('turns', 8),
  seconds: numberOf('seconds', 3),
  processes: numberOf('processes', chosen === undefined ? 2 : 1),
  warmUp: numberOf('warm-up', chosen === undefined ? 12 : 4),
  other: textOf('other'),
  isList: given.list === true,
} as const;
