import { readConversation } from './answer/conversation.ts';
import { readPrompt } from './prompt.ts';
import { plainBytes } from './stream.ts';
import { createContext, formatBody, PLAIN, type OperationHandler } from './transport.ts';

/** Returns the count that a response would report as its input. */
export const countHandler: OperationHandler<'count-tokens'> = {
  readText: (request) => readConversation(request).text,
  check: () => {},
  reply: (parsed, target, pacer) => {
    const prompt = readPrompt(parsed.request);
    const inputTokens = parsed.settings.pinned?.inputUncached ?? prompt.tokens;
    const body = target.side.encodeResponse({ inputTokens, estimated: false }, createContext(parsed, target, prompt));
    return { status: 200, headers: PLAIN, body: plainBytes(formatBody(body), parsed.settings, pacer) };
  },
};
