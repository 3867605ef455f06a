import { hashConversation, inputTotal, type Clock, type Exchange, type Usage } from '../../core/api/index.ts';
import { setBounded } from '../../core/api/internal.ts';
import { cachedTokens } from './savings.ts';

/** Conversations that each process remembers. */
const MAX_CONVERSATIONS = 10_000;
/** How long a vendor keeps a prompt in its cache after the last use. */
const FIVE_MINUTES = 300_000;
const HOUR = 3_600_000;

interface Conversation {
  readonly target: string;
  /** Tokens in the cache of the target. */
  readonly cached: number;
  readonly lifetimeMs: number;
  /** When the cache expires, in unix milliseconds. */
  readonly expiresAt: number;
}

/** Hashes can collide: with the key and the model, conversations of different callers never do. */
const keyOf = (exchange: Exchange): string | undefined => {
  const hash = hashConversation(exchange);
  const { organization, project, key } = exchange.caller;
  return hash === undefined ? undefined : `${organization}\n${project}\n${key}\n${exchange.model}\n${hash}`;
};

/** The last target of each conversation, and how much of it is cached there. */
export function createConversations({ now }: Pick<Clock, 'now'>) {
  const known = new Map<string, Conversation>();
  return {
    /**
     * Records the target of an exchange.
     * @returns tokens that were paid again because the conversation changed targets
     */
    record: (exchange: Exchange, target: string, usage: Usage): number => {
      const cached = cachedTokens(usage);
      // Most prompts are too short for a cache, and the key of a conversation takes a hash of it.
      if (cached === 0 && known.size === 0) return 0;
      const key = keyOf(exchange);
      if (key === undefined) return 0;
      const last = known.get(key);
      const live = last !== undefined && now() < last.expiresAt ? last : undefined;
      if (cached === 0 && live === undefined) return 0;
      const lifetimeMs =
        usage.cacheWrite1h > 0 || (live?.target === target && live.lifetimeMs === HOUR) ? HOUR : FIVE_MINUTES;
      setBounded(known, MAX_CONVERSATIONS, key, { target, cached, lifetimeMs, expiresAt: now() + lifetimeMs });
      return live === undefined || live.target === target
        ? 0
        : Math.max(0, Math.min(live.cached, inputTotal(usage)) - usage.cacheRead);
    },
  };
}
