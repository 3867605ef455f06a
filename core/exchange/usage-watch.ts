import { isObject } from '../canonical/json/members.ts';
import type { KnownMembers } from '../canonical/json/known-members.ts';
import type { JsonObject, Operation, WireName } from '../canonical/wire.ts';
import type { AnyCodec } from '../contracts/codec.ts';
import type { Outcome } from '../contracts/outcome.ts';
import type { Log, Metrics } from '../contracts/services.ts';

/** Paths that are counted separately for one provider. Their names are text of an upstream, which can invent more. */
const MAX_PATHS = 20;
/** Entries of lists and unknown members that are read of one usage. */
const MAX_READ = 200;
/** Everything else is text that no metric or log should repeat. */
const PLAIN_NAME = /^[A-Za-z_][\w-]{0,63}$/;
const OTHER = 'other';

const plainName = (name: unknown): string => (typeof name === 'string' && PLAIN_NAME.test(name) ? name : OTHER);

/** Counts what providers report as usage and the gateway does not know, and logs each of it once. */
export class UnknownUsage {
  readonly #log: Log;
  readonly #counter;
  readonly #found = new Map<string, Map<string, (count: number) => void>>();
  #left = 0;

  constructor(log: Log, metrics: Metrics) {
    this.#log = log;
    this.#counter = metrics.counter(
      'koine_usage_unknown_members_total',
      'Members of the usage of providers that the gateway does not know.',
      ['provider', 'path'],
    );
  }

  /** @param raw the usage as the provider sent it */
  check(provider: string, raw: JsonObject, known: KnownMembers): void {
    this.#left = MAX_READ;
    this.#checkObject(provider, raw, known);
  }

  #checkObject(provider: string, object: JsonObject, { path, members }: KnownMembers): void {
    for (const name in object) {
      const value = object[name];
      const known = members.get(name);
      // A member that is null reports nothing.
      if (known === true || value === null) continue;
      if (known === undefined) this.#count(provider, path + plainName(name));
      else if (!('members' in known)) {
        if (typeof value === 'string' && !known.has(value)) this.#count(provider, `${path}${name}=${plainName(value)}`);
      } else if (Array.isArray(value)) this.#checkList(provider, value, known);
      else if (isObject(value)) this.#checkObject(provider, value, known);
      if (this.#left <= 0) return;
    }
  }

  #checkList(provider: string, list: readonly unknown[], known: KnownMembers): void {
    for (const entry of list) {
      this.#left -= 1;
      if (this.#left <= 0) return;
      if (isObject(entry)) this.#checkObject(provider, entry, known);
    }
  }

  #count(provider: string, path: string): void {
    this.#left -= 1;
    let found = this.#found.get(provider);
    if (found === undefined) this.#found.set(provider, (found = new Map()));
    const name = found.has(path) || found.size < MAX_PATHS ? path : OTHER;
    let count = found.get(name);
    if (count === undefined) {
      found.set(name, (count = this.#counter.bind([provider, name])));
      this.#log.warn(
        { provider, path: name },
        'a provider reports usage that this version does not know, and may charge for it',
      );
    }
    count(1);
  }
}

/** Called with each outcome that has charges. */
export type WatchUsage = (operation: Operation, outcome: Pick<Outcome, 'attempts' | 'charges'>) => void;

/** Compares the usage that providers reported with what their codecs declare as `usageMembers`. */
export function createUsageWatch(codecs: readonly AnyCodec[], unknown: UnknownUsage): WatchUsage {
  const wires = new Map<Operation, Map<WireName, KnownMembers>>();
  for (const { operation, wire, upstream } of codecs) {
    if (upstream?.usageMembers === undefined) continue;
    const tables = wires.get(operation) ?? new Map<WireName, KnownMembers>();
    wires.set(operation, tables.set(wire, upstream.usageMembers));
  }
  return (operation, { attempts, charges }) => {
    for (const { attempt, target, usage, calls } of charges) {
      const wire = attempts[attempt]?.wire;
      const known = wire === undefined ? undefined : wires.get(operation)?.get(wire);
      if (known === undefined) continue;
      if (calls === undefined) {
        if (isObject(usage.raw)) unknown.check(target.provider, usage.raw, known);
      } else for (const { raw } of calls) if (isObject(raw)) unknown.check(target.provider, raw, known);
    }
  };
}
