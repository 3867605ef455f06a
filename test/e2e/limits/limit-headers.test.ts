import { expect } from 'chai';
import { GatewayError } from '../../../core/api/index.ts';
import { hello } from '../../matrix/sample-bodies.ts';
import { wires, type Wire } from '../../matrix/wires.ts';
import { callOf, headOf, pathOf } from '../../support/calls.ts';
import { createLimitError, figures, startGate, type Gate } from './gate.ts';
import { KEY } from '../../support/gateway.ts';
import { goodHeaders, send, type HttpReply } from '../../support/http.ts';
import type { Scene } from '../../support/scene.ts';

const MODEL = 'simulator/chat';

interface Route {
  readonly path: string;
  readonly body: string;
  readonly wire: Wire;
}
const content = { content: { parts: [{ text: 'Hello' }] } };
const routes: readonly Route[] = [
  ...wires.flatMap((wire) => [false, true].map((stream) => ({ wire, ...callOf(wire, MODEL, { stream }) }))),
  { wire: 'chat', path: '/v1/embeddings', body: JSON.stringify({ model: MODEL, input: 'Hello' }) },
  {
    wire: 'messages',
    path: '/v1/messages/count_tokens',
    body: JSON.stringify({ ...hello.messages, ...headOf('messages', MODEL) }),
  },
  {
    wire: 'responses',
    path: '/v1/responses/input_tokens',
    body: JSON.stringify({ ...hello.responses, ...headOf('responses', MODEL) }),
  },
  {
    wire: 'google',
    path: pathOf('google', MODEL).replace('generateContent', 'countTokens'),
    body: JSON.stringify(hello.google),
  },
  {
    wire: 'google',
    path: pathOf('google', MODEL).replace('generateContent', 'embedContent'),
    body: JSON.stringify(content),
  },
  {
    wire: 'google',
    path: pathOf('google', MODEL).replace('generateContent', 'batchEmbedContents'),
    body: JSON.stringify({ requests: [{ model: `models/${MODEL}`, ...content }] }),
  },
];

const openai = {
  'x-ratelimit-limit-requests': '60',
  'x-ratelimit-remaining-requests': '59',
  'x-ratelimit-reset-requests': '1s',
  'x-ratelimit-limit-tokens': '9000',
  'x-ratelimit-remaining-tokens': '8000',
  'x-ratelimit-reset-tokens': '1s',
};
const anthropic = {
  'anthropic-ratelimit-requests-limit': '60',
  'anthropic-ratelimit-requests-remaining': '59',
  'anthropic-ratelimit-requests-reset': '2026-11-21T06:00:01Z',
  'anthropic-ratelimit-tokens-limit': '9000',
  'anthropic-ratelimit-tokens-remaining': '8000',
  'anthropic-ratelimit-tokens-reset': '2026-11-21T06:00:01Z',
};
const onSuccess: Readonly<Record<Wire, object>> = { chat: openai, responses: openai, messages: anthropic, google: {} };

const spentOpenai = {
  'x-ratelimit-limit-requests': '60',
  'x-ratelimit-remaining-requests': '0',
  'x-ratelimit-reset-requests': '1s',
};
const onRefusal: Readonly<Record<Wire, object>> = {
  chat: spentOpenai,
  responses: spentOpenai,
  messages: {
    'anthropic-ratelimit-requests-limit': '60',
    'anthropic-ratelimit-requests-remaining': '0',
    'anthropic-ratelimit-requests-reset': '2026-11-21T06:00:01Z',
  },
  google: {},
};
const limitsIn = ({ headers }: HttpReply): object =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.includes('ratelimit')));

const message = 'Rate limit exceeded: 60 requests per 1m of the key alice; try again in 7s.';
const rpc = 'type.googleapis.com/google.rpc.';
const members = { message, type: 'rate_limit_error', code: 'rate_limit_exceeded' };
const details = [
  { '@type': `${rpc}QuotaFailure`, violations: [{ subject: 'key;requests;1m', description: message }] },
  { '@type': `${rpc}RetryInfo`, retryDelay: '7s' },
];
const bodyOn: Readonly<Record<Wire, (id: unknown) => object>> = {
  chat: () => ({ error: members }),
  responses: () => ({ error: members }),
  messages: (id) => ({ type: 'error', error: members, request_id: id }),
  google: () => ({ error: { ...members, status: 'RESOURCE_EXHAUSTED', details } }),
};

