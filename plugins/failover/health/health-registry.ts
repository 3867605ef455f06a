import type { Target } from '../../../core/index.ts';
import type { Random } from '../attempts/backoff.ts';
import type { Settings } from '../config/settings.ts';
import { Condition, type Change, type Subject } from './condition.ts';
import { Health } from './health.ts';
import { createLatency, type Latency } from './latency.ts';

/** In the place of a model: it holds for all of them. */
export const EVERY_MODEL = '*';

/** What is known of all targets and credentials of this process. It outlives reloads. */
export interface Roster {
  /** From now on these settings hold, and changes of circuits are reported there. */
  adopt(circuit: Settings['circuit'], changed: (subject: Subject, change: Change) => void): void;
  health(target: Pick<Target, 'id' | 'provider' | 'model'>, credential: string): Health;
  /** By the ids in the record of an attempt. */
  find(targetId: string, credential: string): Health | undefined;
  /** Until an answer of a target begins: streams begin earlier than whole answers. */
  latency(targetId: string, stream: boolean): Latency;
}

const getOrCreate = <T>(map: Map<string, T>, key: string, create: () => T): T => {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = create();
  map.set(key, made);
  return made;
};

export function createRoster(rules: Settings['circuit'], random: Random): Roster {
  let current = rules;
  let report: (subject: Subject, change: Change) => void = () => {};
  const known = new Map<string, Health>();
  const accounts = new Map<string, Condition>();
  const latencies = new Map<string, Latency>();

  const createCondition = (subject: Subject): Condition =>
    new Condition({ subject, rules: () => current, random, changed: (of, change) => report(of, change) });
  const accountOf = (provider: string, credential: string): Condition =>
    getOrCreate(accounts, `${provider}\n${credential}`, () =>
      createCondition({ provider, model: EVERY_MODEL, credential }),
    );
  const keyOf = (targetId: string, credential: string): string => `${targetId}\n${credential}`;

  return {
    adopt: (circuit, changed) => {
      current = circuit;
      report = changed;
    },
    health: ({ id, provider, model }, credential) =>
      getOrCreate(known, keyOf(id, credential), () => {
        const condition = createCondition({ provider, model, credential });
        return new Health(condition, accountOf(provider, credential));
      }),
    find: (targetId, credential) => known.get(keyOf(targetId, credential)),
    latency: (targetId, stream) => getOrCreate(latencies, `${stream ? 'stream' : 'plain'} ${targetId}`, createLatency),
  };
}
