import { expect } from 'chai';
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
