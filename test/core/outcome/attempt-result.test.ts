import { expect } from 'chai';
import type { AttemptRecord, Ending, EndingReason, FailureClass } from '../../../core/api/index.ts';
import { attemptResult, wasSent } from '../../../core/outcome/results.ts';

const record = (facts: Partial<AttemptRecord>): AttemptRecord => ({
  target: 'a/m',
  credential: 'main',
  lane: 'native',
  committed: false,
  status: 0,
  ms: 1,
  losses: [],
  ...facts,
});
const endingOf = (reason: EndingReason): Ending => ({ reason, usage: undefined, outputChars: 0 });
const present = { signal: new AbortController().signal };

describe('the result of an attempt', () => {
  const failures: Readonly<Record<FailureClass, string>> = {
    unsuitable: 'client_error',
    transient: 'upstream_error',
    overloaded: 'upstream_error',
    'rate-limit': 'rate_limited',
    quota: 'rate_limited',
    credential: 'auth',
    'model-access': 'upstream_error',
    'model-gone': 'upstream_error',
    region: 'upstream_error',
    'caller-fault': 'client_error',
    timeout: 'timeout',
    unknown: 'upstream_error',
  };
  for (const [failure, outcome] of Object.entries(failures)) {
    it(`returns ${outcome} for a response with the failure ${failure}`, () => {
      expect(attemptResult(present, record({ failure: failure as FailureClass, status: 500 }))).to.equal(outcome);
    });
  }

  const endings: Readonly<Record<EndingReason, string>> = {
    complete: 'ok',
    unfinished: 'unfinished',
    refused: 'ok',
    client_closed: 'client_closed',
    upstream_reset: 'upstream_error',
    idle_timeout: 'timeout',
    max_duration: 'timeout',
    upstream_error_event: 'upstream_error',
    truncated: 'upstream_error',
    gateway_error: 'gateway_error',
    drain: 'gateway_error',
  };
  for (const [reason, outcome] of Object.entries(endings)) {
    it(`returns ${outcome} for the ending ${reason}`, () => {
      expect(
        attemptResult(
          { signal: AbortSignal.abort() },
          record({ ending: endingOf(reason as EndingReason), committed: true, status: 200 }),
        ),
      ).to.equal(outcome);
    });
  }

  it('does not count a target as called if it could not carry the request', () => {
    expect([
      wasSent(record({ failure: 'unsuitable' })),
      wasSent(record({ failure: 'unsuitable', status: 400 })),
      wasSent(record({ failure: 'transient' })),
    ]).to.deep.equal([false, true, true]);
  });

  it('returns gateway_error if the gateway failed before a response', () => {
    expect(attemptResult(present, record({ failure: 'unknown' }))).to.equal('gateway_error');
  });

  it('returns client_closed if the client left, whatever broke because of it', () => {
    expect(attemptResult({ signal: AbortSignal.abort() }, record({ failure: 'unknown' }))).to.equal('client_closed');
  });
});
