import { describeComparable } from '../config/comparable-config.ts';
import type { AdminRouter } from '../contracts/admin.ts';
import { GatewayError } from '../errors.ts';
import type { ReloadReport, Reloads } from './reloads.ts';

/** An entity tag: strong, as `If-Match` wants it. */
const tagOf = (hash: string): string => `"${hash}"`;
const writeTime = (at: number): string => new Date(at).toISOString();
const writeReport = ({ at, ...report }: ReloadReport): object => ({ at: writeTime(at), ...report });

/** @throws GatewayError `precondition_failed` where the caller has seen another configuration than this */
const checkMatch = (expected: string | undefined, hash: string): void => {
  if (expected === undefined || expected.split(',').some((tag) => ['*', tagOf(hash)].includes(tag.trim()))) return;
  throw new GatewayError('precondition_failed', `The configuration in force is ${tagOf(hash)}, and not the one of If-Match. Look at it anew (GET /admin/config) before it is reloaded.`);
};

/** GET /admin/config and POST /admin/reload: docs/admin.md. */
export const addConfigCalls = (router: AdminRouter, reloads: Reloads): void => {
  router.get('/admin/config', () => {
    const { live, loadedAt, last, needsRestart } = reloads;
    return {
      headers: { etag: tagOf(live.hash) },
      body: {
        file: live.file,
        hash: live.hash,
        loadedAt: writeTime(loadedAt),
        lastReload: last === undefined ? null : writeReport(last),
        needsRestart,
        ...describeComparable(live),
      },
    };
  });

  router.post('/admin/reload', async ({ headers }) => {
    await reloads.idle();
    const before = reloads.live.hash;
    checkMatch(headers['if-match'], before);
    const report = await reloads.request('admin');
    return { status: report.result === 'failed' ? 422 : 200, headers: { etag: tagOf(report.hash) }, body: writeReport(report), audit: { result: report.result, before, after: report.hash } };
  });
};
