import { expect } from 'chai';
import { findOptionSecrets } from '../../../../core/config/secrets/option-secrets.ts';

describe('findOptionSecrets', () => {
  it('finds the texts under names of secrets at any depth', () => {
    const settings = {
      apiKey: ' one ',
      apiKeys: ['two', 'three'],
      baseUrl: 'http://x',
      nested: [{ client_secret: 'four' }, { credentials: { id: 'five' } }],
      accessToken: 'six',
      organization: 'acme',
    };
    expect(findOptionSecrets(settings)).to.deep.equal(['one', 'two', 'three', 'four', 'five', 'six']);
  });

  it('finds no secrets in values that are not objects', () => {
    for (const settings of [undefined, null, 'apiKey', 7, {}]) expect(findOptionSecrets(settings)).to.deep.equal([]);
  });
});
