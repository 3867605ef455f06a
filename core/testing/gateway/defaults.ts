import type { BuiltIns } from '../../extensions/extension.ts';

/** They identify the key, and count requests. */
export const defaultPlugins = [{ use: 'auth' }, { use: 'metrics' }] as const;

const apiKey = 'upstream-key-0123456789';

/** The vendors with an official wire, all at the address of the upstream. */
export const describeProviders = (upstream: string): Readonly<Record<string, object>> => ({
  openai: { use: 'openai', config: { apiKey, baseUrl: `${upstream}/v1` } },
  anthropic: { use: 'anthropic', config: { apiKey, baseUrl: upstream } },
  google: { use: 'google', config: { apiKey, baseUrl: upstream } },
});

/** Every model of each provider, for the clients of these wires. */
export const describeModels = (
  providers: readonly string[],
  wires: readonly string[],
): Readonly<Record<string, object>> =>
  Object.fromEntries(providers.map((provider) => [`${provider}/*`, { wires, targets: [{ provider, model: '*' }] }]));

/** The wires that clients can use. */
export const listWires = ({ provider }: BuiltIns): readonly string[] => [
  ...new Set(
    Object.values(provider).flatMap(({ codecs = [] }) =>
      codecs.filter(({ client }) => client !== undefined).map(({ wire }) => wire),
    ),
  ),
];
