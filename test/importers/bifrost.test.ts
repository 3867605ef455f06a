import { expect } from 'chai';
import { tighten } from '../../importers/bifrost/limits.ts';
import bifrost from '../../importers/bifrost/index.ts';
import { checkFixtures } from './check-fixtures.ts';

describe('the Bifrost importer', () => {
  const { names, read, translate } = checkFixtures(bifrost, 'bifrost', '.json');

  it('finds enough configurations of Bifrost to import', () => expect(names).to.have.length.greaterThan(12));

  it('a configuration imported from Bifrost contains no secret', async () => {
    for (const name of names) {
      const { text, notes } = await translate(name);
      expect(text + notes, name).not.to.match(/clear-[\w-]*\d{4}/);
    }
    const secrets = names.flatMap((name) => read(`${name}.json`).match(/clear-[\w-]*\d{4}/g) ?? []);
    expect(secrets).to.have.length.greaterThan(14);
  });
});

describe('limits of Bifrost that differ in how they name the same models', () => {
  it('become the smallest of them', () => {
    const [one, two] = [
      ['a', 'b'],
      ['b', 'a', 'a'],
    ];
    const limits = [
      { cost: 10, per: 'week', models: one },
      { cost: 5, per: 'week', models: two },
      { cost: 7, per: 'day', models: one },
    ];
    expect(tighten(limits)).to.deep.equal([limits[1], limits[2]]);
  });
});
