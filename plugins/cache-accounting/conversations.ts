import { hashConversation, inputTotal, setBounded, type Clock, type Exchange, type Usage } from '../../core/index.ts';
import { cachedTokens } from './worth.ts';

/** Conversations that are remembered in each process. */
const MOST = 10_000;
/** How long a cache holds its prompt after it was last used. */
const FIVE_MINUTES = 300_000;
const HOUR = 3_600_000;

interface Conversation {
  readonly target: string;
  /** Tokens of it that the cache of the target holds. */
  readonly cached: number;
  readonly lifetime: number;
  /** By the clock, in milliseconds. */
  readonly until: number;
}

/** Where conversations were answered last, and what is cached of them there. */
export interface Conversations {
  /** Notes where the exchange was answered. @returns tokens that were paid again because that is another target than the last time */
  note(exchange: Exchange, target: string, usage: Usage): number;
}

/** Hashes alone may be the same for two: by its key and model, nobody's conversation meets another's. */
const nameOf = (exchange: Exchange): string | undefined => {
  const hash = hashConversation(exchange);
  const { organization, project, key } = exchange.caller;
  return hash === undefined ? undefined : `${organization}\n${project}\n${key}\n${exchange.model}\n${hash}`;
};

export function createConversations({ now }: Pick<Clock, 'now'>): Conversations {
  const known = new Map<string, Conversation>();
  return {
    note: (exchange, target, usage) => {
      const cached = cachedTokens(usage);
      // Nothing to look up: most prompts are too short for a cache, and naming a conversation takes a hash of it.
      if (cached === 0 && known.size === 0) return 0;
      const name = nameOf(exchange);
      if (name === undefined) return 0;
      const before = known.get(name);
      const alive = before !== undefined && now() < before.until ? before : undefined;
      if (cached === 0 && alive === undefined) return 0;
      const lifetime =
        usage.cacheWrite1h > 0 || (alive?.target === target && alive.lifetime === HOUR) ? HOUR : FIVE_MINUTES;
      setBounded(known, MOST, name, { target, cached, lifetime, until: now() + lifetime });
      return alive === undefined || alive.target === target
        ? 0
        : Math.max(0, Math.min(alive.cached, inputTotal(usage)) - usage.cacheRead);
    },
  };
}
