import { setTimeout as delay } from 'node:timers/promises';
import { Agent } from 'undici';
import { ANSWER_MARK } from '../../bench/load/requests.ts';
import { settingsOf } from '../../bench/gateways/settings.ts';
import { perEvent, type Counts } from './counts.ts';
import { startCountedGateway, type CountedProcess } from './counted-process.ts';
import { startCountedRedis, type CountedRedis } from './counted-redis.ts';
import { startCountedUpstream, type CountedUpstream } from './counted-upstream.ts';
import { lanes, type Lane } from './lanes.ts';
import type { Calls, Places } from './messages.ts';

/** Requests that are counted together: work that several of them share counts in proportion. */
const REQUESTS = 50;
const WARM_UP = 40;
/** The ledger writes up to 0.1 s after an exchange has ended. */
const FLUSH_MS = 300;

/** The counts of one lane. */
export interface Measured {
  readonly lane: string;
  readonly counts: Counts;
  /** Events of a stream that the counts are divided by; 1 for requests. */
  readonly events: number;
  /** The places that create asynchronous resources, per request; empty if not requested. */
  readonly places: Places;
  /** Functions, and how often each was called, per request. */
  readonly called: readonly (readonly [name: string, count: number])[];
}

interface Scene {
  readonly gateway: CountedProcess;
  readonly upstream: CountedUpstream;
  readonly redis: CountedRedis | undefined;
}

const play = async (agent: Agent, { gateway, upstream }: Scene, lane: Lane, times: number): Promise<void> => {
  const {
    request: { path, headers, body },
    events = 0,
  } = lane;
  upstream.events = events;
  for (let time = 0; time < times; time += 1) {
    const reply = await agent.request({ origin: gateway.url, path, method: 'POST', headers, body });
    let text = '';
    for await (const piece of reply.body as AsyncIterable<Buffer>) {
      text += piece.toString();
      if (events > 0 && piece.includes(ANSWER_MARK)) upstream.advance();
    }
    if (reply.statusCode !== 200) throw new Error(`${path} answered ${reply.statusCode}: ${text}`);
  }
  await delay(FLUSH_MS);
};

/** Functions that ran for every request, their files, and calls of all functions, in proportion. */
const readCalls = (calls: Calls): Counts => {
  const constant = calls.filter(({ count }) => count >= REQUESTS);
  return {
    functions: constant.length,
    files: new Set(constant.map(({ file }) => file)).size,
    calls: calls.reduce((sum, { count }) => sum + count, 0) / REQUESTS,
  };
};

/**
 * The calls that both rounds have. What a process does beside the requests, such as a timer that fires, differs from
 * round to round.
 */
const keepCommon = (one: Calls, other: Calls): Calls => {
  const counts = new Map(other.map(({ file, name, count }) => [`${file} ${name}`, count]));
  return one.flatMap(({ file, name, count }) => {
    const again = counts.get(`${file} ${name}`);
    return again === undefined ? [] : [{ file, name, count: Math.min(count, again) }];
  });
};

const measureLane = async (scene: Scene, lane: Lane, withPlaces: boolean): Promise<Measured> => {
  const agent = new Agent({ connections: 1 });
  const { gateway, upstream, redis } = scene;
  await play(agent, scene, lane, WARM_UP);
  const before = { upstream: upstream.requests, redis: redis?.roundTrips ?? 0 };
  const { resources, statements, parses } = await gateway.count('events', () => play(agent, scene, lane, REQUESTS));
  const after = { upstream: upstream.requests, redis: redis?.roundTrips ?? 0 };
  const countCalls = (): Promise<Calls> => gateway.count('calls', () => play(agent, scene, lane, REQUESTS));
  const calls = keepCommon(await countCalls(), await countCalls());
  const places = withPlaces ? await gateway.count('places', () => play(agent, scene, lane, REQUESTS)) : [];
  await agent.close();
  const ofType = new Map(resources);
  return {
    lane: lane.name,
    events: 1,
    counts: {
      asyncResources: resources.reduce((sum, [, count]) => sum + count, 0) / REQUESTS,
      promises: (ofType.get('PROMISE') ?? 0) / REQUESTS,
      timers: (ofType.get('Timeout') ?? 0) / REQUESTS,
      upstreamRoundTrips: (after.upstream - before.upstream) / REQUESTS,
      redisRoundTrips: (after.redis - before.redis) / REQUESTS,
      sqlStatements: statements / REQUESTS,
      requestParses: parses.request / REQUESTS,
      answerParses: parses.answer / REQUESTS,
      ...readCalls(calls),
    },
    places: places.map(([place, count]) => [place, count / REQUESTS] as const),
    called: calls.map(({ file, name, count }) => [`${file} ${name}`, count / REQUESTS] as const),
  };
};

/** Starts the gateways of these lanes one after the other, and counts. `withPlaces` takes some seconds more. */
export const measureLanes = async (
  chosen: readonly Lane[] = lanes,
  withPlaces = false,
): Promise<readonly Measured[]> => {
  const upstream = await startCountedUpstream();
  const found: Measured[] = [];
  const sameGateway = Map.groupBy(chosen, ({ gateway, hasRedis }) => `${gateway} ${hasRedis}`);
  for (const group of sameGateway.values()) {
    const [{ gateway: rules, hasRedis } = { gateway: 'governed' as const }] = group;
    const redis = hasRedis === true ? await startCountedRedis() : undefined;
    const store = { database: 'sqlite:./counted.db', redis: redis?.url ?? '' };
    const gateway = await startCountedGateway(settingsOf(rules, upstream.url, { store }));
    for (const lane of group) {
      const measured = await measureLane({ gateway, upstream, redis }, lane, withPlaces);
      const shorter = group.find(({ name }) => name === lane.beyond);
      const base = found.find((one) => one.lane === lane.beyond);
      const events = (lane.events ?? 0) - (shorter?.events ?? 0);
      if (base === undefined) found.push(measured);
      else found.push({ ...measured, events, counts: perEvent(base.counts, measured.counts, events) });
    }
    await gateway.stop();
    await redis?.stop();
  }
  await upstream.stop();
  return found;
};
