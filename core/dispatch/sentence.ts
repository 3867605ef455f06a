import type { ErrorReply, RefusedRequest } from '../contracts/codec-context.ts';
import type { FailureClass } from '../errors/codes.ts';
import { isEchoed } from './echo.ts';

/**
 * An error message of a vendor that sends no code. The pattern is anchored at both ends. Its first group, if any, is
 * the part that only the vendor writes.
 */
export type Sentence = readonly [pattern: RegExp, failure: FailureClass];

/**
 * Classifies a vendor's error by its whole message.
 * @returns undefined for an unknown message, and for one whose text is in the request: vendors quote what they refuse,
 * so a caller could otherwise forge a failure
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
 * Whether a vendor's whole message means that the target's model is missing. The first group of each pattern is the
 * name of the model: a request can name other models too, in a tool for example, which do not concern the target.
 */
export const isModelMissing = (patterns: readonly RegExp[], message: string, { refused }: ErrorReply): boolean =>
  patterns.some((pattern) => {
    const name = pattern.exec(message)?.[1];
    const isTargets = name !== undefined && (refused === undefined || baseOf(name) === baseOf(refused.model));
    return isTargets && !mayBeEcho(message, refused);
  });
