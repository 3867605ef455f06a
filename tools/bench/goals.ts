import type { Run } from './run.ts';
import { ratioOf } from './measure/run-group.ts';
import { median } from './measure/statistics.ts';
import type { Turn } from './measure/turn.ts';

/** A line of the table at the top of README.md. */
export interface Goal {
  readonly what: string;
  /** Undefined: what it is made of was not measured. */
  readonly reached: number | undefined;
  readonly goal: number;
  readonly unit: string;
  /** Whether more is better. */
  readonly isFloor: boolean;
}

const turnsOf = ({ groups }: Run, lane: string): readonly Turn[] =>
  groups.flatMap(({ results }) => results).find(({ name }) => name === lane)?.turns ?? [];
/** How much cheaper a lane is than another of the same group. */
const cheaper = (run: Run, lane: string, other: string): number | undefined => {
  const ratio = ratioOf(turnsOf(run, lane), turnsOf(run, other));
  return Number.isNaN(ratio) ? undefined : ratio;
};
const figureOf = ({ extras }: Run, what: string): number | undefined =>
  extras.flatMap(({ figures }) => figures).find((figure) => figure.what === what)?.value;

const ratio = (run: Run, what: string, goal: number, lane: string, other: string): Goal => {
  return { what, reached: cheaper(run, lane, other), goal, unit: '', isFloor: true };
};
/** The median of how much later the slowest hundredth of a lane's responses is than that of another. */
const slowest = (run: Run, what: string, goal: number, lane: string, other: string): Goal => {
  const others = turnsOf(run, other);
  const times = turnsOf(run, lane).map(({ p99 }, turn) => p99 / (others[turn]?.p99 ?? Number.NaN));
  return { what, reached: times.length === 0 ? undefined : median(times), goal, unit: '', isFloor: false };
};
const atMost = (run: Run, what: string, goal: number, unit: string): Goal => {
  return { what, reached: figureOf(run, what), goal, unit, isFloor: false };
};

/** What is to be reached. Ratios are of processor time: bare divided by the gateway, so that 1 is as cheap as bare. */
export const goalsOf = (run: Run): readonly Goal[] => [
  ratio(run, 'ungoverned / bare', 1, 'ungoverned', 'bare'),
  ratio(run, 'governed / bare', 0.75, 'governed', 'bare'),
  ratio(run, 'everything / bare', 0.65, 'everything', 'bare'),
  ratio(run, 'messages to chat, governed / bare', 0.65, 'messages to chat', 'bare'),
  ratio(run, 'stream event, governed / bare', 0.85, 'governed stream', 'bare stream'),
  ratio(run, 'governed / Portkey, which governs nothing', 2.5, 'governed', 'portkey'),
  ratio(run, 'governed with two workers / governed', 0.93, 'two workers', 'governed'),
  slowest(run, 'p99 of governed, of bare', 1.2, 'governed', 'bare'),
  atMost(run, 'installed: start to ready', 600, 'ms'),
  atMost(run, 'installed: idle memory', 100, 'MB'),
  atMost(run, 'installed: memory of a further worker', 45, 'MB'),
];
