import { expect } from 'chai';
import { listSome } from '../../../../core/canonical/text/list-some.ts';

describe('a list of texts in a message', () => {
  it('has up to five of them, and says how many more there are', () => {
    expect(listSome(['a', 'b', 'c', 'd', 'e'])).to.equal('a, b, c, d, e');
    expect(listSome(['a', 'b', 'c', 'd', 'e', 'f', 'g'])).to.equal('a, b, c, d, e and 2 more');
    expect(listSome(['a', 'b'], ' or ')).to.equal('a or b');
  });
});
