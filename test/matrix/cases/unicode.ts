import { stopped, type MatrixCase } from '../matrix-case.ts';

const asked = 'e\u0301 👩‍👩‍👧 \u2028 \u0000 ﷽ 日本';
const before = 'née 👍🏽 \u2029"\\ n\u0303 ';
/** As long before the emoji as behind it: its two surrogates come in two deltas. */
const answered = `${before}😀${'日本語 ﷽ 🎉.'.padEnd(before.length, '!')}`;

export const unicode: MatrixCase = {
  name: 'unicode, with an emoji torn apart by two deltas',
  request: {
    chat: { max_completion_tokens: 100, messages: [{ role: 'user', content: asked }] },
    messages: { max_tokens: 100, messages: [{ role: 'user', content: asked }] },
  },
  received: {
    chat: { max_completion_tokens: 100, messages: [{ role: 'user', content: asked }] },
    messages: { max_tokens: 100, messages: [{ role: 'user', content: [{ type: 'text', text: asked }] }] },
  },
  vendor: {
    chat: { message: { content: answered }, finish: 'stop' },
    messages: { content: [{ type: 'text', text: answered }], finish: 'end_turn' },
  },
  expected: { text: answered, finish: stopped },
};
