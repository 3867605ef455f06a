import type { JsonObject } from '../../../core/index.ts';

/** The wire's name, as routes, metrics and `extra` spell it. */
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
