import type { UpstreamReply, WriteContext } from '../../../core/index.ts';
import { checkSize, composeAnswer } from './answer.ts';
import { readConversation } from './conversation.ts';
import type { Pacer } from '../pacer.ts';
import { readPrompt, type Prompt } from '../prompt.ts';
import type { PromptCache } from '../prompt-cache.ts';
import { plainBytes, streamBytes } from '../stream.ts';
import { createContext, formatBody, PLAIN, type Asked, type Craft, type Line } from '../transport.ts';

const STREAM = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' } as const;

/** Wires that always show a count show none where none was wanted. */
const contextOf = (asked: Asked<'generate'>, { digest, tokens }: Prompt, line: Line<'generate'>): WriteContext =>
  createContext(asked, line, { digest, tokens: asked.settings.usage === false ? 0 : tokens });

/** Conversations are answered, plain or streamed. */
export const createGenerating = (cache: PromptCache): Craft<'generate'> => ({
  readText: (request) => readConversation(request).text,
  check: checkSize,
  reply: (asked: Asked<'generate'>, line: Line<'generate'>, pacer: Pacer): UpstreamReply => {
    const { request, text, settings } = asked;
    const { side, model } = line;
    const prompt = readPrompt(request);
    const conversation = { ...readConversation(request), text };
    const response = composeAnswer({ request, conversation, prompt, cache: cache.count(prompt), settings }, model.name);
    const context = contextOf(asked, prompt, line);
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
