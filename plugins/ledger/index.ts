import { definePlugin } from '../../core/index.ts';
import { openBooks, openWriter } from './open.ts';
import { schema, type LedgerOptions } from './schema.ts';
import { checkOptions } from './settings.ts';

/** Keeps a row of every exchange in the database, off the event loop: docs/ledger.md. */
export default definePlugin<LedgerOptions>({
  kind: 'plugin',
  apiVersion: 1,
  name: 'ledger',
  init: { position: 35, comment: 'Keeps a row of every exchange: who asked what, what it used and what it cost.' },
  schema,
  check: checkOptions,

  create: async (options, services) => {
    const writer = await openWriter(options, services);
    const isStrict = options.durability === 'strict';
    return {
      admit: (exchange) => {
        const opening = writer.open(exchange);
        const admission = { settle: (outcome: Parameters<typeof writer.settle>[1]) => writer.settle(opening, outcome) };
        return isStrict ? writer.secure(opening).then(() => admission) : admission;
      },
    };
  },

  primary: async (options, services) => {
    const ask = await openBooks(options, services);
    return { spent: (query) => ask('spent', query) };
  },
});
