import OpenAI from 'openai';
import type { Response, ResponseStreamEvent } from 'openai/resources/responses/responses';
import { KEY } from '../support/gateway.ts';
import type { Json } from '../matrix/wires.ts';
import { codexHeaders } from './codex.ts';

/** What such an agent reads from a stream: each finished item, and the end. */
export interface CodexAnswer {
  readonly items: readonly Json[];
  readonly final: Response;
  readonly headers: Headers;
}

const isEnd = (event: ResponseStreamEvent) =>
  event.type === 'response.completed' || event.type === 'response.failed' || event.type === 'response.incomplete';

/** One turn with OpenAI's SDK. @throws when the stream has no end, which this agent treats as a broken connection */
export const runCodex = async (url: string, request: Json): Promise<CodexAnswer> => {
  const client = new OpenAI({
    apiKey: KEY,
    baseURL: `${url}/v1`,
    maxRetries: 0,
    timeout: 20_000,
    defaultHeaders: codexHeaders,
  });
  const { data, response } = await client.responses
    .create(request as unknown as OpenAI.Responses.ResponseCreateParamsStreaming)
    .withResponse();
  const events = await Array.fromAsync(data);
  const end = events.find(isEnd);
  if (end === undefined) throw new Error('the stream ended without response.completed');
  const items = events.flatMap((event) =>
    event.type === 'response.output_item.done' ? [event.item as unknown as Json] : [],
  );
  return { items, final: end.response, headers: response.headers };
};
