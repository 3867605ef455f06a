import { expect } from 'chai';
import { knowSecrets, redactKnown } from '../../../core/canonical/text/known-secrets.ts';
import { memoize } from '../../../core/canonical/memoize.ts';

describe('a redacted text that is remembered', () => {
  const count = () => {
    let calls = 0;
    const redact = memoize((text) => {
      calls += 1;
      return redactKnown(text);
    });
    return { redact, calls: () => calls };
  };

  it('is made once', () => {
    const { redact, calls } = count();
    expect([redact('alice'), redact('alice'), calls()]).to.deep.equal(['alice', 'alice', 1]);
  });

  it('is made anew when another secret is known: it may hold that', () => {
    const { redact } = count();
    expect(redact('of remembered-secret-1')).to.equal('of remembered-secret-1');
    knowSecrets(['remembered-secret-1']);
    expect(redact('of remembered-secret-1')).to.equal('of [redacted]');
  });

  it('is forgotten when there are thousands, and not kept where it is long', () => {
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
