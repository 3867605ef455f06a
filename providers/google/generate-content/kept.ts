import type { JsonObject } from '../../../core/index.ts';

/**
 * Parts with members that the canonical form has no word for (`videoMetadata`, `mediaResolution`, `functionResponse.scheduling`) stand in
 * `Turn.rest` as the client wrote them, under the index of the canonical part in its turn. On this wire they come back; on another the path is
 * named as lost.
 */
export const partPath = (index: number): string => `parts[${index}]`;

/** The members of a turn's `rest`, told apart: kept parts, and members of the content itself. */
export const splitKept = (members: Readonly<JsonObject>): { readonly parts: JsonObject; readonly own: JsonObject } => {
  const parts: JsonObject = {};
  const own: JsonObject = {};
  for (const [name, value] of Object.entries(members)) (name.startsWith('parts[') ? parts : own)[name] = value;
  return { parts, own };
};
