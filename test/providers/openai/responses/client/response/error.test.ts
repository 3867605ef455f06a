import { expect } from 'chai';
import { GatewayError, type AnyErrorCode, type VendorError } from '../../../../../../core/api/index.ts';
import { client, encodeLimits, writeFrames } from '../harness.ts';

const encode = (error: GatewayError) => client.encodeError(error, { requestId: 'r' });
const vendorOf = (wire: string, body: unknown, status = 400): VendorError => ({ wire, status, headers: {}, body });
const failureOf = (error: GatewayError): { readonly code: string; readonly message: string } => {
  const [, , failed] = writeFrames([{ type: 'error', error }]);
  if (failed === undefined) throw new Error('the stream did not fail');
  return (failed.data['response'] as { error: { code: string; message: string } }).error;
};

describe('responses: client errors', () => {
  it('errors of responses have the shape of chat-completions', () => {
    expect(encode(new GatewayError('invalid_request', 'No.', { param: 'input[0].role' }))).to.deep.equal({
      status: 400,
      headers: {},
      body: { error: { message: 'No.', type: 'invalid_request_error', param: 'input[0].role', code: null } },
    });
    expect(encode(new GatewayError('upstream_overloaded', undefined, { retryAfterMs: 1_200 }))).to.deep.include({
      status: 503,
      headers: { 'retry-after': '2', 'retry-after-ms': '1200' },
    });
    expect(encode(new GatewayError('upstream_quota'))).to.deep.include({
      status: 429,
      headers: { 'x-should-retry': 'false' },
    });
  });

  it('errors of responses use the documented messages for keys and rate limits', () => {
    expect(encode(new GatewayError('invalid_api_key')).body).to.deep.equal({
      error: { message: 'Invalid API key', type: 'invalid_request_error', code: 'invalid_api_key' },
    });
    expect(encode(new GatewayError('rate_limit_exceeded')).body).to.deep.equal({
      error: { message: 'Rate limit exceeded', type: 'rate_limit_error', code: 'rate_limit_exceeded' },
    });
    expect(encode(new GatewayError('service_unavailable')).status).to.equal(503);
  });

  it('returns 400 for an unknown model', () => {
    for (const code of ['model_not_found', 'upstream_model'] satisfies AnyErrorCode[]) {
      expect(encode(new GatewayError(code))).to.deep.include({ status: 400 });
      expect(encode(new GatewayError(code)).body).to.have.nested.property('error.code', 'model_not_found');
    }
  });

  it("returns the vendor's body for the client's own fault, and never that of another wire", () => {
    const body = { error: { message: 'Vendor.', type: 'invalid_request_error', param: 'input', code: 'odd' } };
    const details = (wire: string) => ({ status: 422, vendor: vendorOf(wire, body, 422) });
    expect(encode(new GatewayError('invalid_request', 'Ours.', details('responses')))).to.deep.include({
      status: 422,
      body,
    });
    const foreign = encode(new GatewayError('invalid_request', 'Ours.', details('chat-completions')));
    expect(foreign.status).to.equal(422);
    expect(foreign.body).to.deep.equal({
      error: { message: 'Ours.', type: 'invalid_request_error', param: null, code: null },
    });
    expect(
      encode(new GatewayError('upstream_credential', 'Ours.', { vendor: vendorOf('responses', body, 401) })).body,
    ).to.have.nested.property('error.code', 'upstream_auth');
  });

  it('errors in a stream have the codes that clients act on', () => {
    expect(failureOf(new GatewayError('context_length_exceeded', 'Too long.'))).to.deep.equal({
      code: 'context_length_exceeded',
      message: 'Too long.',
    });
    expect(failureOf(new GatewayError('upstream_quota')).code).to.equal('insufficient_quota');
    expect(failureOf(new GatewayError('invalid_request', 'No.')).code).to.equal('invalid_prompt');
    expect(failureOf(new GatewayError('upstream_timeout')).code).to.equal('server_error');
    expect(failureOf(new GatewayError('upstream_unreachable', 'connect ECONNREFUSED 10.0.0.1')).message).to.equal(
      'The provider could not be reached.',
    );
  });

  it('errors in a stream include the wait in their message', () => {
    expect(failureOf(new GatewayError('upstream_rate_limit', 'Slow down.', { retryAfterMs: 1_500 }))).to.deep.equal({
      code: 'rate_limit_exceeded',
      message: 'Slow down. Please try again in 2s.',
    });
    expect(
      failureOf(
        new GatewayError('rate_limit_exceeded', 'Rate limit exceeded: try again in 7s', { retryAfterMs: 7_000 }),
      ).message,
    ).to.equal('Rate limit exceeded: try again in 7s');
  });

  it('errors in a stream never request a longer wait than the headers would', () => {
    expect(
      failureOf(new GatewayError('upstream_rate_limit', 'Slow down.', { retryAfterMs: 86_400_000 })).message,
    ).to.equal('Slow down. Please try again in 60s.');
    expect(failureOf(new GatewayError('upstream_rate_limit', 'Slow down.', { retryAfterMs: 0 })).message).to.equal(
      'Slow down. Please try again in 1s.',
    );
  });

  it('writes the limit headers of OpenAI', () => {
    expect(encodeLimits({ requests: { limit: 10, remaining: 3, resetMs: 1_500 } })).to.deep.equal({
      'x-ratelimit-limit-requests': '10',
      'x-ratelimit-remaining-requests': '3',
      'x-ratelimit-reset-requests': '1.5s',
    });
  });
});
