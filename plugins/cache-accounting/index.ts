import { definePlugin, type Charge, type Usage } from '../../core/api/index.ts';
import { createConversations } from './conversations.ts';
import { cachedTokens, lossOf, savingsOf } from './savings.ts';

/** There are no settings. */
const schema = {
  type: 'object',
  description: 'Calculates for every exchange what the prompt cache of the vendor saved.',
  properties: {},
  additionalProperties: false,
};

const resultOf = (usage: Usage): 'hit' | 'write' | 'miss' => {
  if (usage.cacheRead > 0) return 'hit';
  return cachedTokens(usage) > 0 ? 'write' : 'miss';
};

/** Savings of all charges; undefined when none has a price. */
const totalSavings = (charges: readonly Charge[]): bigint | undefined => {
  let saved: bigint | undefined;
  for (const charge of charges) if (charge.price !== undefined) saved = (saved ?? 0n) + savingsOf(charge);
  return saved;
};

/** Calculates for every exchange what the prompt cache of the vendor saved. */
export default definePlugin({
  kind: 'plugin',
  apiVersion: 1,
  name: 'cache-accounting',
  init: {
    position: 32,
    comment: 'Calculates what prompt caches saved, and what was lost when conversations changed targets.',
  },
  schema,

  create: (_options: unknown, { shared, metrics, clock }) => {
    // Shared across reloads, as the caches of vendors outlive them as well.
    const conversations = shared('cache-accounting: conversations', () => createConversations(clock));
    const requests = metrics.counter(
      'koine_cache_requests_total',
      'Responses with usage of the prompt cache, by result.',
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
        const { target, price, usage } = last;
        // Estimated usage has no figures of the cache.
        if (usage.source === 'provider') count[resultOf(usage)](1);
        const paidAgain = conversations.record(exchange, target.id, usage);
        const saved = totalSavings(charges);
        return saved === undefined
          ? undefined
          : { saved, lost: price === undefined ? 0n : lossOf(price, usage, paidAgain) };
      },
    };
  },
});
