import { expect } from 'chai';
import portkey from '../../importers/portkey/index.ts';
import { checkFixtures } from './check-fixtures.ts';

describe('the Portkey importer', () => {
  const { names, read, translate } = checkFixtures(portkey, 'portkey', '.json');

  it('finds enough Portkey configs to import', () => expect(names).to.have.length.greaterThan(12));

  it('a configuration imported from Portkey contains no secret', async () => {
    for (const name of names) {
      const { text, notes } = await translate(name);
      expect(text + notes, name).not.to.match(/clear-[\w-]*\d{4}/);
    }
    const secrets = names.flatMap((name) => read(`${name}.json`).match(/clear-[\w-]*\d{4}/g) ?? []);
    expect(secrets).to.have.length.greaterThan(12);
  });
});
