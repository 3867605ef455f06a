import OpenAI from 'openai';
import type {
  Response,
  ResponseCreateParamsNonStreaming,
  ResponseOutputItem,
} from 'openai/resources/responses/responses';
import { KEY } from '../../support/gateway.ts';
import type { Answer } from '../answer.ts';
import type { Json, Mode } from '../wires.ts';

export const createResponsesClient = (url: string): OpenAI =>
  new OpenAI({ apiKey: KEY, baseURL: `${url}/v1`, maxRetries: 0, timeout: 20_000 });

const readUsage = ({ usage }: Response): Json => ({
  input: usage?.input_tokens,
  output: usage?.output_tokens,
  total: usage?.total_tokens,
  cached: usage?.input_tokens_details.cached_tokens,
  written: (usage?.input_tokens_details as Json | undefined)?.['cache_write_tokens'],
  reasoning: usage?.output_tokens_details.reasoning_tokens,
});

/** The helper adds parsed members, which clients do not send back. */
const freeOfParsed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(freeOfParsed);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => name !== 'parsed' && name !== 'parsed_arguments');
  return Object.fromEntries(members.map(([name, member]) => [name, freeOfParsed(member)]));
};

const readReasoning = (item: ResponseOutputItem): readonly string[] =>
  item.type === 'reasoning' ? item.summary.map(({ text }) => text) : [];

const readResponse = (response: Response): Answer => {
  const { output, status, incomplete_details: details } = response;
  const content = output.flatMap((item) => (item.type === 'message' ? item.content : []));
  const refusals = content.flatMap((part) => (part.type === 'refusal' ? [part.refusal] : []));
  return {
    text: response.output_text,
    reasoning: output.flatMap(readReasoning).join(''),
    refusal: refusals.length === 0 ? undefined : refusals.join(''),
    calls: output.flatMap((item) =>
      item.type === 'function_call'
        ? [{ id: item.call_id, name: item.name, input: JSON.parse(item.arguments) as unknown }]
        : [],
    ),
    logprobs: content
      .flatMap((part) => (part.type === 'output_text' ? (part.logprobs ?? []) : []))
      .map(({ token, logprob, top_logprobs: top }) => ({
        token,
        logprob,
        top: top.map((other) => [other.token, other.logprob] as const),
      })),
    finish: details?.reason === undefined ? (status ?? null) : `${status}: ${details.reason}`,
    usage: readUsage(response),
    turn: freeOfParsed(output) as readonly Json[],
  };
};

/**
 * Makes one call with the unmodified OpenAI SDK; streamed ones with its `stream()` helper, which throws on every
 * unknown event.
 */
export const sendResponses = async (url: string, body: Json, mode: Mode): Promise<Answer> => {
  const { responses } = createResponsesClient(url);
  const params = body as unknown as ResponseCreateParamsNonStreaming;
  if (mode === 'plain') return readResponse(await responses.create(params));
  return readResponse(await responses.stream({ ...params, stream: true }).finalResponse());
};
