import { expect } from 'chai';
import litellm from '../../importers/litellm/index.ts';
import { checkFixtures } from './check-fixtures.ts';

describe('the LiteLLM importer', () => {
  const { names, read, translate } = checkFixtures(litellm, 'litellm', '.yaml');

  it('finds enough fixtures to import', () => expect(names).to.have.length.greaterThan(14));

  it('an imported configuration contains no secret', async () => {
    const { text, notes } = await translate('secrets-in-clear');
    expect(read('secrets-in-clear.yaml').match(/clear-[\w-]*\d{4}/g)).to.have.length(12);
    expect(text + notes).not.to.match(/clear-[\w-]*\d{4}/);
  });

  it('the notes have one entry for every setting that is not imported', async () => {
    const { notes } = await translate('enterprise');
    for (const line of read('enterprise.yaml').matchAll(/^ {2}(\w+):/gm))
      if (!['docs', 'json_logs', 'cache', 'master_key'].includes(line[1]!)) expect(notes).to.include(`.${line[1]}`);
  });
});
