import type { GenerateResponse, JsonObject, Part } from '../../../../../core/api/index.ts';
import {
  emptyResponse,
  isObject,
  lookUp,
  type ReadContext,
  readText,
  malformedBody,
} from '../../../../../core/api/codec.ts';
import { readReasoningText } from '../../reasoning-text.ts';
import { WIRE, omitKnown } from '../../shape.ts';
import { countSearches } from '../../tool-usage.ts';
import { readUsage } from '../../usage.ts';
import { readOpaqueItem } from '../../web-search.ts';
import { deriveCallId, readCall } from './calls.ts';
import { readResponseFinish } from './final-response.ts';
import { decodeEmbeddedError, decodeFailure, holdsError, isFailed } from './error.ts';
import { createLossReporter } from './item-losses.ts';
import { readMessage } from './message.ts';
import { isEmpty } from './observed.ts';

/** Members that are read here, and members that repeat the request, which the encoder writes itself. */
export const responseMembers: ReadonlySet<string> = new Set(
  `id object access_programs created_at completed_at image status model output output_text usage error
  incomplete_details service_tier background conversation frequency_penalty instructions max_output_tokens
  max_tool_calls metadata parallel_tool_calls presence_penalty previous_response_id prompt prompt_cache_key
  prompt_cache_options prompt_cache_retention reasoning safety_identifier store temperature text tool_choice tools
  top_logprobs top_p truncation user`.split(/\s+/),
);

type ReadItem = (item: JsonObject, context: ReadContext, calls: () => number) => readonly Part[];

const readReasoning: ReadItem = (item, { origin }) => {
  const text = readReasoningText(item);
  const blob = readText(item['encrypted_content']);
  return text === '' && blob === ''
    ? []
    : [{ type: 'reasoning', text, ...(blob === '' ? {} : { proof: { origin, value: blob } }) }];
};
const readToolCall: ReadItem = (item, { turn }, calls) => [readCall(item, deriveCallId(turn, calls()))];

const readers: Readonly<Record<string, ReadItem>> = {
  message: readMessage,
  reasoning: readReasoning,
  function_call: readToolCall,
  custom_tool_call: readToolCall,
};

/** An item of any other type is opaque. */
const readItem: ReadItem = (item, context, calls) =>
  lookUp(readers, readText(item['type']))?.(item, context, calls) ?? [readOpaqueItem(item)];

const readOutput = (output: readonly unknown[], context: ReadContext): readonly Part[] => {
  const reportLosses = createLossReporter(context.lose);
  let calls = 0;
  return output.filter(isObject).flatMap((item) => {
    reportLosses(item);
    return readItem(item, context, () => calls++);
  });
};

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
  const parts = readOutput(output, context);
  const usage = readUsage(body, countSearches(body));
  const id = readText(body['id']);
  const model = readText(body['model']);
  const held = {
    calls: parts.some(({ type }) => type === 'tool-call'),
    refusal: parts.some(({ type }) => type === 'refusal'),
  };
  return {
    ...(id === '' ? {} : { id }),
    ...(model === '' ? {} : { model }),
    choices: [{ parts, finish: readResponseFinish(body, held) }],
    ...(usage === undefined ? {} : { usage }),
    ...extraOf(body),
  };
}
