import { expect } from 'chai';
import { knowSecrets } from '../../../../core/canonical/text/known-secrets.ts';
import { redactBody } from '../../../../core/canonical/text/redact-body.ts';
import { redactSecrets } from '../../../../core/canonical/text/redact.ts';

describe('keys in a vendor message', () => {
  it('redacts text that looks like a key', () => {
    expect(redactSecrets('Incorrect API key provided: sk-ab***cd.')).to.equal(
      'Incorrect API key provided: [redacted].',
    );
  });

  it('redacts known secrets completely, even if one is a prefix of another', () => {
    const text = 'Refused: kQ7-known-to-all, kQ7-known-to-all-2';
    expect(redactSecrets(text)).to.equal(text);
    knowSecrets(['kQ7-known-to-all', 'kQ7-known-to-all-2']);
    expect(redactSecrets(text)).to.equal('Refused: [redacted], [redacted]');
    expect(redactBody({ error: { message: text } })).to.deep.equal({
      error: { message: 'Refused: [redacted], [redacted]' },
    });
  });

  it('redacts each of several secrets that begin alike, and nothing else that begins like them', () => {
    knowSecrets(['acme-key-one', 'acme-key-two', 'acme-key-three', 'acme-key-one-more']);
    expect(redactSecrets('acme-key-three acme-key-one-more acme-key-two, acme-key-one/acme-key-six')).to.equal(
      '[redacted] [redacted] [redacted], [redacted]/acme-key-six',
    );
  });

  it('redacts keys in every text and name of a body, and preserves its structure', () => {
    knowSecrets(['73915264', 'say "friend"']);
    const body = {
      error: { message: 'Use Bearer abc', code: 73_915_264, details: [{ 'key 73915264': 'say "friend"' }] },
    };
    expect(redactBody(body)).to.deep.equal({
      error: { message: 'Use [redacted]', code: 73_915_264, details: [{ 'key [redacted]': '[redacted]' }] },
    });
    const good = { error: { message: 'No', details: [null, 1, { a: 'b' }] } };
    expect(redactBody(good)).to.equal(good);
  });

  it('redacts a short key that stands alone, and not within a word', () => {
    knowSecrets(['a.b1', 's3cr3t']);
    expect(redactSecrets('Wrong key: s3cr3t ("a.b1"). See s3cr3ts, xs3cr3t, axb1.')).to.equal(
      'Wrong key: [redacted] ("[redacted]"). See s3cr3ts, xs3cr3t, axb1.',
    );
  });

  it('does not redact a placeholder key that occurs in sentences', () => {
    knowSecrets(['', 'none', '123', '.*']);
    expect(redactSecrets('There are none, at 123.')).to.equal('There are none, at 123.');
  });
});
