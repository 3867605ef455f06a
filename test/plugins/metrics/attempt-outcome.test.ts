import { expect } from 'chai';
import type { AttemptRecord, Ending, EndingReason, FailureClass } from '../../../core/index.ts';
import { outcomeOf, tryOf } from '../../../plugins/metrics/attempt-outcome.ts';

const record = (facts: Partial<AttemptRecord>): AttemptRecord => ({ target: 'a/m', credential: 'main', lane: 'native', committed: false, status: 0, ms: 1, losses: [], ...facts });
const endingOf = (reason: EndingReason): Ending => ({ reason, usage: undefined, outputChars: 0 });
const present = { signal: new AbortController().signal };

describe('metrics: the outcome of an attempt', () => {
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
    it(`is ${outcome} where the upstream answered and it was ${failure}`, () => {
      expect(outcomeOf(present, record({ failure: failure as FailureClass, status: 500 }))).to.equal(outcome);
    });
  }

  const endings: Readonly<Record<EndingReason, string>> = {
    complete: 'ok',
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
    it(`is ${outcome} where its answer ended by ${reason}`, () => {
      expect(outcomeOf({ signal: AbortSignal.abort() }, record({ ending: endingOf(reason as EndingReason), committed: true, status: 200 }))).to.equal(outcome);
    });
  }

  it('is none where the target could not carry the request: nobody was asked', () => {
    expect(outcomeOf(present, record({ failure: 'unsuitable' }))).to.equal(undefined);
  });

  it('is ours where we failed before anybody answered', () => {
    expect(outcomeOf(present, record({ failure: 'unknown' }))).to.equal('gateway_error');
  });

  it('is the client’s leaving, whatever broke by it', () => {
    expect(outcomeOf({ signal: AbortSignal.abort() }, record({ failure: 'unknown' }))).to.equal('client_closed');
  });
});

describe('metrics: which try an attempt was', () => {
  const attempts = [record({ target: 'a/m' }), record({ target: 'a/m' }), record({ target: 'b/m' }), record({ target: 'a/m' })];

  it('is the first, a retry of a target that was tried, or a fallback to another', () => {
    expect(attempts.map((attempt) => tryOf({ attempts }, attempt))).to.deep.equal(['first', 'retry', 'fallback', 'retry']);
  });
});
