import { readList } from '../../canonical/json/read.ts';
import { describePath } from '../describe-path.ts';
import type { Finding } from '../problem.ts';
import type { CheckContext } from '../checks/check.ts';
import { collectLimits } from '../checks/limits.ts';
import { member } from '../checks/tolerant.ts';

/** Without limits, one caller or one leaked key could spend everything. */
export function* auditLimits({ data }: CheckContext): Iterable<Finding> {
  if (collectLimits(data).some(({ list }) => readList(list).some((limit) => member(limit, 'enforce') !== false)))
    return;
  const message =
    'Callers have no limits: the file has none that is enforced. Set at least "limits", which apply to each key.';
  yield { path: ['limits'], on: 'key', rule: 'no-limits', message };
}

/** Limits should stay in force when Redis or the plugin that enforces them fails. */
export function* auditStoreFailures({ data, plugins }: CheckContext): Iterable<Finding> {
  for (const { path, list } of collectLimits(data))
    for (const [index, limit] of readList(list).entries()) {
      if (member(limit, 'onStoreFailure') !== 'allow') continue;
      const at = [...path, index];
      const place = describePath(at);
      const message = `${place} is not enforced while Redis is unavailable. Set onStoreFailure to local or deny.`;
      yield { path: [...at, 'onStoreFailure'], rule: 'fails-open', message };
    }
  const enforcing = new Set<unknown>(
    plugins.filter(({ definition }) => definition.enforces !== undefined).map(({ use }) => use),
  );
  for (const [index, plugin] of readList(member(data, 'plugins')).entries()) {
    if (!enforcing.has(member(plugin, 'use')) || member(plugin, 'onError') !== 'skip') continue;
    const place = describePath(['plugins', index]);
    const message = `${place} enforces limits, but is skipped when it fails. Set onError to fail.`;
    yield { path: ['plugins', index, 'onError'], rule: 'fails-open', message };
  }
}
