import type { AdminRouter, CallDescription } from '../../contracts/admin.ts';
import { count, listOf, objectOf, text, time } from '../../http/admin/schemas.ts';
import type { WorkerSlot } from '../primary/worker-slot.ts';
import { exitReasons } from '../primary/worker-thread.ts';

const described: CallDescription = {
  summary: 'The worker threads: which serve, and why others do not. Empty when one thread serves everything.',
  answer: objectOf({
    workers: listOf(
      objectOf(
        {
          worker: count,
          state: { enum: ['starting', 'serving', 'waiting'] },
          since: time,
          failedStarts: count,
          lastExit: objectOf({
            at: time,
            code: count,
            reason: { enum: exitReasons },
            error: text,
          }),
          nextStart: time,
        },
        ['state', 'since', 'failedStarts'],
      ),
    ),
  }),
};

/** Adds GET /admin/workers: docs/reference/admin.md. */
export const addWorkersCall = (router: AdminRouter, slots: readonly WorkerSlot[]): void =>
  router.get('/admin/workers', () => ({ body: { workers: slots.map((slot) => slot.describe()) } }), described);
