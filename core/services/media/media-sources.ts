import { createMediaSource, type MediaSource } from './media-source.ts';

/** What the operator has said of one provider. */
export interface FetchMediaSettings {
  readonly enabled: boolean;
  readonly allow: readonly string[];
}

/**
 * The media source of each provider that may have one, by its name. Providers that may fetch from the same places share one, so that an exchange
 * which tries several of them fetches once; by other rules nothing that was fetched is given on.
 */
export function createMediaSources(
  providers: Readonly<Record<string, { readonly fetchMedia: FetchMediaSettings }>>,
): (provider: string) => MediaSource | undefined {
  const byRules = new Map<string, MediaSource>();
  const byProvider = new Map<string, MediaSource>();
  for (const [
    name,
    {
      fetchMedia: { enabled, allow },
    },
  ] of Object.entries(providers)) {
    if (!enabled) continue;
    const rules = allow.toSorted().join(' ');
    const source = byRules.get(rules) ?? createMediaSource({ allow });
    byRules.set(rules, source);
    byProvider.set(name, source);
  }
  return (provider) => byProvider.get(provider);
}
