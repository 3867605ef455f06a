import { expect } from 'chai';
import {
  GatewayError,
  invalidRequest,
  type AnyErrorCode,
  type ErrorDetails,
  type VendorError,
} from '../../../../../../core/api/index.ts';
import { clientSide } from '../harness.ts';

const encode = (code: AnyErrorCode, details: ErrorDetails = {}, message?: string) =>
  clientSide.encodeError(new GatewayError(code, message, details), { requestId: 'request-1' });

describe('generate-content client: errors', () => {
  it('writes a number and a status name for each failure', () => {
    const kinds: readonly (readonly [AnyErrorCode, number, string])[] = [
      ['invalid_request', 400, 'INVALID_ARGUMENT'],
      ['unsupported_parameter', 400, 'INVALID_ARGUMENT'],
      ['context_length_exceeded', 400, 'INVALID_ARGUMENT'],
      ['permission_denied', 403, 'PERMISSION_DENIED'],
      ['model_not_found', 404, 'NOT_FOUND'],
      ['upstream_model', 404, 'NOT_FOUND'],
      ['request_too_large', 400, 'INVALID_ARGUMENT'],
      ['upstream_rate_limit', 429, 'RESOURCE_EXHAUSTED'],
      ['upstream_quota', 429, 'RESOURCE_EXHAUSTED'],
      ['client_closed', 499, 'CANCELLED'],
      ['internal_error', 500, 'INTERNAL'],
      ['upstream_credential', 500, 'INTERNAL'],
      ['upstream_unreachable', 500, 'INTERNAL'],
      ['upstream_reset', 500, 'INTERNAL'],
      ['upstream_bad_response', 500, 'INTERNAL'],
      ['upstream_error', 500, 'INTERNAL'],
      ['upstream_truncated', 502, 'INTERNAL'],
      ['upstream_overloaded', 503, 'UNAVAILABLE'],
      ['no_target_available', 503, 'UNAVAILABLE'],
      ['shutting_down', 503, 'UNAVAILABLE'],
      ['upstream_timeout', 504, 'DEADLINE_EXCEEDED'],
    ];
    for (const [code, status, word] of kinds) {
      const encoded = encode(code, {}, 'm');
      expect(encoded.status, code).to.equal(status);
      expect((encoded.body as { readonly error: object }).error, code).to.deep.include({ code: status, status: word });
    }
    expect(encode('upstream_overloaded', { status: 529 }).status).to.equal(503);
    expect(encode('upstream_quota', { status: 402 }).status).to.equal(429);
  });

  it('writes the common bodies for keys and limits, with the members that clients of this wire read', () => {
    expect(encode('invalid_api_key')).to.deep.equal({
      status: 401,
      headers: { 'x-should-retry': 'false' },
      body: {
        error: {
          message: 'Invalid API key',
          type: 'invalid_request_error',
          code: 'invalid_api_key',
          status: 'UNAUTHENTICATED',
          details: [],
        },
      },
    });
    expect(encode('rate_limit_exceeded', { retryAfterMs: 33_001 }, 'Rate limit exceeded: …')).to.deep.equal({
      status: 429,
      headers: { 'retry-after': '34' },
      body: {
        error: {
          message: 'Rate limit exceeded: …',
          type: 'rate_limit_error',
          code: 'rate_limit_exceeded',
          status: 'RESOURCE_EXHAUSTED',
          details: [
            {
              '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
              violations: [{ description: 'Rate limit exceeded: …' }],
            },
            { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34s' },
          ],
        },
      },
    });
    expect(encode('service_unavailable').body).to.deep.include({
      error: {
        message: 'Auth service temporarily unavailable',
        type: 'server_error',
        code: 'service_unavailable',
        status: 'UNAVAILABLE',
        details: [],
      },
    });
  });

  it('the error names the limit that was exceeded', () => {
    const { body } = encode(
      'rate_limit_exceeded',
      { headers: { 'x-koine-limit': 'key;requests;1m' } },
      'Rate limit exceeded: 60 requests per 1m of the key alice; try again in 3s.',
    );
    expect(body).to.deep.nested.include({
      'error.details[0]': {
        '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
        violations: [
          {
            subject: 'key;requests;1m',
            description: 'Rate limit exceeded: 60 requests per 1m of the key alice; try again in 3s.',
          },
        ],
      },
    });
  });

  it('the error explains that limits cannot be checked', () => {
    expect(encode('limits_unavailable', { retryAfterMs: 200 })).to.deep.equal({
      status: 503,
      headers: { 'retry-after': '1' },
      body: {
        error: {
          message: 'The limits of this key cannot be checked at the moment; try again.',
          type: 'server_error',
          code: 'service_unavailable',
          status: 'UNAVAILABLE',
          details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1s' }],
        },
      },
    });
  });

  it('writes the time to wait, at most a minute, and whether to retry', () => {
    const limited = encode('upstream_rate_limit', { retryAfterMs: 86_400_000 });
    expect(limited.headers).to.deep.equal({ 'retry-after': '60' });
    expect(limited.body).to.deep.nested.include({
      'error.details': [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '60s' }],
    });
    expect(encode('upstream_quota').headers).to.deep.equal({ 'x-should-retry': 'false' });
    expect(encode('no_target_available').headers).to.deep.equal({ 'x-should-retry': 'false' });
  });

  it('the error names the invalid member', () => {
    expect(clientSide.encodeError(invalidRequest('contents[0].role', 'Wrong.'), { requestId: '' }).body).to.deep.equal({
      error: {
        code: 400,
        message: 'Wrong.',
        status: 'INVALID_ARGUMENT',
        details: [
          {
            '@type': 'type.googleapis.com/google.rpc.BadRequest',
            fieldViolations: [{ field: 'contents[0].role', description: 'Wrong.' }],
          },
        ],
      },
    });
  });

  it('the error names the member that the model cannot take', () => {
    const refused = clientSide.encodeError(
      new GatewayError('unsupported_parameter', 'No audio.', { param: 'contents[0].parts[0]' }),
      { requestId: '' },
    );
    expect(refused.body).to.deep.nested.include({
      'error.details[0].fieldViolations': [{ field: 'contents[0].parts[0]', description: 'No audio.' }],
    });
  });

  it("relays the vendor's error for a mistake of the caller, and no other", () => {
    const body = { error: { code: 422, message: 'Own.', status: 'INVALID_ARGUMENT', details: [{ a: 1 }] } };
    const vendor = (members: Partial<VendorError> = {}): VendorError => ({
      wire: 'generate-content',
      status: 422,
      headers: {},
      body,
      ...members,
    });
    expect(encode('invalid_request', { vendor: vendor() })).to.deep.include({ status: 422, body });
    expect(encode('invalid_request', { vendor: vendor({ body: [body] }) }).body).to.deep.equal(body);
    for (const other of [
      vendor({ wire: 'messages' }),
      vendor({ body: 'text' }),
      vendor({ body: { error: 'text' } }),
      vendor({ body: { error: { message: 'without a number' } } }),
    ])
      expect(encode('invalid_request', { vendor: other }).status).to.equal(400);
    expect(encode('upstream_credential', { vendor: vendor() }).body).to.not.deep.equal(body);
  });
});
