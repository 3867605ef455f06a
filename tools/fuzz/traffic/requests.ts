import { structuredRequests, richRequests } from '../../../test/doubling/rich-requests.ts';
import { KEY } from '../../../test/support/gateway.ts';
import { goodHeaders } from '../../../test/support/http.ts';
import { pathOf } from '../../../test/support/calls.ts';
import { hello } from '../../../test/matrix/sample-bodies.ts';
import { requestOf } from '../../../test/matrix/interactions/convert.ts';
import { wires, type Json } from '../../../test/matrix/wires.ts';
import { cut, damage, encode } from '../damage.ts';
import type { FuzzRequest } from '../http.ts';
import { collectDonors, mutate } from '../mutate.ts';
import type { Random } from '../random.ts';
import { fuzzWires, type FuzzWire } from './wires.ts';

const models: Readonly<Record<FuzzWire, string>> = {
  chat: 'gpt-4.1',
  messages: 'claude-sonnet-4-5',
  responses: 'gpt-4.1-mini',
  google: 'gemini-2.5-flash',
  interactions: 'gemini-3.5-flash',
};

/**
 * The model of a lane and an upstream wire. Every lane has its own providers, so that each response belongs to one
 * lane.
 */
export const modelOf = (lane: number, upstream: FuzzWire): string => `lane${lane}-${upstream}/${models[upstream]}`;
export const embedModelOf = (lane: number, upstream: 'chat' | 'google'): string => `lane${lane}-${upstream}/embedding`;

interface Seed {
  readonly path: string;
  readonly body: Json;
}

/** Members that only this wire has. */
const ownMembers: Json = {
  previous_interaction_id: 'v1_x',
  store: true,
  background: true,
  labels: { a: 'b' },
  response_modalities: ['text'],
  webhook_config: { uris: ['https://example.com'] },
  agent: 'x',
};
const interactionSeeds = (lane: number): readonly Seed[] =>
  fuzzWires.flatMap((upstream) =>
    [hello.google, richRequests.google, structuredRequests('google')].flatMap((body) =>
      [false, true].flatMap((stream) =>
        ['/v1beta/interactions', '/v1/interactions'].map((path): Seed => ({
          path,
          body: { model: modelOf(lane, upstream), ...requestOf(body), ...(stream ? { stream } : {}) },
        })),
      ),
    ),
  );

const generateSeeds = (lane: number): readonly Seed[] =>
  wires.flatMap((client) =>
    fuzzWires.flatMap((upstream) => {
      const model = modelOf(lane, upstream);
      const head = client === 'google' ? {} : { model };
      const bodies = [hello[client], richRequests[client], structuredRequests(client)];
      return [false, true].flatMap((stream) =>
        bodies.map((body): Seed => ({
          path: pathOf(client, model, stream),
          body: { ...head, ...body, ...(stream && client !== 'google' ? { stream } : {}) },
        })),
      );
    }),
  );
/** Generation on every wire: a fifth of them on the newest. */
const pickSeed = (random: Random, lane: number): Seed =>
  random.pick(random.chance(0.2) ? interactionSeeds(lane) : generateSeeds(lane));
const otherSeeds = (lane: number): readonly Seed[] => [
  ...(['chat', 'google'] as const).flatMap((upstream): readonly Seed[] => {
    const model = embedModelOf(lane, upstream);
    return [
      { path: '/v1/embeddings', body: { model, input: ['x', 'y'], dimensions: 8, encoding_format: 'float' } },
      { path: '/v1/embeddings', body: { model, input: [[1, 2], [3]], user: 'a' } },
      {
        path: `/v1beta/models/${model}:embedContent`,
        body: { content: { parts: [{ text: 'x' }] }, outputDimensionality: 8 },
      },
      {
        path: `/v1beta/models/${model}:batchEmbedContents`,
        body: { requests: [{ model: `models/${model}`, content: { parts: [{ text: 'x' }] } }] },
      },
    ];
  }),
  ...wires.flatMap((upstream): readonly Seed[] => [
    { path: '/v1/messages/count_tokens', body: { model: modelOf(lane, upstream), ...richRequests.messages } },
    {
      path: `/v1beta/models/${modelOf(lane, upstream)}:countTokens`,
      body: { contents: richRequests.google['contents'] },
    },
    { path: '/tokenize', body: { model: modelOf(lane, upstream), prompt: 'x', add_special_tokens: true } },
    { path: '/tokenize', body: { model: modelOf(lane, upstream), ...richRequests.chat, return_token_strs: false } },
  ]),
];

const donors = collectDonors([...Object.values(richRequests), requestOf(richRequests.google), ownMembers]);
const odd = [
  'chat/completions',
  '../../etc/passwd',
  '%00',
  'x'.repeat(5_000),
  'a%2Fb',
  '💥',
  ' ',
  'lane0-chat/gpt-4.1:generateContent',
] as const;

const makeHeaders = (random: Random): Readonly<Record<string, string>> => ({
  'authorization': `Bearer ${KEY}`,
  'content-type': random.chance(0.9)
    ? 'application/json'
    : random.pick([
        'text/plain',
        'multipart/form-data; boundary=x',
        'application/x-www-form-urlencoded',
        '',
        'application/json; charset=utf-16',
      ]),
  'anthropic-version': random.chance(0.95) ? '2023-06-01' : random.pick(['', 'x', '2020-01-01']),
  ...(random.chance(0.05)
    ? { 'anthropic-beta': random.pick(['x', ','.repeat(1_000), 'a,b,c', 'x'.repeat(4_000)]) }
    : {}),
  ...(random.chance(0.05) ? { 'user-agent': random.pick(['', 'x'.repeat(4_000), 'a\tb']) } : {}),
  ...(random.chance(0.05)
    ? { traceparent: random.pick(['', '00-', `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, 'x'.repeat(2_000)]) }
    : {}),
  ...(random.chance(0.02) ? { expect: '100-continue' } : {}),
});

/** A valid request of any wire to any vendor. */
export function makeGoodRequest(random: Random, lane: number): FuzzRequest {
  const { path, body } = pickSeed(random, lane);
  return { path, headers: goodHeaders, pieces: [Buffer.from(JSON.stringify(body))] };
}

/** A valid request of any wire and operation with random changes of its structure, bytes, encoding and headers. */
export function makeRequest(random: Random, lane: number): FuzzRequest {
  const { path, body } = random.chance(0.85) ? pickSeed(random, lane) : random.pick(otherSeeds(lane));
  const changed = random.chance(0.95) ? mutate(body, random, donors) : body;
  const text = JSON.stringify(changed) ?? '';
  const { headers, bytes } = encode(damage(text, random), random);
  return {
    path: random.chance(0.97) ? path : encodeURI(path.replace(/models\/[^:]+/, () => `models/${random.pick(odd)}`)),
    headers: { ...makeHeaders(random), ...headers },
    pieces: cut(bytes, random),
  };
}
