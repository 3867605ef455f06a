import type { GenerateRequest } from '../../../core/api/index.ts';
import { readPrompt } from '../prompt.ts';
import type { PromptCache } from '../prompt-cache.ts';
import { streamBytes } from '../stream.ts';
import { createContext, formatBody, type OperationHandler } from '../transport.ts';
import { checkSize, composeAnswer } from './answer.ts';
import { readConversation } from './conversation.ts';

const STREAM = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' } as const;

const readText = (request: GenerateRequest): string => readConversation(request).text;

/** Answers conversations, plain or streamed. */
export const createGenerateHandler = (cache: PromptCache): OperationHandler<'generate'> => ({
  readText,
  check: checkSize,
  reply: (parsed, target, pacer) => {
    const { request, text, settings } = parsed;
    const { side, model } = target;
    const prompt = readPrompt(request);
    const conversation = { ...readConversation(request), text };
    const response = composeAnswer({ request, conversation, prompt, cache: cache.count(prompt), settings }, model.name);
    // With `usage=none` the estimate is 0, for wires that always write a count.
    const tokens = settings.usage === false ? 0 : prompt.tokens;
    const context = createContext(parsed, target, { digest: prompt.digest, tokens });
    const encoder = request.stream ? side.encodeStream?.(context) : undefined;
    return encoder === undefined
      ? { body: formatBody(side.encodeResponse(response, context)) }
      : { headers: STREAM, body: streamBytes(response, encoder, settings, pacer) };
  },
});

/** Returns the count that a response would report as its input. */
export const countHandler: OperationHandler<'count-tokens'> = {
  readText,
  reply: (parsed, target) => {
    const prompt = readPrompt(parsed.request);
    const inputTokens = parsed.settings.pinned?.inputUncached ?? prompt.tokens;
    const context = createContext(parsed, target, prompt);
    return { body: formatBody(target.side.encodeResponse({ inputTokens, estimated: false }, context)) };
  },
};
