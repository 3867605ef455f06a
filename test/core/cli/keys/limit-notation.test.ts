import { expect } from 'chai';
import { MisuseError } from '../../../../core/cli/command.ts';
import { formatLimit, parseLimit } from '../../../../core/cli/keys/limit-notation.ts';

describe('the notation of limits', () => {
  for (const [text, limit] of [
    ['requests=60/1m', { requests: 60, per: '1m' }],
    ['tokens=90000/1.5h', { tokens: 90_000, per: '1.5h' }],
    ['cost=2.5/month', { cost: 2.5, per: 'month' }],
    ['concurrent=8', { concurrent: 8 }],
  ] as const)
    it(`parses ${text} to the limit of the file, and formats it back`, () => {
      expect(parseLimit(text)).to.deep.equal(limit);
      expect(formatLimit(limit)).to.equal(text);
    });

  it('formats members that the notation lacks in parentheses', () => {
    expect(
      formatLimit({ requests: 60, per: '1m', burst: 20, models: ['openai/*', 'simulator/*'], enforce: false }),
    ).to.equal('requests=60/1m (burst: 20, models: openai/* simulator/*, enforce: false)');
  });

  for (const text of [
    '',
    'requests',
    'requests=',
    'requests=-1/1m',
    'requests=60/',
    'requests=60/1m/2',
    '=60/1m',
    'requests 60/1m',
  ])
    it(`rejects ${JSON.stringify(text)} as a limit`, () =>
      expect(() => parseLimit(text)).to.throw(MisuseError, /--limit must look like.*Units are requests, tokens,/));

  it('refuses an unknown unit with those that exist', () =>
    expect(() => parseLimit('token=60/1m')).to.throw(
      MisuseError,
      '--limit has the unit "token" in "token=60/1m"; the units are requests, tokens, inputTokens, outputTokens, images, ' +
        'seconds, characters, cost, concurrent. Did you mean "tokens"?',
    ));
});
