import { expect } from 'chai';
import { knowSecrets, redactBody, redactSecrets } from '../../../core/canonical/redact.ts';

describe('what a vendor says of its keys', () => {
  it('is redacted where it looks like one', () => {
    expect(redactSecrets('Incorrect API key provided: sk-ab***cd.')).to.equal('Incorrect API key provided: [redacted].');
  });

  it('is redacted where it is a key of this gateway, whatever it looks like, and whole where one begins another', () => {
    const text = 'Refused: 0123456789abcdef, 0123456789abcdef-2';
    expect(redactSecrets(text)).to.equal(text);
    knowSecrets(['0123456789abcdef', '0123456789abcdef-2']);
    expect(redactSecrets(text)).to.equal('Refused: [redacted], [redacted]');
    expect(redactBody({ error: { message: text } })).to.deep.equal({ error: { message: 'Refused: [redacted], [redacted]' } });
  });

  it('stays where the key is a placeholder that stands in sentences', () => {
    knowSecrets(['', 'none']);
    expect(redactSecrets('There are none.')).to.equal('There are none.');
  });
});
