import { expect } from 'chai';
import { receiveJson } from '../../../core/exchange/request/receive.ts';

describe('a repeated model member', () => {
  for (const text of [
    '{"model":"a","model":"b"}',
    '{"model":"a","Model":"b"}',
    '{"MODEL":"a","messages":[],"model":"b"}',
  ]) {
    it(`refuses a repeated model in any letter case: ${text}`, () => {
      expect(() => receiveJson(Buffer.from(text)))
        .to.throw()
        .that.includes({ code: 'invalid_request', param: 'model' });
    });
  }

  it('ignores a second model in an inner object', () => {
    expect(receiveJson(Buffer.from('{"model":"a","metadata":{"Model":"b"}}'))).to.deep.equal({
      model: 'a',
      metadata: { Model: 'b' },
    });
  });
});
