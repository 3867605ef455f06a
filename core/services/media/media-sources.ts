import { createMediaSource, type MediaSource } from './media-source.ts';

/** The `fetchMedia` settings of one provider. */
export interface FetchMediaSettings {
  readonly enabled: boolean;
  readonly allow: readonly string[];
}

/**
 * Creates the media source of each provider that has one, by provider name. Providers with the same rules share a
 * source, so that an exchange which tries several of them fetches once. Downloads are never reused under other rules.
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
