import { readList } from '../../canonical/json/read.ts';
import { describePath } from '../describe-path.ts';
import type { Finding } from '../problem.ts';
import type { Check } from '../checks/check.ts';
import { collectLimits } from '../checks/limits.ts';
import { member } from '../checks/tolerant.ts';

/** Without limits, one caller or one leaked key could spend everything. */
export const auditLimits: Check = ({ data }) =>
  collectLimits(data).some(({ list }) => readList(list).some((limit) => member(limit, 'enforce') !== false))
    ? []
    : [
        {
          path: ['limits'],
          on: 'key',
          rule: 'no-limits',
          message:
            'Callers have no limits: the file has none that is enforced. ' +
            'Set at least "limits", which apply to each key.',
        },
      ];

/** Limits should stay in force when Redis or the plugin that enforces them fails. */
export const auditStoreFailures: Check = ({ data, plugins }) => {
  const lists = collectLimits(data).flatMap(({ path, list }) =>
    readList(list).flatMap((limit, index): readonly Finding[] => {
      const at = [...path, index];
      return member(limit, 'onStoreFailure') === 'allow'
        ? [
            {
              path: [...at, 'onStoreFailure'],
              rule: 'fails-open',
              message:
                `${describePath(at)} is not enforced while Redis is unavailable. ` +
                'Set onStoreFailure to local or deny.',
            },
          ]
        : [];
    }),
  );
  const enforcing = new Set(
    plugins.filter(({ definition }) => definition.enforces !== undefined).map(({ use }) => use),
  );
  const skipping = readList(member(data, 'plugins')).flatMap((plugin, index): readonly Finding[] => {
    const use = member(plugin, 'use');
    return typeof use === 'string' && enforcing.has(use) && member(plugin, 'onError') === 'skip'
      ? [
          {
            path: ['plugins', index, 'onError'],
            rule: 'fails-open',
            message:
              `${describePath(['plugins', index])} enforces limits, but is skipped when it fails. ` +
              'Set onError to fail.',
          },
        ]
      : [];
  });
  return [...lists, ...skipping];
};
