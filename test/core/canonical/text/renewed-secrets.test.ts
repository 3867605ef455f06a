import { expect } from 'chai';
import { knowRenewed, knowSecrets, redactKnown } from '../../../../core/canonical/text/known-secrets.ts';

const nameOf = (index: number): string => `renewed-${String(index).padStart(5, '0')}-secret`;

describe('secrets that are renewed', () => {
  it('the last thousand are redacted, and those before are forgotten unless a configuration has them', () => {
    knowSecrets(['configured-secret-of-file']);
    knowRenewed('configured-secret-of-file');
    knowRenewed('later-configured-secret');
    knowSecrets(['later-configured-secret']);
    for (let index = 0; index < 1_500; index += 1) {
      knowRenewed(nameOf(index));
      knowRenewed(nameOf(0));
    }
    const masked = (text: string): boolean => redactKnown(`a ${text} b`) === 'a [redacted] b';
    expect(masked(nameOf(1_499))).to.equal(true);
    expect(masked(nameOf(600))).to.equal(true);
    expect(masked(nameOf(0))).to.equal(true);
    expect(masked(nameOf(400))).to.equal(false);
    expect(masked('configured-secret-of-file')).to.equal(true);
    expect(masked('later-configured-secret')).to.equal(true);
  });

  it('short ones are redacted and forgotten as well, and an empty one takes no place', () => {
    knowRenewed('shrt-1');
    knowRenewed('');
    expect(redactKnown('a shrt-1 b')).to.equal('a [redacted] b');
    for (let index = 0; index < 1_000; index += 1) knowRenewed(`later-${nameOf(index)}`);
    expect(redactKnown('a shrt-1 b')).to.equal('a shrt-1 b');
    expect(redactKnown(`a later-${nameOf(0)} b`)).to.equal('a [redacted] b');
  });
});
