import { describePath } from '../describe-path.ts';
import type { Finding } from '../problem.ts';
import type { Check } from '../checks/check.ts';
import { collectLimits } from '../checks/limits.ts';
import { items, member } from '../checks/tolerant.ts';

/** One caller, or one key that leaked, could spend everything. */
export const auditLimits: Check = ({ data }) =>
  collectLimits(data).some(({ list }) => items(list).some((limit) => member(limit, 'enforce') !== false))
    ? []
    : [
        {
          path: ['limits'],
          on: 'key',
          rule: 'no-limits',
          message:
            'Nothing limits what a caller may use: no limit holds anywhere in the file. Give at least "limits", what each key gets.',
        },
      ];

const WHY = 'does not hold while Redis cannot be asked: who takes Redis away has no limit. Write local or deny.';

/** Limits and what makes them hold stay when something fails. */
export const auditStoreFailures: Check = ({ data, plugins }) => {
  const lists = collectLimits(data).flatMap(({ path, list }) =>
    items(list).flatMap((limit, index): readonly Finding[] => {
      const at = [...path, index];
      return member(limit, 'onStoreFailure') === 'allow'
        ? [{ path: [...at, 'onStoreFailure'], rule: 'fails-open', message: `${describePath(at)} ${WHY}` }]
        : [];
    }),
  );
  const enforcing = new Set(
    plugins.filter(({ definition }) => definition.enforces !== undefined).map(({ use }) => use),
  );
  const skipping = items(member(data, 'plugins')).flatMap((plugin, index): readonly Finding[] => {
    const use = member(plugin, 'use');
    return typeof use === 'string' && enforcing.has(use) && member(plugin, 'onError') === 'skip'
      ? [
          {
            path: ['plugins', index, 'onError'],
            rule: 'fails-open',
            message: `${describePath(['plugins', index])} makes limits hold, and is done without whenever it fails. Write fail.`,
          },
        ]
      : [];
  });
  return [...lists, ...skipping];
};
