import { expect } from 'chai';
import { formatLosses } from '../../../core/exchange/response-headers.ts';
import type { Loss } from '../../../core/api/codec.ts';

const dropped = (field: string): Loss => ({ field, kind: 'dropped', detail: 'never shown' });

describe('the losses header', () => {
  it('names each lost field with the kind of its loss', () => {
    expect(formatLosses([dropped('logit_bias'), { field: 'max_tokens', kind: 'injected', detail: '' }])).to.equal(
      'logit_bias;dropped, max_tokens;injected',
    );
  });

  it('names a lost field once per kind, in order of occurrence', () => {
    expect(
      formatLosses([dropped('b'), dropped('a'), dropped('b'), { field: 'b', kind: 'approximated', detail: '' }]),
    ).to.equal('b;dropped, a;dropped, b;approximated');
  });

  it('returns an empty header for a response without losses', () => expect(formatLosses([])).to.equal(''));

  it('replaces line ends, spaces and non-ASCII characters by question marks', () => {
    const text = formatLosses([dropped('métadonnées\r\nset-cookie: a=1'), dropped('日本'), dropped('\u0000\u007F!')]);
    expect(text).to.equal('m?tadonn?es??set-cookie:?a=1;dropped, ??;dropped, ??!;dropped');
  });

  it('cuts a long losses header between names, and adds the number of the missing ones', () => {
    const fields = Array.from({ length: 500 }, (_, index) => `messages[${index}].name`);
    const text = formatLosses(fields.map(dropped));
    expect(text.length).to.be.within(1_900, 2_080);
    const named = text.split(', ').slice(0, -1);
    expect(named).to.deep.equal(fields.slice(0, named.length).map((field) => `${field};dropped`));
    expect(text.split(', ').at(-1)).to.equal(`and ${500 - named.length} more`);
  });

  it('cuts the losses header even if the first name is too long', () => {
    const text = formatLosses([dropped('x'.repeat(5_000)), dropped('b')]);
    expect(text).to.equal('and 2 more');
  });
});
