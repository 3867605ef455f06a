import { expect } from 'chai';
import { formatKeys } from '../../../../core/cli/keys/format-keys.ts';
import { readKeyQuery } from '../../../../core/http/admin/key-query.ts';
import type { ListedKey } from '../../../../core/tenancy/listed-key.ts';
import { stateOf } from '../../../../plugins/dashboard/page/data/keys.js';

const DAY = 86_400_000;
const now = Date.now();
const key: ListedKey = {
  id: 'key_1',
  name: 'alice',
  organization: 'acme',
  project: 'web',
  models: [],
  disabled: false,
  origin: 'database',
};

describe('the state of a key', () => {
  const [later, soon, past] = [8 * DAY, DAY, -DAY].map((left) => ({ expiresAt: new Date(now + left).toISOString() }));
  for (const [what, state, more] of [
    ['without an end', 'active', {}],
    ['that ends later', 'active', later],
    ['that ends soon', 'expiring', soon],
    ['that has ended', 'expired', past],
    ['that is disabled and has ended', 'expired', { ...past, disabled: true }],
    ['that is disabled', 'disabled', { disabled: true }],
    ['that is disabled and ends soon', 'disabled', { ...soon, disabled: true }],
    ['that is revoked', 'revoked', { disabled: true, revoked: true }],
    ['that is revoked and has ended', 'revoked', { ...past, disabled: true, revoked: true }],
  ] as const)
    it(`is ${state} on the page, in koine keys list and in the API for one ${what}`, () => {
      const listed: ListedKey = { ...key, ...more };
      const [, row = ''] = formatKeys([listed], now).split('\n');
      expect(row.split(/ {2,}/)).to.include(state);
      expect(stateOf(listed)).to.equal(state);
      expect(readKeyQuery({ query: { state } }, now).states).to.deep.equal([state]);
    });
});
