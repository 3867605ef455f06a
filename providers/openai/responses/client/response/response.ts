import {
  isObject,
  unfoldResponse,
  writeRest,
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
    ...writeRest(response.rest, WIRE, context.lose),
    ...writeRest(response.choices[0]?.rest, WIRE, context.lose),
    ...last,
  };
}
