import { expect } from 'chai';
import { findOptionSecrets } from '../../../../core/config/secrets/option-secrets.ts';
import { isSecretPath } from '../../../../core/config/secrets/secret-paths.ts';

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

  it('names that a setting renames are no secrets', () => {
    const settings = { body: { rename: { max_tokens: 'max_new_tokens' }, set: { api_key: 'one' } } };
    expect(findOptionSecrets(settings)).to.deep.equal(['one']);
    const path = ['providers', 'acme', 'config', 'body'];
    expect([isSecretPath([...path, 'rename', 'max_tokens']), isSecretPath([...path, 'set', 'api_key'])]).to.deep.equal([
      false,
      true,
    ]);
  });

  it('the file or the program of a secret is none', () => {
    const apiKeys = [{ file: '/run/key' }, { exec: ['vault', 'read'], every: '5m' }, { file: 'x', password: 'one' }];
    expect(findOptionSecrets({ apiKeys })).to.deep.equal(['one']);
    const path = ['providers', 'acme', 'config', 'apiKeys', 0];
    const shown = [['file'], ['every'], ['exec', 0], ['exec', 1]].map((more) => isSecretPath([...path, ...more]));
    expect(shown).to.deep.equal([false, false, false, true]);
    expect([isSecretPath(path), isSecretPath([...path, 'password'])]).to.deep.equal([true, true]);
  });
});
