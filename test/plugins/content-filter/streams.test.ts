import { expect } from 'chai';
import { createTestExchange, createTestServices } from '../../../core/testing/index.ts';
import { compileSchema } from '../../../core/config/validate/validate.ts';
import type { ContentFilterOptions } from '../../../plugins/content-filter/schema.ts';
import plugin from '../../../plugins/content-filter/index.ts';

/** What a client is shown of a text that arrives in pieces, as the guards of core hold it back. */
const show = async (pattern: string, pieces: readonly string[]): Promise<string> => {
  const options: unknown = { rules: [{ name: 'rule', patterns: [pattern], replacement: '#' }] };
  const validate = compileSchema<ContentFilterOptions>(plugin.schema);
  if (!validate(options)) throw new Error(JSON.stringify(validate.errors));
  const { guard } = await plugin.create(options, createTestServices());
  const { window, inspect } = guard!(createTestExchange())!;
  let [shown, held] = ['', ''];
  pieces.forEach((piece, index) => {
    const isEnd = index === pieces.length - 1;
    const verdict = inspect(held + piece, { choice: 0, part: 0, kind: 'text', isEnd });
    if (verdict instanceof Promise) throw new Error('The content filter is synchronous.');
    const given = verdict === 'pass' ? {} : verdict;
    if ('refuse' in given) throw new Error(given.refuse);
    const { replace = held + piece, hold = 0 } = given;
    const end = isEnd ? replace.length : Math.max(0, replace.length - Math.max(window, hold));
    shown += replace.slice(0, end);
    held = replace.slice(end);
  });
  return shown;
};

describe('the content filter in a stream', () => {
  it('a find that touches one that is not complete does not take its beginning away', async () => {
    // "#1" is a find, and so is "\nb" behind it, which becomes "\nbA1A".
    expect(await show('\\W(?:(?:\\SA){2}|b|\\d)', [...'#1\nbA1AA_a'])).to.equal('#A_a');
  });

  it('shows what is long before a row of finds that never ends', async () => {
    const text = `${'.'.repeat(50)}${'1'.repeat(1_000)}`;
    expect(await show('\\d{1,3}', [...text])).to.match(/^\.{50}#+$/);
  });

  it('a row of finds that is long is replaced, and its end as well', async () => {
    expect(await show('ab{0,3}c', [...`x ${'abbbc'.repeat(500)}abbx`])).to.match(/^x #+abbx$/);
  });
});
