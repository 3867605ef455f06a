import type { RedisConnection } from '../../../../core/services/redis/redis.ts';
import type { Charge } from '../../../../plugins/rate-limit/store/store.ts';
import { calendar, leases, request, window } from '../store/charges.ts';
import { startGateways, type TestGateway } from './gateways.ts';

/** What a simulation does. All limits are those of one organization. */
export interface Scenario {
  readonly gateways: number;
  /** Requests a second at each gateway. */
  readonly perSecond: number;
  readonly seconds: number;
  /** Requests in a minute. */
  readonly limit: number;
  /** Milliseconds of an exchange. */
  readonly exchangeMs: number;
}

export interface Simulated {
  readonly requests: number;
  readonly admitted: number;
  /** How many more requests than the limit any minute had. */
  readonly tooMany: number;
  /** How many were still left when the first request was refused. */
  readonly leftAtRefusal: number | undefined;
  /** What all gateways held then. */
  readonly heldAtRefusal: number | undefined;
  /** Calls of Redis, by script. */
  readonly calls: ReadonlyMap<string, number>;
  readonly callsPerRequest: number;
}

const SPAN_MS = 200;
const MINUTE = 60_000;
/** A request reserves these tokens and this cost, and uses a third of them. */
const [TOKENS, COST] = [3_000, 900_000];

interface Open {
  readonly gateway: TestGateway;
  readonly id: string;
  readonly endsAt: number;
}

const mostInAnyMinute = (times: readonly number[]): number => {
  let [first, most] = [0, 0];
  for (const [last, at] of times.entries()) {
    while ((times[first] ?? 0) <= at - MINUTE) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
};

/** Runs gateways with the real code on a real Redis. Their clock, and that of Redis, advances by 4 ms at a time. */
export const simulate = async (redis: RedisConnection, scenario: Scenario): Promise<Simulated> => {
  const { gateways: size, perSecond, seconds, limit, exchangeMs } = scenario;
  const gateways = await startGateways(redis, size);
  const { all, clock } = gateways;
  const began = Date.UTC(2026, 10, 1);
  const charges: readonly Charge[] = [
    { ...window('requests', limit, 1, MINUTE), kept: 1 },
    window('tokens', limit * TOKENS * 2, TOKENS, MINUTE),
    calendar('cost', limit * COST * 100, COST, [began - 1e9, began, began + 3e9, began + 6e9]),
    leases('concurrent', limit),
  ];
  const times: number[] = [];
  const open: Open[] = [];
  let [requests, owed, refusedAt]: [number, number, number | undefined] = [0, 0, undefined];
  let held: number | undefined;
  const send = async (gateway: TestGateway): Promise<void> => {
    const made = request(charges);
    const { admitted } = await gateway.store.reserve(made);
    if (admitted) {
      times.push(clock.now());
      open.push({ gateway, id: made.id, endsAt: clock.now() + exchangeMs });
    } else if (refusedAt === undefined) {
      refusedAt = times.length;
      const [state] = await gateway.breaker.peek('acme', charges.slice(0, 1));
      held = limit - (state?.remaining ?? 0) - times.length;
    }
  };
  const stepMs = 4;
  for (let passed = 0; passed < seconds * 1_000; passed += stepMs) {
    owed += (size * perSecond * stepMs) / 1_000;
    const sent: Promise<void>[] = [];
    for (; owed >= 1; owed -= 1) sent.push(send(all[(requests += 1) % size]!));
    await Promise.all(sent);
    const running = open.findIndex(({ endsAt }) => endsAt > clock.now());
    const ended = open.splice(0, running === -1 ? open.length : running);
    await Promise.all(
      ended.map(({ gateway, id }) => gateway.store.settle('acme', id, [1, TOKENS / 3, COST / 3, 0], clock.now())),
    );
    await gateways.pass(stepMs);
    // Each gateway ends its spans at other times.
    const due = all.filter((_, index) => (passed / stepMs + index) % (SPAN_MS / stepMs) === 0);
    await Promise.all(due.map(({ store }) => store.tick()));
  }
  const calls = [...gateways.calls.values()].reduce((sum, count) => sum + count, 0);
  return {
    requests,
    admitted: times.length,
    tooMany: Math.max(0, mostInAnyMinute(times) - limit),
    leftAtRefusal: refusedAt === undefined ? undefined : limit - refusedAt,
    heldAtRefusal: held,
    calls: gateways.calls,
    callsPerRequest: calls / requests,
  };
};
