import { structuredRequests, richRequests } from '../../test/doubling/rich-requests.ts';
import { KEY } from '../../test/support/gateway.ts';
import { goodHeaders } from '../../test/support/http.ts';
import { pathOf } from '../../test/support/calls.ts';
import { hello } from '../../test/matrix/sample-bodies.ts';
import { wires, type Json, type Wire } from '../../test/matrix/wires.ts';
import { cut, damage, encode } from '../damage.ts';
import type { FuzzRequest } from '../http.ts';
import { collectDonors, mutate } from '../mutate.ts';
import type { Random } from '../random.ts';

const models: Readonly<Record<Wire, string>> = {
  chat: 'gpt-4.1',
  messages: 'claude-sonnet-4-5',
  responses: 'gpt-4.1-mini',
  google: 'gemini-2.5-flash',
};

/**
 * The model of a lane and an upstream wire. Every lane has its own providers, so that each response belongs to one
 * lane.
 */
export const modelOf = (lane: number, upstream: Wire): string => `lane${lane}-${upstream}/${models[upstream]}`;
export const embedModelOf = (lane: number, upstream: 'chat' | 'google'): string => `lane${lane}-${upstream}/embedding`;

interface Seed {
  readonly path: string;
  readonly body: Json;
}

const generateSeeds = (lane: number): readonly Seed[] =>
  wires.flatMap((client) =>
    wires.flatMap((upstream) => {
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
  ]),
];

const donors = collectDonors(Object.values(richRequests));
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
  const { path, body } = random.pick(generateSeeds(lane));
  return { path, headers: goodHeaders, pieces: [Buffer.from(JSON.stringify(body))] };
}

/** A valid request of any wire and operation with random changes of its structure, bytes, encoding and headers. */
export function makeRequest(random: Random, lane: number): FuzzRequest {
  const { path, body } = random.pick(random.chance(0.85) ? generateSeeds(lane) : otherSeeds(lane));
  const changed = random.chance(0.95) ? mutate(body, random, donors) : body;
  const text = JSON.stringify(changed) ?? '';
  const { headers, bytes } = encode(damage(text, random), random);
  return {
    path: random.chance(0.97) ? path : encodeURI(path.replace(/models\/[^:]+/, () => `models/${random.pick(odd)}`)),
    headers: { ...makeHeaders(random), ...headers },
    pieces: cut(bytes, random),
  };
}
