import { Ajv } from 'ajv';
import { expect } from 'chai';
import auth from '../../../plugins/auth/index.ts';

describe('auth: options', () => {
  it('are none, and another is refused', () => {
    const accepts = new Ajv({ strict: true }).compile(auth.schema);
    expect([accepts({}), accepts({ header: 'x-key' })]).to.deep.equal([true, false]);
  });

  it('belong to a plugin named auth of this API', () => {
    expect(auth).to.include({ kind: 'plugin', name: 'auth', apiVersion: 1 });
  });
});
