import type { JsonObject } from '../../../core/index.ts';

/** The wire's name, as routes, metrics and `rest` bags spell it. */
export const WIRE = 'messages';

/**
 * A content block of either direction.
 * https://platform.claude.com/docs/en/api/messages
 */
export interface Block extends JsonObject {
  readonly type: string;
}

/** A turn as the wire writes it. */
export interface Message extends JsonObject {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: readonly Block[];
}

export type Write = (event: string, data: JsonObject) => void;

/** The object with the members that have a value: what is `undefined` is not written. */
export const selectPresent = (members: JsonObject): JsonObject => {
  const present: JsonObject = {};
  for (const name of Object.keys(members)) if (members[name] !== undefined) present[name] = members[name];
  return present;
};
