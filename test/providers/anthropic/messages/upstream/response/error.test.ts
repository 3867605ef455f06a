import { expect } from 'chai';
import type { ErrorCode, FailureClass } from '../../../../../../core/api/index.ts';
import { omitUndefined } from '../../../../../../core/api/codec.ts';
import { clientSide, upstreamSide } from '../../exchange.ts';
import { readRecordings } from '../../recordings.ts';

const decode = (status: number, body: unknown, headers = {}) => upstreamSide.decodeError({ status, headers, body });
const errorBody = (type: string, message: string, details?: object) => ({
  type: 'error',
  error: omitUndefined({ type, message, details }),
  request_id: 'req_1',
});

describe('messages upstream: errors', () => {
  it('classifies errors by status and type', () => {
    const kinds: readonly (readonly [number, string, string, FailureClass, ErrorCode])[] = [
      [400, 'invalid_request_error', 'messages.0: bad', 'caller-fault', 'invalid_request'],
      [401, 'authentication_error', 'invalid x-api-key', 'credential', 'upstream_credential'],
      [403, 'permission_error', 'no access', 'caller-fault', 'invalid_request'],
      [403, 'forbidden', 'Request not allowed', 'region', 'upstream_region'],
      [404, 'not_found_error', 'model: x', 'model-gone', 'upstream_model'],
      [404, 'not_found_error', 'The model `x` does not exist.', 'model-gone', 'upstream_model'],
      [404, 'not_found_error', "Model 'x' was not found. Did you mean y?", 'model-gone', 'upstream_model'],
      [404, 'not_found_error', 'File not found: file_1', 'caller-fault', 'invalid_request'],
      [413, 'request_too_large', 'too large', 'caller-fault', 'invalid_request'],
      [429, 'rate_limit_error', 'would exceed the rate limit', 'rate-limit', 'upstream_rate_limit'],
      [500, 'api_error', 'oops', 'transient', 'upstream_error'],
      // llama.cpp
      [500, 'server_error', 'image input is not supported - hint: …', 'caller-fault', 'invalid_request'],
      [504, 'timeout_error', 'slow', 'timeout', 'upstream_timeout'],
      [529, 'overloaded_error', 'Overloaded', 'overloaded', 'upstream_overloaded'],
      [500, 'overloaded_error', 'Overloaded', 'overloaded', 'upstream_overloaded'],
    ];
    for (const [status, type, message, failure, code] of kinds)
      expect(decode(status, errorBody(type, message)), `${status} ${type}`).to.include({ failure, code });
  });

  it('distinguishes a spent balance from a rate limit, whatever the status', () => {
    const spent = [
      decode(429, errorBody('rate_limit_error', 'limit', { error_code: 'enforced_spend_limit_reached' })),
      decode(400, errorBody('invalid_request_error', 'Your credit balance is too low to access the Anthropic API.')),
      decode(
        400,
        errorBody(
          'invalid_request_error',
          'You have reached your specified API usage limits. You will regain access on 2026-12-01.',
        ),
      ),
      decode(402, errorBody('billing_error', 'pay')),
    ];
    for (const error of spent) expect(error).to.include({ failure: 'quota', code: 'upstream_quota', status: 429 });
  });

  const codes: readonly (readonly [status: number, code: string, failure: FailureClass])[] = [
    [400, 'contract_spend_limit_reached', 'quota'],
    [403, 'enforced_spend_limit_reached', 'quota'],
    [403, 'organization_on_hold', 'credential'],
    [400, 'organization_on_hold', 'credential'],
    [403, 'claude_code_key_creator_not_member', 'credential'],
    [403, 'cmek_key_disabled', 'credential'],
    [400, 'cmek_key_unreachable', 'transient'],
    [429, 'ramp_limit_exceeded', 'rate-limit'],
    [402, 'linked_organization_spend_limit_reached', 'caller-fault'],
    [402, 'user_profile_not_billable', 'caller-fault'],
    [404, 'thread_not_found', 'caller-fault'],
    [409, 'thread_continue_in_flight', 'caller-fault'],
    [400, 'tool_name_conflict', 'caller-fault'],
  ];
  for (const [status, code, failure] of codes)
    it(`classifies ${status} with the code ${code} as ${failure}`, () => {
      const body = errorBody('invalid_request_error', 'any words', { error_code: code });
      expect(decode(status, body).failure).to.equal(failure);
    });

  it('relays the code of a thread that cannot be continued, on which SDKs send the whole conversation', () => {
    const body = errorBody('not_found_error', 'No thread.', { error_code: 'thread_not_found' });
    const error = decode(404, body);
    expect(error.status).to.equal(404);
    expect(clientSide.encodeError(error, { requestId: 'r' }).body).to.deep.equal(body);
  });

  const CREDIT =
    'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.';
  const accounts: readonly (readonly [status: number, message: string, failure: FailureClass])[] = [
    [400, CREDIT, 'quota'],
    [400, 'Your credit balance is too low to access the Claude API.', 'quota'],
    [
      400,
      'You have reached your specified workspace API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.',
      'quota',
    ],
    [400, 'This organization has been disabled.', 'credential'],
    [403, 'OAuth token has been revoked. Please obtain a new token.', 'credential'],
    [403, 'OAuth authentication is currently not allowed for this organization.', 'credential'],
    [403, 'Request not allowed', 'region'],
  ];
  for (const [status, message, failure] of accounts) {
    it(`classifies the vendor's message only as a whole: "${message}"`, () => {
      expect(decode(status, errorBody('invalid_request_error', message)).failure).to.equal(failure);
      for (const wording of [
        `x ${message}`,
        `${message} x`,
        `metadata.user_id: "${message}"`,
        message.slice(1),
        `${message}\n${message}`,
      ]) {
        expect(decode(status, errorBody('invalid_request_error', wording)).failure, wording).to.equal('caller-fault');
      }
      const refused = (body: string) =>
        upstreamSide.decodeError({
          status,
          headers: {},
          body: errorBody('invalid_request_error', message),
          refused: { model: 'm', body: Buffer.from(body) },
        }).failure;
      expect(refused('{"messages":[]}')).to.equal(failure);
      expect(refused(JSON.stringify({ user: message.toLowerCase() }))).to.equal('caller-fault');
      expect(
        decode(500, errorBody('invalid_request_error', message)).failure,
        'inside an answer only codes count',
      ).to.equal('caller-fault');
    });
  }

  it("classifies an error as a missing model only if it names the target's model", () => {
    const decodeFor = (model: string, message: string) =>
      upstreamSide.decodeError({
        status: 404,
        headers: {},
        body: errorBody('not_found_error', message),
        refused: { model, body: Buffer.from('{"model":"claude-a"}') },
      }).failure;
    expect(decodeFor('claude-a', 'model: claude-a')).to.equal('model-gone');
    expect(decodeFor('claude-a', 'model: claude-b')).to.equal('caller-fault');
    expect(decodeFor('claude-a', 'File not found: model: claude-a')).to.equal('caller-fault');
  });

  it('trusts a 4xx status over the type: another gateway calls a bad key an invalid request', () => {
    expect(
      decode(401, {
        type: 'error',
        error: { message: 'Invalid API key', type: 'invalid_request_error', code: 'invalid_api_key' },
      }).failure,
    ).to.equal('credential');
  });

  it('recognises a prompt that is too long', () => {
    for (const message of [
      'prompt is too long: 210000 tokens > 200000 maximum',
      'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000',
    ]) {
      expect(decode(400, errorBody('invalid_request_error', message))).to.include({
        failure: 'caller-fault',
        code: 'context_length_exceeded',
        status: 400,
      });
    }
  });

  it("keeps the body and the retry delay of the vendor's error", () => {
    const body = errorBody('rate_limit_error', 'slow down');
    const error = decode(429, body, { 'retry-after': '17' });
    expect(error.retryAfterMs).to.equal(17_000);
    expect(error.vendor).to.deep.include({ wire: 'messages', status: 429, body });
  });

  it('reads an error from any body', () => {
    for (const body of [
      undefined,
      null,
      '',
      '<html>Bad Gateway</html>',
      'plain words',
      [],
      { error: 'text' },
      { error: null },
      { message: 'x' },
    ]) {
      expect(decode(502, body).failure, JSON.stringify(body)).to.equal('transient');
      expect(decode(401, body).failure, JSON.stringify(body)).to.equal('credential');
    }
    expect(decode(502, 'plain words').message).to.equal('plain words');
  });

  it('classifies recorded and reported errors by their status', function () {
    const recordings = [...(readRecordings('errors') ?? []), ...(readRecordings('errors-reported') ?? [])].filter(
      ({ id, response }) => id.startsWith('anthro') && response.status >= 400,
    );
    if (recordings.length === 0) return this.skip();
    const failures: Readonly<Record<number, FailureClass>> = {
      400: 'caller-fault',
      401: 'credential',
      404: 'model-gone',
      429: 'rate-limit',
      529: 'overloaded',
    };
    for (const { id, response } of recordings)
      expect(decode(response.status, response.body, response.headers).failure, id).to.equal(failures[response.status]);
  });
});
