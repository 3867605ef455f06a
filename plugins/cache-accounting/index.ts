import { definePlugin, type Charge, type Usage } from '../../core/index.ts';
import { createConversations } from './conversations.ts';
import { schema } from './schema.ts';
import { cachedTokens, lossOf, savingsOf } from './worth.ts';

const resultOf = (usage: Usage): 'hit' | 'write' | 'miss' => {
  if (usage.cacheRead > 0) return 'hit';
  return cachedTokens(usage) > 0 ? 'write' : 'miss';
};

/** Of all charges; undefined where none has a price. */
const totalSavings = (charges: readonly Charge[]): bigint | undefined => {
  let saved: bigint | undefined;
  for (const charge of charges) if (charge.target.price !== undefined) saved = (saved ?? 0n) + savingsOf(charge);
  return saved;
};

/** Says of every exchange what the prompt cache of the vendor was worth to it. */
export default definePlugin({
  kind: 'plugin',
  apiVersion: 1,
  name: 'cache-accounting',
  init: {
    position: 32,
    comment: 'Says what the prompt caches of the vendors saved, and what was lost by moving a conversation.',
  },
  schema,

  create: (_options: unknown, { shared, metrics, clock }) => {
    // Kept across reloads: caches outlive them as well.
    const conversations = shared('cache-accounting: conversations', () => createConversations(clock));
    const requests = metrics.counter(
      'koine_cache_requests_total',
      'Answers whose provider counted its prompt cache, by what they found in it.',
      ['cache', 'result'],
    );
    const count = {
      hit: requests.bind(['prompt', 'hit']),
      write: requests.bind(['prompt', 'write']),
      miss: requests.bind(['prompt', 'miss']),
    };
    return {
      account: (exchange, charges) => {
        const last = charges.at(-1);
        if (exchange.operation !== 'generate' || last === undefined) return undefined;
        const { target, usage } = last;
        // What nobody reported tells nothing of a cache.
        if (usage.source === 'provider') count[resultOf(usage)](1);
        const again = conversations.note(exchange, target.id, usage);
        const saved = totalSavings(charges);
        return saved === undefined
          ? undefined
          : { saved, lost: target.price === undefined ? 0n : lossOf(target.price, usage, again) };
      },
    };
  },
});
