import { expect } from 'chai';
import { omitUndefined } from '../../core/api/codec.ts';
import { parseMetrics, sumOf } from '../support/parse-metrics.ts';
import { until } from '../support/until.ts';
import { send } from '../support/http.ts';
import type { Scene } from '../support/scene.ts';
import { answerJson } from '../support/upstream.ts';
import { consult, startOracle, type OracleCase } from './oracle.ts';
import { answer, refuse, silence, type Answer } from './scripted.ts';

const chatUsage = { prompt_tokens: 50, completion_tokens: 20, total_tokens: 70 };
const estimated = { inputUncached: 100, source: 'estimated' } as const;
const DEAR = 50n * 20_000n + 20n * 100_000n;
const later =
  (act: Answer): Answer =>
  (response, call) =>
    void setTimeout(() => act(response, call), 150);
const perCall = { input_tokens: 400, output_tokens: 10 };

const cases: readonly OracleCase[] = [
  // Failover: each attempt is charged by the same rule, at the price of its own target.
  {
    name: 'a refused attempt is free',
    client: 'messages',
    model: 'two/models',
    answers: [refuse(503), answer({ usage: chatUsage })],
    usage: { inputUncached: 50, output: 20 },
    nano: DEAR,
    charges: [DEAR],
    shown: { input_tokens: 50, output_tokens: 20 },
  },
  {
    name: 'a stream that breaks before content costs its reported usage, which the client does not see',
    client: 'messages',
    model: 'two/models',
    stream: true,
    answers: [
      answer({ begun: { input_tokens: 40, cache_creation_input_tokens: 10, output_tokens: 1 }, frames: 2 }),
      answer({ usage: chatUsage }),
    ],
    usage: { inputUncached: 90, cacheWrite5m: 10, output: 21, source: 'estimated' },
    nano: 80_000n + 25_000n + 10_000n + DEAR,
    charges: [115_000n, DEAR],
    shown: { input_tokens: 50, cache_creation_input_tokens: 0, output_tokens: 20 },
  },
  {
    name: 'a stream that breaks before content and usage costs its estimated input',
    client: 'chat',
    model: 'two/models',
    stream: true,
    request: { stream_options: { include_usage: true } },
    answers: [answer({ frames: 1 }), answer({ usage: chatUsage })],
    usage: { inputUncached: 150, output: 20, source: 'estimated' },
    nano: 200_000n + DEAR,
    charges: [200_000n, DEAR],
    shown: { prompt_tokens: 50, completion_tokens: 20, total_tokens: 70 },
  },
  {
    name: 'an invalid 2xx response costs its input, since the upstream had begun',
    client: 'messages',
    model: 'two/models',
    answers: [
      (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('<html>'),
      answer({ usage: chatUsage }),
    ],
    usage: { inputUncached: 150, output: 20, source: 'estimated' },
    nano: 200_000n + DEAR,
    charges: [200_000n, DEAR],
  },
  {
    name: 'an exchange costs nothing when every attempt is refused',
    client: 'chat',
    model: 'two/models',
    answers: [refuse(503)],
    usage: undefined,
    nano: undefined,
    shown: null,
  },
  {
    name: 'a request that the vendor rejects as invalid costs nothing',
    client: 'chat',
    model: 'plain/chat',
    answers: [refuse(400, { error: { message: 'No.', type: 'invalid_request_error' } })],
    usage: undefined,
    nano: undefined,
  },
  {
    name: 'a connection that breaks before a response costs nothing',
    client: 'chat',
    model: 'plain/chat',
    answers: [(response) => void response.socket?.resetAndDestroy()],
    usage: undefined,
    nano: undefined,
  },

  // The client disconnects.
  {
    name: 'a plain call whose client disconnects costs its input',
    client: 'chat',
    model: 'plain/chat',
    leaves: 'before content',
    answers: [silence],
    usage: estimated,
    nano: 200_000n,
  },
  {
    name: 'a stream whose client disconnects costs its input',
    client: 'messages',
    model: 'plain/chat',
    stream: true,
    leaves: 'before content',
    answers: [silence],
    usage: estimated,
    nano: 200_000n,
  },
  {
    name: 'a stream of a reasoning model whose client disconnects costs what was reserved',
    client: 'messages',
    model: 'plain/google',
    stream: true,
    leaves: 'before content',
    answers: [silence],
    usage: { ...estimated, output: 100 },
    nano: 1_200_000n,
  },
  {
    name: 'a second attempt whose client disconnects is charged',
    client: 'messages',
    model: 'two/models',
    leaves: 'before content',
    answers: [refuse(503), silence],
    usage: estimated,
    nano: 2_000_000n,
    charges: [2_000_000n],
  },

  // Several choices, with one call for each.
  {
    name: 'three calls for three choices are charged each by their own length; the client sees the prompt once',
    client: 'chat',
    model: 'rich/messages',
    request: { n: 3 },
    answers: [answer({ usage: perCall })],
    usage: { inputUncached: 1_200, output: 30 },
    nano: 3n * (800_000n + 100_000n + 1_000_000n),
    raw: [perCall, perCall, perCall],
    shown: { prompt_tokens: 400, completion_tokens: 30, total_tokens: 430 },
  },
  {
    name: 'three streams for three choices are charged each',
    client: 'chat',
    model: 'rich/messages',
    stream: true,
    request: { n: 3, stream_options: { include_usage: true } },
    answers: [answer({ begun: { input_tokens: 400, output_tokens: 1 }, usage: { output_tokens: 10 } })],
    usage: { inputUncached: 1_200, output: 30 },
    nano: 5_700_000n,
    shown: { prompt_tokens: 400, completion_tokens: 30, total_tokens: 430 },
  },
  {
    name: 'one of three calls without reported usage is estimated',
    client: 'chat',
    model: 'rich/messages',
    request: { n: 3 },
    answers: [answer({ usage: perCall }), answer({ usage: perCall }), answer({})],
    usage: { inputUncached: 900, output: 20, source: 'estimated' },
    nano: 2n * 1_900_000n + 200_000n + 1_000_000n,
  },
  {
    name: 'one of two streams that breaks costs its reported usage, and the other its full usage',
    client: 'chat',
    model: 'rich/messages',
    stream: true,
    request: { n: 2 },
    answers: [
      answer({ begun: { input_tokens: 400, output_tokens: 1 }, usage: { output_tokens: 10 } }),
      answer({ begun: { input_tokens: 400, output_tokens: 1 }, atOnce: 3, frames: 4 }),
    ],
    usage: { inputUncached: 800, output: 11, source: 'estimated' },
    nano: 2n * (800_000n + 1_000_000n) + 110_000n,
  },
  {
    name: 'a successful call is charged even if the other of two calls is refused',
    client: 'chat',
    model: 'rich/messages',
    request: { n: 2 },
    answers: [
      answer({ usage: perCall }),
      later(refuse(400, { type: 'error', error: { type: 'invalid_request_error', message: 'No.' } })),
    ],
    usage: { inputUncached: 400, output: 10, source: 'estimated' },
    nano: 1_900_000n,
  },
  {
    name: 'several choices of one call are charged as one call',
    client: 'chat',
    model: 'rich/chat',
    request: { n: 2 },
    answers: [answer({ usage: { prompt_tokens: 50, completion_tokens: 40, total_tokens: 90 } })],
    usage: { inputUncached: 50, output: 40 },
    nano: 100_000n + 400_000n + 1_000_000n,
  },
];

/** A body of 120 bytes, whose input is estimated at 30 tokens. */
const embed = (model: string): { readonly path: string; readonly body: string } => {
  const of = (input: string): string => JSON.stringify({ model, input, encoding_format: 'float' });
  return { path: '/v1/embeddings', body: of('x'.repeat(120 - of('').length)) };
};
const vectors =
  (usage: unknown): Answer =>
  (response) =>
    answerJson(
      response,
      omitUndefined({
        object: 'list',
        model: 'm',
        data: [{ object: 'embedding', index: 0, embedding: [0.5] }],
        usage,
      }),
    );
const googleVectors =
  (usageMetadata: unknown): Answer =>
  (response) =>
    answerJson(
      response,
      omitUndefined({
        embeddings: [{ values: [0.5] }],
        usageMetadata,
      }),
    );
const embedding = (
  name: string,
  model: string,
  reply: Answer,
  tokens: number,
  source: 'provider' | 'estimated',
  shown: object | undefined = undefined,
): OracleCase =>
  omitUndefined({
    name,
    client: 'chat',
    model,
    call: embed(model),
    answers: [reply],
    usage: { inputUncached: tokens, source },
    nano: BigInt(tokens) * 2_000n,
    shown: shown === undefined ? undefined : { ...shown },
  });
const embeddings: readonly OracleCase[] = [
  embedding(
    'embeddings cost the usage that their vendor reports',
    'plain/openai-vectors',
    vectors({ prompt_tokens: 7, total_tokens: 7 }),
    7,
    'provider',
    { prompt_tokens: 7, total_tokens: 7 },
  ),
  embedding(
    'embeddings of a vendor that reports only the total cost that total',
    'plain/openai-vectors',
    vectors({ total_tokens: 9 }),
    9,
    'provider',
  ),
  embedding('embeddings without usage are estimated', 'plain/openai-vectors', vectors(undefined), 30, 'estimated'),
  embedding(
    'embeddings with impossible counts are estimated',
    'plain/openai-vectors',
    vectors({ prompt_tokens: -4, total_tokens: 1e18 }),
    30,
    'estimated',
  ),
  embedding(
    'embeddings on another wire cost the usage that their vendor reports',
    'plain/google-vectors',
    googleVectors({ promptTokenCount: 6 }),
    6,
    'provider',
    { prompt_tokens: 6, total_tokens: 6 },
  ),
  embedding(
    'embeddings on another wire without usage are estimated, and the client sees the estimate',
    'plain/google-vectors',
    googleVectors(undefined),
    30,
    'estimated',
    { prompt_tokens: 30, total_tokens: 30 },
  ),
];

describe('usage and cost by the course of an exchange', () => {
  let scene: Scene;
  before(async () => {
    scene = await startOracle();
  });
  after(() => scene.stop());

  for (const oracle of [...cases, ...embeddings]) it(oracle.name, () => consult(scene, oracle).then(() => undefined));

  it('records what the cache saved and what a failover to another target lost', async () => {
    const of = (name: string, more: Pick<OracleCase, 'answers' | 'usage' | 'nano'>): OracleCase => ({
      name,
      client: 'messages',
      model: 'two/models',
      request: { system: 'A conversation of its own.' },
      ...more,
    });
    const cached = {
      input_tokens: 100,
      cache_read_input_tokens: 400,
      cache_creation_input_tokens: 600,
      output_tokens: 10,
    };
    const first = await consult(
      scene,
      of('at home', {
        answers: [answer({ usage: cached })],
        usage: { inputUncached: 100, cacheRead: 400, cacheWrite5m: 600, output: 10 },
        nano: 200_000n + 200_000n + 1_500_000n + 100_000n,
      }),
    );
    expect(first.cache).to.deep.equal({ saved: 400n * 1_500n - 600n * 500n, lost: 0n });
    const moved = {
      prompt_tokens: 1_200,
      completion_tokens: 10,
      total_tokens: 1_210,
      prompt_tokens_details: { cached_tokens: 200 },
    };
    const second = await consult(
      scene,
      of('moved', {
        answers: [refuse(503), answer({ usage: moved })],
        usage: { inputUncached: 1_000, cacheRead: 200, output: 10 },
        nano: 20_000_000n + 1_000_000n + 1_000_000n,
      }),
    );
    expect(second.cache).to.deep.equal({ saved: 200n * 15_000n, lost: 800n * 15_000n });
  });

  it('counts responses without usage and calls without a price', async () => {
    const figures = async (): Promise<readonly number[]> => {
      const families = parseMetrics(
        (await send(scene.gateway.gateway.admin.url, { method: 'GET', path: '/metrics', headers: {} })).text,
      );
      return ['koine_usage_missing_total', 'koine_unpriced_total'].map((name) =>
        sumOf(families, name, { model: 'none/chat' }),
      );
    };
    await consult(scene, {
      name: 'with usage',
      client: 'chat',
      model: 'none/chat',
      answers: [answer({ usage: chatUsage })],
      usage: { inputUncached: 50, output: 20 },
      nano: undefined,
    });
    expect(await figures()).to.deep.equal([0, 1]);
    await consult(scene, {
      name: 'without usage',
      client: 'chat',
      model: 'none/chat',
      answers: [answer({})],
      usage: { inputUncached: 100, output: 3, source: 'estimated' },
      nano: undefined,
    });
    expect(await figures()).to.deep.equal([1, 2]);
    await until('the line in the log', () => scene.gateway.exchanges().at(-1)?.['tokens_estimated'] === true);
    expect(scene.gateway.exchanges().at(-1))
      .to.include({ unpriced: true, tokens_estimated: true })
      .and.not.have.property('cost_micro');
    expect(
      scene.gateway.lines
        .filter(({ text }) => text.startsWith('these models have no price'))
        .map(({ fields }) => fields['models']),
    ).to.deep.equal([['none/chat', 'none/responses', 'none/vectors']]);
  });
});
