import { isObject } from '../canonical/json/members.ts';
import type { KnownMembers } from '../canonical/json/known-members.ts';
import type { Operation, WireName } from '../canonical/wire.ts';
import type { AnyCodec } from '../contracts/codec.ts';
import type { Outcome } from '../contracts/outcome.ts';
import type { Log, Metrics } from '../contracts/services.ts';

/** Paths that are counted separately for one provider. Their names are text of an upstream, which can invent more. */
const MAX_PATHS = 20;
/** Objects, and unknown members, that are read of one exchange. */
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

  constructor(log: Log, metrics: Metrics) {
    this.#log = log;
    this.#counter = metrics.counter(
      'koine_usage_unknown_members_total',
      'Members of the usage of providers that the gateway does not know.',
      ['provider', 'path'],
    );
  }

  count(provider: string, path: string): void {
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

const listTables = (codecs: readonly AnyCodec[]): ReadonlyMap<Operation, ReadonlyMap<WireName, KnownMembers>> => {
  const tables = new Map<Operation, Map<WireName, KnownMembers>>();
  for (const { operation, wire, upstream } of codecs) {
    if (upstream?.usageMembers === undefined) continue;
    const wires = tables.get(operation) ?? new Map<WireName, KnownMembers>();
    tables.set(operation, wires.set(wire, upstream.usageMembers));
  }
  return tables;
};

/** Compares the usage that providers reported with what their codecs declare as `usageMembers`. */
export function createUsageWatch(codecs: readonly AnyCodec[], unknown: Pick<UnknownUsage, 'count'>): WatchUsage {
  const tables = listTables(codecs);
  return (operation, { attempts, charges }) => {
    const open: { readonly provider: string; readonly value: unknown; readonly known: KnownMembers }[] = [];
    for (const { attempt, target, usage, calls } of charges) {
      const wire = attempts[attempt]?.wire;
      const known = wire === undefined ? undefined : tables.get(operation)?.get(wire);
      if (known === undefined) continue;
      const { provider } = target;
      if (calls === undefined) open.push({ provider, value: usage.raw, known });
      else for (const { raw } of calls) open.push({ provider, value: raw, known });
    }
    let found = 0;
    for (const { provider, value, known } of open) {
      if (!isObject(value)) continue;
      for (const name in value) {
        const member = value[name];
        const inner = known.members.get(name);
        // A member that is null or 0 reports nothing that was used.
        if (inner === true || member === null || member === 0) continue;
        if (inner === undefined) unknown.count(provider, known.path + plainName(name));
        else if ('members' in inner) {
          for (const entry of Array.isArray(member) ? member.slice(0, MAX_READ) : [member])
            if (open.length < MAX_READ) open.push({ provider, value: entry, known: inner });
          continue;
        } else if (typeof member !== 'string' || inner.has(member)) continue;
        else unknown.count(provider, `${known.path}${name}=${plainName(member)}`);
        found += 1;
        if (found === MAX_READ) return;
      }
    }
  };
}
