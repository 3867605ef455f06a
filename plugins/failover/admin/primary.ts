import type { CallDescription, PrimaryInstance, PrimaryServices } from '../../../core/index.ts';
import { createBoard } from './fleet-health.ts';
import type { BoardEntry, PrimaryMessage } from './messages.ts';

const describeEntry = ({ until, ...entry }: BoardEntry): object => ({
  ...entry,
  ...(until === undefined ? {} : { until: new Date(until).toISOString() }),
});

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
      description: 'The callers that it holds for, a few of them. Absent: all callers.',
      items: { type: 'string' },
    },
  },
};
const described: CallDescription = {
  summary: 'Credentials and models that were ever in trouble, and how they are.',
  answer: { type: 'object', properties: { circuits: { type: 'array', items: entry } } },
};

/** The instance that knows the circuits of all processes; what it knows outlives reloads. */
export function createPrimary({ keep, clock }: Pick<PrimaryServices, 'keep' | 'clock'>): PrimaryInstance {
  const board = keep('failover/board', createBoard);
  return {
    answer: (message, worker) => {
      const asked = message as PrimaryMessage;
      if (asked.call === 'list') return board.list(clock.now());
      board.note(worker, asked.note);
      return null;
    },
    workerGone: board.forget,
    admin: (router) =>
      router.get(
        '/admin/circuits',
        () => ({ body: { circuits: board.list(clock.now()).map(describeEntry) } }),
        described,
      ),
  };
}
