import type { MatrixCase } from '../matrix-case.ts';
import { requestBodies, receivedBodies, openReasoning } from '../sample-bodies.ts';

const thought = 'Paris or Rome? Paris.';

/** The client hides the reasoning. It is billed all the same. */
export const hiddenReasoning: MatrixCase = {
  name: 'reasoning that the client hides',
  models: { chat: 'gpt-5.1', messages: 'claude-sonnet-4-6', responses: 'gpt-5.1', google: 'gemini-3-pro-preview' },
  request: requestBodies('Hello', {
    chat: { reasoning: { effort: 'high', exclude: true } },
    messages: { thinking: { type: 'adaptive', display: 'omitted' }, output_config: { effort: 'high' } },
    responses: { reasoning: { effort: 'high' } },
    google: { generationConfig: { thinkingConfig: { thinkingLevel: 'HIGH', includeThoughts: false } } },
  }),
  received: receivedBodies('Hello', {
    chat: { reasoning_effort: 'high' },
    messages: { thinking: { type: 'adaptive', display: 'omitted' }, output_config: { effort: 'high' } },
    responses: { reasoning: { effort: 'high' }, ...openReasoning },
    google: { generationConfig: { thinkingConfig: { thinkingLevel: 'HIGH' } } },
  }),
  vendor: {
    // A chat vendor sends it whether or not it is requested: it must not pass.
    chat: { message: { reasoning_content: thought, content: 'Good day.' }, finish: 'stop' },
    messages: {
      content: [
        { type: 'thinking', thinking: '', signature: 'SIG' },
        { type: 'text', text: 'Good day.' },
      ],
      finish: 'end_turn',
    },
    responses: {
      output: [
        { type: 'reasoning', summary: [], encrypted_content: 'SECRET' },
        { type: 'message', content: [{ type: 'output_text', text: 'Good day.' }] },
      ],
    },
    google: { parts: [{ text: 'Good day.', thoughtSignature: 'U0lH' }], finish: 'STOP' },
  },
  tokens: { fresh: 12, read: 0, write: 0, output: 90, reasoning: 60 },
  but: {
    'chat>chat': { lane: 'translated', received: { reasoning: undefined, reasoning_effort: 'high' } },
    // A client of responses cannot hide it: reasoning is shown wherever there is some.
    'responses>chat': { reasoning: thought },
    'responses>messages': { received: { thinking: { type: 'adaptive' } } },
    'responses>google': {
      received: {
        generationConfig: { maxOutputTokens: 100, thinkingConfig: { thinkingLevel: 'HIGH', includeThoughts: true } },
      },
    },
  },
  expected: { text: 'Good day.', reasoning: '', finish: 'stop' },
};
