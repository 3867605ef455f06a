import type { MatrixCase } from '../matrix-case.ts';
import { requestBodies, receivedBodies, bodyOf, goodDay, hello, receivedHello, userTurn } from '../sample-bodies.ts';

/** 12 fresh tokens, 4,000 read from the cache, 500 written to it, and 90 output tokens of which 60 are reasoning. */
export const cachedUsage: MatrixCase = {
  name: 'usage with a prompt cache and reasoning',
  request: hello,
  received: receivedHello,
  vendor: goodDay,
  tokens: { fresh: 12, read: 4_000, write: 500, output: 90, reasoning: 60 },
  expected: { text: 'Good day.', finish: 'stop' },
};

const brief = { type: 'text', text: 'Be brief.' };

/** Other wires have no cache marks. */
export const cacheMarks: MatrixCase = {
  name: 'prompt cache marks',
  request: {
    ...requestBodies('Hello', {
      responses: { instructions: 'Be brief.' },
      google: { systemInstruction: { parts: [{ text: 'Be brief.' }] } },
    }),
    chat: bodyOf('chat', [{ role: 'system', content: 'Be brief.' }, userTurn.chat('Hello')]),
    messages: {
      max_tokens: 100,
      system: [{ ...brief, cache_control: { type: 'ephemeral', ttl: '1h' } }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello', cache_control: { type: 'ephemeral' } }] }],
    },
  },
  received: {
    ...receivedBodies('Hello', {
      messages: { system: [brief] },
      responses: { instructions: 'Be brief.' },
      google: { systemInstruction: { parts: [{ text: 'Be brief.' }] } },
    }),
    chat: bodyOf('chat', [{ role: 'system', content: 'Be brief.' }, userTurn.chat('Hello')]),
  },
  vendor: goodDay,
  losses: { 'messages>*': ['system[0].cache_control;dropped'] },
  expected: { text: 'Good day.', finish: 'stop' },
};
