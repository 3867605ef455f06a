import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { createKey, digestKey, isTagged, parseKey } from '../../../core/tenancy/key-format.ts';

const sample = Array.from({ length: 200 }, createKey);

describe('the format of a key', () => {
  it('a key is the tag, an id of 8, and 49 more letters and digits', () => {
    for (const { text, id, prefix } of sample) {
      expect(text).to.match(/^koine_[0-9A-Za-z]{8}_[0-9A-Za-z]{49}$/);
      expect(text.slice(0, 14)).to.equal(prefix).and.to.equal(`koine_${id}`);
    }
  });

  it('keys are unique and use every letter and digit', () => {
    expect(new Set(sample.map(({ text }) => text)).size).to.equal(sample.length);
    expect(new Set(sample.map(({ text }) => text.slice(15, 58)).join('')).size).to.equal(62);
  });

  it('the digest of a key is the SHA-256 of its whole text', () => {
    for (const { text, digest } of sample.slice(0, 5)) {
      expect(Buffer.from(digest).toString('hex')).to.equal(createHash('sha256').update(text).digest('hex'));
      expect(digestKey(text)).to.deep.equal(digest);
    }
  });

  it('parseKey accepts a key with a valid checksum', () => {
    for (const { text, id, prefix } of sample) expect(parseKey(text)).to.deep.equal({ id, prefix });
  });

  it('parseKey refuses a key with any one character changed', () => {
    const { text } = createKey();
    for (let index = 0; index < text.length; index += 1) {
      const other = text.charAt(index) === 'a' ? 'b' : 'a';
      expect(parseKey(text.slice(0, index) + other + text.slice(index + 1)), `position ${index}`).to.equal(undefined);
    }
  });

  it('parseKey refuses a key that is shorter, longer or surrounded by whitespace', () => {
    const { text } = createKey();
    for (const wrong of [
      '',
      'koine_',
      text.slice(0, -1),
      `${text}0`,
      ` ${text}`,
      `${text}\n`,
      text.toUpperCase(),
      text.replace('koine', 'other'),
    ]) {
      expect(parseKey(wrong), JSON.stringify(wrong)).to.equal(undefined);
    }
  });

  it('isTagged recognizes a key by its tag alone', () => {
    expect([isTagged(createKey().text), isTagged('koine_x'), isTagged('sk-1'), isTagged('')]).to.deep.equal([
      true,
      true,
      false,
      false,
    ]);
  });
});
