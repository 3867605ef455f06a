import { expect } from 'chai';
import { knowSecrets } from '../../../core/canonical/text/known-secrets.ts';
import { describeStart, writeExchange } from '../../../core/exchange/access-log.ts';
import { GatewayError, type EndedRequest, type Outcome } from '../../../core/api/index.ts';
import { createTestExchange, createTestHead, createTestTarget } from '../../../core/testing/index.ts';
import { sampleRecord } from './sample-exchange.ts';

const usage = {
  inputUncached: 10,
  cacheRead: 5,
  cacheWrite5m: 3,
  cacheWrite1h: 2,
  output: 7,
  reasoning: 4,
  source: 'provider',
  raw: { secret: 'CANARY' },
} as const;
const times = { total: 12.3456, firstContent: 10.001, own: 0.5555 };
const outcome: Outcome = {
  result: 'ok',
  status: 200,
  endedAt: 1_000,
  charges: [],
  usage,
  cost: undefined,
  attempts: [],
  times,
  bytes: { received: 120, sent: 480 },
  ending: { reason: 'complete', usage, outputChars: 40 },
};
const caller = { key: 'alice', project: 'web', organization: 'acme', models: ['secret/*'] };
const exchange = createTestExchange({ estimate: { inputTokens: 30, outputTokens: 100, declared: true } });
const admitted = { caller, requested: 'talk', exchange };
const line = (more: Partial<EndedRequest> = {}, facts: Partial<EndedRequest> = admitted) =>
  JSON.parse(`{${writeExchange({ head: createTestHead(), outcome, ...facts, ...more })}}`) as Readonly<
    Record<string, unknown>
  >;

