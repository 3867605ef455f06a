import { expect } from 'chai';
import { compilePatterns } from '../../../core/canonical/text/compile-patterns.ts';
import { allowsModel } from '../../../core/catalog/model-pattern.ts';

describe('allowsModel', () => {
  const cases: readonly (readonly [patterns: readonly string[], id: string, allowed: boolean])[] = [
    [[], 'openai/gpt-4.1', true],
    [['openai/gpt-4.1'], 'openai/gpt-4.1', true],
    [['openai/gpt-4.1'], 'openai/gpt-4x1', false],
    [['openai/gpt-4.1'], 'openai/gpt-4.1-mini', false],
    [['openai/gpt-4.1'], 'my-openai/gpt-4.1', false],
    [['openai/*'], 'openai/gpt-4.1', true],
    [['openai/*'], 'openai/', true],
    [['openai/*'], 'openai/team/gpt', true],
    [['openai/*'], 'xopenai/gpt', false],
    [['*'], 'anything/at all', true],
    [['*-mini'], 'openai/gpt-4.1-mini', true],
    [['*-mini'], 'openai/gpt-4.1-mini-2', false],
    [['a/*/c'], 'a/b/b/c', true],
    [['a/*'], 'a/line\nfeed', true],
    [['a/(b|c)+[d]^$'], 'a/(b|c)+[d]^$', true],
    [['a/(b|c)+'], 'a/b', false],
    [['a/b?'], 'a/', false],
    [['a|b'], 'a', false],
    [['a/1', 'b/*'], 'b/2', true],
    [['a/1', 'b/*'], 'a/2', false],
    [['a/*b*c'], 'a/1b2c', true],
    [['a/*b*c'], 'a/1c2b', false],
    [['ab*ba'], 'aba', false],
    [['a*b*ba'], 'a-ba', false],
    [['a**b'], 'ab', true],
    [['*', 'b'], '', true],
    [[''], 'a/1', false],
  ];
  for (const [patterns, id, allowed] of cases) {
    it(`${JSON.stringify(patterns)} ${allowed ? 'allows' : 'refuses'} ${JSON.stringify(id)}`, () => {
      expect(compilePatterns(patterns)(id)).to.equal(allowed);
      expect(allowsModel(patterns, id)).to.equal(allowed);
    });
  }

  it('compares an id with many wildcards in linear time', () => {
    expect(allowsModel([`${'*a'.repeat(7)}*b`], 'a'.repeat(60))).to.equal(false);
  });

  it('compiles each list of patterns once', () => {
    let reads = 0;
    const list = new Proxy(['a/*'], {
      get: (target, name) => {
        reads += 1;
        return Reflect.get(target, name) as unknown;
      },
    });
    expect(allowsModel(list, 'a/1')).to.equal(true);
    const once = reads;
    expect(once).to.be.greaterThan(0);
    expect(allowsModel(list, 'a/2')).to.equal(true);
    expect(allowsModel(list, 'b/1')).to.equal(false);
    expect(reads).to.equal(once);
  });
});
