import { startGateway } from '../gateways/gateways.ts';
import { isKoine, isOptional } from '../gateways/names.ts';
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
/** A gateway that could not be started, and why. */
export interface Skipped {
  readonly gateway: string;
  readonly reason: string;
}
export interface GroupResult {
  readonly title: string;
  readonly unit: string;
  readonly results: readonly Result[];
  readonly skipped: readonly Skipped[];
}

/** The lanes of these names, the lanes they are compared with, and the same lanes of the other checkout. */
const seatsOf = ({ lanes }: Group, names: ReadonlySet<string>): readonly Seat[] => {
  const wanted = new Set(names);
  for (const { name, of } of lanes.toReversed()) if (wanted.has(name) && of !== undefined) wanted.add(of);
  const chosen = lanes.filter(({ name }) => wanted.has(name));
  const { other } = options;
  if (other === undefined) return chosen;
  const twinOf = (lane: Lane): Seat => ({ ...lane, name: `${lane.name} (other)`, of: lane.name, root: other });
  return chosen.flatMap((lane) => (isKoine(lane.gateway) ? [lane, twinOf(lane)] : [lane]));
};

const gatewayOf = ({ gateway, root }: Seat): string => `${gateway} ${root ?? ''}`;

type Gateways = ReadonlyMap<string, Running>;
const startAll = async (seats: readonly Seat[], upstream: Running, skipped: Skipped[]): Promise<Gateways> => {
  const running = new Map<string, Running>();
  for (const seat of seats) {
    const name = gatewayOf(seat);
    if (running.has(name) || skipped.some(({ gateway }) => gateway === seat.gateway)) continue;
    try {
      running.set(name, await startGateway(seat.gateway, upstream, seat.root));
    } catch (error) {
      if (!isOptional(seat.gateway)) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      console.log(`${seat.gateway} is left out: ${reason}`);
      skipped.push({ gateway: seat.gateway, reason: reason.split('\n')[0] ?? '' });
    }
  }
  return running;
};

/** One set of processes: each lane is warmed up, then all have their turns, forwards and backwards. */
const playTurns = async (seats: readonly Seat[], seconds: number, turns: number, running: Gateways) => {
  const found = new Map<string, Turn[]>(seats.map(({ name }) => [name, []]));
  const play = async (seat: Seat, length: number): Promise<readonly Turn[]> => {
    const gateway = running.get(gatewayOf(seat));
    return gateway === undefined ? [] : [await seat.play(gateway, length)];
  };
  for (const seat of seats) await play(seat, options.warmUp);
  for (let turn = 0; turn < turns; turn += 1) {
    for (const seat of turn % 2 === 0 ? seats : seats.toReversed()) {
      found.get(seat.name)?.push(...(await play(seat, seconds)));
    }
  }
  return found;
};

/** Processor time of the other lane's units divided by that of these, turn by turn: the median. */
export const ratioOf = (turns: readonly Turn[], others: readonly Turn[]): number =>
  median(turns.map(({ cpu }, turn) => (others[turn]?.cpu ?? Number.NaN) / cpu));

const summarize = ({ name, of }: Seat, found: ReadonlyMap<string, readonly Turn[]>): Result => {
  const turns = found.get(name) ?? [];
  const over = (read: (turn: Turn) => number): number => median(turns.map(read));
  const others = of === undefined ? undefined : found.get(of);
  return {
    name,
    ...(of === undefined ? {} : { of, ratio: ratioOf(turns, others ?? []) }),
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

/**
 * Measures the lanes of these names, and those that they are set against.
 * @throws where a gateway does not start that needs nothing but this checkout
 */
export async function runGroup(group: Group, names: ReadonlySet<string>, upstream: Running): Promise<GroupResult> {
  const seats = seatsOf(group, names);
  const skipped: Skipped[] = [];
  const found = new Map<string, Turn[]>(seats.map(({ name }) => [name, []]));
  const sets = group.isRestarted === true ? options.processes : 1;
  const seconds = Math.min(options.seconds, group.seconds ?? options.seconds);
  for (let set = 0; set < sets; set += 1) {
    const running = await startAll(seats, upstream, skipped);
    const more = await playTurns(seats, seconds, Math.ceil(options.turns / sets), running);
    for (const [name, list] of more) found.get(name)?.push(...list);
    for (const gateway of running.values()) await gateway.stop();
  }
  const measured = seats.filter(({ name }) => found.get(name)?.length !== 0);
  const results = measured.map((seat) => summarize(seat, found));
  return { title: group.title, unit: group.unit, results, skipped };
}
