import { isMainThread, type MessagePort } from 'node:worker_threads';
import { definePlugin, readDuration, type AdminReply, type Headers, type Outcome } from '../../core/api/index.ts';
import { addOwnUse } from './api/own-use.ts';
import { addRequests } from './api/requests-endpoint.ts';
import { usageCall } from './api/description.ts';
import { handleUsage, isUsageMessage, type UsageMessage } from './api/usage-endpoint.ts';
import { openPrimaryLedger, openWorkerWriter, openWriter } from './open.ts';
import { reconcile } from './reconcile/command.ts';
import { schema, type LedgerOptions } from './schema.ts';
import { checkOptions } from './settings.ts';
import { requireClients } from './sinks/open-sink.ts';

/** Deadline of a report that a worker requests from the main thread. */
const REPORT_MS = 10_000;
/** The main thread can be busy with the start of other workers. */
const PORT_MS = 30_000;

/** A worker thread asks for a port to the ledger thread. */
interface PortRequest {
  /** The id of its writer in the ledger. */
  readonly openPort: string;
}
const isPortRequest = (message: unknown): message is PortRequest =>
  typeof message === 'object' && message !== null && 'openPort' in message;

/** Writes a row of every exchange to the database, off the event loop: docs/reference/ledger.md. */
export default definePlugin<LedgerOptions>({
  kind: 'plugin',
  apiVersion: 1,
  name: 'ledger',
  init: { position: 35, comment: 'Writes a row of every exchange: caller, usage and cost.' },
  schema,
  check: checkOptions,
  checkLive: async ({ sinks = {} }, services) => (await import('./sinks/check-live.ts')).checkLive(sinks, services),
  commands: { reconcile },

  create: async (options, services) => {
    requireClients(options.sinks ?? {});
    const openPort = async (process: string): Promise<MessagePort> =>
      (await services.primary.call({ openPort: process } satisfies PortRequest, PORT_MS)) as MessagePort;
    const { writer } = isMainThread
      ? await openWriter(options, services)
      : await openWorkerWriter(options, services, openPort);
    const isStrict = options.durability === 'strict';
    return {
      admit: (exchange) => {
        const open = writer.open(exchange);
        const admission = {
          settle: (outcome: Outcome) =>
            outcome.continues === true ? writer.leave(open) : writer.settle(open, outcome),
        };
        return isStrict ? writer.persist(open).then(() => admission) : admission;
      },
      // Its open row was written when its request ended.
      resume: (exchange, openedAt) => ({
        settle: (outcome) => {
          if (outcome.continues !== true) writer.settle({ exchange, openedAt, since: exchange.startedAt }, outcome);
        },
      }),
      ended: (ended) => {
        if (ended.outcome.status >= 400) writer.refuse(ended);
      },
      endpoints: (router) =>
        router.get(
          '/v1/usage',
          async ({ caller: { organization, project, key }, query }) =>
            (await services.primary.call({ query, caller: { organization, project, key } }, REPORT_MS)) as AdminReply,
        ),
    };
  },

  primary: async (options, services) => {
    const { query: queryLedger, openPort, replay, onSpendingChanged } = await openPrimaryLedger(options, services);
    const report = (query: Headers, caller?: UsageMessage['caller'] | readonly string[]): Promise<AdminReply> =>
      handleUsage(queryLedger, services.clock.now(), readDuration(options.retention), query, caller);
    const unsubscribe = onSpendingChanged(services.notifySpendingFound);
    return {
      spent: (query) => queryLedger('spent', query),
      handle: (message) => {
        if (isPortRequest(message)) return openPort(message.openPort);
        return isUsageMessage(message) ? report(message.query, message.caller) : undefined;
      },
      admin: (router) => {
        router.get('/admin/usage', ({ query }) => report(query), usageCall);
        addRequests(router, queryLedger, options.traceLink);
        addOwnUse(router, { queryLedger, services, report });
      },
      onWorkerExit: replay,
      close: async () => unsubscribe(),
    };
  },
});
