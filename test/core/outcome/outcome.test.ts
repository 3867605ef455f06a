import { expect } from 'chai';
import { createOutcome } from '../../../core/outcome/outcome.ts';
import { classOf, resultOfError } from '../../../core/outcome/results.ts';
import { GatewayError, type Ending, type AnyErrorCode, type Outcome } from '../../../core/api/index.ts';
import { errorCodes } from '../../../core/errors/codes.ts';
import { createTestExchange, createTestPrice, createTestTarget } from '../../../core/testing/index.ts';
import { sampleRecord } from '../exchange/sample-exchange.ts';

const results: Readonly<Partial<Record<AnyErrorCode, Outcome['result']>>> = {
  invalid_request: 'client_error',
  unsupported_parameter: 'client_error',
  context_length_exceeded: 'client_error',
  content_filter: 'client_error',
  invalid_api_key: 'auth',
  permission_denied: 'client_error',
  model_not_found: 'client_error',
  not_found: 'client_error',
  method_not_allowed: 'client_error',
  conflict: 'client_error',
  request_timeout: 'client_error',
  request_too_large: 'client_error',
  unsupported_media_type: 'client_error',
  upgrade_refused: 'client_error',
  socket_expired: 'client_error',
  rate_limit_exceeded: 'rate_limited',
  client_closed: 'client_closed',
  internal_error: 'gateway_error',
  limits_unavailable: 'gateway_error',
  ledger_unavailable: 'gateway_error',
  service_unavailable: 'gateway_error',
  overloaded: 'shed',
  shutting_down: 'gateway_error',
  starting: 'gateway_error',
  precondition_failed: 'client_error',
  upstream_rate_limit: 'upstream_error',
  upstream_quota: 'upstream_error',
  upstream_credential: 'upstream_error',
  upstream_model: 'upstream_error',
  upstream_region: 'upstream_error',
  upstream_overloaded: 'upstream_error',
  upstream_timeout: 'timeout',
  upstream_too_long: 'timeout',
  upstream_unreachable: 'upstream_error',
  upstream_tls: 'upstream_error',
  upstream_reset: 'upstream_error',
  upstream_truncated: 'upstream_error',
  upstream_bad_response: 'upstream_error',
  upstream_error: 'upstream_error',
  no_target_available: 'upstream_error',
};

describe('the result of an error', () => {
  it('maps every error code that can reach a client to a result', () => {
    const codes = Object.keys(errorCodes).filter((code) => !code.startsWith('KOINE_')) as AnyErrorCode[];
    expect(Object.fromEntries(codes.map((code) => [code, resultOfError(new GatewayError(code))]))).to.deep.equal(
      results,
    );
  });

  it('is a failure only for what the gateway or a provider did wrong', () => {
    const codes = Object.keys(results) as AnyErrorCode[];
    const failures = codes.filter((code) => classOf(resultOfError(new GatewayError(code))) === 'failure');
    expect(failures.filter((code) => errorCodes[code].status < 500)).to.have.members([
      'upstream_rate_limit',
      'upstream_quota',
      'upstream_model',
    ]);
    expect(codes.filter((code) => errorCodes[code].status >= 500)).to.have.members(
      failures.filter((code) => errorCodes[code].status >= 500),
    );
  });

  it('returns the result ok for an outcome without an error', () => expect(resultOfError(undefined)).to.equal('ok'));
});

describe('the outcome', () => {
  const times = { total: 10, own: 1 };
  const price = createTestPrice({ input: 3_000_000_000n, output: 15_000_000_000n });
  const exchange = createTestExchange({ targets: [createTestTarget('vendor/model', { price })] });
  const usage = {
    inputUncached: 1,
    cacheRead: 0,
    cacheWrite5m: 0,
    cacheWrite1h: 0,
    output: 1,
    reasoning: 0,
    source: 'provider',
  } as const;
  const ending: Ending = { reason: 'complete', usage, outputChars: 4 };
  const endedAt = 1_000;

  it('freezes the outcome, so that all admissions settle on the same figures', () => {
    expect(createOutcome({ exchange, status: 200, endedAt, attempts: [], ending, error: undefined, times })).to.be
      .frozen;
  });

  it('returns an outcome with the usage of the ending, its cost and every attempt', () => {
    const outcome = createOutcome({
      exchange,
      status: 200,
      endedAt,
      attempts: [sampleRecord],
      ending,
      error: undefined,
      times,
    });
    expect(outcome).to.deep.equal({
      result: 'ok',
      status: 200,
      endedAt,
      charges: [{ attempt: 0, target: exchange.targets[0], usage, price, cost: 18_000n }],
      usage,
      cost: 18_000n,
      attempts: [sampleRecord],
      times,
      ending,
    });
  });

  it('returns the result of the failure for a response that failed during delivery, although the status was 200', () => {
    const failed: Ending = {
      reason: 'truncated',
      usage: undefined,
      outputChars: 4,
      error: new GatewayError('upstream_truncated'),
    };
    expect(
      createOutcome({ exchange, status: 200, endedAt, attempts: [], ending: failed, error: undefined, times }).result,
    ).to.equal('upstream_error');
  });

  it('returns no ending, no usage and no cost for a refusal', () => {
    const error = new GatewayError('rate_limit_exceeded');
    const outcome = createOutcome({
      exchange: undefined,
      status: 429,
      endedAt,
      attempts: [],
      ending: undefined,
      error,
      times,
    });
    expect(outcome).to.deep.equal({
      result: 'rate_limited',
      status: 429,
      endedAt,
      charges: [],
      usage: undefined,
      cost: undefined,
      attempts: [],
      times,
      error,
    });
  });
});
