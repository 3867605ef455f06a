import { expect } from 'chai';
import { GatewayError, type AnyErrorCode, type JsonObject } from '../../../../../../core/api/index.ts';
import { errorCodes } from '../../../../../../core/errors/codes.ts';
import { clientSide } from '../../exchange.ts';

const encode = (error: GatewayError) => clientSide.encodeError(error, { requestId: 'req_1' });
const bodyOf = (error: GatewayError) => encode(error).body as { type: string; error: JsonObject; request_id: string };

describe('messages client: errors', () => {
  it('writes authentication and rate-limit errors as the wire defines them, with the headers of the SDK', () => {
    expect(encode(new GatewayError('invalid_api_key'))).to.deep.equal({
      status: 401,
      headers: { 'x-should-retry': 'false' },
      body: {
        type: 'error',
        error: { message: 'Invalid API key', type: 'invalid_request_error', code: 'invalid_api_key' },
        request_id: 'req_1',
      },
    });
    expect(encode(new GatewayError('rate_limit_exceeded'))).to.deep.include({ status: 429 });
    expect(bodyOf(new GatewayError('rate_limit_exceeded')).error).to.deep.equal({
      message: 'Rate limit exceeded',
      type: 'rate_limit_error',
      code: 'rate_limit_exceeded',
    });
    expect(encode(new GatewayError('service_unavailable'))).to.deep.include({ status: 503 });
    expect(bodyOf(new GatewayError('service_unavailable')).error['code']).to.equal('service_unavailable');
  });

  it('writes the status and type of the wire for every failure', () => {
    const kinds: readonly (readonly [AnyErrorCode, number, string])[] = [
      ['invalid_request', 400, 'invalid_request_error'],
      ['unsupported_parameter', 400, 'invalid_request_error'],
      ['content_filter', 400, 'invalid_request_error'],
      ['permission_denied', 403, 'permission_error'],
      ['model_not_found', 404, 'not_found_error'],
      ['upstream_model', 404, 'not_found_error'],
      ['request_too_large', 413, 'request_too_large'],
      ['upstream_rate_limit', 429, 'rate_limit_error'],
      ['upstream_quota', 402, 'billing_error'],
      ['upstream_credential', 500, 'api_error'],
      ['upstream_overloaded', 529, 'overloaded_error'],
      ['upstream_timeout', 504, 'timeout_error'],
      ['upstream_truncated', 500, 'api_error'],
      ['upstream_bad_response', 500, 'api_error'],
      ['upstream_unreachable', 500, 'api_error'],
      ['internal_error', 500, 'api_error'],
    ];
    for (const [code, status, type] of kinds) {
      const error = new GatewayError(code);
      expect(encode(error).status, code).to.equal(status);
      expect(bodyOf(error), code).to.deep.equal({
        type: 'error',
        error: { type, message: error.publicMessage },
        request_id: 'req_1',
      });
    }
  });

  it('the wire has an error type for every error code that a client can receive', () => {
    for (const code of Object.keys(errorCodes).filter((name) => !name.startsWith('KOINE_')) as AnyErrorCode[])
      expect(bodyOf(new GatewayError(code)).error['type'], code).to.be.a('string');
  });

  it('keeps an explicit status of an error', () => {
    expect(encode(new GatewayError('invalid_request', 'too big', { status: 413 }))).to.deep.include({ status: 413 });
    expect(bodyOf(new GatewayError('invalid_request', 'too big', { status: 413 })).error['type']).to.equal(
      'request_too_large',
    );
  });

  it('hides internal messages in errors', () => {
    expect(bodyOf(new GatewayError('upstream_credential', 'key sk-ant-1 was refused')).error['message']).to.equal(
      'The provider refused the credentials of the gateway.',
    );
  });

  it('writes the text on which agent clients compact their history', () => {
    expect(
      bodyOf(new GatewayError('context_length_exceeded', 'maximum context length is 8192')).error['message'],
    ).to.equal('prompt is too long: maximum context length is 8192');
    expect(bodyOf(new GatewayError('context_length_exceeded', 'Prompt is too long: 9 > 8')).error['message']).to.equal(
      'Prompt is too long: 9 > 8',
    );
  });

  it("relays the vendor's error for a mistake of the caller, and no other", () => {
    const body = {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'messages.0: bad' },
      request_id: 'req_vendor',
    };
    const vendor = { wire: 'messages', status: 422, headers: {}, body };
    expect(encode(new GatewayError('invalid_request', 'bad', { vendor }))).to.deep.include({ status: 422, body });
    expect(
      bodyOf(new GatewayError('upstream_rate_limit', 'slow', { vendor: { ...vendor, status: 429 } })).request_id,
    ).to.equal('req_1');
    expect(
      bodyOf(new GatewayError('invalid_request', 'bad', { vendor: { ...vendor, wire: 'chat-completions' } }))
        .request_id,
    ).to.equal('req_1');
    expect(
      bodyOf(new GatewayError('invalid_request', 'bad', { vendor: { ...vendor, body: '<html>' } })).request_id,
    ).to.equal('req_1');
  });

  it('writes a wait of at most a minute, and none for a spent quota (E46)', () => {
    const headersOf = (error: GatewayError) => encode(error).headers;
    expect(headersOf(new GatewayError('upstream_rate_limit', 'x', { retryAfterMs: 1_200 }))).to.deep.equal({
      'retry-after': '2',
    });
    expect(headersOf(new GatewayError('upstream_rate_limit', 'x', { retryAfterMs: 86_400_000 }))).to.deep.equal({
      'retry-after': '60',
    });
    expect(headersOf(new GatewayError('upstream_quota'))).to.deep.equal({ 'x-should-retry': 'false' });
    expect(headersOf(new GatewayError('rate_limit_exceeded', 'budget', { failure: 'quota' }))).to.deep.equal({
      'x-should-retry': 'false',
    });
  });

  it('writes a wait of at least one second', () => {
    expect(encode(new GatewayError('upstream_rate_limit', 'x', { retryAfterMs: 0 })).headers).to.deep.equal({
      'retry-after': '1',
    });
  });

  it('the error explains that limits cannot be checked', () => {
    const error = new GatewayError('limits_unavailable');
    expect(encode(error)).to.deep.include({ status: 503 });
    expect(bodyOf(error)).to.deep.equal({
      type: 'error',
      error: {
        type: 'server_error',
        code: 'service_unavailable',
        message: 'The limits of this key cannot be checked at the moment; try again.',
      },
      request_id: 'req_1',
    });
  });

  it('writes the figures of the limit that was exceeded', () => {
    const limits = { requests: { limit: 60, remaining: 0, resetMs: 1_000 } };
    expect(encode(new GatewayError('rate_limit_exceeded', 'x', { limits })).headers).to.deep.equal({
      'anthropic-ratelimit-requests-limit': '60',
      'anthropic-ratelimit-requests-remaining': '0',
    });
  });
});

