import { expect } from 'chai';
import * as fc from 'fast-check';
import { bucketOf, quantileOf } from '../../../plugins/ledger/histogram.ts';
import { nextStart, spansOf, startOf, type Step } from '../../../plugins/ledger/periods.ts';

const HOUR = 3_600_000;
const hours = fc.integer({ min: 0, max: 600_000 }).map((hour) => hour * HOUR);
const step = fc.constantFrom<Step>('hour', 'day', 'month');

describe('startOf, nextStart and spansOf', () => {
  it('starts a period at or before the times in it and ends it after them', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e12 }), step, (at, of) => {
        const start = startOf(of, at);
        expect(start).to.be.at.most(at);
        expect(nextStart(of, start)).to.be.above(at);
        expect(startOf(of, start)).to.equal(start);
      }),
    );
  });

  it('covers a range of hours without a gap in at most five spans', () => {
    fc.assert(
      fc.property(hours, fc.integer({ min: 1, max: 20_000 }), (from, count) => {
        const spans = spansOf(from, from + count * HOUR);
        expect(spans.length).to.be.within(1, 5);
        expect(spans[0]?.from).to.equal(from);
        expect(spans.at(-1)?.to).to.equal(from + count * HOUR);
        spans.forEach((span, index) => {
          expect(startOf(span.step, span.from)).to.equal(span.from);
          expect(startOf(span.step, span.to)).to.equal(span.to);
          if (index > 0) expect(span.from).to.equal(spans[index - 1]?.to);
        });
      }),
    );
    expect(spansOf(Date.UTC(2026, 0, 1), Date.UTC(2027, 0, 1))).to.deep.equal([
      { step: 'month', from: Date.UTC(2026, 0, 1), to: Date.UTC(2027, 0, 1) },
    ]);
    expect(spansOf(HOUR, HOUR)).to.deep.equal([]);
  });
});

describe('quantileOf', () => {
  it('returns a quantile within ten per cent of the recorded value', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 3_600_000 }), (ms) => {
        const found = quantileOf(new Map([[bucketOf(ms), 1]]), 0.5) ?? 0;
        expect(Math.abs(found - ms)).to.be.at.most(0.5 + ms * 0.1);
      }),
    );
  });
  it('returns undefined as the quantile of an empty histogram', () =>
    expect(quantileOf(new Map(), 0.5)).to.equal(undefined));
});
