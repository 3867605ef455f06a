import { operationNames } from '../canonical/operation/operations.ts';
import type { Operation, WireName } from '../canonical/wire.ts';
import type { AnyCodec, Codec } from '../contracts/codec.ts';
import type { Framing } from '../contracts/framing.ts';
import type { ProviderDefinition } from '../contracts/provider.ts';
import { GatewayError } from '../errors/gateway-error.ts';

/** The codecs and framings of every built-in provider, configured or not, and of the other providers of the file. */
export interface Registry {
  codec<O extends Operation>(operation: O, wire: WireName): Codec<O> | undefined;
  readonly codecs: readonly AnyCodec[];
  framing(name: string): Framing | undefined;
  /** The wires that the provider of this name defines. Many use those of others. */
  wiresOf(provider: string): readonly WireName[];
  /**
   * Adds the codecs and framings of a provider, or none of them.
   * @throws GatewayError `KOINE_EXTENSION_DUPLICATE`
   */
  add(provider: Pick<ProviderDefinition, 'name' | 'codecs' | 'framings'>): void;
}

type Table = { readonly [O in Operation]: Map<WireName, Codec<O>> };

/** @param framings those of the core */
export function createRegistry(framings: readonly Framing[] = []): Registry {
  const table = Object.fromEntries(operationNames.map((name) => [name, new Map()])) as Table;
  const codecs: AnyCodec[] = [];
  const byName = new Map(framings.map((framing) => [framing.name, framing]));
  const wires = new Map<string, readonly WireName[]>();
  const owners = new Map<string, string>(framings.map(({ name }) => [`framing ${name}`, 'the core']));

  const find = <O extends Operation>(operation: O): Map<WireName, Codec<O>> => table[operation];
  const put = <O extends Operation>(codec: { readonly [K in O]: Codec<K> }[O]): void => {
    find<O>(codec.operation).set(codec.wire, codec);
  };
  const claim = (provider: string, names: readonly string[]): void => {
    const seen = new Set<string>();
    for (const name of names) {
      const owner = owners.get(name) ?? (seen.has(name) ? JSON.stringify(provider) : undefined);
      if (owner !== undefined)
        throw new GatewayError(
          'KOINE_EXTENSION_DUPLICATE',
          `The provider ${JSON.stringify(provider)} registers the ${name}, which ${owner} has already registered.`,
        );
      seen.add(name);
    }
    names.forEach((name) => owners.set(name, JSON.stringify(provider)));
  };

  return {
    codec: (operation, wire) => find(operation).get(wire),
    codecs,
    framing: (name) => byName.get(name),
    wiresOf: (provider) => wires.get(provider) ?? [],
    add: ({ name, codecs: ownCodecs = [], framings: ownFramings = [] }) => {
      claim(name, [
        ...ownCodecs.map(({ operation, wire }) => `codec of ${operation} on ${wire}`),
        ...ownFramings.map((framing) => `framing ${framing.name}`),
      ]);
      ownCodecs.forEach((codec) => put(codec));
      codecs.push(...ownCodecs);
      wires.set(name, [...new Set(ownCodecs.map(({ wire }) => wire))]);
      ownFramings.forEach((framing) => byName.set(framing.name, framing));
    },
  };
}
