import { randomUUID } from 'node:crypto';
import type { Clock, Redis } from '../../../core/api/index.ts';

const BEAT_MS = 5_000;
/** A gateway that was silent for this long is not counted. */
const SILENT_MS = 15_000;

/** ARGV: id, how long it is counted; 0: it has ended. Returns the number of gateways. */
const beatScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local lasts = tonumber(ARGV[2])
if lasts > 0 then redis.call('ZADD', KEYS[1], now + lasts, ARGV[1]) else redis.call('ZREM', KEYS[1], ARGV[1]) end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('PEXPIRE', KEYS[1], 60000)
return redis.call('ZCARD', KEYS[1])
`;

/** Counts the gateways that share a Redis, by a heartbeat of each main thread. */
export class Gateways {
  readonly #beat: (lasts: number) => Promise<number>;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #timer: NodeJS.Timeout;
  #count = 0;
  #countedAt = -Infinity;

  constructor(redis: Redis, clock: Pick<Clock, 'monotonic'>) {
    const [id, beat] = [randomUUID(), redis.script('koineGateways', beatScript)];
    this.#beat = async (lasts) => Number(await beat(['koine:{gateways}'], [id, lasts]));
    this.#clock = clock;
    this.#timer = setInterval(() => void this.beat(), BEAT_MS).unref();
    void this.beat();
  }

  /** As last counted; 0: never. While Redis is not available, the number stays. */
  get count(): number {
    return this.#count;
  }

  /** A lower count is believed only after a while: an empty Redis knows a gateway from its next heartbeat on. */
  async beat(): Promise<void> {
    try {
      const count = await this.#beat(SILENT_MS);
      const now = this.#clock.monotonic();
      if (count < this.#count && now - this.#countedAt < SILENT_MS) return;
      [this.#count, this.#countedAt] = [count, now];
    } catch {
      // The breaker logs that Redis is not available.
    }
  }

  /** Leaves, so that the others do not wait until it counts as silent. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#beat(0).catch(() => {});
  }
}
