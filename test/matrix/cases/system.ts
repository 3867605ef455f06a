import { goodDay, stopped, type MatrixCase } from '../matrix-case.ts';

const user = (text: string) => ({ role: 'user', content: text });
const userBlocks = (...texts: readonly string[]) => ({ role: 'user', content: texts.map((text) => ({ type: 'text', text })) });

export const system: MatrixCase = {
  name: 'system prompt',
  request: {
    chat: { max_completion_tokens: 100, messages: [{ role: 'system', content: 'Be brief.' }, { role: 'developer', content: 'Be kind.' }, user('Hello')] },
    messages: { max_tokens: 100, system: 'Be brief.', messages: [user('Hello')] },
  },
  received: {
    chat: { max_completion_tokens: 100, messages: [{ role: 'system', content: 'Be brief.' }, user('Hello')] },
    messages: { max_tokens: 100, system: [{ type: 'text', text: 'Be brief.' }, { type: 'text', text: 'Be kind.' }], messages: [userBlocks('Hello')] },
  },
  vendor: goodDay,
  expected: { text: 'Good day.', finish: stopped },
};

/** Claude 4.5 takes no system turn behind the first: it becomes marked user text in its place, never moved to the front. */
export const laterSystem: MatrixCase = {
  name: 'system text in the middle',
  request: {
    chat: { max_completion_tokens: 100, messages: [user('Hello'), { role: 'assistant', content: 'Hi.' }, { role: 'system', content: 'It is late.' }, user('Go on')] },
    messages: { max_tokens: 100, messages: [user('Hello'), { role: 'assistant', content: 'Hi.' }, { role: 'system', content: 'It is late.' }, user('Go on')] },
  },
  received: {
    chat: { max_completion_tokens: 100, messages: [user('Hello'), { role: 'assistant', content: 'Hi.' }, { role: 'system', content: 'It is late.' }, user('Go on')] },
    messages: {
      max_tokens: 100,
      messages: [userBlocks('Hello'), { role: 'assistant', content: [{ type: 'text', text: 'Hi.' }] }, userBlocks('<system>It is late.</system>', 'Go on')],
    },
  },
  vendor: goodDay,
  losses: { chat: ['messages.system;approximated'] },
  expected: { text: 'Good day.', finish: stopped },
};
