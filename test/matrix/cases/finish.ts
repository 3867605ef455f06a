import { hello, receivedHello, type MatrixCase } from '../matrix-case.ts';

export const stopSequence: MatrixCase = {
  name: 'stop sequence',
  request: { chat: { ...hello.chat, stop: ['END', '###'] }, messages: { ...hello.messages, stop_sequences: ['END', '###'] } },
  received: { chat: { ...receivedHello.chat, stop: ['END', '###'] }, messages: { ...receivedHello.messages, stop_sequences: ['END', '###'] } },
  vendor: {
    chat: { message: { content: 'Up to ' }, finish: 'stop' },
    messages: { content: [{ type: 'text', text: 'Up to ' }], finish: 'stop_sequence', sequence: 'END' },
  },
  expected: { text: 'Up to ', finish: { chat: 'stop', messages: 'stop_sequence' }, sequence: 'END' },
  // Chat never says which sequence matched, or that one did.
  but: { 'messages>chat': { finish: { chat: 'stop', messages: 'end_turn' }, sequence: null } },
};

export const maxTokens: MatrixCase = {
  name: 'max tokens',
  request: hello,
  received: receivedHello,
  vendor: {
    chat: { message: { content: 'A story abou' }, finish: 'length' },
    messages: { content: [{ type: 'text', text: 'A story abou' }], finish: 'max_tokens' },
  },
  expected: { text: 'A story abou', finish: { chat: 'length', messages: 'max_tokens' } },
};

const sentence = 'I cannot help with that.';

/** Chat writes a refusal as the model's own words, messages as a reason to stop. */
export const refusal: MatrixCase = {
  name: 'refusal',
  request: hello,
  received: receivedHello,
  vendor: {
    chat: { message: { content: null, refusal: sentence }, finish: 'stop' },
    messages: { content: [], finish: 'refusal', details: { type: 'refusal', category: null, explanation: sentence } },
  },
  expected: { refusal: sentence, finish: { chat: 'stop', messages: 'refusal' } },
  but: {
    'chat>messages': { finish: { chat: 'content_filter', messages: 'refusal' } },
    'messages>chat': { text: sentence, refusal: '' },
  },
};
