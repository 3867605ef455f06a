import { hello, receivedHello, stopped, type MatrixCase } from '../matrix-case.ts';

const thought = 'Paris or Rome? Paris.';

/** The client does not want to see the reasoning. It is billed all the same. */
export const hiddenReasoning: MatrixCase = {
  name: 'reasoning that is not to be shown',
  translated: 'chat',
  models: { chat: 'gpt-5.1', messages: 'claude-sonnet-4-6' },
  request: {
    chat: { ...hello.chat, reasoning: { effort: 'high', exclude: true } },
    messages: { ...hello.messages, thinking: { type: 'adaptive', display: 'omitted' }, output_config: { effort: 'high' } },
  },
  received: {
    chat: { ...receivedHello.chat, reasoning_effort: 'high' },
    messages: { ...receivedHello.messages, thinking: { type: 'adaptive', display: 'omitted' }, output_config: { effort: 'high' } },
    native: { chat: { ...hello.chat, reasoning_effort: 'high' } },
  },
  vendor: {
    chat: { message: { reasoning_content: thought, content: 'Good day.' }, finish: 'stop' },
    // The vendor keeps to the display; what it shows all the same must not pass either lane of the other wire.
    messages: { content: [{ type: 'thinking', thinking: '', signature: 'SIG' }, { type: 'text', text: 'Good day.' }], finish: 'end_turn' },
  },
  tokens: { fresh: 12, read: 0, write: 0, output: 90, reasoning: 60 },
  expected: { text: 'Good day.', reasoning: '', finish: stopped },
};
