import { expect } from 'chai';
import type { OptionFinding } from '../../../core/api/index.ts';
import { compileSchema } from '../../../core/config/validate/validate.ts';
import { createTestExchange, createTestServices } from '../../../core/testing/index.ts';
import plugin from '../../../plugins/content-filter/index.ts';
import type { ContentFilterOptions } from '../../../plugins/content-filter/schema.ts';

/** With defaults, as the loader passes them. */
const fill = (options: object): ContentFilterOptions => {
  const filled: unknown = structuredClone(options);
  const validate = compileSchema<ContentFilterOptions>(plugin.schema);
  if (!validate(filled)) throw new Error(JSON.stringify(validate.errors));
  return filled;
};
const check = (options: object): readonly OptionFinding[] => plugin.check?.(fill(options), { models: [] }) ?? [];

describe('the settings of the content filter', () => {
  it('patterns that are not valid are reported with their place', () => {
    const found = check({
      rules: [
        { name: 'a', patterns: ['fine', '(x)\\1'] },
        { name: 'a', detect: ['emails'] },
      ],
    });
    expect(found.map(({ path, severity = 'error' }) => `${severity} ${path.join('.')}`)).to.deep.equal([
      'error rules.0.patterns.1',
      'error rules.1.name',
    ]);
  });

  it('a rule that searches for nothing is an error, and one without a longest match gets advice', () => {
    const found = check({
      rules: [{ name: 'a' }, { name: 'b', patterns: ['ab+'] }, { name: 'c', patterns: ['ab+'], in: ['input'] }],
      service: { url: 'http://', timeout: '0s' },
    });
    expect(found.map(({ path, severity = 'error' }) => `${severity} ${path.join('.')}`)).to.deep.equal([
      'error rules.0',
      'advice rules.1.patterns.0',
      'error service.url',
      'error service.timeout',
    ]);
  });

  it('replacements that would break the JSON of a tool call are refused', () => {
    expect(() => fill({ rules: [{ name: 'a', detect: ['emails'], replacement: '"x"' }] })).to.throw(/pattern/);
  });

  it('explain lists the rules that a request meets', async () => {
    const rules = [
      { name: 'mail', detect: ['emails'] },
      { name: 'other', detect: ['emails'], keys: ['beta/*'] },
      { name: 'said', detect: ['emails'], in: ['output'], action: 'refuse', routes: ['/v1/*'] },
    ];
    const { explain } = await plugin.create(fill({ rules }), createTestServices());
    expect(explain?.(createTestExchange())).to.deep.equal({
      input: [{ rule: 'mail', action: 'redact' }],
      output: [
        { rule: 'mail', action: 'redact' },
        { rule: 'said', action: 'refuse' },
      ],
      service: false,
    });
  });
});
