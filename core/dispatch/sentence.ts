import type { ErrorReply, RefusedRequest } from '../contracts/codec.ts';
import type { FailureClass } from '../errors/codes.ts';
import { isEchoed } from './echo.ts';

/**
 * A sentence of a vendor that sends no code. The pattern is anchored at both ends; its first group, if any, is the
 * part that is the vendor's own.
 */
export type Sentence = readonly [pattern: RegExp, failure: FailureClass];

/**
 * The failure that a vendor's whole message stands for, where no code says it. `undefined` for any other message, and
 * for one whose sentence stands in the request: vendors repeat what they refuse, so it may be the caller's own text.
 */
export function classifySentence(
  sentences: readonly Sentence[],
  message: string,
  { refused }: ErrorReply,
): FailureClass | undefined {
  for (const [pattern, failure] of sentences) {
    const match = pattern.exec(message);
    if (match !== null) return mayBeEcho(match[1] ?? match[0], refused) ? undefined : failure;
  }
  return undefined;
}

const mayBeEcho = (sentence: string, refused: RefusedRequest | undefined): boolean =>
  refused !== undefined && isEchoed(sentence, refused.body);

const baseOf = (model: string): string => model.slice(model.lastIndexOf('/') + 1);

/**
 * Does a vendor's whole message say that the target's model is missing? The first group of each pattern is the model's
 * name: requests may name other models too, in a tool for example, and those are the caller's own.
 */
export const isModelMissing = (patterns: readonly RegExp[], message: string, { refused }: ErrorReply): boolean =>
  patterns.some((pattern) => {
    const name = pattern.exec(message)?.[1];
    const isTargets = name !== undefined && (refused === undefined || baseOf(name) === baseOf(refused.model));
    return isTargets && !mayBeEcho(message, refused);
  });
