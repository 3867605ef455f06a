import { expect } from 'chai';
import * as fc from 'fast-check';
import { sealProof, unsealProof } from '../../../core/api/codec.ts';

const name = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\n'));
const origin = fc.record({ provider: name, family: name });

describe('proofs', () => {
  it('unseals a proof with its value and origin', () => {
    fc.assert(
      fc.property(
        origin,
        fc.string({ unit: 'grapheme' }),
        (from, value) =>
          void expect(unsealProof(sealProof({ origin: from, value }))).to.deep.equal({ origin: from, value }),
      ),
    );
  });
  it('keeps the proof of redacted reasoning marked as redacted', () => {
    const redacted = { origin: { provider: 'p', family: 'f' }, value: 'v', redacted: true } as const;
    expect(unsealProof(sealProof(redacted))).to.deep.equal(redacted);
  });
  it('leaves the proof of a vendor unchanged in both directions', () => {
    for (const value of ['EpUCCkYIChgCKkA=', '', 'a29pbmUx', 'a29pbmUxCg==', 'a29pbmUxCnByb3ZpZGVy', 'a29pbmUx!']) {
      expect(sealProof({ origin: undefined, value })).to.equal(value);
      expect(unsealProof(value), value).to.deep.equal({ origin: undefined, value });
    }
    fc.assert(
      fc.property(
        fc.base64String(),
        (value) => void expect(unsealProof(value)).to.deep.equal({ origin: undefined, value }),
      ),
    );
  });
  it('seals proofs in characters that are valid on every wire and in headers', () => {
    expect(sealProof({ origin: { provider: 'prövider', family: 'f' }, value: 'a\n"b\\' })).to.match(
      /^[A-Za-z0-9+/]+=*$/,
    );
  });
});
