import type { MatrixCase } from '../matrix-case.ts';
import { assistantTurn, bodyOf, goodDay, userTurn, stateless } from '../sample-bodies.ts';

const developer = (text: string) => ({ type: 'message', role: 'developer', content: [{ type: 'input_text', text }] });
const brief = { type: 'text', text: 'Be brief.' };
const kind = { type: 'text', text: 'Be kind.' };
const google = bodyOf('google', [userTurn.google('Hello')], {
  systemInstruction: { parts: [{ text: 'Be brief.' }, { text: 'Be kind.' }] },
});

/** A system prompt in two parts, as each wire has them. */
export const system: MatrixCase = {
  name: 'a system prompt',
  request: {
    chat: bodyOf('chat', [
      { role: 'system', content: 'Be brief.' },
      { role: 'developer', content: 'Be kind.' },
      userTurn.chat('Hello'),
    ]),
    messages: bodyOf('messages', [userTurn.messages('Hello')], { system: [brief, kind] }),
    responses: bodyOf('responses', [{ role: 'developer', content: 'Be kind.' }, userTurn.responses('Hello')], {
      instructions: 'Be brief.',
    }),
    google,
  },
  received: {
    chat: bodyOf('chat', [{ role: 'system', content: [brief, kind] }, userTurn.chat('Hello')]),
    messages: bodyOf('messages', [userTurn.messages('Hello')], { system: [brief, kind] }),
    responses: bodyOf('responses', [userTurn.responses('Hello')], {
      instructions: 'Be brief.\n\nBe kind.',
      ...stateless,
    }),
    google,
  },
  vendor: goodDay,
  but: {
    // Developer messages keep their position; the parts of one prompt are joined.
    'chat>responses': {
      received: { instructions: 'Be brief.', input: [developer('Be kind.'), userTurn.responses('Hello')] },
    },
    'responses>chat': {
      received: {
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'system', content: 'Be kind.' },
          userTurn.chat('Hello'),
        ],
      },
    },
  },
  expected: { text: 'Good day.', finish: 'stop' },
};

const late = 'It is late.';
const marked = `<system>${late}</system>`;

/** A target without system turns between others gets marked user text in the same position. */
export const laterSystem: MatrixCase = {
  name: 'system text in the middle (E16)',
  request: {
    chat: bodyOf('chat', [
      userTurn.chat('Hello'),
      assistantTurn.chat('Hi.'),
      { role: 'system', content: late },
      userTurn.chat('Go on'),
    ]),
    messages: bodyOf('messages', [
      userTurn.messages('Hello'),
      assistantTurn.messages('Hi.'),
      { role: 'system', content: late },
      userTurn.messages('Go on'),
    ]),
    responses: bodyOf('responses', [
      userTurn.responses('Hello'),
      assistantTurn.responses('Hi.'),
      { role: 'system', content: late },
      userTurn.responses('Go on'),
    ]),
    // The wire has no such turn: its clients send marked text themselves.
    google: bodyOf('google', [userTurn.google('Hello'), assistantTurn.google('Hi.'), userTurn.google(marked, 'Go on')]),
  },
  received: {
    chat: bodyOf('chat', [
      userTurn.chat('Hello'),
      assistantTurn.chat('Hi.'),
      { role: 'system', content: late },
      userTurn.chat('Go on'),
    ]),
    messages: bodyOf('messages', [
      userTurn.messages('Hello'),
      assistantTurn.messages('Hi.'),
      userTurn.messages(marked, 'Go on'),
    ]),
    responses: bodyOf(
      'responses',
      [userTurn.responses('Hello'), assistantTurn.responses('Hi.'), developer(late), userTurn.responses('Go on')],
      stateless,
    ),
    google: bodyOf('google', [userTurn.google('Hello'), assistantTurn.google('Hi.'), userTurn.google(marked, 'Go on')]),
  },
  vendor: goodDay,
  losses: {
    'chat>messages': ['messages[2].content;approximated'],
    'chat>google': ['messages[2].content;approximated'],
    'messages>google': ['messages[2].content;approximated'],
    'responses>messages': ['input[2].content;approximated'],
    'responses>google': ['input[2].content;approximated'],
  },
  but: {
    'google>chat': {
      received: { messages: [userTurn.chat('Hello'), assistantTurn.chat('Hi.'), userTurn.chat(marked, 'Go on')] },
    },
    'google>responses': {
      received: {
        input: [userTurn.responses('Hello'), assistantTurn.responses('Hi.'), userTurn.responses(marked, 'Go on')],
      },
    },
  },
  expected: { text: 'Good day.', finish: 'stop' },
};
