import type { AdminRouter, CallDescription } from '../../contracts/admin.ts';
import type { Clock } from '../../contracts/services.ts';
import { count, objectOf, text, time } from '../../http/admin/schemas.ts';
import { build } from '../../services/build.ts';
import type { Reloads } from '../reload/reloads.ts';

const described: CallDescription = {
  summary: 'What runs here: versions, the active configuration, and since when.',
  answer: objectOf({
    version: text,
    commit: text,
    node: text,
    configuration: objectOf({ hash: text, generation: count, loadedAt: time }),
    startedAt: time,
    uptimeSeconds: count,
    workers: count,
  }),
};

/**
 * Adds GET /version, for operators only: the data listener has no such path.
 * @param generation of the configuration: 1 at the start, higher with each successful reload
 */
export function addVersionCall(
  router: AdminRouter,
  generation: number,
  reloads: Reloads,
  clock: Pick<Clock, 'now'>,
): void {
  const answer = (): object => {
    const { live, loadedAt } = reloads;
    const uptime = process.uptime();
    return {
      ...build,
      configuration: { hash: live.hash, generation, loadedAt: new Date(loadedAt).toISOString() },
      startedAt: new Date(clock.now() - uptime * 1_000).toISOString(),
      uptimeSeconds: Math.floor(uptime),
      workers: live.config.server.workers,
    };
  };
  router.get('/version', () => ({ body: answer() }), described);
}
