import type { MatrixCase } from '../matrix-case.ts';
import { requestBodies, receivedBodies, goodDay, hello, receivedHello } from '../sample-bodies.ts';

export const sampling: MatrixCase = {
  name: 'sampling, the end user and the tier',
  request: requestBodies('Hello', {
    chat: { temperature: 0.5, user: 'u-1', service_tier: 'default' },
    messages: { temperature: 0.5, metadata: { user_id: 'u-1' }, service_tier: 'standard_only' },
    responses: { temperature: 0.5, safety_identifier: 'u-1', service_tier: 'default' },
    google: { generationConfig: { temperature: 0.5 }, serviceTier: 'standard' },
  }),
  received: receivedBodies('Hello', {
    chat: { temperature: 0.5, user: 'u-1', service_tier: 'default' },
    messages: { temperature: 0.5, metadata: { user_id: 'u-1' }, service_tier: 'standard_only' },
    responses: { temperature: 0.5, safety_identifier: 'u-1', service_tier: 'default' },
    google: { generationConfig: { temperature: 0.5 }, serviceTier: 'standard' },
  }),
  vendor: goodDay,
  losses: {
    'messages>chat': ['service_tier;approximated'],
    'messages>responses': ['service_tier;approximated'],
    'google>chat': ['serviceTier;approximated'],
    'google>responses': ['serviceTier;approximated'],
    'chat>google': ['user;dropped'],
    'messages>google': ['metadata.user_id;dropped'],
    'responses>google': ['safety_identifier;dropped'],
  },
  // Google has no member for the end user.
  but: {
    'google>chat': { received: { user: undefined } },
    'google>messages': { received: { metadata: undefined } },
    'google>responses': { received: { safety_identifier: undefined } },
  },
  expected: { text: 'Good day.', finish: 'stop' },
};

const chatOnly = { logit_bias: { '50256': -100 } };
const penalties = { presence_penalty: 0.5, frequency_penalty: -0.5 };

export const unspoken: MatrixCase = {
  name: 'members that other wires do not have (E19)',
  request: requestBodies('Hello', {
    chat: { temperature: 1.7, top_p: 0.9, seed: 7, ...penalties, ...chatOnly, verbosity: 'low' },
    messages: { temperature: 0.5, top_k: 40, inference_geo: 'eu' },
    responses: { temperature: 0.5, max_tool_calls: 3, truncation: 'auto', metadata: { team: 'a' } },
    google: {
      generationConfig: { temperature: 0.5, topK: 40, seed: 7 },
      safetySettings: [{ category: 'HARM_CATEGORY_HATE_SPEECH', threshold: 'BLOCK_NONE' }],
    },
  }),
  received: receivedBodies('Hello', {
    chat: { temperature: 0.5 },
    messages: { temperature: 0.5 },
    responses: { temperature: 0.5 },
    google: { generationConfig: { temperature: 0.5 } },
  }),
  vendor: goodDay,
  losses: {
    'chat>messages': [
      'temperature;approximated',
      'top_p;dropped',
      'seed;dropped',
      'verbosity;dropped',
      ...Object.keys(penalties).map((field) => `${field};dropped`),
      ...Object.keys(chatOnly).map((field) => `${field};dropped`),
    ],
    'chat>responses': [
      'seed;dropped',
      ...Object.keys(penalties).map((field) => `${field};dropped`),
      ...Object.keys(chatOnly).map((field) => `${field};dropped`),
    ],
    // Gemini 2.5 takes no penalties on any lane.
    'chat>google': [
      'verbosity;dropped',
      ...Object.keys(penalties).map((field) => `${field};dropped`),
      ...Object.keys(chatOnly).map((field) => `${field};dropped`),
    ],
    'messages>*': ['inference_geo;dropped'],
    'messages>chat': ['top_k;dropped'],
    'messages>responses': ['top_k;dropped'],
    'responses>*': ['max_tool_calls;dropped', 'truncation;dropped'],
    'google>*': ['safetySettings;dropped'],
    'google>chat': ['generationConfig.topK;dropped'],
    'google>messages': ['generationConfig.seed;dropped'],
    'google>responses': ['generationConfig.topK;dropped', 'generationConfig.seed;dropped'],
  },
  but: {
    'chat>messages': { received: { temperature: 1 } },
    'chat>responses': { received: { temperature: 1.7, top_p: 0.9, text: { verbosity: 'low' } } },
    'chat>google': {
      received: { generationConfig: { maxOutputTokens: 100, temperature: 1.7, topP: 0.9, seed: 7 } },
    },
    'messages>google': { received: { generationConfig: { maxOutputTokens: 100, temperature: 0.5, topK: 40 } } },
    'google>chat': { received: { seed: 7 } },
    'google>messages': { received: { top_k: 40 } },
  },
  expected: { text: 'Good day.', finish: 'stop' },
};

const without = (body: Readonly<Record<string, unknown>>, member: string): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== member));

export const noCap: MatrixCase = {
  name: 'a request without an output cap (E20)',
  request: {
    chat: without(hello.chat, 'max_completion_tokens'),
    messages: hello.messages,
    responses: without(hello.responses, 'max_output_tokens'),
    google: without(hello.google, 'generationConfig'),
  },
  received: {
    chat: without(receivedHello.chat, 'max_completion_tokens'),
    messages: { ...receivedHello.messages, max_tokens: 64_000 },
    responses: without(receivedHello.responses, 'max_output_tokens'),
    google: without(receivedHello.google, 'generationConfig'),
  },
  vendor: goodDay,
  losses: {
    'chat>messages': ['max_tokens;injected'],
    'responses>messages': ['max_output_tokens;injected'],
    'google>messages': ['generationConfig.maxOutputTokens;injected'],
  },
  // Only this wire requires it.
  but: {
    'messages>chat': { received: { max_completion_tokens: 100 } },
    'messages>responses': { received: { max_output_tokens: 100 } },
    'messages>google': { received: { generationConfig: { maxOutputTokens: 100 } } },
    // Therefore its SDK sends it.
    'google>google': { received: { generationConfig: {} } },
  },
  expected: { text: 'Good day.', finish: 'stop' },
};

/** `max_completion_tokens` is used only if `max_tokens` is not set. */
export const bothCaps: MatrixCase = {
  name: 'both names of the cap (E55)',
  request: { ...hello, chat: { ...hello.chat, max_tokens: 70 } },
  received: receivedHello,
  vendor: goodDay,
  but: {
    'chat>chat': { received: { max_tokens: 70, max_completion_tokens: undefined } },
    'chat>messages': { received: { max_tokens: 70 } },
    'chat>responses': { received: { max_output_tokens: 70 } },
    'chat>google': { received: { generationConfig: { maxOutputTokens: 70 } } },
  },
  expected: { text: 'Good day.', finish: 'stop' },
};
