import type { GenerateResponse, JsonObject } from '../../../../../core/api/index.ts';
import { isObject, unfoldResponse, writeExtraMembers, type WriteContext } from '../../../../../core/api/codec.ts';
import { WIRE } from '../../shape.ts';
import { ResponseWriter } from './response-writer.ts';

/**
 * The response object, as a stream of the same response would end with it.
 * https://platform.openai.com/docs/api-reference/responses/object
 */
export function encodeResponse(response: GenerateResponse, context: WriteContext): JsonObject {
  let last: JsonObject = {};
  const writer = new ResponseWriter(context, (_type, { response: written }) => {
    if (isObject(written)) last = written;
  });
  unfoldResponse(response, (event) => writer.push(event));
  return {
    ...writeExtraMembers(response.extra, WIRE, context.lose),
    ...writeExtraMembers(response.choices[0]?.extra, WIRE, context.lose),
    ...last,
  };
}