describe('the access log line', () => {
  it('logs caller, request, times and usage', () => {
    expect(line()).to.deep.equal({
      request_id: 'req_1',
      trace_id: '1',
      client_ip: '192.0.2.1',
      key_alias: 'alice',
      project: 'web',
      organization: 'acme',
      route: '/v1/chat/completions',
      operation: 'generate',
      wire_in: 'chat-completions',
      model_requested: 'talk',
      model: 'vendor/model',
      stream: false,
      status: 200,
      outcome: 'ok',
      term: '--',
      ending: 'complete',
      ms_total: 12.35,
      ms_ttft: 10,
      ms_overhead: 0.56,
      bytes_in: 120,
      bytes_out: 480,
      tokens_in: 20,
      tokens_out: 7,
      tokens_cache: 5,
      reserved: 130,
      actual: 27,
      attempts: [],
    });
  });

  it('has the facts of its own exchange where other lines share its parts', () => {
    const variants: readonly Partial<EndedRequest>[] = [
      {},
      { requested: 'chat' },
      { caller: { ...caller, project: 'shop' } },
      { caller: { ...caller, organization: 'other' } },
      { head: { ...createTestHead(), headers: { 'user-agent': 'one' } } },
      { head: { ...createTestHead(), headers: { 'user-agent': '' } } },
      { head: { ...createTestHead(), address: '192.0.2.2' } },
      { head: { ...createTestHead(), route: { path: '/v1/messages', operation: 'generate', wire: 'messages' } } },
      { exchange: createTestExchange({ model: 'vendor/other' }) },
      { outcome: { ...outcome, status: 500, result: 'upstream_error' } },
      { outcome: { ...outcome, ending: { ...outcome.ending!, reason: 'truncated' } } },
      { outcome: { ...outcome, attempts: [sampleRecord] } },
      { outcome: { ...outcome, attempts: [{ ...sampleRecord, credential: 'second' }] } },
      { outcome: { ...outcome, attempts: [{ ...sampleRecord, status: 429 }] } },
      { outcome: { ...outcome, attempts: [{ ...sampleRecord, target: 'other/model' }] } },
    ];
    const write = (more: Partial<EndedRequest>): string => JSON.stringify(line(more));
    const alone = variants.map((more) => {
      // A new secret clears the caches of texts.
      knowSecrets(['another-secret']);
      return write(more);
    });
    expect(new Set(alone)).to.have.property('size', variants.length);
    for (const first of variants) expect([first, ...variants].map(write).slice(1)).to.deep.equal(alone);
  });

  it('logs the cost in micro-dollars, and marks estimated tokens', () => {
    const fields = line({ outcome: { ...outcome, usage: { ...usage, source: 'estimated' }, cost: 1_234_567n } });
    expect(fields).to.include({ cost_micro: 1_234.567, tokens_out: 7, tokens_estimated: true });
    expect(line()).to.not.have.any.keys('cost_micro', 'tokens_estimated');
    expect(line({ outcome: { ...outcome, cost: 0n } })).to.include({ cost_micro: 0 });
  });

  it('marks usage without a price, and logs the savings of the prompt cache', () => {
    const charge = { attempt: 0, target: createTestTarget('vendor/model'), usage, cost: 5_000n };
    expect(
      line({
        outcome: {
          ...outcome,
          charges: [charge, { ...charge, cost: undefined }],
          cost: 5_000n,
          cache: { saved: -1_500n, lost: 2_000n },
        },
      }),
    ).to.include({ cost_micro: 5, unpriced: true, cache_saved_micro: -1.5, cache_lost_micro: 2 });
    expect(line({ outcome: { ...outcome, charges: [charge] } })).to.not.have.any.keys(
      'unpriced',
      'cache_saved_micro',
      'cache_lost_micro',
    );
  });

  it('leaves out what is unknown for a refused exchange', () => {
    const refused: Outcome = {
      result: 'auth',
      status: 401,
      endedAt: 1_000,
      charges: [],
      usage: undefined,
      cost: undefined,
      attempts: [],
      times: { total: 1, own: 1 },
      error: new GatewayError('invalid_api_key'),
    };
    const fields = line({ outcome: refused }, {});
    expect(fields).to.not.have.any.keys(
      'key_alias',
      'project',
      'model',
      'model_requested',
      'provider',
      'wire_out',
      'tokens_in',
      'ending',
      'ms_ttft',
      'bytes_in',
      'reserved',
      'actual',
    );
    expect(fields).to.include({ code: 'invalid_api_key', error_message: 'Invalid API key', status: 401, term: 'AU' });
  });

  it('logs each attempt with its losses, and the provider of the last one', () => {
    const attempts = [
      { ...sampleRecord, wire: 'messages', lane: undefined, status: 503, failure: 'overloaded' as const, ms: 1.234 },
      {
        ...sampleRecord,
        target: 'other/some/model',
        wire: 'responses',
        waitedMs: 250.004,
        losses: [{ field: 'seed', kind: 'dropped' as const, detail: 'long words' }],
      },
    ];
    const fields = line({ outcome: { ...outcome, attempts } });
    expect(fields['attempts']).to.deep.equal([
      {
        provider: 'vendor',
        model: 'model',
        credential: 'key-1',
        outcome: 'upstream_error',
        status: 503,
        ms: 1.23,
        wire: 'messages',
        failure: 'overloaded',
      },
      {
        provider: 'other',
        model: 'some/model',
        credential: 'key-1',
        outcome: 'ok',
        status: 200,
        ms: 5,
        ms_waited: 250,
        wire: 'responses',
        lane: 'native',
        losses: ['seed;dropped'],
      },
    ]);
    expect(fields).to.include({ provider: 'other', wire_out: 'responses' });
  });

  it('logs the failure of a response that broke during delivery', () => {
    const error = new GatewayError('upstream_truncated');
    const fields = line({
      outcome: { ...outcome, ending: { reason: 'truncated', usage: undefined, outputChars: 0, error } },
    });
    expect(fields).to.include({ ending: 'truncated', code: 'upstream_truncated', term: 'TR' });
  });

  const ids: readonly (readonly [id: string, logged: boolean])[] = [
    ['abc-DEF_123', true],
    // Not one letter, which can be the secret of another test in this process.
    ['ab12'.repeat(32), true],
    [`${'ab12'.repeat(32)}c`, false],
    ['', false],
    ['two words', false],
    ['line\nfeed', false],
    ['{"level":60}', false],
    ['é', false],
  ];
  for (const [id, logged] of ids) {
    it(`${logged ? 'logs' : 'does not log'} a client id ${JSON.stringify(id.slice(0, 20))} of ${id.length} characters`, () => {
      expect(line({ head: { ...createTestHead(), headers: { 'x-request-id': id } } })['client_request_id']).to.equal(
        logged ? id : undefined,
      );
    });
  }

  it("logs the trace id of the client's traceparent, and its own without a valid one", () => {
    const own = '019a0f3c5d7e0123456789abcdef0123';
    const traceOf = (traceparent?: string): unknown =>
      line({
        head: { ...createTestHead(), id: `req_${own}`, headers: traceparent === undefined ? {} : { traceparent } },
      })['trace_id'];
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    expect([
      traceOf(`00-${trace}-00f067aa0ba902b7-01`),
      traceOf(`00-${trace.toUpperCase()}-00f067aa0ba902b7-01`),
      traceOf(`${trace}`),
      traceOf(`00-${'0'.repeat(32)}-00f067aa0ba902b7-01`),
      traceOf(),
    ]).to.deep.equal([trace, own, own, own, own]);
  });

  it('logs user agent and requested model, each short and on one line', () => {
    const fields = line({
      head: { ...createTestHead(), headers: { 'user-agent': `curl\u0007/8\u0085${'x'.repeat(200)}` } },
      requested: `a\nb\u001b[31m${'y'.repeat(200)}`,
    });
    expect(fields['ua']).to.match(/^curl\/8x{120}$/);
    expect(fields['model_requested']).to.match(/^ab\[31my{120}$/);
  });

  it('logs the start of an exchange with client and route, and nothing else', () => {
    expect(
      describeStart({ ...createTestHead(), headers: { 'user-agent': 'curl/8', authorization: 'Bearer CANARY' } }),
    ).to.deep.equal({
      request_id: 'req_1',
      trace_id: '1',
      client_ip: '192.0.2.1',
      ua: 'curl/8',
      route: '/v1/chat/completions',
      operation: 'generate',
      wire_in: 'chat-completions',
    });
  });

  it('logs no secret of this process in any name, even if the name was logged before the secret was known', () => {
    const secret = 'named"0042like\\a-secret';
    const attempts = [{ ...sampleRecord, target: `${secret}/${secret}`, credential: secret, wire: secret }];
    const named = {
      head: { ...createTestHead(), route: { ...createTestHead().route, path: `/${secret}`, wire: secret } },
      caller: { ...caller, key: secret, project: secret, organization: secret },
      requested: secret,
      exchange: createTestExchange({ model: secret }),
      outcome: { ...outcome, attempts },
    };
    expect(line(named)).to.include({ key_alias: secret, provider: secret, model: secret });
    knowSecrets([secret]);
    expect(JSON.stringify(line(named))).to.not.include('0042like');
    expect(line(named)).to.include({
      key_alias: '[redacted]',
      project: '[redacted]',
      organization: '[redacted]',
      route: '/[redacted]',
      model: '[redacted]',
      provider: '[redacted]',
    });
  });

  it('logs no other headers, no query and no figures of the vendor', () => {
    const head = {
      ...createTestHead(),
      path: '/v1/CANARY',
      headers: { authorization: 'Bearer CANARY', 'x-api-key': 'CANARY', cookie: 'CANARY', referer: 'CANARY' },
      query: { key: 'CANARY' },
    };
    const error = new GatewayError('upstream_error', 'It failed.', {
      cause: new Error('CANARY'),
      vendor: { wire: 'messages', status: 500, headers: {}, body: 'CANARY' },
    });
    expect(JSON.stringify(line({ head, outcome: { ...outcome, error } }))).to.not.include('CANARY');
  });
});
