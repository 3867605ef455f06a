import { readConversation } from './answer/conversation.ts';
import { readPrompt } from './prompt.ts';
import { plainBytes } from './stream.ts';
import { createContext, formatBody, PLAIN, type Craft } from './transport.ts';

/** Prompts are counted as they are where they are answered. */
export const counting: Craft<'count-tokens'> = {
  readText: (request) => readConversation(request).text,
  check: () => {},
  reply: (asked, line, pacer) => {
    const prompt = readPrompt(asked.request);
    const inputTokens = asked.settings.pinned?.inputUncached ?? prompt.tokens;
    const body = line.side.encodeResponse({ inputTokens, estimated: false }, createContext(asked, line, prompt));
    return { status: 200, headers: PLAIN, body: plainBytes(formatBody(body), asked.settings, pacer) };
  },
};
