import type { GenerateResponse, JsonObject } from '../../../../../core/api/index.ts';
import {
  composeResponse,
  createBufferLimit,
  emptyResponse,
  isObject,
  malformedBody,
  type ReadContext,
  readText,
} from '../../../../../core/api/codec.ts';
import { readResponseFinish } from '../../finish.ts';
import { omitKnown, WIRE } from '../../shape.ts';
import { countSearches } from '../../tool-usage.ts';
import { readUsage } from '../../usage.ts';
import { decodeEmbeddedError, decodeFailure, holdsError, isFailed } from './error.ts';
import { isEmpty } from './item-content.ts';
import { Items } from './items.ts';

/** Members that are read here, and members that repeat the request, which the encoder writes itself. */
export const responseMembers: ReadonlySet<string> = new Set(
  `id object access_programs created_at completed_at image status model output output_text usage error
  incomplete_details service_tier background conversation frequency_penalty instructions max_output_tokens
  max_tool_calls metadata parallel_tool_calls presence_penalty previous_response_id prompt prompt_cache_key
  prompt_cache_options prompt_cache_retention reasoning safety_identifier store temperature text tool_choice tools
  top_logprobs top_p truncation user`.split(/\s+/),
);

const extraOf = (body: JsonObject): Pick<GenerateResponse, 'extra'> => {
  const members = omitKnown(body, responseMembers);
  return Object.keys(members).length === 0 ? {} : { extra: { wire: WIRE, members } };
};

/** @throws GatewayError the error of a failed response, or `upstream_bad_response` */
export function decodeResponse(body: unknown, context: ReadContext): GenerateResponse {
  if (!isObject(body)) throw malformedBody('is not a JSON object');
  if (isFailed(body)) throw decodeFailure(body);
  if (holdsError(body)) throw decodeEmbeddedError(body);
  const { output } = body;
  if (!Array.isArray(output)) throw malformedBody('has no output');
  if (isEmpty(body)) throw emptyResponse();
  const plain = composeResponse((events) => {
    const answer = events.choice(0);
    const items = new Items(context, answer, createBufferLimit());
    events.start({ id: readText(body['id']), model: readText(body['model']) });
    items.close(output);
    answer.finish(readResponseFinish(body, items.held, context.lose));
    events.usage(readUsage(body, countSearches(body)));
    events.end();
  });
  return { ...plain, ...extraOf(body) };
}
