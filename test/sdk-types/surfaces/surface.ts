import type { JsonObject } from '../../../core/api/index.ts';
import { listDiscriminants, type Discriminant } from '../discriminants.ts';
import type { Outcome } from '../drive.ts';
import type { Declarations, Shape, TypeReader } from '../read-types.ts';
import type { ListedWire } from '../wires.ts';

/** A place of a wire whose names an SDK declares, and what the gateway does with a value there. */
export interface Surface {
  readonly wire: ListedWire;
  readonly name: string;
  readonly list: (types: TypeReader) => readonly Discriminant[];
  readonly skip?: RegExp;
  /** What the gateway does with a value. Of undefined: with nothing there. */
  readonly drive: (value: unknown) => readonly Outcome[];
}

/** A type by its declaration, and by members: `Response`, `output`, `[]`. */
export type TypePath = readonly [file: Declarations, name: string, ...members: string[]];

/** The type of a member. Of alternatives, those that have it. */
function memberOf(shape: Shape, name: string): readonly Shape[] {
  if (shape.kind === 'union') return shape.alternatives.flatMap((alternative) => memberOf(alternative, name));
  if (name === '[]') return shape.kind === 'list' ? [shape.item()] : [];
  const member = shape.kind === 'object' ? shape.members().get(name)?.shape : undefined;
  return member === undefined ? [] : [member];
}

const join = (shapes: readonly Shape[]): Shape =>
  shapes.length === 1
    ? shapes[0]!
    : {
        kind: 'union',
        alternatives: shapes.flatMap((shape) => (shape.kind === 'union' ? shape.alternatives : [shape])),
      };

export const readType = (types: TypeReader, [file, name, ...members]: TypePath): Shape => {
  let shape = types.read(file, name);
  for (const member of members) {
    const found = memberOf(shape, member);
    if (found.length === 0) throw new Error(`${name} of the SDK has no ${members.join('.')}.`);
    shape = join(found);
  }
  return shape;
};

/** The names of several types for one place. */
export const listAll = (
  types: TypeReader,
  paths: readonly TypePath[],
  depth: number,
  base?: Readonly<JsonObject>,
): readonly Discriminant[] => paths.flatMap((path) => listDiscriminants(readType(types, path), depth, base));

export interface SurfaceOptions {
  /** How many members deep. */
  readonly depth: number;
  /** The object whose members are tried. */
  readonly base?: Readonly<JsonObject>;
  /** Paths that are not tried: they are parts of another surface, or never sent. */
  readonly skip?: RegExp;
}

/** @param paths types for the same place, of several versions of the API */
export const surface = (
  wire: ListedWire,
  name: string,
  paths: readonly TypePath[],
  { depth, base, skip }: SurfaceOptions,
  drive: Surface['drive'],
): Surface => ({
  wire,
  name,
  drive,
  ...(skip === undefined ? {} : { skip }),
  list: (types) => listAll(types, paths, depth, base),
});
