import type { CacheMark } from '../../core/api/index.ts';
import type { Prompt } from './prompt.ts';

/** Tokens of a prompt that were read from the cache and written to it. */
export interface CacheCounts {
  readonly read: number;
  readonly write5m: number;
  readonly write1h: number;
}

/** Remembers the prefixes of prompts, as vendors do, for one process. */
export interface PromptCache {
  /** What the prompt reads from the cache and writes to it. */
  count(prompt: Prompt): CacheCounts;
}

const isLong = ({ ttl }: CacheMark): boolean => ttl === '1h' || ttl === '12h';

/** @param limit how many prefixes are remembered; the least recently used is dropped first */
export function createPromptCache(limit = 1_000): PromptCache {
  const seen = new Set<string>();
  const remember = (digest: string): void => {
    seen.delete(digest);
    seen.add(digest);
    if (seen.size <= limit) return;
    const [oldest] = seen;
    if (oldest !== undefined) seen.delete(oldest);
  };
  return {
    count: ({ prefixes }) => {
      const last = prefixes.length - 1;
      // The last turn is new: it is read from the cache only if the client marked it.
      const hit = prefixes.findLastIndex(
        ({ digest, mark }, index) => (index < last || mark !== undefined) && seen.has(digest),
      );
      const counts = { read: prefixes[hit]?.tokens ?? 0, write5m: 0, write1h: 0 };
      let covered = counts.read;
      prefixes.forEach(({ digest, tokens, mark, kept }, index) => {
        if (mark !== undefined && index > hit) {
          counts[isLong(mark) ? 'write1h' : 'write5m'] += tokens - covered;
          covered = tokens;
        }
        if (mark !== undefined || kept || index === hit) remember(digest);
      });
      return counts;
    },
  };
}
