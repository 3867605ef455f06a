import { expect } from 'chai';
import { secretsOf } from '../../../../core/config/secrets/secrets-of.ts';

describe('the secrets in settings', () => {
  it('are the texts under names for secrets, at any depth', () => {
    const settings = {
      apiKey: ' one ',
      apiKeys: ['two', 'three'],
      baseUrl: 'http://x',
      nested: [{ client_secret: 'four' }, { credentials: { id: 'five' } }],
      accessToken: 'six',
      organization: 'acme',
    };
    expect(secretsOf(settings)).to.deep.equal(['one', 'two', 'three', 'four', 'five', 'six']);
  });

  it('are none where there is nothing to look into', () => {
    for (const settings of [undefined, null, 'apiKey', 7, {}]) expect(secretsOf(settings)).to.deep.equal([]);
  });
});
