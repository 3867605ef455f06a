import Anthropic from '@anthropic-ai/sdk';
import type { BetaMessage, MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/beta/messages';
import { KEY } from '../support/gateway.ts';
import type { Json } from '../matrix/wires.ts';
import { claudeHeaders } from './claude-code.ts';

/** With a base address without `/v1`, and the token as a bearer. */
export const createClaudeCode = (url: string): Anthropic =>
  new Anthropic({
    apiKey: null,
    authToken: KEY,
    baseURL: url,
    maxRetries: 0,
    timeout: 20_000,
    defaultHeaders: claudeHeaders,
  });

export interface ClaudeAnswer {
  readonly message: BetaMessage;
  readonly headers: Headers;
}

/** One turn with Anthropic's SDK, at `/v1/messages?beta=true`. */
export const runClaude = async (url: string, request: Json): Promise<ClaudeAnswer> => {
  const stream = createClaudeCode(url).beta.messages.stream(request as unknown as MessageCreateParamsStreaming);
  const { response } = await stream.withResponse();
  return { message: await stream.finalMessage(), headers: response.headers };
};
