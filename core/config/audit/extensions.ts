import { readList } from '../../canonical/json/read.ts';
import type { Check } from '../checks/check.ts';
import { entries, member } from '../checks/tolerant.ts';
import { describePath } from '../describe-path.ts';
import type { Path } from '../problem.ts';

/** An extension can read every prompt and every credential, so changes of its files should be detected. */
export const auditExtensions: Check = ({ data, plugins, providers }) => {
  const found = new Map(
    [...plugins, ...Object.values(providers)].map(({ kind, use, integrity }) => [`${kind} ${use}`, integrity]),
  );
  const uses: readonly (readonly [kind: string, entry: unknown, path: Path])[] = [
    ...entries(member(data, 'providers')).map(([name, entry]) => ['provider', entry, ['providers', name]] as const),
    ...readList(member(data, 'plugins')).map((entry, index) => ['plugin', entry, ['plugins', index]] as const),
  ];
  return uses.flatMap(([kind, entry, path]) => {
    const hash = found.get(`${kind} ${String(member(entry, 'use'))}`);
    if (hash === undefined || member(entry, 'integrity') !== undefined) return [];
    const message =
      `${describePath(path)} runs with all permissions of the gateway, and changes of its files are not detected. ` +
      `Pin its current files with: integrity: ${hash}`;
    return [{ path: [...path, 'use'], rule: 'unpinned-extension' as const, message }];
  });
};
