import { readList } from '../../canonical/json/read.ts';
import { foldName } from '../../contracts/request-members.ts';
import { describePath } from '../describe-path.ts';
import type { Finding, Path } from '../problem.ts';
import type { Check } from './check.ts';
import { entries, member, text } from './tolerant.ts';

/** A request member must not be both refused and accepted. */
export const checkMemberLists: Check = ({ data }) =>
  entries(member(data, 'providers')).flatMap(([name, provider]) => {
    const refused = new Set(readList(member(provider, 'refuseMembers')).map((item) => foldName(text(item) ?? '')));
    return readList(member(provider, 'acceptMembers')).flatMap((item, index): readonly Finding[] => {
      const path: Path = ['providers', name, 'acceptMembers', index];
      const found = text(item);
      return found !== undefined && refused.has(foldName(found))
        ? [
            {
              path,
              rule: 'duplicate-item',
              message:
                `${describePath(path)} is also in providers.${name}.refuseMembers. ` +
                'Remove it from one of the two lists.',
            },
          ]
        : [];
    });
  });
