import { expect } from 'chai';
import { formatLosses } from '../../../core/exchange/response-headers.ts';
import type { Loss } from '../../../core/index.ts';

const dropped = (field: string): Loss => ({ field, kind: 'dropped', detail: 'never shown' });

describe('the header of losses', () => {
  it('names each field with what became of it', () => {
    expect(formatLosses([dropped('logit_bias'), { field: 'max_tokens', kind: 'injected', detail: '' }])).to.equal(
      'logit_bias;dropped, max_tokens;injected',
    );
  });

  it('names a field once per kind, in the order in which they came', () => {
    expect(
      formatLosses([dropped('b'), dropped('a'), dropped('b'), { field: 'b', kind: 'approximated', detail: '' }]),
    ).to.equal('b;dropped, a;dropped, b;approximated');
  });

  it('is empty without any', () => expect(formatLosses([])).to.equal(''));

  it('holds what a header can hold: line ends, spaces and other scripts become question marks', () => {
    const text = formatLosses([dropped('métadonnées\r\nset-cookie: a=1'), dropped('日本'), dropped('\u0000\u007F!')]);
    expect(text).to.equal('m?tadonn?es??set-cookie:?a=1;dropped, ??;dropped, ??!;dropped');
  });

  it('is cut between names where it is long, and says how many are missing', () => {
    const fields = Array.from({ length: 500 }, (_, index) => `messages[${index}].name`);
    const text = formatLosses(fields.map(dropped));
    expect(text.length).to.be.within(1_900, 2_080);
    const named = text.split(', ').slice(0, -1);
    expect(named).to.deep.equal(fields.slice(0, named.length).map((field) => `${field};dropped`));
    expect(text.split(', ').at(-1)).to.equal(`and ${500 - named.length} more`);
  });

  it('is cut though the very first name is too long', () => {
    const text = formatLosses([dropped('x'.repeat(5_000)), dropped('b')]);
    expect(text).to.equal('and 2 more');
  });
});
