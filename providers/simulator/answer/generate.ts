import type { UpstreamReply } from '../../../core/api/index.ts';
import type { WriteContext } from '../../../core/api/codec.ts';
import { checkSize, composeAnswer } from './answer.ts';
import { readConversation } from './conversation.ts';
import type { Pacer } from '../pacer.ts';
import { readPrompt, type Prompt } from '../prompt.ts';
import type { PromptCache } from '../prompt-cache.ts';
import { plainBytes, streamBytes } from '../stream.ts';
import { createContext, formatBody, PLAIN, type ParsedCall, type OperationHandler, type Target } from '../transport.ts';

const STREAM = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' } as const;

/** With `usage=none` the estimate is 0, for wires that always write a count. */
const contextOf = (
  parsed: ParsedCall<'generate'>,
  { digest, tokens }: Prompt,
  target: Target<'generate'>,
): WriteContext => createContext(parsed, target, { digest, tokens: parsed.settings.usage === false ? 0 : tokens });

/** Answers conversations, plain or streamed. */
export const createGenerateHandler = (cache: PromptCache): OperationHandler<'generate'> => ({
  readText: (request) => readConversation(request).text,
  check: checkSize,
  reply: (parsed: ParsedCall<'generate'>, target: Target<'generate'>, pacer: Pacer): UpstreamReply => {
    const { request, text, settings } = parsed;
    const { side, model } = target;
    const prompt = readPrompt(request);
    const conversation = { ...readConversation(request), text };
    const response = composeAnswer({ request, conversation, prompt, cache: cache.count(prompt), settings }, model.name);
    const context = contextOf(parsed, prompt, target);
    const encoder = request.stream ? side.encodeStream?.(context) : undefined;
    if (encoder !== undefined)
      return { status: 200, headers: STREAM, body: streamBytes(response, encoder, settings, pacer) };
    return {
      status: 200,
      headers: PLAIN,
      body: plainBytes(formatBody(side.encodeResponse(response, context)), settings, pacer),
    };
  },
});
