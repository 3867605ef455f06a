import type { GenerateRequest, WireName } from '../api/index.ts';
import { testOrigin } from './contexts.ts';

const schema = { type: 'object', properties: { city: { type: 'string', description: 'a city' } }, required: ['city'] };
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const proof = { origin: testOrigin, value: 'U0lH' };

const empty = (wire: WireName): GenerateRequest => ({
  wire,
  turns: [{ role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
  tools: [],
  maxTokens: 100,
  choices: 1,
  stream: false,
  includeUsage: true,
  extra: { wire, members: {} },
});

/**
 * Requests that together have every canonical member. Each has one feature, so that a fit or wire that refuses it skips
 * no other.
 */
export function sampleRequests(wire: WireName): readonly (readonly [name: string, request: GenerateRequest])[] {
  const base = empty(wire);
  const user = base.turns;
  return [
    ['a question', base],
    [
      'a system prompt',
      { ...base, turns: [{ role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] }, ...user] },
    ],
    [
      'sampling',
      {
        ...base,
        temperature: 0.5,
        topP: 0.9,
        topK: 40,
        seed: 7,
        presencePenalty: 0.1,
        frequencyPenalty: 0.2,
        stop: ['END'],
      },
    ],
    ['settings', { ...base, verbosity: 'low', user: 'user-1', serviceTier: 'auto', cacheKey: 'key', store: false }],
    ['log probabilities', { ...base, logprobs: 3 }],
    ['an effort', { ...base, reasoning: { effort: 'low', show: true } }],
    ['a budget', { ...base, maxTokens: 4000, reasoning: { budget: 2000, show: true } }],
    ['a JSON answer', { ...base, output: { type: 'json' } }],
    ['a schema', { ...base, output: { type: 'schema', name: 'place', description: 'where', schema, strict: true } }],
    [
      'tools',
      {
        ...base,
        tools: [
          { name: 'weather', kind: 'function', description: 'the weather', schema, strict: true, cache: { ttl: '5m' } },
          { name: 'time', kind: 'function' },
        ],
        toolChoice: { mode: 'required', only: ['weather'] },
        parallelTools: false,
      },
    ],
    [
      'images',
      {
        ...base,
        turns: [
          {
            role: 'user',
            parts: [
              { type: 'media', media: { mediaType: 'image/png', base64: png }, detail: 'low' },
              { type: 'media', media: { mediaType: 'image/*', url: 'https://example.com/a.png' } },
            ],
          },
        ],
      },
    ],
    [
      'a document',
      {
        ...base,
        turns: [
          {
            role: 'user',
            parts: [
              { type: 'media', media: { mediaType: 'application/pdf', base64: 'JVBERi0xLjQK' }, name: 'a.pdf' },
              { type: 'text', text: 'Read it.', cache: { ttl: '1h' } },
            ],
          },
        ],
      },
    ],
    [
      'a tool turn',
      {
        ...base,
        tools: [{ name: 'weather', kind: 'function', schema }],
        turns: [
          ...user,
          {
            role: 'assistant',
            parts: [
              { type: 'reasoning', text: 'Let me see.', proof },
              { type: 'text', text: 'Asking.' },
              { type: 'tool-call', id: 'call_1', name: 'weather', kind: 'function', input: '{"city":"Paris"}' },
              { type: 'tool-call', id: 'call_2', name: 'weather', kind: 'function', input: '' },
            ],
          },
          {
            role: 'user',
            parts: [
              { type: 'tool-result', id: 'call_1', failed: false, parts: [{ type: 'text', text: 'sun' }] },
              { type: 'tool-result', id: 'call_2', failed: true, parts: [{ type: 'text', text: 'no city' }] },
              { type: 'text', text: 'Well?' },
            ],
          },
        ],
      },
    ],
    [
      'a refusal',
      { ...base, turns: [...user, { role: 'assistant', parts: [{ type: 'refusal', text: 'No.' }] }, ...user] },
    ],
    [
      'members of its own',
      {
        ...base,
        extra: { wire, members: { koine_unknown: { a: [1] } } },
        turns: [
          { role: 'user', parts: [{ type: 'text', text: 'Hi' }], extra: { wire, members: { koine_unknown: 1 } } },
        ],
      },
    ],
    [
      'members of another wire',
      {
        ...base,
        extra: { wire: 'elsewhere', members: { koine_unknown: { a: [1] } } },
        turns: [
          {
            role: 'user',
            parts: [
              { type: 'text', text: 'Hi' },
              { type: 'opaque', wire: 'elsewhere', value: { type: 'odd' } },
            ],
            extra: { wire: 'elsewhere', members: { odd: 1 } },
          },
        ],
      },
    ],
  ];
}
