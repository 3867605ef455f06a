import { goodDay, hello, receivedHello, stopped, type MatrixCase } from '../matrix-case.ts';

/** The worked example: 12 fresh, 4,000 read from and 500 written to the cache, 90 of output with 60 of reasoning. */
export const cachedUsage: MatrixCase = {
  name: 'usage with a prompt cache and reasoning',
  request: hello,
  received: receivedHello,
  vendor: goodDay,
  tokens: { fresh: 12, read: 4_000, write: 500, output: 90, reasoning: 60 },
  expected: {
    text: 'Good day.',
    finish: stopped,
    usage: {
      chat: { prompt: 4_512, completion: 90, total: 4_602, cached: 4_000, written: 500, reasoning: 60 },
      messages: { input: 12, written: 500, read: 4_000, output: 90, thinking: 60 },
    },
  },
};

/** Marks of a prompt cache have no place on chat; each is named. */
export const cacheMarks: MatrixCase = {
  name: 'marks of the prompt cache',
  request: {
    chat: hello.chat,
    messages: {
      max_tokens: 100,
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral', ttl: '1h' } }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello', cache_control: { type: 'ephemeral' } }] }],
    },
  },
  received: {
    chat: { max_completion_tokens: 100, messages: [{ role: 'system', content: 'Be brief.' }, { role: 'user', content: 'Hello' }] },
    messages: receivedHello.messages,
  },
  vendor: goodDay,
  losses: { messages: ['messages[0].cache;dropped', 'messages[1].cache;dropped'] },
  expected: { text: 'Good day.', finish: stopped },
};
