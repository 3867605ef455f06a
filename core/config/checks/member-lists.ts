import { foldName } from '../../contracts/references.ts';
import { describePath } from '../describe-path.ts';
import type { Finding, Path } from '../problem.ts';
import type { Check } from './check.ts';
import { entries, items, member, text } from './tolerant.ts';

/** A member of requests is refused or accepted, not both. */
export const checkMemberLists: Check = ({ data }) =>
  entries(member(data, 'providers')).flatMap(([name, provider]) => {
    const refused = new Set(items(member(provider, 'refuseMembers')).map((item) => foldName(text(item) ?? '')));
    return items(member(provider, 'acceptMembers')).flatMap((item, index): readonly Finding[] => {
      const path: Path = ['providers', name, 'acceptMembers', index];
      const found = text(item);
      return found !== undefined && refused.has(foldName(found))
        ? [
            {
              path,
              rule: 'duplicate-item',
              message: `${describePath(path)} is in providers.${name}.refuseMembers as well. A member is refused or accepted: remove it from one of the lists.`,
            },
          ]
        : [];
    });
  });
