import type { JsonObject } from '../../../../../core/api/index.ts';
import { type Lose, readObject } from '../../../../../core/api/codec.ts';

/** The kinds of parts that are read, by the member that holds their data. */
export type ReadKind = 'text' | 'functionCall' | 'inlineData';

const partMembers: ReadonlySet<string> = new Set(['thought', 'thoughtSignature']);
/** The members of the data that are read. */
const dataMembers: Readonly<Record<DataKind, readonly string[]>> = {
  functionCall: ['id', 'name', 'args', 'partialArgs', 'willContinue'],
  inlineData: ['mimeType', 'data'],
};
type DataKind = Exclude<ReadKind, 'text'>;

const isLost = (value: unknown): boolean => value !== null && value !== undefined;

/**
 * Names the members of a part that the canonical form cannot hold (`partMetadata`, `videoMetadata`). They have no
 * index: a stream has other parts than a plain response.
 * @param path of the content
 */
export function loseUnread(kind: ReadKind, part: JsonObject, path: string, lose: Lose): void {
  for (const [name, value] of Object.entries(part))
    if (name !== kind && !partMembers.has(name) && isLost(value))
      lose(`${path}.${name}`, 'dropped', 'the canonical form has no such member of a part');
  if (kind === 'text') return;
  for (const [name, value] of Object.entries(readObject(part[kind])))
    if (!dataMembers[kind].includes(name) && isLost(value))
      lose(`${path}.${kind}.${name}`, 'dropped', 'the canonical form has no such member of a part');
}
