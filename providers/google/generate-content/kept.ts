import type { JsonObject } from '../../../core/index.ts';

/**
 * What a part says beyond the canonical form (`videoMetadata`, `mediaResolution`, `functionResponse.scheduling`) stands in `Turn.rest`, under the
 * index of the canonical part in its turn. On this wire it comes back; on another the path is named as lost.
 */
export const partPath = (index: number): string => `parts[${index}]`;

/** The members of a turn's `rest`, told apart: kept parts, and members of the content itself. */
export const splitKept = (members: Readonly<JsonObject>): { readonly parts: JsonObject; readonly own: JsonObject } => {
  const parts: JsonObject = {};
  const own: JsonObject = {};
  for (const [name, value] of Object.entries(members)) (name.startsWith('parts[') ? parts : own)[name] = value;
  return { parts, own };
};
