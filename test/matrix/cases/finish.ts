import type { MatrixCase } from '../matrix-case.ts';
import { textAnswer, requestBodies, receivedBodies, hello, receivedHello } from '../sample-bodies.ts';

const stop = ['END', '###'];

/**
 * Responses has no stop sequences: the gateway cuts the text itself, also where the sequence is split between deltas.
 */
export const stopSequence: MatrixCase = {
  name: 'a stop sequence (E26)',
  request: requestBodies('Hello', {
    chat: { stop },
    messages: { stop_sequences: stop },
    google: { generationConfig: { stopSequences: stop } },
  }),
  received: receivedBodies('Hello', {
    chat: { stop },
    messages: { stop_sequences: stop },
    google: { generationConfig: { stopSequences: stop } },
  }),
  vendor: {
    ...textAnswer('Up to '),
    messages: { content: [{ type: 'text', text: 'Up to ' }], finish: 'stop_sequence', sequence: 'END' },
    responses: { output: [{ type: 'message', content: [{ type: 'output_text', text: 'Up to END it is!' }] }] },
  },
  losses: {
    'chat>responses': ['stop;approximated'],
    'messages>responses': ['stop_sequences;approximated'],
    'google>responses': ['generationConfig.stopSequences;approximated'],
  },
  expected: { text: 'Up to ', finish: 'stop_sequence', sequence: 'END' },
  but: {
    // These wires report neither the sequence nor that one matched.
    '*>chat': { finish: 'stop', sequence: null },
    '*>google': { finish: 'stop', sequence: null },
    'responses>chat': { received: { stop: undefined } },
    'responses>messages': { received: { stop_sequences: undefined } },
    'responses>google': { received: { generationConfig: { maxOutputTokens: 100 } } },
    'responses>responses': { text: 'Up to END it is!' },
  },
};

export const maxTokens: MatrixCase = {
  name: 'the output cap',
  request: hello,
  received: receivedHello,
  vendor: {
    chat: { message: { content: 'A story abou' }, finish: 'length' },
    messages: { content: [{ type: 'text', text: 'A story abou' }], finish: 'max_tokens' },
    responses: {
      output: [{ type: 'message', content: [{ type: 'output_text', text: 'A story abou' }] }],
      incomplete: 'max_output_tokens',
    },
    google: { parts: [{ text: 'A story abou' }], finish: 'MAX_TOKENS' },
  },
  expected: { text: 'A story abou', finish: 'length' },
};

const sentence = 'I cannot help with that.';

/** OpenAI's wires have a refusal as content, the others as a finish reason. */
export const refusal: MatrixCase = {
  name: 'a refusal (E33)',
  request: hello,
  received: receivedHello,
  vendor: {
    chat: { message: { content: null, refusal: sentence }, finish: 'stop' },
    messages: { content: [], finish: 'refusal', details: { type: 'refusal', category: null, explanation: sentence } },
    responses: { output: [{ type: 'message', content: [{ type: 'refusal', refusal: sentence }] }] },
    google: { parts: [], finish: 'SAFETY', candidate: { finishMessage: sentence } },
  },
  losses: { 'responses>messages': ['incomplete_details;dropped'], 'responses>google': ['incomplete_details;dropped'] },
  expected: { refusal: sentence, finish: 'content_filter' },
  but: {
    'chat>chat': { finish: 'stop' },
    'messages>chat': { text: sentence, refusal: undefined },
    'messages>responses': { text: sentence, refusal: undefined },
    'responses>chat': { finish: 'stop' },
    'responses>responses': { finish: 'stop' },
    // Without text there is no item for the refusal.
    'responses>messages': { refusal: undefined },
    'responses>google': { refusal: undefined },
    'google>chat': { text: sentence, refusal: undefined },
    'google>responses': { text: sentence, refusal: undefined },
    // Its SDK does not show `finishMessage`.
    'google>messages': { refusal: undefined },
    'google>google': { refusal: undefined },
  },
};

export const safetyStop: MatrixCase = {
  name: 'a filter that stops the response in the middle',
  request: hello,
  received: receivedHello,
  vendor: {
    chat: { message: { content: 'Once upon a ' }, finish: 'content_filter' },
    messages: { content: [{ type: 'text', text: 'Once upon a ' }], finish: 'refusal' },
    responses: {
      output: [{ type: 'message', content: [{ type: 'output_text', text: 'Once upon a ' }] }],
      incomplete: 'content_filter',
    },
    google: { parts: [{ text: 'Once upon a ' }], finish: 'SAFETY' },
  },
  expected: { text: 'Once upon a ', finish: 'content_filter' },
};

const blocked = 'The provider blocked the prompt (SAFETY).';

/** A 200 without content: Google omits the candidates. */
export const blockedPrompt: MatrixCase = {
  name: 'a filter that stops the prompt (E34)',
  request: hello,
  received: receivedHello,
  vendor: {
    chat: { message: { content: null }, finish: 'content_filter' },
    messages: { content: [], finish: 'refusal' },
    responses: { output: [], incomplete: 'content_filter' },
    google: { parts: [], promptFeedback: { blockReason: 'SAFETY' } },
  },
  tokens: { fresh: 12, read: 0, write: 0, output: 0, reasoning: 0 },
  losses: { '*>google': ['promptFeedback;dropped'], 'responses>google': ['incomplete_details;dropped'] },
  but: { 'chat>google': { refusal: blocked }, 'messages>google': { refusal: blocked } },
  expected: { finish: 'content_filter' },
};
