import { expect } from 'chai';
import { receiveJson } from '../../../core/exchange/request/receive.ts';

describe('a model that is named twice', () => {
  for (const text of [
    '{"model":"a","model":"b"}',
    '{"model":"a","Model":"b"}',
    '{"MODEL":"a","messages":[],"model":"b"}',
  ]) {
    it(`is refused, whatever the case: ${text}`, () => {
      expect(() => receiveJson(Buffer.from(text)))
        .to.throw()
        .that.includes({ code: 'invalid_request', param: 'model' });
    });
  }

  it('is not seen where one stands deeper', () => {
    expect(receiveJson(Buffer.from('{"model":"a","metadata":{"Model":"b"}}'))).to.deep.equal({
      model: 'a',
      metadata: { Model: 'b' },
    });
  });
});
