import { definePlugin, type AdminReply } from '../../core/index.ts';
import { answerUsage, isUsageMessage } from './api/answer.ts';
import { usageCall } from './api/description.ts';
import { openBooks, openWriter } from './open.ts';
import { reconcile } from './reconcile/command.ts';
import { schema, type LedgerOptions } from './schema.ts';
import { checkOptions } from './settings.ts';

/** How long a report may take. */
const ANSWER_MS = 10_000;

/** Keeps a row of every exchange in the database, off the event loop: docs/ledger.md. */
export default definePlugin<LedgerOptions>({
  kind: 'plugin',
  apiVersion: 1,
  name: 'ledger',
  init: { position: 35, comment: 'Keeps a row of every exchange: who asked what, what it used and what it cost.' },
  schema,
  check: checkOptions,
  commands: { reconcile },

  create: async (options, services) => {
    const writer = await openWriter(options, services);
    const isStrict = options.durability === 'strict';
    return {
      admit: (exchange) => {
        const opening = writer.open(exchange);
        const admission = { settle: (outcome: Parameters<typeof writer.settle>[1]) => writer.settle(opening, outcome) };
        return isStrict ? writer.secure(opening).then(() => admission) : admission;
      },
      endpoints: (router) =>
        router.get(
          '/v1/usage',
          async ({ caller: { organization, project, key }, query }) =>
            (await services.primary.ask({ query, caller: { organization, project, key } }, ANSWER_MS)) as AdminReply,
        ),
    };
  },

  primary: async (options, services) => {
    const { ask, follow } = await openBooks(options, services);
    const unfollow = follow(services.tellSpendingFound);
    return {
      spent: (query) => ask('spent', query),
      answer: (message) =>
        isUsageMessage(message) ? answerUsage(ask, services.clock.now(), message.query, message.caller) : undefined,
      admin: (router) =>
        router.get('/admin/usage', ({ query }) => answerUsage(ask, services.clock.now(), query), usageCall),
      close: async () => unfollow(),
    };
  },
});
