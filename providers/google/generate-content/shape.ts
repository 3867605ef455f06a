import type { JsonObject } from '../../../core/api/index.ts';
import { isObject, readList } from '../../../core/api/codec.ts';

/** The name of the wire in routes, metrics and extra members. */
export const WIRE = 'generate-content';

/**
 * One part of a content. Exactly one member holds the data (`text`, `functionCall`, `inlineData`, …); `thought` and
 * `thoughtSignature` are next to it.
 * https://ai.google.dev/api/caching#Part
 */
export type WirePart = Readonly<JsonObject>;

/** A turn of the conversation: https://ai.google.dev/api/caching#Content */
export interface Content extends JsonObject {
  readonly role: 'user' | 'model';
  readonly parts: readonly WirePart[];
}

/**
 * The placeholder that Gemini 3 accepts instead of a missing signature.
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
export const NO_SIGNATURE = 'skip_thought_signature_validator';

/** The items of a repeated member. The vendor's JSON mapper accepts a single object as a list of one. */
export const readRepeated = (value: unknown): readonly unknown[] => (isObject(value) ? [value] : readList(value));

const innerRequest = ['generateContentRequest', 'generate_content_request'] as const;

/** The member of a token count that has a whole request, as the body spells it. Without it, only contents count. */
export const findInnerRequest = (body: unknown): (typeof innerRequest)[number] | undefined =>
  isObject(body) ? innerRequest.find((name) => body[name] !== undefined && body[name] !== null) : undefined;

/**
 * The id of a call that has none, derived from its position: the same each time the conversation is read, and different
 * for each call of a turn.
 * @param turn index of the turn that makes the call, among all turns
 * @param call index among the calls of that turn
 */
export const deriveCallId = (turn: number, call: number, choice = 0): string =>
  choice === 0 ? `call_${turn}_${call}` : `call_${turn}_${call}_${choice}`;
