import { expect } from 'chai';
import { failureOfStatus, readErrorMessage, upstreamError } from '../../../core/api/codec.ts';
import { readRetryAfter } from '../../../core/dispatch/upstream-error.ts';

describe('the message in a vendor’s error', () => {
  const found: readonly (readonly [body: unknown, message: string | undefined])[] = [
    [{ error: { message: 'no' } }, 'no'],
    [{ type: 'error', error: { type: 'x', message: 'no' } }, 'no'],
    [{ error: 'no' }, 'no'],
    [{ object: 'error', message: 'no' }, 'no'],
    [{ detail: 'no' }, 'no'],
    [{ detail: [{ loc: ['body'], msg: 'no' }] }, 'no'],
    [[{ error: { message: 'no' } }], 'no'],
    [{ error: { error: 'no' } }, 'no'],
    [' no\n', 'no'],
    ['<html>502</html>', undefined],
    ['\n <!DOCTYPE html>', undefined],
    ['  ', undefined],
    [{ error: { message: '' } }, undefined],
    [{ error: null }, undefined],
    [{ detail: [] }, undefined],
    [[], undefined],
    [undefined, undefined],
    [42, undefined],
  ];
  for (const [body, message] of found) {
    it(`reads the message ${String(message)} from ${JSON.stringify(body)}`, () =>
      expect(readErrorMessage(body)).to.equal(message));
  }
});

describe('the retry delay of a vendor', () => {
  const waits: readonly (readonly [headers: Record<string, string>, wait: number | undefined])[] = [
    [{ 'retry-after-ms': '250' }, 250],
    [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
    [{ 'retry-after-ms': 'soon', 'retry-after': '9' }, 9_000],
    [{ 'retry-after': '1.5' }, 1_500],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': '-5' }, 0],
    [{ 'retry-after': 'Wed, 21 Oct 2026 07:28:30 GMT', 'date': 'Wed, 21 Oct 2026 07:28:00 GMT' }, 30_000],
    [{ 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT', 'date': 'Wed, 21 Oct 2026 07:28:30 GMT' }, 0],
    [{ 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }, undefined],
    [{ 'retry-after': 'later' }, undefined],
    [{ 'retry-after': '' }, undefined],
    [{ 'retry-after': ' ' }, undefined],
    [{ 'retry-after': '0x10' }, undefined],
    [{ 'retry-after': '1e9' }, 1e12],
    [{ 'retry-after': '1e999' }, undefined],
    [{ 'retry-after': '7, 9' }, undefined],
    [{ 'retry-after-ms': '', 'retry-after': '9' }, 9_000],
    [{}, undefined],
  ];
  for (const [headers, wait] of waits) {
    it(`reads a retry delay of ${String(wait)} ms from ${JSON.stringify(headers)}`, () =>
      expect(readRetryAfter(headers)).to.equal(wait));
  }
});

describe('an upstream error', () => {
  it('classifies an upstream error by its status by default', () => {
    const expected = {
      400: 'caller-fault',
      401: 'credential',
      402: 'quota',
      403: 'caller-fault',
      404: 'model-gone',
      408: 'timeout',
      409: 'transient',
      413: 'caller-fault',
      422: 'caller-fault',
      429: 'rate-limit',
      500: 'transient',
      502: 'transient',
      503: 'overloaded',
      504: 'timeout',
      529: 'overloaded',
    };
    expect(
      Object.fromEntries(Object.keys(expected).map((status) => [status, failureOfStatus(Number(status))])),
    ).to.deep.equal(expected);
  });
  it('classifies a 404 that reports a missing file or response as a fault of the caller', () => {
    for (const status of [404, 410]) {
      expect(
        upstreamError('messages', { status, headers: {}, body: { error: { message: 'No such file.' } } }),
      ).to.include({ failure: 'caller-fault', status });
      expect(upstreamError('messages', { status, headers: {}, body: '<html>' })).to.include({
        failure: 'model-gone',
        code: 'upstream_model',
      });
    }
  });
  it('puts the status into the message if a caller’s fault has no message', () => {
    expect(upstreamError('messages', { status: 403, headers: {}, body: '' }).message).to.equal(
      'The provider refused the request (403).',
    );
  });
  it('keeps the vendor’s status for faults of the caller only', () => {
    expect(upstreamError('messages', { status: 422, headers: {}, body: undefined }).status).to.equal(422);
    expect(upstreamError('messages', { status: 401, headers: {}, body: undefined }).status).to.equal(502);
    expect(upstreamError('messages', { status: 529, headers: {}, body: undefined }).status).to.equal(503);
  });
  it('keeps the vendor’s message, retry delay and body, and does not log the body', () => {
    const body = { error: { message: 'Slow down' } };
    const error = upstreamError('messages', { status: 429, headers: { 'retry-after': '3' }, body });
    expect([error.code, error.failure, error.message, error.retryAfterMs]).to.deep.equal([
      'upstream_rate_limit',
      'rate-limit',
      'Slow down',
      3_000,
    ]);
    expect(error.vendor).to.deep.equal({ wire: 'messages', status: 429, headers: { 'retry-after': '3' }, body });
    expect(Object.keys(error)).not.to.include('vendor');
  });
  it('uses the classification of the wire, if there is one', () => {
    const error = upstreamError(
      'messages',
      { status: 400, headers: {}, body: { error: { message: 'too long' } } },
      { failure: 'caller-fault', code: 'context_length_exceeded', message: 'Shorter.', param: 'messages' },
    );
    expect([error.code, error.message, error.param, error.status]).to.deep.equal([
      'context_length_exceeded',
      'Shorter.',
      'messages',
      400,
    ]);
    expect(
      upstreamError('messages', { status: 429, headers: {}, body: undefined }, { failure: 'quota' }).code,
    ).to.equal('upstream_quota');
  });
  it('an upstream error never repeats a credential', () => {
    for (const secret of [
      'sk-proj-abcdefgh1234',
      'sk-ant-api03-abcdef',
      'AIzaSyA1234567890abcdef',
      'gsk_abcdefgh',
      'Bearer abc.def.ghi',
      'xai-abcdefgh',
      'sk-ab***yz',
    ]) {
      expect(
        upstreamError('messages', { status: 401, headers: {}, body: `Incorrect key: ${secret}` }).message,
        secret,
      ).to.equal('Incorrect key: [redacted]');
    }
  });
  it("limits the length of an upstream error's message", () => {
    expect(upstreamError('messages', { status: 500, headers: {}, body: 'x'.repeat(10_000) }).message).to.have.length(
      2_000,
    );
  });
  it('uses the default message of the error code if the body has none', () => {
    expect(upstreamError('messages', { status: 503, headers: {}, body: '<html>' }).message).to.equal(
      'The provider is overloaded.',
    );
  });
});
