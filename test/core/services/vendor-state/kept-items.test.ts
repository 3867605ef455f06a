import { expect } from 'chai';
import { MemoryItems } from '../../../../core/services/vendor-state/kept-items.ts';

describe('items in the memory of a process', () => {
  let now = 0;
  const items = () => new MemoryItems({ now: () => now });
  beforeEach(() => {
    now = 0;
  });

  it('are forgotten after their time', () => {
    const kept = items();
    kept.write([['a', '1']], { keep: 100, size: 10_000 });
    now = 99;
    expect(kept.read(['a', 'b'])).to.deep.equal(['1', null]);
    now = 100;
    expect(kept.read(['a'])).to.deep.equal([null]);
  });

  it('take no more than their size: the oldest go first, and what is larger is not kept', () => {
    const kept = items();
    const limits = { keep: 100, size: 900 };
    const text = 'x'.repeat(300);
    kept.write([['a', text]], limits);
    kept.write([['b', text]], limits);
    expect(kept.read(['a', 'b'])).to.deep.equal([null, text]);
    kept.write([['c', 'x'.repeat(2_000)]], limits);
    expect(kept.read(['b', 'c'])).to.deep.equal([text, null]);
  });

  it('written again count once, and are kept from then on', () => {
    const kept = items();
    const limits = { keep: 100, size: 1_000 };
    for (const time of [0, 50, 90]) {
      now = time;
      kept.write([['a', 'x'.repeat(700)]], limits);
    }
    now = 180;
    expect(kept.read(['a'])[0]?.length).to.equal(700);
  });
});
