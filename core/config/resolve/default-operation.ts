import type { AnyCodec } from '../../contracts/codec.ts';
import type { Operation } from '../../canonical/wire.ts';

/** What a route of this wire asks for when it does not say: `generate` if the wire can, else what it is for. */
export function defaultOperation(wire: string, codecs: readonly AnyCodec[]): Operation {
  const operations = codecs
    .filter((codec) => codec.wire === wire && codec.client !== undefined)
    .map(({ operation }) => operation);
  return operations.includes('generate') ? 'generate' : (operations[0] ?? 'generate');
}
