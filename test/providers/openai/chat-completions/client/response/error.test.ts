import { expect } from 'chai';
import OpenAI, { BadRequestError } from 'openai';
import { GatewayError, type AnyErrorCode } from '../../../../../../core/api/index.ts';
import { errorCodes } from '../../../../../../core/errors/codes.ts';
import { client, encodeLimits, upstream } from '../../harness.ts';

const encode = (error: GatewayError) => client.encodeError(error, { requestId: 'r1' });
type Body = { readonly error: Record<string, unknown> };
const bodyOf = (error: GatewayError) => (encode(error).body as Body).error;

describe('chat-completions: client errors', () => {
  it('writes exactly the documented bodies for authentication and rate limits', () => {
    expect(encode(new GatewayError('invalid_api_key'))).to.deep.include({
      status: 401,
      body: { error: { message: 'Invalid API key', type: 'invalid_request_error', code: 'invalid_api_key' } },
    });
    expect(encode(new GatewayError('rate_limit_exceeded'))).to.deep.include({
      status: 429,
      body: { error: { message: 'Rate limit exceeded', type: 'rate_limit_error', code: 'rate_limit_exceeded' } },
    });
    expect(encode(new GatewayError('service_unavailable'))).to.deep.include({
      status: 503,
      body: {
        error: { message: 'Auth service temporarily unavailable', type: 'server_error', code: 'service_unavailable' },
      },
    });
  });

  it('the error names the member that caused it', () => {
    expect(encode(new GatewayError('invalid_request', 'No.', { param: 'messages[0].role' }))).to.deep.equal({
      status: 400,
      headers: {},
      body: { error: { message: 'No.', type: 'invalid_request_error', param: 'messages[0].role', code: null } },
    });
  });

  const table: readonly (readonly [AnyErrorCode, number, string, string | null])[] = [
    ['unsupported_parameter', 400, 'invalid_request_error', 'unsupported_parameter'],
    ['context_length_exceeded', 400, 'invalid_request_error', 'context_length_exceeded'],
    ['permission_denied', 403, 'invalid_request_error', 'permission_denied'],
    ['model_not_found', 404, 'invalid_request_error', 'model_not_found'],
    ['request_too_large', 413, 'invalid_request_error', 'request_too_large'],
    ['upstream_rate_limit', 429, 'rate_limit_error', 'rate_limit_exceeded'],
    ['upstream_quota', 429, 'insufficient_quota', 'insufficient_quota'],
    ['upstream_credential', 502, 'server_error', 'upstream_auth'],
    ['upstream_overloaded', 503, 'server_error', 'overloaded'],
    ['upstream_timeout', 504, 'server_error', 'timeout'],
    ['upstream_truncated', 502, 'server_error', 'bad_gateway'],
  ];
  for (const [code, status, type, word] of table) {
    it(`writes ${code} as ${status} ${type}`, () => {
      const { status: written, body } = encode(new GatewayError(code));
      expect([written, (body as Body).error['type'], (body as Body).error['code']]).to.deep.equal([status, type, word]);
    });
  }

  it('the wire has a type and a code for every error that reaches clients', () => {
    for (const code of Object.keys(errorCodes).filter(
      (name) => !name.startsWith('KOINE') && name !== 'internal_error',
    ) as AnyErrorCode[]) {
      expect(bodyOf(new GatewayError(code))['code'], code).to.not.equal('internal_error');
    }
  });

  it('the error hides internal details', () => {
    expect(bodyOf(new GatewayError('internal_error', 'ENOENT /etc/secret'))['message']).to.not.contain('secret');
    expect(bodyOf(new GatewayError('upstream_credential', 'bad key sk-abc'))['message']).to.not.contain('sk-abc');
  });

  it("returns the vendor's body when a client of this wire was at fault, and in no other case", () => {
    const body = {
      error: { message: 'nope', type: 'invalid_request_error', param: 'x', code: 'invalid_value', extra: 1 },
    };
    const fault = upstream.decodeError({ status: 422, headers: {}, body });
    expect(encode(fault)).to.deep.include({ status: 422, body });
    const elsewhere = new GatewayError('invalid_request', 'nope', {
      vendor: { wire: 'messages', status: 400, headers: {}, body: { type: 'error', error: {} } },
    });
    expect(encode(elsewhere).body).to.deep.equal({
      error: { message: 'nope', type: 'invalid_request_error', param: null, code: null },
    });
    const key = upstream.decodeError({
      status: 401,
      headers: {},
      body: { error: { message: 'Incorrect API key provided: sk-REDACTED12', code: 'invalid_api_key' } },
    });
    expect(encode(key).status).to.equal(502);
    expect(JSON.stringify(encode(key))).to.not.contain('sk-REDACTED12');
  });

  it('E46: writes the wait in whole seconds of at most a minute, and also in milliseconds', () => {
    const wait = (retryAfterMs: number) =>
      encode(new GatewayError('upstream_rate_limit', undefined, { retryAfterMs })).headers;
    expect(wait(1)).to.deep.equal({ 'retry-after': '1', 'retry-after-ms': '1' });
    expect(wait(1_200)).to.deep.equal({ 'retry-after': '2', 'retry-after-ms': '1200' });
    expect(wait(86_400_000)).to.deep.equal({ 'retry-after': '60', 'retry-after-ms': '60000' });
    expect(wait(0)).to.deep.equal({ 'retry-after': '1', 'retry-after-ms': '1' });
  });

  it('requests that clients do not retry when the quota is spent', () => {
    expect(encode(new GatewayError('upstream_quota')).headers).to.deep.equal({ 'x-should-retry': 'false' });
    expect(encode(new GatewayError('rate_limit_exceeded', undefined, { failure: 'quota' })).headers).to.deep.equal({
      'x-should-retry': 'false',
    });
    expect(encode(new GatewayError('upstream_rate_limit')).headers).to.deep.equal({});
  });

  it('writes the rate limits of the client', () => {
    const limits = {
      requests: { limit: 10, remaining: 0, resetMs: 360_000 },
      tokens: { limit: 100, remaining: 5, resetMs: 12 },
    };
    expect(encode(new GatewayError('rate_limit_exceeded', undefined, { limits })).headers).to.deep.equal({
      'x-ratelimit-limit-requests': '10',
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': '6m0s',
      'x-ratelimit-limit-tokens': '100',
      'x-ratelimit-remaining-tokens': '5',
      'x-ratelimit-reset-tokens': '12ms',
    });
  });

  it('writes no token figures when only input and output are limited, and no figure below zero', () => {
    const figure = { limit: 10, remaining: 3, resetMs: 500 };
    expect(encodeLimits({ inputTokens: figure, outputTokens: figure })).to.deep.equal({});
    expect(encodeLimits({ tokens: { ...figure, remaining: -7 } })).to.include({ 'x-ratelimit-remaining-tokens': '0' });
  });

  it('explains in plain text that limits cannot be checked', () => {
    expect(encode(new GatewayError('limits_unavailable', undefined, { retryAfterMs: 1_000 }))).to.deep.equal({
      status: 503,
      headers: { 'retry-after': '1', 'retry-after-ms': '1000' },
      body: {
        error: {
          message: 'The limits of this key cannot be checked at the moment; try again.',
          type: 'server_error',
          code: 'service_unavailable',
        },
      },
    });
  });

  it('formats durations as OpenAI does', () => {
    const reset = (resetMs: number) =>
      encodeLimits({ requests: { limit: 1, remaining: 1, resetMs } })['x-ratelimit-reset-requests'];
    expect([0, 12, 999.5, 1_000, 1_500, 60_000, 360_000, 3_723_000, -5].map(reset)).to.deep.equal([
      '0ms',
      '12ms',
      '1s',
      '1s',
      '1.5s',
      '1m0s',
      '6m0s',
      '1h2m3s',
      '0ms',
    ]);
  });

  it('produces errors that the SDK maps to its classes', async () => {
    const { status, headers, body } = encode(new GatewayError('context_length_exceeded'));
    const sdk = new OpenAI({
      apiKey: 'k',
      maxRetries: 0,
      fetch: async () =>
        new Response(JSON.stringify(body), { status, headers: { ...headers, 'content-type': 'application/json' } }),
    });
    let thrown: unknown;
    await sdk.chat.completions.create({ model: 'm', messages: [] }).catch((reason: unknown) => (thrown = reason));
    expect(thrown).to.be.instanceOf(BadRequestError);
    expect(thrown).to.include({ code: 'context_length_exceeded', type: 'invalid_request_error' });
  });
});
