import type { AnyCodec } from '../../contracts/codec.ts';
import type { Operation } from '../../canonical/wire.ts';

/** The operation of a route that does not set one: `generate` if the wire has it, or else the first one it has. */
export function defaultOperation(wire: string, codecs: readonly AnyCodec[]): Operation {
  const operations = codecs
    .filter((codec) => codec.wire === wire && codec.client !== undefined)
    .map(({ operation }) => operation);
  return operations.includes('generate') ? 'generate' : (operations[0] ?? 'generate');
}
