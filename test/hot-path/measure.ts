import { setTimeout as delay } from 'node:timers/promises';
import { Agent } from 'undici';
import { ANSWER_MARK } from '../../tools/bench/load/requests.ts';
import { settingsOf } from '../../tools/bench/gateways/settings.ts';
import { lowestOf, perEvent, type Counts } from './counts.ts';
import { startCountedGateway, type CountedProcess } from './counted-process.ts';
import { startCountedRedis, type CountedRedis } from './counted-redis.ts';
import { startCountedUpstream, type CountedUpstream } from './counted-upstream.ts';
import { lanes, type Lane } from './lanes.ts';
import type { Calls, Places } from './messages.ts';

/** Requests that are counted together: work that several of them share counts in proportion. */
const REQUESTS = 50;
const WARM_UP = 40;
/**
 * Each kind of count is taken this often, and the lowest of each measure counts: timers and other work beside the
 * requests only ever add to a count.
 */
const ROUNDS = 3;
/** The ledger writes up to 0.1 s after an exchange has ended. */
const FLUSH_MS = 300;
/** Longer than the intervals of timers that run often. */
const IDLE_MS = 1_500;

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
  /** Functions that run without requests. */
  readonly idle: ReadonlySet<string>;
}

const play = async (
  agent: Agent,
  { gateway, upstream }: Pick<Scene, 'gateway' | 'upstream'>,
  lane: Lane,
  times: number,
): Promise<void> => {
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

const placeOf = ({ file, at }: Calls[number]): string => `${file} ${at}`;

/**
 * Functions that ran for every request, their files, and calls of all functions, in proportion.
 * @param idle functions that also run without requests: on a slow machine, more often than there are requests
 */
const readCalls = (calls: Calls, idle: ReadonlySet<string>): Counts => {
  const constant = calls.filter((called) => called.count >= REQUESTS && !idle.has(placeOf(called)));
  return {
    functions: constant.length,
    files: new Set(constant.map(({ file }) => file)).size,
    calls: calls.reduce((sum, { count }) => sum + count, 0) / REQUESTS,
  };
};

/** The calls that both rounds have. */
const keepCommon = (one: Calls, other: Calls): Calls => {
  const counts = new Map(other.map((called) => [placeOf(called), called.count]));
  return one.flatMap((called) => {
    const again = counts.get(placeOf(called));
    return again === undefined ? [] : [{ ...called, count: Math.min(called.count, again) }];
  });
};

/** What the process and its servers did in one round, per request. */
const countEvents = async (scene: Scene, work: () => Promise<void>): Promise<Counts> => {
  const { gateway, upstream, redis } = scene;
  const before = { upstream: upstream.requests, redis: redis?.roundTrips ?? 0 };
  const { resources, statements, parses } = await gateway.count('events', work);
  const ofType = new Map(resources);
  const counts: Counts = {
    asyncResources: resources.reduce((sum, [, count]) => sum + count, 0),
    promises: ofType.get('PROMISE') ?? 0,
    timers: ofType.get('Timeout') ?? 0,
    upstreamRoundTrips: upstream.requests - before.upstream,
    redisRoundTrips: (redis?.roundTrips ?? 0) - before.redis,
    sqlStatements: statements,
    requestParses: parses.request,
    answerParses: parses.answer,
  };
  return Object.fromEntries(Object.entries(counts).map(([measure, count]) => [measure, count / REQUESTS]));
};

const measureLane = async (scene: Scene, lane: Lane, withPlaces: boolean): Promise<Measured> => {
  const agent = new Agent({ connections: 1 });
  const { gateway } = scene;
  const work = (): Promise<void> => play(agent, scene, lane, REQUESTS);
  const rounds = async <Found>(count: () => Promise<Found>): Promise<readonly Found[]> => {
    const found: Found[] = [];
    while (found.length < ROUNDS) found.push(await count());
    return found;
  };

  await play(agent, scene, lane, WARM_UP);
  const events = await rounds(() => countEvents(scene, work));
  const calls = (await rounds(() => gateway.count('calls', work))).reduce(keepCommon);
  const bytes = await rounds(() => gateway.count('bytes', work));
  const places = withPlaces ? await gateway.count('places', work) : [];
  await agent.close();
  return {
    lane: lane.name,
    events: 1,
    counts: {
      ...events.reduce(lowestOf),
      ...readCalls(calls, scene.idle),
      bytes: Math.round(Math.min(...bytes) / REQUESTS),
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
    const idle = new Set((await gateway.count('calls', () => delay(IDLE_MS))).map(placeOf));
    for (const lane of group) {
      const measured = await measureLane({ gateway, upstream, redis, idle }, lane, withPlaces);
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
