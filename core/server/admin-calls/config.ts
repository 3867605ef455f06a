import { describeComparable, describeMasked } from '../../config/diff/comparable-config.ts';
import type { AdminRouter, CallDescription } from '../../contracts/admin.ts';
import { checkMatch, tagOf } from '../../http/admin/entity-tag.ts';
import { covers } from '../../http/admin/roles.ts';
import { count, listOf, objectOf, text, texts, time } from '../../http/admin/schemas.ts';
import type { ReloadReport } from '../reload/reload-report.ts';
import type { Reloads } from '../reload/reloads.ts';

const writeTime = (at: number): string => new Date(at).toISOString();
const writeReport = ({ at, ...report }: ReloadReport): object => ({ at: writeTime(at), ...report });

const problem = objectOf({ file: text, line: count, column: count, severity: text, rule: text, message: text }, [
  'rule',
  'message',
]);
const report = objectOf({
  at: time,
  trigger: text,
  result: { enum: ['reloaded', 'unchanged', 'failed'] },
  hash: text,
  changed: texts,
  needsRestart: texts,
  overruled: texts,
  problems: listOf(problem),
});
const described = {
  config: {
    summary:
      'The active configuration, without secrets, and the result of the last reload; its ETag is for the reload.',
    answer: objectOf({
      file: text,
      hash: text,
      loadedAt: time,
      lastReload: { anyOf: [report, { type: 'null' }] },
      needsRestart: texts,
      config: { type: 'object' },
      salt: text,
    }),
  },
  reload: {
    summary: 'Reads the file again and makes it active; 422 with the problems where that cannot be done.',
    conditional: true,
    answer: report,
  },
} as const satisfies Readonly<Record<string, CallDescription>>;

/** GET /admin/config and POST /admin/reload: docs/reference/admin.md. */
export function addConfigCalls(router: AdminRouter, reloads: Reloads): void {
  router.get(
    '/admin/config',
    ({ actor }) => {
      const { live, loadedAt, last, needsRestart } = reloads;
      return {
        headers: { etag: tagOf(live.hash) },
        body: {
          file: live.file,
          hash: live.hash,
          loadedAt: writeTime(loadedAt),
          lastReload: last === undefined ? null : writeReport(last),
          needsRestart,
          ...(covers(actor.role, 'admin') ? describeComparable(live) : { config: describeMasked(live) }),
        },
      };
    },
    described.config,
  );

  router.post(
    '/admin/reload',
    async (request) => {
      await reloads.idle();
      const before = reloads.live.hash;
      checkMatch(request, tagOf(before), 'The active configuration is', 'GET /admin/config');
      const report = await reloads.request('admin');
      return {
        status: report.result === 'failed' ? 422 : 200,
        headers: { etag: tagOf(report.hash) },
        body: writeReport(report),
        audit: { result: report.result, before, after: report.hash },
      };
    },
    described.reload,
  );
}
