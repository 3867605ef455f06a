import type { JsonObject } from '../../../core/api/index.ts';
import { isObject } from '../../../core/api/codec.ts';
import { NO_SIGNATURE, readRepeated } from '../generate-content/shape.ts';
import type { Edit } from './edit.ts';

const isCall = (part: unknown): part is JsonObject =>
  isObject(part) && (isObject(part['functionCall']) || isObject(part['function_call']));
const isSigned = (part: JsonObject): boolean =>
  [part['thoughtSignature'], part['thought_signature']].some(
    (signature) => typeof signature === 'string' && signature !== '',
  );

/**
 * From Gemini 3 on, the first call of each step has a signature, and the calls parallel to it have none. Consecutive
 * model contents are one step. A call that another model made, or whose signature the client lost, gets the vendor's
 * placeholder. The whole history is edited, so that a turn that was sent once stays the same.
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
export const addSignatures: Edit = (body, lose) => {
  let called = false;
  let added = false;
  const signed = readRepeated(body['contents']).map((content) => {
    if (!isObject(content) || content['role'] !== 'model') {
      called = false;
      return content;
    }
    const parts = readRepeated(content['parts']);
    const first = called ? -1 : parts.findIndex(isCall);
    called ||= first >= 0;
    const call = parts[first];
    if (!isCall(call) || isSigned(call)) return content;
    added = true;
    return { ...content, parts: parts.with(first, { ...call, thoughtSignature: NO_SIGNATURE }) };
  });
  if (!added) return [];
  lose('contents.thoughtSignature', 'injected', 'calls without a signature got the placeholder that the model accepts');
  return [{ member: 'contents', value: signed }];
};
