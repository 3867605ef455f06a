import type { JsonObject } from '../../../core/api/index.ts';

/** The name of the wire in routes, metrics and extra members. */
export const WIRE = 'messages';

/**
 * A content block of a request or a response.
 * https://platform.claude.com/docs/en/api/messages
 */
export interface Block extends JsonObject {
  readonly type: string;
}

/** A message of the conversation, or a system turn between others. */
export interface Message extends JsonObject {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: readonly Block[];
}

/** The `caller` of a call that the model itself makes, and not code that it runs. */
export const DIRECT = { type: 'direct' } as const;

export type Write = (event: string, data: JsonObject) => void;
