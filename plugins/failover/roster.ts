import type { Target } from '../../core/index.ts';
import type { Random } from './backoff.ts';
import { createCircuit, type Circuit, type Transition } from './circuit.ts';
import { createHealth, type Health, type Subject } from './health.ts';
import { createLatency, type Latency } from './latency.ts';
import type { Settings } from './settings.ts';

/** In the place of a model: what is said holds for all of them. */
export const EVERY_MODEL = '*';

/** What is known of all targets and credentials of this process. It outlives reloads. */
export interface Roster {
  /** From now on these settings hold, and transitions are told to this witness. */
  adopt(circuit: Settings['circuit'], turned: (subject: Subject, transition: Transition) => void): void;
  health(target: Pick<Target, 'id' | 'provider' | 'model'>, credential: string): Health;
  /** By the ids in the record of an attempt. */
  find(targetId: string, credential: string): Health | undefined;
  /** Until an answer of a target begins: streams begin earlier than whole answers. */
  latency(targetId: string, stream: boolean): Latency;
}

export const createRoster = (rules: Settings['circuit'], random: Random): Roster => {
  let current = rules;
  let witness: (subject: Subject, transition: Transition) => void = () => {};
  const known = new Map<string, Health>();
  const accounts = new Map<string, Circuit>();
  const latencies = new Map<string, Latency>();

  const getOrCreate = <T>(map: Map<string, T>, key: string, create: () => T): T => {
    const found = map.get(key);
    if (found !== undefined) return found;
    const made = create();
    map.set(key, made);
    return made;
  };
  const open = (subject: Subject): Circuit => createCircuit({ rules: () => current, random, tell: (transition) => witness(subject, transition) });
  const accountOf = (provider: string, credential: string): Circuit =>
    getOrCreate(accounts, `${provider}\n${credential}`, () => open({ provider, model: EVERY_MODEL, credential }));
  const keyOf = (targetId: string, credential: string): string => `${targetId}\n${credential}`;

  return {
    adopt: (circuit, turned) => {
      current = circuit;
      witness = turned;
    },
    health: ({ id, provider, model }, credential) =>
      getOrCreate(known, keyOf(id, credential), () => {
        const subject = { provider, model, credential };
        return createHealth(subject, open(subject), accountOf(provider, credential));
      }),
    find: (targetId, credential) => known.get(keyOf(targetId, credential)),
    latency: (targetId, stream) => getOrCreate(latencies, `${stream ? 'stream' : 'plain'} ${targetId}`, createLatency),
  };
};
