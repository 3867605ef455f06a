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

  it('patterns that are expensive to search get a warning with their price, and simple ones do not', () => {
    const patterns = [
      '(?i)project.{1,100}secret',
      '\\bACME-\\d{6}\\b',
      '.{1,990}secret',
      '(?:\\w{1,20}\\s{1,5}){1,20}x',
    ];
    const found = check({ rules: [{ name: 'a', patterns, in: ['input'] }], budget: 1_000_000 });
    expect(found.map(({ path, severity = 'error' }) => `${severity} ${path.join('.')}`)).to.deep.equal([
      'warning rules.0.patterns.2',
      'warning rules.0.patterns.3',
    ]);
    expect(found[1]?.message).to.match(/^A character takes \d\d steps instead of 3: texts of 1\d{4} characters exceed/);
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
      input: [{ rule: 'mail', action: 'redact', steps: 1 }],
      output: [
        { rule: 'mail', action: 'redact', steps: 1 },
        { rule: 'said', action: 'refuse', steps: 1 },
      ],
      service: false,
    });
  });
});
