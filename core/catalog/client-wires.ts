import { isServed } from '../canonical/operation/operations.ts';
import type { Operation, WireName } from '../canonical/wire.ts';
import type { AnyCodec } from '../contracts/codec.ts';
import type { Target } from '../contracts/target.ts';

/** A wire that clients can use, and its operations. */
export interface ClientWire {
  readonly wire: WireName;
  readonly operations: readonly Operation[];
  /** Whether a model must list the wire to be available on it. */
  readonly optIn?: boolean;
}

/** The wires of the codecs with a side for clients. */
export function listClientWires(codecs: readonly AnyCodec[]): readonly ClientWire[] {
  const clientCodecs = codecs.filter(({ client }) => client !== undefined);
  return [...Map.groupBy(clientCodecs, ({ wire }) => wire)].map(([wire, codecs]) => ({
    wire,
    operations: codecs.map(({ operation }) => operation),
    ...(codecs.some(({ traits }) => traits?.optIn === true) ? { optIn: true } : {}),
  }));
}

/** The default wires of a model: those with an operation that a target supports, except opt-in wires. */
export const listWires = (clientWires: readonly ClientWire[], targets: readonly Target[]): readonly WireName[] => {
  const served = new Set(targets.flatMap(({ endpoint }) => endpoint.wires.map(({ operation }) => operation)));
  return clientWires
    .filter(({ optIn, operations }) => optIn !== true && operations.some((operation) => isServed(operation, served)))
    .map(({ wire }) => wire);
};
