import type { Part } from '../../core/api/index.ts';

/** The paths of the parts of `content`: a text or a list of parts. */
export const placeContent = (path: string, content: unknown): readonly string[] =>
  Array.isArray(content) ? content.map((_part, index) => `${path}[${index}]`) : [path];

/** A turn can have ten thousand parts that lose something: each list is searched once. */
const indices = new WeakMap<readonly Part[], ReadonlyMap<Part, number>>();

/** The path of a part in loss reports. @param parts the parts of the turn or result at `path` */
export function placePart(
  part: Part,
  { path, parts = [] }: { readonly path: string; readonly parts?: readonly Part[] },
): string {
  const known = indices.get(parts) ?? new Map(parts.map((own, index) => [own, index] as const).toReversed());
  indices.set(parts, known);
  const index = known.get(part);
  return index === undefined ? `${path}.content` : `${path}.content[${index}]`;
}
