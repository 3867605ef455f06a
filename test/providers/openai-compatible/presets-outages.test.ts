import { expect } from 'chai';
import { goodDay } from '../../matrix/sample-bodies.ts';
import { textOf } from '../../matrix/vendors/vendors.ts';
import { send, type HttpReply } from '../../support/http.ts';
import { everyWire, startScene, type Scene } from '../../support/scene.ts';
import { answerJson, startUpstream, type TestUpstream } from '../../support/upstream.ts';
import { presetTable } from './preset-table.ts';

interface Failure {
  readonly vendor: string;
  readonly what: string;
  readonly status: number;
  readonly body: unknown;
}

/** Failures of a vendor or of its account, in the shape of each vendor: another target can serve the call. */
const outages: readonly Failure[] = [
  {
    vendor: 'xai',
    what: 'a wrong key as a 400 with a text as error',
    status: 400,
    body: {
      code: 'invalid-argument',
      error: 'Incorrect API key provided. You can obtain an API key from https://x.test.',
    },
  },
  { vendor: 'sambanova', what: 'a wrong key in detail', status: 401, body: { detail: 'Invalid API key' } },
  {
    vendor: 'perplexity',
    what: 'a wrong key with a number as code',
    status: 401,
    body: { error: { message: 'Invalid API key.', type: 'invalid_api_key', code: 401 } },
  },
  {
    vendor: 'deepseek',
    what: 'an empty account',
    status: 402,
    body: { error: { message: 'Insufficient Balance', type: 'unknown_error', code: 'invalid_request_error' } },
  },
  {
    vendor: 'groq',
    what: 'a rate limit',
    status: 429,
    body: { error: { message: 'Rate limit reached', type: 'tokens', code: 'rate_limit_exceeded' } },
  },
  {
    vendor: 'openrouter',
    what: 'an error of the provider behind it',
    status: 502,
    body: { error: { message: 'Provider returned error', code: 502 } },
  },
  { vendor: 'together', what: 'an overload as text', status: 503, body: 'overloaded' },
  { vendor: 'vllm', what: 'an error with object', status: 500, body: { object: 'error', message: 'engine died' } },
];

/** Faults of the request: no other target is called, and the client gets the message of the vendor. */
const faults: readonly Failure[] = [
  {
    vendor: 'cerebras',
    what: 'a wrong parameter',
    status: 422,
    body: { message: 'temperature is too high', type: 'invalid_request_error', param: 'temperature', code: 'wrong' },
  },
  {
    vendor: 'moonshot',
    what: 'a wrong parameter in error',
    status: 400,
    body: { error: { message: 'temperature is too high', type: 'invalid_request_error' } },
  },
];

describe('failures of vendors with presets', () => {
  let scene: Scene;
  let upstream: TestUpstream;
  before(async () => {
    upstream = await startUpstream();
    const names = [...outages, ...faults].map(({ vendor }) => vendor);
    scene = await startScene({
      plugins: [{ use: 'auth' }, { use: 'failover' }],
      providers: {
        ...Object.fromEntries(
          names.map((name) => [name, { use: name, config: { apiKey: 'upstream-secret', baseUrl: upstream.url } }]),
        ),
        spare: { use: 'openai-compatible', config: { apiKey: 'upstream-secret', baseUrl: `${upstream.url}/spare` } },
      },
      models: Object.fromEntries(
        names.map((name) => [
          `${name}/m`,
          {
            wires: everyWire,
            targets: [
              { provider: name, model: presetTable[name]?.model },
              { provider: 'spare', model: 'm' },
            ],
          },
        ]),
      ),
    });
  });
  beforeEach(() => {
    upstream.calls.length = 0;
  });
  after(async () => {
    await scene.stop(/a provider refuses a credential of the gateway/);
    await upstream.stop();
  });

  const call = ({ vendor, status, body }: Failure): Promise<HttpReply> => {
    upstream.answer = (response, { path }) =>
      path.startsWith('/spare/')
        ? void response.writeHead(200, { 'content-type': 'application/json' }).end(textOf('chat', 'plain', goodDay))
        : answerJson(response, body, status);
    return send(scene.gateway.url, {
      path: '/v1/chat/completions',
      body: JSON.stringify({ model: `${vendor}/m`, messages: [{ role: 'user', content: 'Hello' }] }),
    });
  };

  for (const failure of outages)
    it(`another target serves a call when ${failure.vendor} reports ${failure.what}`, async () => {
      const { status, text } = await call(failure);
      expect([status, text.includes('Good day.')], text).to.deep.equal([200, true]);
      expect(upstream.calls.at(-1)?.path).to.equal('/spare/chat/completions');
      expect(upstream.calls.length).to.be.above(1);
    });

  for (const failure of faults)
    it(`no other target is called when ${failure.vendor} reports ${failure.what}`, async () => {
      const { status, text } = await call(failure);
      expect([status, upstream.calls.length], text).to.deep.equal([failure.status, 1]);
      expect(text).to.include('temperature is too high');
    });
});
