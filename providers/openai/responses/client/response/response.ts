import {
  isObject,
  unfoldResponse,
  writeExtraMembers,
  type GenerateResponse,
  type JsonObject,
  type WriteContext,
} from '../../../../../core/index.ts';
import { WIRE } from '../../shape.ts';
import { createAnswer } from './response-events.ts';

/**
 * The response object: the one that the stream of the same answer would end with.
 * https://platform.openai.com/docs/api-reference/responses/object
 */
export function encodeResponse(response: GenerateResponse, context: WriteContext): JsonObject {
  let last: JsonObject = {};
  const answer = createAnswer(context, (_type, { response: written }) => {
    if (isObject(written)) last = written;
  });
  unfoldResponse(response, answer.push);
  return {
    ...writeExtraMembers(response.extra, WIRE, context.lose),
    ...writeExtraMembers(response.choices[0]?.extra, WIRE, context.lose),
    ...last,
  };
}
