import { randomUUID } from 'node:crypto';
import type { Clock, Redis } from '../../../core/api/index.ts';
import { isObject, readList } from '../../../core/api/codec.ts';
import type { CircuitState } from './circuit.ts';
import type { HealthKey } from './condition.ts';
import type { HealthRegistry } from './health-registry.ts';

/** How long a hint is kept, and how long a target takes no second one of its kind. */
const KEPT_MS = 10_000;
const EVERY_MS = 1_000;
/** Hints of all processes together. The oldest give way. */
const MOST = 1_000;
/** The braces keep the key at one node of a cluster. */
const KEY = 'koine:{failover}:hints';

/** Adds the hints of a process, and returns the time and the hints since its last call. All times are of Redis. */
const EXCHANGE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for i = 2, #ARGV do redis.call('ZADD', KEYS[1], now, ARGV[i]) end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ${KEPT_MS})
redis.call('ZREMRANGEBYSCORE', KEYS[1], '(' .. now, '+inf')
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, ${-MOST - 1})
redis.call('PEXPIRE', KEYS[1], ${KEPT_MS})
return { tostring(now), unpack(redis.call('ZRANGEBYSCORE', KEYS[1], ARGV[1], '+inf')) }
`;

/** What another process has found: that a target fails, or that it responds again. */
type Finding = 'failing' | 'good';

interface Hint extends Pick<HealthKey, 'provider' | 'model' | 'credential'> {
  readonly from: string;
  readonly finding: Finding;
}

const isHint = (value: unknown): value is Hint =>
  isObject(value) &&
  ['provider', 'model', 'credential', 'from', 'finding'].every((name) => typeof value[name] === 'string');

const readHint = (text: unknown): readonly Hint[] => {
  try {
    const value: unknown = JSON.parse(String(text));
    return isHint(value) ? [value] : [];
  } catch {
    return [];
  }
};

interface HintsParts {
  readonly redis: Pick<Redis, 'script'>;
  readonly registry: Pick<HealthRegistry, 'find'>;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/**
 * Shares what this process has found out about targets with other processes, of this host and of others, and takes what
 * they have found as a reason to probe, never as the state of a circuit here. One command a second, outside of any
 * request; without Redis, and while it does not respond, each process finds out for itself.
 */
export class Hints {
  readonly #parts: HintsParts;
  readonly #exchange: ReturnType<Redis['script']>;
  readonly #own = randomUUID();
  readonly #taken = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;
  #outgoing: string[] = [];
  #since = '0';
  #isBusy = false;

  constructor(parts: HintsParts) {
    this.#parts = parts;
    this.#exchange = parts.redis.script('failover-hints', EXCHANGE);
    this.#timer = setInterval(() => void this.exchange(), EVERY_MS).unref();
  }

  /** A circuit has changed here. Those of single callers say nothing about a target, unless it responds again. */
  changed(
    { provider, model, credential, label }: HealthKey,
    from: CircuitState,
    to: CircuitState,
    isOfAll: boolean,
  ): void {
    // Names of wildcards come from clients.
    if (label !== undefined || from === to) return;
    const isFailing = to === 'open' && isOfAll;
    const isGood = to === 'closed' || (to === 'half-open' && from === 'open');
    if (!isFailing && !isGood) return;
    const hint: Hint = { provider, model, credential, from: this.#own, finding: isFailing ? 'failing' : 'good' };
    if (this.#outgoing.length < MOST) this.#outgoing.push(JSON.stringify(hint));
  }

  /** Sends what is new, and takes what is. What cannot be sent within a second is no longer new. */
  async exchange(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    const sent = this.#outgoing;
    this.#outgoing = [];
    try {
      const [now, ...hints] = readList(await this.#exchange([KEY], [this.#since, ...sent]));
      this.#since = String(now);
      for (const hint of hints.flatMap(readHint)) this.#take(hint);
    } catch {
      // The plugins that need Redis report that it is away.
    } finally {
      this.#isBusy = false;
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #take({ from, finding, ...healthKey }: Hint): void {
    if (from === this.#own) return;
    const now = this.#parts.clock.monotonic();
    const key = JSON.stringify([finding, healthKey]);
    if (now - (this.#taken.get(key) ?? -Infinity) < KEPT_MS) return;
    for (const [known, at] of this.#taken) if (now - at >= KEPT_MS) this.#taken.delete(known);
    this.#taken.set(key, now);
    const condition = this.#parts.registry.find(healthKey);
    if (finding === 'failing') condition?.suspect(now);
    else condition?.recheck(now);
  }
}