describe('messages client: limit headers', () => {
  const figure = { limit: 10, remaining: 3, resetMs: 500 };

  it('writes the figures of a limit in every unit', () => {
    const resetAt = Date.UTC(2026, 10, 21, 6, 0, 0);
    const headers = clientSide.encodeLimits?.({
      requests: { ...figure, resetAt },
      tokens: figure,
      inputTokens: figure,
      outputTokens: { ...figure, resetAt },
    });
    expect(headers).to.deep.equal({
      'anthropic-ratelimit-requests-limit': '10',
      'anthropic-ratelimit-requests-remaining': '3',
      'anthropic-ratelimit-requests-reset': '2026-11-21T06:00:00Z',
      'anthropic-ratelimit-tokens-limit': '10',
      'anthropic-ratelimit-tokens-remaining': '3',
      'anthropic-ratelimit-input-tokens-limit': '10',
      'anthropic-ratelimit-input-tokens-remaining': '3',
      'anthropic-ratelimit-output-tokens-limit': '10',
      'anthropic-ratelimit-output-tokens-remaining': '3',
      'anthropic-ratelimit-output-tokens-reset': '2026-11-21T06:00:00Z',
    });
  });

  it('writes the reset time of a limit in whole seconds, rounded up', () => {
    const resetAt = Date.UTC(2026, 10, 21, 6, 59, 59, 1);
    expect(clientSide.encodeLimits?.({ requests: { ...figure, resetAt } })).to.include({
      'anthropic-ratelimit-requests-reset': '2026-11-21T07:00:00Z',
    });
  });

  it('never writes a negative remainder of a limit', () => {
    expect(clientSide.encodeLimits?.({ tokens: { ...figure, remaining: -4 } })).to.include({
      'anthropic-ratelimit-tokens-remaining': '0',
    });
  });
});
