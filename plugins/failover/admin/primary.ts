import type { CallDescription, PrimaryInstance, PrimaryServices } from '../../../core/api/index.ts';
import { omitUndefined } from '../../../core/api/codec.ts';
import { CircuitAlerts } from './circuit-alerts.ts';
import { FleetHealth } from './fleet-health.ts';
import type { FleetHealthEntry, PrimaryMessage } from './messages.ts';

const describeEntry = ({ until, ...entry }: FleetHealthEntry): object =>
  omitUndefined({ ...entry, until: until === undefined ? undefined : new Date(until).toISOString() });

const texts = Object.fromEntries(
  ['provider', 'model', 'credential', 'reason'].map((name) => [name, { type: 'string' }]),
);
const entry = {
  type: 'object',
  properties: {
    ...texts,
    state: { enum: ['closed', 'cooling', 'half-open', 'open'] },
    until: { type: 'string', format: 'date-time' },
    callers: {
      type: 'array',
      description: 'Some of the callers that it applies to. Absent: all callers.',
      items: { type: 'string' },
    },
  },
};
const described: CallDescription = {
  summary: 'Credentials and models that have ever failed, and their state now.',
  answer: { type: 'object', properties: { circuits: { type: 'array', items: entry } } },
};

/** The primary instance: it collects the circuits of all processes. What it has collected outlives reloads. */
export function createPrimary(services: Pick<PrimaryServices, 'shared' | 'clock' | 'alert'>): PrimaryInstance {
  const { shared, clock } = services;
  const health = shared('failover/fleet-health', () => new FleetHealth());
  const alerts = shared(
    'failover/circuit-alerts',
    () => new CircuitAlerts(services),
    (unused) => unused.close(),
  );
  return {
    handle: (received, worker) => {
      const message = received as PrimaryMessage;
      if (message.call === 'list') return health.list(clock.now());
      if (message.call === 'quantiles') return health.quantiles;
      if (message.call === 'latency') return health.latency(message.key);
      health.note(worker, message.note);
      alerts.note(worker, message.note);
      return null;
    },
    onWorkerExit: (worker) => {
      health.forget(worker);
      alerts.forget(worker);
    },
    admin: (router) =>
      router.get(
        '/admin/circuits',
        () => ({ body: { circuits: health.list(clock.now()).map(describeEntry) } }),
        described,
      ),
  };
}
