import { goodDay, hello, receivedHello, stopped, type MatrixCase } from '../matrix-case.ts';

export const sampling: MatrixCase = {
  name: 'sampling, the end user and the tier',
  request: {
    chat: { ...hello.chat, temperature: 0.5, user: 'u-1', service_tier: 'default' },
    messages: { ...hello.messages, temperature: 0.5, metadata: { user_id: 'u-1' }, service_tier: 'standard_only' },
  },
  received: {
    chat: { ...receivedHello.chat, temperature: 0.5, user: 'u-1', service_tier: 'default' },
    messages: { ...receivedHello.messages, temperature: 0.5, metadata: { user_id: 'u-1' }, service_tier: 'standard_only' },
  },
  vendor: goodDay,
  losses: { messages: ['service_tier;approximated'] },
  expected: { text: 'Good day.', finish: stopped },
};

const unheard = { seed: 7, presence_penalty: 0.5, frequency_penalty: -0.5, logit_bias: { '50256': -100 }, logprobs: true, top_logprobs: 2, verbosity: 'low' };

export const unspoken: MatrixCase = {
  name: 'members that the other wire has no word for',
  request: {
    chat: { ...hello.chat, temperature: 1.7, top_p: 0.9, ...unheard },
    messages: { ...hello.messages, temperature: 0.5, top_k: 40, inference_geo: 'eu' },
  },
  received: {
    chat: { ...receivedHello.chat, temperature: 0.5 },
    messages: { ...receivedHello.messages, temperature: 1 },
  },
  vendor: goodDay,
  losses: {
    chat: ['temperature;approximated', 'top_p;dropped', ...Object.keys(unheard).map((field) => `${field};dropped`)],
    messages: ['top_k;dropped', 'inference_geo;dropped'],
  },
  expected: { text: 'Good day.', finish: stopped },
};

export const noCap: MatrixCase = {
  name: 'no cap on the output',
  request: { chat: { messages: hello.chat.messages }, messages: hello.messages },
  received: { chat: receivedHello.chat, messages: { ...receivedHello.messages, max_tokens: 64_000 } },
  vendor: goodDay,
  losses: { chat: ['max_tokens;injected'] },
  expected: { text: 'Good day.', finish: stopped },
};

/** mission.md: `max_completion_tokens` counts only where `max_tokens` is not set. */
export const bothCaps: MatrixCase = {
  name: 'both names of the cap',
  request: { chat: { ...hello.chat, max_tokens: 70, max_completion_tokens: 100 }, messages: hello.messages },
  received: { chat: receivedHello.chat, messages: { ...receivedHello.messages, max_tokens: 70 }, native: { chat: { messages: hello.chat.messages, max_tokens: 70 } } },
  vendor: goodDay,
  expected: { text: 'Good day.', finish: stopped },
};
