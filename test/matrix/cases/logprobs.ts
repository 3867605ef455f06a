import type { MatrixCase } from '../matrix-case.ts';
import { goodDay, receivedBodies, requestBodies } from '../sample-bodies.ts';
import type { Json } from '../wires.ts';

/** The tokens of `Good day.`, each with the two most likely ones at its place. */
const tokens = [
  { token: 'Good', logprob: -0.25, top: [['Good', -0.25] as const, ['Nice', -1.5] as const] },
  { token: ' day', logprob: -0.5, top: [[' day', -0.5] as const, [' evening', -1] as const] },
  // Not among the most likely ones.
  { token: '.', logprob: -3, top: [['!', -0.125] as const, ['…', -2.5] as const] },
];

const bytesOf = (token: string): readonly number[] => [...Buffer.from(token)];
const openAiTokens = tokens.map(({ top, ...chosen }) => ({
  ...chosen,
  bytes: bytesOf(chosen.token),
  top_logprobs: top.map(([token, logprob]) => ({ token, logprob, bytes: bytesOf(token) })),
}));
const googleTokens: Json = {
  chosenCandidates: tokens.map(({ token, logprob }) => ({ token, tokenId: 7, logProbability: logprob })),
  topCandidates: tokens.map(({ top }) => ({
    candidates: top.map(([token, logprob]) => ({ token, logProbability: logprob })),
  })),
};

const include = ['message.output_text.logprobs'];
const asked = {
  chat: { logprobs: true, top_logprobs: 2 },
  responses: { include, top_logprobs: 2 },
  google: { generationConfig: { responseLogprobs: true, logprobs: 2 } },
};

export const logprobs: MatrixCase = {
  name: 'log probabilities',
  request: requestBodies('Hello', asked),
  received: receivedBodies('Hello', asked),
  vendor: {
    ...goodDay,
    chat: { ...goodDay.chat, logprobs: openAiTokens },
    responses: {
      output: [{ type: 'message', content: [{ type: 'output_text', text: 'Good day.', logprobs: openAiTokens }] }],
    },
    google: { ...goodDay.google, candidate: { logprobsResult: googleTokens } },
  },
  losses: {
    'chat>messages': ['logprobs;dropped', 'top_logprobs;dropped'],
    'responses>messages': ['include;dropped', 'top_logprobs;dropped'],
    'google>messages': ['generationConfig.responseLogprobs;dropped', 'generationConfig.logprobs;dropped'],
  },
  but: {
    '*>messages': { logprobs: [] },
    'messages>messages': { logprobs: [] },
    // These clients cannot ask.
    'messages>*': { logprobs: [] },
    'messages>chat': { received: { logprobs: undefined, top_logprobs: undefined } },
    'messages>responses': { received: { include: undefined, top_logprobs: undefined } },
    'messages>google': { received: { generationConfig: { maxOutputTokens: 100 } } },
  },
  expected: { text: 'Good day.', finish: 'stop', logprobs: tokens },
};
