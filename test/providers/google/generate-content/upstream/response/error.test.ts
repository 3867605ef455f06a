import { expect } from 'chai';
import { omitUndefined } from '../../../../../../core/api/codec.ts';
import { decodeError, readCorpus } from '../exchange.ts';

const google = (code: number, status: string, message = 'm', details?: readonly object[]) => ({
  error: omitUndefined({ code, message, status, details }),
});
const decode = (status: number, body: unknown, headers = {}) => decodeError({ status, headers, body });
const quota = (quotaId: string) => ({
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: [{ quotaId }],
});
const retry = (retryDelay: string) => ({ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay });

describe('errors of generate-content', () => {
  it('classifies errors by their status', () => {
    const failureOf = (status: number, word: string) => decode(status, google(status, word)).failure;
    expect(failureOf(400, 'INVALID_ARGUMENT')).to.equal('caller-fault');
    expect(failureOf(401, 'UNAUTHENTICATED')).to.equal('credential');
    expect(failureOf(403, 'PERMISSION_DENIED')).to.equal('caller-fault');
    expect(failureOf(404, 'NOT_FOUND')).to.equal('caller-fault');
    expect(failureOf(429, 'RESOURCE_EXHAUSTED')).to.equal('rate-limit');
    expect(failureOf(499, 'CANCELLED')).to.equal('transient');
    expect(failureOf(500, 'INTERNAL')).to.equal('transient');
    expect(failureOf(503, 'UNAVAILABLE')).to.equal('overloaded');
    expect(failureOf(504, 'DEADLINE_EXCEEDED')).to.equal('timeout');
  });

  it('reads the time to wait from an error', () => {
    expect(decode(429, google(429, 'RESOURCE_EXHAUSTED', 'm', [retry('34.07s')])).retryAfterMs).to.equal(34_070);
    expect(
      decode(429, google(429, 'RESOURCE_EXHAUSTED', 'm', [retry('34s')]), { 'retry-after': '2' }).retryAfterMs,
    ).to.equal(2_000);
    expect(decode(429, google(429, 'RESOURCE_EXHAUSTED', 'm', [retry('soon')])).retryAfterMs).to.equal(undefined);
  });

  it('distinguishes a quota that is spent for the day from a rate limit', () => {
    expect(
      decode(
        429,
        google(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota', [
          quota('GenerateRequestsPerDayPerProjectPerModel-FreeTier'),
        ]),
      ).code,
    ).to.equal('upstream_quota');
    expect(
      decode(
        429,
        google(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota', [
          quota('GenerateContentPaidTierInputTokensPerModelPerMinute'),
        ]),
      ).code,
    ).to.equal('upstream_rate_limit');
    expect(decode(429, google(429, 'RESOURCE_EXHAUSTED', 'Your prepayment credits are depleted.')).code).to.equal(
      'upstream_quota',
    );
  });

  const LIST = 'Call ListModels to see the list of available models and their supported methods.';
  it("classifies an error as about the model only if it names the target's model", () => {
    const decodeFor = (message: string, model = 'gemini-a') =>
      decodeError({
        status: 404,
        headers: {},
        body: google(404, 'NOT_FOUND', message),
        refused: { model, body: Buffer.from('{}') },
      }).failure;
    expect(
      decodeFor(
        `models/gemini-a is not found for API version v1beta, or is not supported for generateContent. ${LIST}`,
      ),
    ).to.equal('model-gone');
    expect(
      decodeFor(
        `models/gemini-a is not found for API version v1beta, or is not supported for generateContent. ${LIST}`,
        'models/gemini-a',
      ),
    ).to.equal('model-gone');
    expect(decodeFor('Publisher Model `projects/p/locations/l/publishers/google/models/gemini-a` not found.')).to.equal(
      'model-gone',
    );
    expect(
      decodeFor(
        'This model models/gemini-a is no longer available to new users. Please update your code to use a newer model.',
      ),
    ).to.equal('model-gone');
    expect(
      decodeFor(
        `models/gemini-b is not found for API version v1beta, or is not supported for generateContent. ${LIST}`,
      ),
    ).to.equal('caller-fault');
    expect(decodeFor('Cached content models/gemini-a not found')).to.equal('caller-fault');
    expect(decodeFor('File models/gemini-a is not found for API version v1beta')).to.equal('caller-fault');
  });

  it('classifies an error as about money only if its message is a known sentence that is not in the request', () => {
    const SPENT =
      'Your prepayment credits are depleted. Please go to AI Studio at https://ai.studio/projects to manage your project and billing.';
    const failureOf = (message: string, body = '{}') =>
      decodeError({
        status: 429,
        headers: {},
        body: google(429, 'RESOURCE_EXHAUSTED', message),
        refused: { model: 'm', body: Buffer.from(body) },
      }).failure;
    expect(failureOf(SPENT)).to.equal('quota');
    expect(failureOf(`${SPENT} x`)).to.equal('rate-limit');
    expect(failureOf(SPENT, JSON.stringify({ labels: { [SPENT]: '' } }))).to.equal('rate-limit');
  });

  it('recognises a prompt that is too long', () => {
    const { code, status } = decode(
      400,
      google(
        400,
        'INVALID_ARGUMENT',
        'The input token count (1250074) exceeds the maximum number of tokens allowed (1048576).',
      ),
    );
    expect([code, status]).to.deep.equal(['context_length_exceeded', 400]);
  });

  it('reads errors from an array, or from the message of a proxy', () => {
    const body = google(503, 'UNAVAILABLE', 'The model is overloaded.');
    expect(decode(503, [body]).message).to.equal('The model is overloaded.');
    expect(decode(429, [google(429, 'RESOURCE_EXHAUSTED', 'm', [quota('PerDay'), retry('1s')])])).to.include({
      code: 'upstream_quota',
      retryAfterMs: 1_000,
    });
    expect(
      decode(503, { error: { message: `${JSON.stringify(body)}\n`, code: 503, status: 'Service Unavailable' } })
        .message,
    ).to.equal('The model is overloaded.');
  });

  it('reads errors from any body', () => {
    for (const body of [
      undefined,
      null,
      '',
      '<html>',
      'x',
      1,
      [],
      [null],
      {},
      { error: 'x' },
      { error: { details: 'x' } },
      google(429, 'X', 'm', [quota(''), retry('')]),
    ]) {
      expect(decode(429, body).failure, JSON.stringify(body)).to.equal('rate-limit');
    }
  });

  it('classifies every error of the corpus as expected', function () {
    const recordings = readCorpus('errors') ?? this.skip();
    const classes = recordings
      .filter(({ id }) => /^(?:google|vertex)-/.test(id))
      .map(({ response }) => decode(response.status, response.body))
      .map(({ code, retryAfterMs }) => (retryAfterMs === undefined ? code : `${code} ${retryAfterMs}`));
    expect(classes.toSorted()).to.deep.equal([
      'context_length_exceeded',
      'invalid_request',
      'invalid_request',
      'upstream_model',
      'upstream_model',
      'upstream_model',
      'upstream_model',
      'upstream_rate_limit 48000',
    ]);
  });
});
