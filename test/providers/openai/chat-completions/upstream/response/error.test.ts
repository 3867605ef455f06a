import { expect } from 'chai';
import type { FailureClass } from '../../../../../../core/api/index.ts';
import { readCorpus, upstream } from '../../harness.ts';

const read = (status: number, body: unknown, headers = {}) => upstream.decodeError({ status, headers, body });
const failed = (status: number, error: unknown) => {
  const { failure, code } = read(status, { error });
  return [failure, code];
};

describe('chat-completions: upstream errors', () => {
  const table: readonly (readonly [string, number, object | string, FailureClass, string])[] = [
    [
      'a prompt that is too long',
      400,
      { code: 'context_length_exceeded', message: 'x' },
      'caller-fault',
      'context_length_exceeded',
    ],
    [
      'a prompt that is too long, in words',
      400,
      { code: 'invalid_request_error', message: "This model's maximum context length is 8 tokens." },
      'caller-fault',
      'context_length_exceeded',
    ],
    [
      'a spent quota, though the status is that of a rate limit',
      429,
      { type: 'insufficient_quota', code: 'insufficient_quota', message: 'x' },
      'quota',
      'upstream_quota',
    ],
    [
      'an empty balance',
      402,
      { message: 'Insufficient Balance', code: 'invalid_request_error' },
      'quota',
      'upstream_quota',
    ],
    [
      'a rate limit',
      429,
      { type: 'tokens', code: 'rate_limit_exceeded', message: 'x' },
      'rate-limit',
      'upstream_rate_limit',
    ],
    [
      'a rate limit with the status of a large body',
      413,
      { type: 'tokens', code: 'rate_limit_exceeded', message: 'x' },
      'rate-limit',
      'upstream_rate_limit',
    ],
    ['a bad key', 401, { code: 'invalid_api_key', message: 'x' }, 'credential', 'upstream_credential'],
    ['a key without a code', 401, { message: 'Unauthorized', code: null }, 'credential', 'upstream_credential'],
    ['an unknown model', 404, { code: 'model_not_found', message: 'x' }, 'model-gone', 'upstream_model'],
    [
      'an unknown model as a bad request',
      400,
      { code: 'model_not_found', message: 'x' },
      'model-gone',
      'upstream_model',
    ],
    ['a filtered prompt', 400, { code: 'content_filter', type: null, message: 'x' }, 'caller-fault', 'content_filter'],
    ['a country', 403, { code: 'unsupported_country_region_territory', message: 'x' }, 'region', 'upstream_region'],
    [
      'an overload',
      503,
      { type: 'server_error', code: 'overloaded', message: 'x' },
      'overloaded',
      'upstream_overloaded',
    ],
    ['a fault of the server', 500, { type: 'server_error', message: 'x' }, 'transient', 'upstream_error'],
    [
      'a member that is not supported',
      400,
      { code: 'unsupported_parameter', param: 'max_tokens', message: 'x' },
      'caller-fault',
      'invalid_request',
    ],
    ['a text in place of the object', 400, 'bad thing', 'caller-fault', 'invalid_request'],
  ];
  for (const [what, status, error, failure, code] of table) {
    it(`classifies an error: ${what}`, () => {
      expect(failed(status, error)).to.deep.equal([failure, code]);
    });
  }

  it('keeps the member, the retry delay and the status of a caller fault', () => {
    const error = read(
      422,
      { error: { message: 'm', param: 'messages[3]', code: 'invalid_value' } },
      { 'retry-after': '3' },
    );
    expect([error.status, error.param, error.retryAfterMs, error.message]).to.deep.equal([
      422,
      'messages[3]',
      3_000,
      'm',
    ]);
  });

  it('reads an error from a body of any shape', () => {
    for (const body of [
      undefined,
      null,
      '',
      '<html>',
      'text',
      5,
      [],
      {},
      { detail: [{ msg: 'x' }] },
      { object: 'error', message: 'x' },
      [{ error: { message: 'x' } }],
      { error: null },
    ]) {
      expect(read(500, body).failure).to.equal('transient');
      expect(read(400, body).failure).to.equal('caller-fault');
    }
    expect(read(422, { detail: [{ loc: [], msg: 'field required' }] }).message).to.equal('field required');
  });

  it('takes the status of an error inside a 200 from the error', () => {
    expect(read(200, { error: { message: 'x', code: 503 } }).failure).to.equal('overloaded');
    expect(read(200, { error: { message: 'x', status_code: 400 } }).status).to.equal(400);
    expect(read(200, { error: { message: 'x', type: 'invalid_request_error' } }).failure).to.equal('caller-fault');
    expect(read(200, { error: { message: 'x' } }).failure).to.equal('transient');
  });

  it('classifies recorded errors by their status', function () {
    const recordings = readCorpus('errors')?.filter(({ response }) => response.status >= 400);
    if (recordings === undefined) return this.skip();
    for (const { id, response } of recordings) {
      const error = read(response.status, response.body);
      expect(error.failure, id).to.not.equal('unknown');
      if (error.failure === 'caller-fault')
        expect(error.status, id).to.equal(
          response.status >= 500
            ? error.status
            : error.code === 'context_length_exceeded' || error.code === 'content_filter'
              ? error.status
              : response.status,
        );
      expect(error.message, id).to.be.a('string').and.not.equal('');
    }
  });
});
