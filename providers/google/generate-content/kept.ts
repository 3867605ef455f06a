import { isObject, type JsonObject } from '../../../core/index.ts';

/**
 * What a part says beyond the canonical form (`videoMetadata`, `mediaResolution`, a result's `scheduling`) stands in `Turn.rest` under the
 * place of the part: the members that nobody read, at the depth where they stood. On this wire they come back; on another they are named as lost.
 * @param index among the canonical parts of the turn
 */
export const partPath = (index: number): string => `parts[${index}]`;

const isPartPath = (name: string): boolean => name.startsWith('parts[');

/** The members of a turn's `rest`, told apart: what belongs to a part, and members of the content itself. */
export const splitKept = (members: Readonly<JsonObject>): { readonly parts: JsonObject; readonly own: JsonObject } => {
  const parts: JsonObject = {};
  const own: JsonObject = {};
  for (const [name, value] of Object.entries(members)) (isPartPath(name) ? parts : own)[name] = value;
  return { parts, own };
};

/** A part as it is written, with what was kept of it: members of its own, and members of the object that holds its data. */
export const restorePart = (written: Readonly<JsonObject>, kept: unknown): JsonObject => {
  if (!isObject(kept)) return { ...written };
  const merged: JsonObject = { ...written };
  for (const [name, value] of Object.entries(kept)) {
    const found = merged[name];
    if (found === undefined) merged[name] = value;
    else if (isObject(found) && isObject(value)) merged[name] = { ...found, ...value };
  }
  return merged;
};
