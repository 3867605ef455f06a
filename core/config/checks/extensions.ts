import { readList } from '../../canonical/json/read.ts';
import { foldName } from '../../contracts/request-members.ts';
import { describePath } from '../describe-path.ts';
import type { Finding, Path } from '../problem.ts';
import type { CheckContext } from './check.ts';
import { entries, member, text } from './tolerant.ts';

/** A plugin can be listed once: twice the same would count or refuse twice. */
export function* checkPlugins({ data }: CheckContext): Iterable<Finding> {
  const first = new Map<string, Path>();
  for (const [index, plugin] of readList(member(data, 'plugins')).entries()) {
    const use = text(member(plugin, 'use'));
    if (use === undefined) continue;
    const earlier = first.get(use);
    first.set(use, earlier ?? ['plugins', index]);
    if (earlier === undefined) continue;
    const message = `This plugin is already listed as ${describePath(earlier)}. Remove one of the two.`;
    yield { path: ['plugins', index, 'use'], rule: 'duplicate-plugin', message };
  }
}

/** A request member must not be both refused and accepted. */
export function* checkMemberLists({ data }: CheckContext): Iterable<Finding> {
  for (const [name, provider] of entries(member(data, 'providers'))) {
    const refused = new Set(readList(member(provider, 'refuseMembers')).map((item) => foldName(text(item) ?? '')));
    for (const [index, item] of readList(member(provider, 'acceptMembers')).entries()) {
      const path: Path = ['providers', name, 'acceptMembers', index];
      const found = text(item);
      if (found === undefined || !refused.has(foldName(found))) continue;
      const place = describePath(path);
      const message = `${place} is also in providers.${name}.refuseMembers. Remove it from one of the two lists.`;
      yield { path, rule: 'duplicate-item', message };
    }
  }
}
