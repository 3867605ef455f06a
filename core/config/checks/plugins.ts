import { describePath } from '../describe-path.ts';
import type { Finding, Path } from '../problem.ts';
import type { Check } from './check.ts';
import { items, member, text } from './tolerant.ts';

/** A plugin takes part once: twice the same would count or refuse twice. */
export const checkPlugins: Check = ({ data }) => {
  const first = new Map<string, Path>();
  return items(member(data, 'plugins')).flatMap((plugin, index): readonly Finding[] => {
    const use = text(member(plugin, 'use'));
    if (use === undefined) return [];
    const twin = first.get(use);
    first.set(use, twin ?? ['plugins', index]);
    return twin === undefined
      ? []
      : [
          {
            path: ['plugins', index, 'use'],
            rule: 'duplicate-plugin',
            message: `The plugin is used by ${describePath(twin)} already.`,
          },
        ];
  });
};
