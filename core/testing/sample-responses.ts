import type { GenerateResponse, Usage } from '../api/index.ts';
import type { GenerateEvent } from '../api/codec.ts';
import { testOrigin } from './contexts.ts';

const proof = { origin: testOrigin, value: 'U0lH' };
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
    'log probabilities',
    {
      id: 'id_6',
      model: 'model',
      choices: [
        {
          parts: [
            {
              type: 'text',
              text: 'Hi.',
              logprobs: [
                { token: 'Hi', logprob: -0.25, top: [{ token: 'Hi', logprob: -0.25 }] },
                { token: '.', logprob: -0.5, top: [{ token: '!', logprob: -0.125 }] },
              ],
            },
          ],
          finish: { reason: 'stop' },
        },
      ],
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
