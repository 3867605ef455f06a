import type { JsonObject } from '../../../core/api/index.ts';

/** The wire of Converse and ConverseStream. */
export const WIRE = 'bedrock-converse';

/** A block has one member, which is named after its kind. */
export type Block = JsonObject;

export interface Message extends JsonObject {
  readonly role: 'user' | 'assistant';
  readonly content: readonly Block[];
}
