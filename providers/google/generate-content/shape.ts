import { isObject, readList, type JsonObject } from '../../../core/index.ts';

/** The wire's name, as routes, metrics and `extra` spell it. */
export const WIRE = 'generate-content';

/**
 * One piece of a content. Exactly one member holds the data (`text`, `functionCall`, `inlineData`, …); `thought` and `thoughtSignature` stand beside it.
 * https://ai.google.dev/api/caching#Part
 */
export type WirePart = Readonly<JsonObject>;

/** A turn as the wire writes it: https://ai.google.dev/api/caching#Content */
export interface Content extends JsonObject {
  readonly role: 'user' | 'model';
  readonly parts: readonly WirePart[];
}

/**
 * What Gemini 3 takes in the place of a signature that nobody has.
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
export const NO_SIGNATURE = 'skip_thought_signature_validator';

/** A repeated member as the vendor's mapper takes it, and as its first examples are written: a single object is a list of one. */
export const readRepeated = (value: unknown): readonly unknown[] => (isObject(value) ? [value] : readList(value));

/**
 * An id for a call that came without one, by its place: the same whenever the same conversation is read, and another for each call of a turn.
 * @param turn index of the turn that makes the call, among all turns
 * @param call index among the calls of that turn
 */
export const deriveCallId = (turn: number, call: number, choice = 0): string =>
  choice === 0 ? `call_${turn}_${call}` : `call_${turn}_${call}_${choice}`;
