import { expect } from 'chai';
import { describeExchange, type LoggedExchange } from '../../../core/exchange/access-log.ts';
import { GatewayError, type Outcome } from '../../../core/index.ts';
import { createTarget, sampleHead, sampleRecord } from './sample-exchange.ts';

const usage = { inputUncached: 10, cacheRead: 5, cacheWrite5m: 3, cacheWrite1h: 2, output: 7, reasoning: 4, source: 'provider', raw: { secret: 'CANARY' } } as const;
const outcome: Outcome = { result: 'ok', status: 200, charges: [], usage, cost: undefined, attempts: [], times: { total: 12.3456, firstContent: 10.001, own: 0.5555 }, ending: { reason: 'complete', usage, outputChars: 40 } };
const caller = { key: 'alice', project: 'web', organization: 'acme', models: ['secret/*'] };
const line = (more: Partial<LoggedExchange> = {}): Readonly<Record<string, unknown>> => describeExchange({ head: sampleHead, outcome, caller, model: 'vendor/model', ...more }) as Record<string, unknown>;

describe('the line in the access log', () => {
  it('has who, what, how long and how much', () => {
    expect(line()).to.deep.equal({
      requestId: 'req_1',
      route: '/v1/chat/completions',
      wire: 'chat-completions',
      operation: 'generate',
      address: '192.0.2.1',
      status: 200,
      outcome: 'ok',
      ms: 12.35,
      ownMs: 0.56,
      firstContentMs: 10,
      key: 'alice',
      project: 'web',
      organization: 'acme',
      model: 'vendor/model',
      tokensIn: 20,
      tokensCached: 5,
      tokensOut: 7,
      ending: 'complete',
      attempts: [],
    });
  });

  it('has the cost in micro-dollars, and marks tokens that were estimated', () => {
    const fields = line({ outcome: { ...outcome, usage: { ...usage, source: 'estimated' }, cost: 1_234_567n } });
    expect(fields).to.include({ costMicro: 1_234.567, tokensOut: 7, tokensEstimated: true });
    expect(line()).to.not.have.any.keys('costMicro', 'tokensEstimated');
    expect(line({ outcome: { ...outcome, cost: 0n } })).to.include({ costMicro: 0 });
  });

  it('says that something was used which has no price, and what the prompt cache was worth', () => {
    const charge = { attempt: 0, target: createTarget('vendor/model'), usage, cost: 5_000n };
    expect(line({ outcome: { ...outcome, charges: [charge, { ...charge, cost: undefined }], cost: 5_000n, cache: { saved: -1_500n, lost: 2_000n } } })).to.include({ costMicro: 5, unpriced: true, cacheSavedMicro: -1.5, cacheLostMicro: 2 });
    expect(line({ outcome: { ...outcome, charges: [charge] } })).to.not.have.any.keys('unpriced', 'cacheSavedMicro', 'cacheLostMicro');
  });

  it('leaves out what is not known of an exchange that was refused', () => {
    const refused: Outcome = { result: 'auth', status: 401, charges: [], usage: undefined, cost: undefined, attempts: [], times: { total: 1, own: 1 }, error: new GatewayError('invalid_api_key') };
    const fields = line({ outcome: refused, caller: undefined, model: undefined });
    expect(fields).to.not.have.any.keys('key', 'project', 'model', 'tokensIn', 'ending', 'firstContentMs');
    expect(fields).to.include({ code: 'invalid_api_key', errorMessage: 'Invalid API key', status: 401 });
  });

  it('has each attempt, with what it lost', () => {
    const attempts = [{ ...sampleRecord, lane: undefined, status: 503, failure: 'overloaded' as const, ms: 1.234 }, { ...sampleRecord, waitedMs: 250.004, losses: [{ field: 'seed', kind: 'dropped' as const, detail: 'long words' }] }];
    expect(line({ outcome: { ...outcome, attempts } })['attempts']).to.deep.equal([
      { target: 'vendor/model', credential: 'key-1', status: 503, ms: 1.23, failure: 'overloaded' },
      { target: 'vendor/model', credential: 'key-1', status: 200, ms: 5, waitedMs: 250, lane: 'native', losses: ['seed;dropped'] },
    ]);
  });

  it('names the failure of an answer that broke on its way', () => {
    const error = new GatewayError('upstream_truncated');
    const fields = line({ outcome: { ...outcome, ending: { reason: 'truncated', usage: undefined, outputChars: 0, error } } });
    expect(fields).to.include({ ending: 'truncated', code: 'upstream_truncated' });
  });

  const ids: readonly (readonly [id: string, logged: boolean])[] = [
    ['abc-DEF_123', true],
    ['a'.repeat(128), true],
    ['a'.repeat(129), false],
    ['', false],
    ['two words', false],
    ['line\nfeed', false],
    ['{"level":60}', false],
    ['é', false],
  ];
  for (const [id, logged] of ids) {
    it(`${logged ? 'has' : 'does not have'} a client’s own id ${JSON.stringify(id.slice(0, 20))} of ${id.length} characters`, () => {
      expect(line({ head: { ...sampleHead, headers: { 'x-request-id': id } } })['clientRequestId']).to.equal(logged ? id : undefined);
    });
  }

  it('has nothing else of the headers, the query or the vendor’s figures', () => {
    const head = { ...sampleHead, path: '/v1/CANARY', headers: { authorization: 'Bearer CANARY', 'x-api-key': 'CANARY', cookie: 'CANARY', 'user-agent': 'CANARY' }, query: { key: 'CANARY' } };
    const error = new GatewayError('upstream_error', 'It failed.', { cause: new Error('CANARY'), vendor: { wire: 'messages', status: 500, headers: {}, body: 'CANARY' } });
    expect(JSON.stringify(line({ head, outcome: { ...outcome, error } }))).to.not.include('CANARY');
  });
});