describe('limit headers', () => {
  let scene: Scene;
  let gate: Gate;
  before(async () => {
    ({ scene, gate } = await startGate());
  });
  after(() => scene.stop());
  beforeEach(() => {
    gate.admit = () => ({ limits: figures });
    gate.refuse = undefined;
  });
  const ask = ({ path, body }: Route): Promise<HttpReply> => send(scene.gateway.url, { path, body });
  const refuseWith = (error: GatewayError): void => {
    gate.admit = () => {
      throw error;
    };
  };

  for (const route of routes) {
    const streamed = route.body.includes('"stream":true') ? ' as a stream' : '';

    it(`limit headers are in a response of ${route.path}${streamed}, in the style of its wire`, async () => {
      const reply = await ask(route);
      expect(reply.status, reply.text).to.equal(200);
      expect(limitsIn(reply)).to.deep.equal(onSuccess[route.wire]);
      expect(reply.headers).to.not.have.any.keys('retry-after', 'x-koine-limit');
    });

    it(`limit headers are in a refusal of ${route.path}${streamed}, beside the required error`, async () => {
      refuseWith(createLimitError());
      const reply = await ask(route);
      expect(reply.status).to.equal(429);
      expect(limitsIn(reply)).to.deep.equal(onRefusal[route.wire]);
      expect(reply.headers)
        .to.include({ 'retry-after': '7', 'x-koine-limit': 'key;requests;1m' })
        .and.not.have.property('x-should-retry');
      if (route.wire === 'chat' || route.wire === 'responses')
        expect(reply.headers).to.include({ 'retry-after-ms': '6500' });
      expect(JSON.parse(reply.text)).to.deep.equal(bodyOn[route.wire](reply.headers['request-id']));
    });
  }

  for (const [ms, seconds] of [
    [0, '1'],
    [1, '1'],
    [59_001, '60'],
    [86_400_000, '60'],
  ] as const) {
    it(`retry-after is ${seconds}s on every wire if ${ms} ms are needed`, async () => {
      refuseWith(createLimitError({ retryAfterMs: ms }));
      const waits = await Promise.all(routes.map(async (route) => (await ask(route)).headers['retry-after']));
      expect(new Set(waits)).to.deep.equal(new Set([seconds]));
    });
  }

  it('a spent budget is marked as not retryable on every wire', async () => {
    refuseWith(createLimitError({ failure: 'quota', retryAfterMs: 3_600_000 }));
    for (const route of routes) {
      const { status, headers, text } = await ask(route);
      expect([status, headers['x-should-retry'], headers['retry-after']], route.path).to.deep.equal([
        429,
        'false',
        '3600',
      ]);
      const { type } = (JSON.parse(text) as { readonly error: { readonly type: string } }).error;
      expect(type, route.path).to.equal(route.wire === 'messages' ? 'billing_error' : 'rate_limit_error');
    }
  });

  it('an unknown limiter gets 503 with its reason on every wire', async () => {
    refuseWith(
      new GatewayError('limits_unavailable', undefined, {
        retryAfterMs: 1_000,
        headers: { 'x-koine-ratelimit-mode': 'local' },
      }),
    );
    for (const route of routes) {
      const { status, headers, text } = await ask(route);
      expect(status, route.path).to.equal(503);
      expect(headers, route.path).to.include({ 'retry-after': '1', 'x-koine-ratelimit-mode': 'local' });
      expect(text, route.path).to.include('The limits of this key cannot be checked at the moment; try again.');
    }
  });

  for (const [path, wanted] of [
    ['/v1/models', members],
    [`/v1/models/${MODEL}`, members],
    ['/v1beta/models', { ...members, status: 'RESOURCE_EXHAUSTED', details }],
  ] as const) {
    it(`a refusal of ${path} before authentication has limit headers`, async () => {
      gate.refuse = createLimitError();
      const { status, headers, text } = await send(scene.gateway.url, {
        method: 'GET',
        path,
        headers: { authorization: `Bearer ${KEY}` },
      });
      expect(status).to.equal(429);
      expect(headers).to.include({ 'retry-after': '7', 'x-koine-limit': 'key;requests;1m' });
      expect(JSON.parse(text)).to.deep.equal({ error: wanted });
    });
  }

  it('a limit that HTTP headers cannot carry drops one header, not the response', async () => {
    gate.refuse = createLimitError({ headers: { 'x-odd': 'two\nlines', 'x-even': 'yes' } });
    for (const method of ['GET', 'POST']) {
      const { status, headers } = await send(scene.gateway.url, {
        method,
        path: method === 'GET' ? '/v1/models' : '/v1/chat/completions',
        headers: goodHeaders,
        ...(method === 'GET' ? {} : { body: '{}' }),
      });
      expect(status).to.equal(429);
      expect(headers).to.include({ 'x-even': 'yes' }).and.not.have.property('x-odd');
    }
  });
});
