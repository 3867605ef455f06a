import { readList } from '../../canonical/json/read.ts';
import { describePath } from '../describe-path.ts';
import type { Finding, Path } from '../problem.ts';
import type { Check } from './check.ts';
import { member, text } from './tolerant.ts';

/** A plugin can be listed once: twice the same would count or refuse twice. */
export const checkPlugins: Check = ({ data }) => {
  const first = new Map<string, Path>();
  return readList(member(data, 'plugins')).flatMap((plugin, index): readonly Finding[] => {
    const use = text(member(plugin, 'use'));
    if (use === undefined) return [];
    const earlier = first.get(use);
    first.set(use, earlier ?? ['plugins', index]);
    return earlier === undefined
      ? []
      : [
          {
            path: ['plugins', index, 'use'],
            rule: 'duplicate-plugin',
            message: `This plugin is already listed as ${describePath(earlier)}. Remove one of the two.`,
          },
        ];
  });
};
