import { expect } from 'chai';
import { knowSecrets, redactKnown } from '../../../../core/canonical/text/known-secrets.ts';
import { memoize } from '../../../../core/canonical/text/memoize.ts';

describe('memoize', () => {
  const count = () => {
    let calls = 0;
    const redact = memoize((text) => {
      calls += 1;
      return redactKnown(text);
    });
    return { redact, calls: () => calls };
  };

  it('redacts a memoized text once', () => {
    const { redact, calls } = count();
    expect([redact('alice'), redact('alice'), calls()]).to.deep.equal(['alice', 'alice', 1]);
  });

  it('redacts a memoized text again when a secret has been added', () => {
    const { redact } = count();
    expect(redact('of remembered-secret-1')).to.equal('of remembered-secret-1');
    knowSecrets(['remembered-secret-1']);
    expect(redact('of remembered-secret-1')).to.equal('of [redacted]');
  });

  it('clears the cache of texts at its maximum size, and does not cache long texts', () => {
    const { redact, calls } = count();
    const long = 'x'.repeat(600);
    for (let index = 0; index < 2; index += 1) redact(long);
    expect(calls()).to.equal(2);
    redact('first');
    for (let index = 0; index < 2_000; index += 1) redact(`text ${index}`);
    redact('first');
    expect(calls()).to.equal(2 + 1 + 2_000 + 1);
  });
});
