import { startGateway } from '../gateways/gateways.ts';
import type { Running } from '../gateways/processes.ts';
import { options } from '../options.ts';
import type { Group, Lane } from './lanes.ts';
import { median } from './statistics.ts';
import type { Turn } from './turn.ts';

/** A lane, and the checkout of Koine that it runs on. */
interface Seat extends Lane {
  readonly root?: string;
}

/** The medians of a lane over its turns. */
export interface Result {
  readonly name: string;
  readonly of?: string;
  /** Processor time of `of` divided by that of this lane, turn by turn: above 1 is cheaper. */
  readonly ratio?: number;
  readonly median: Turn;
  readonly turns: readonly Turn[];
}
export interface GroupResult {
  readonly title: string;
  readonly unit: string;
  readonly results: readonly Result[];
}

const OTHER = ' (other)';
const isKoine = ({ gateway }: Lane): boolean => !['upstream', 'bare', 'portkey', 'litellm'].includes(gateway);

/** The chosen lanes with those that they are set against, and their twins in the other checkout. */
const seatsOf = ({ lanes }: Group): readonly Seat[] => {
  const wanted = new Set(options.lanes ?? lanes.map(({ name }) => name));
  for (const { name, of } of lanes.toReversed()) if (wanted.has(name) && of !== undefined) wanted.add(of);
  const chosen = lanes.filter(({ name }) => wanted.has(name));
  const { other } = options;
  if (other === undefined) return chosen;
  const twinOf = (lane: Lane): Seat => ({ ...lane, name: lane.name + OTHER, of: lane.name, root: other });
  return chosen.flatMap((lane) => (isKoine(lane) ? [lane, twinOf(lane)] : [lane]));
};

const gatewayOf = ({ gateway, root }: Seat): string => `${gateway} ${root ?? ''}`;

const startAll = async (seats: readonly Seat[], upstream: Running): Promise<ReadonlyMap<string, Running>> => {
  const running = new Map<string, Running>();
  for (const seat of seats) {
    const name = gatewayOf(seat);
    if (!running.has(name)) running.set(name, await startGateway(seat.gateway, upstream, seat.root));
  }
  return running;
};

/** One set of processes: each lane is warmed up, then all have their turns, forwards and backwards. */
const runProcesses = async (
  seats: readonly Seat[],
  turns: number,
  upstream: Running,
  found: ReadonlyMap<string, Turn[]>,
): Promise<void> => {
  const running = await startAll(seats, upstream);
  const play = (seat: Seat, seconds: number): Promise<Turn> => {
    const gateway = running.get(gatewayOf(seat));
    if (gateway === undefined) throw new Error(`${seat.gateway} was not started`);
    return seat.play(gateway, seconds);
  };
  for (const seat of seats) await play(seat, options.warmUp);
  for (let turn = 0; turn < turns; turn += 1) {
    for (const seat of turn % 2 === 0 ? seats : seats.toReversed()) {
      found.get(seat.name)?.push(await play(seat, options.seconds));
    }
  }
  for (const gateway of running.values()) await gateway.stop();
};

const summarize = ({ name, of }: Seat, found: ReadonlyMap<string, readonly Turn[]>): Result => {
  const turns = found.get(name) ?? [];
  const over = (read: (turn: Turn) => number): number => median(turns.map(read));
  const others = of === undefined ? undefined : found.get(of);
  const ratios = turns.map(({ cpu }, turn) => (others?.[turn]?.cpu ?? Number.NaN) / cpu);
  return {
    name,
    ...(of === undefined ? {} : { of, ratio: median(ratios) }),
    median: {
      units: over(({ units }) => units),
      perSecond: over(({ perSecond }) => perSecond),
      cpu: over(({ cpu }) => cpu),
      p50: over(({ p50 }) => p50),
      p99: over(({ p99 }) => p99),
      errors: turns.reduce((sum, { errors }) => sum + errors, 0),
    },
    turns,
  };
};

/** Measures the chosen lanes of a group; undefined where none of them is chosen. */
export const runGroup = async (group: Group, upstream: Running): Promise<GroupResult | undefined> => {
  const seats = seatsOf(group);
  if (seats.length === 0) return undefined;
  const found = new Map<string, Turn[]>(seats.map(({ name }) => [name, []]));
  for (let set = 0; set < options.processes; set += 1) {
    await runProcesses(seats, Math.ceil(options.turns / options.processes), upstream, found);
  }
  return { title: group.title, unit: group.unit, results: seats.map((seat) => summarize(seat, found)) };
};
