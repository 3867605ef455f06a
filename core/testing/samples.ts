import type { GenerateRequest, GenerateResponse, Usage, WireName } from '../api/index.ts';
import type { GenerateEvent } from '../api/codec.ts';
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

const usage: Usage = {
  inputUncached: 5,
  cacheRead: 3,
  cacheWrite5m: 2,
  cacheWrite1h: 0,
  output: 9,
  reasoning: 4,
  source: 'provider',
};

/** Responses of every kind that the generation wires share. */
export const sampleResponses: readonly (readonly [name: string, response: GenerateResponse])[] = [
  [
    'text',
    {
      id: 'id_1',
      model: 'model',
      choices: [{ parts: [{ type: 'text', text: 'Hello 😀' }], finish: { reason: 'stop' } }],
      usage,
    },
  ],
  [
    'reasoning and calls',
    {
      id: 'id_2',
      model: 'model',
      choices: [
        {
          parts: [
            { type: 'reasoning', text: 'Let me see.', proof },
            { type: 'text', text: 'Asking.' },
            { type: 'tool-call', id: 'call_1', name: 'weather', kind: 'function', input: '{"city":"Paris"}' },
            { type: 'tool-call', id: 'call_2', name: 'time', kind: 'function', input: '{}' },
          ],
          finish: { reason: 'tool_calls' },
        },
      ],
      usage,
    },
  ],
  [
    'a cut text',
    {
      id: 'id_3',
      model: 'model',
      choices: [{ parts: [{ type: 'text', text: 'Hel' }], finish: { reason: 'length' } }],
      usage,
    },
  ],
  [
    'a refusal',
    {
      id: 'id_4',
      model: 'model',
      choices: [{ parts: [{ type: 'refusal', text: 'No.' }], finish: { reason: 'refusal' } }],
      usage,
    },
  ],
  ['nothing', { id: 'id_5', model: 'model', choices: [{ parts: [], finish: { reason: 'stop' } }], usage }],
];

/** Two calls with alternating fragments, after text: parallel calls as some wires stream them. */
export const interleavedEvents: readonly GenerateEvent[] = [
  { type: 'response-start', id: 'id_6', model: 'model' },
  { type: 'part-start', choice: 0, part: 0, kind: 'text' },
  { type: 'part-delta', choice: 0, part: 0, text: 'Both.' },
  {
    type: 'part-start',
    choice: 0,
    part: 1,
    kind: 'tool-call',
    call: { id: 'call_1', name: 'weather', kind: 'function' },
  },
  {
    type: 'part-start',
    choice: 0,
    part: 2,
    kind: 'tool-call',
    call: { id: 'call_2', name: 'weather', kind: 'function' },
  },
  { type: 'part-delta', choice: 0, part: 1, text: '{"city":' },
  { type: 'part-delta', choice: 0, part: 2, text: '{"city"' },
  { type: 'part-delta', choice: 0, part: 1, text: '"Paris"}' },
  { type: 'part-delta', choice: 0, part: 2, text: ':"Rome"}' },
  { type: 'part-end', choice: 0, part: 0 },
  { type: 'part-end', choice: 0, part: 2 },
  { type: 'part-end', choice: 0, part: 1 },
  { type: 'choice-end', choice: 0, finish: { reason: 'tool_calls' } },
  { type: 'usage', usage },
  { type: 'response-end' },
];
