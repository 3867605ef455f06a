import type { JsonObject } from '../../core/api/index.ts';
import { isObject, readList, readObject } from '../../core/api/codec.ts';
import { textOf } from '../shared/read.ts';

/** The note of a virtual key that is pinned. */
export const PINNED =
  'It is pinned to some keys of the provider, as those of a region, and a key of Koine can use all of them. So it is ' +
  'imported as disabled. Give each group of keys a provider and models of its own, allow only these models under ' +
  'models, and remove disabled.';

/** The note of a routing rule without whose targets its model has others. */
export const LOST_RULE =
  'None of its targets was imported, so the rule is left out, and requests for its model reach the keys of the ' +
  'provider instead. Add the targets, or remove the model.';

/** What selects a key of a provider: its id or its name. */
export const namesOf = (key: unknown): readonly string[] =>
  isObject(key) ? ['id', 'key_id', 'name'].flatMap((member) => textOf(key[member]) ?? []) : [textOf(key) ?? []].flat();

/**
 * Whether a virtual key may use some of several keys of a provider only.
 * @param config one of its `provider_configs` @param providers `providers` of the file
 */
export function isPinned(config: JsonObject, providers: JsonObject): boolean {
  const selected = new Set(readList(config['key_ids'] ?? config['keys']).flatMap(namesOf));
  const keys = readList(readObject(providers[textOf(config['provider']) ?? ''])['keys']);
  return (
    selected.size > 0 &&
    !selected.has('*') &&
    keys.length > 1 &&
    !keys.every((key) => namesOf(key).some((name) => selected.has(name)))
  );
}

/** The keys that routing rules name: each is a provider of its own, so that a rule can have it alone. */
export const pinnedByRules = (source: JsonObject): ReadonlySet<string> =>
  new Set(
    readList(readObject(source['governance'])['routing_rules']).flatMap((rule) =>
      readList(readObject(rule)['targets']).flatMap((target) => textOf(readObject(target)['key_id']) ?? []),
    ),
  );
