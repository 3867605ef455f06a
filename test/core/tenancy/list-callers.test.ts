import { expect } from 'chai';
import type { KeyConfig, OrganizationConfig } from '../../../core/config/gateway-config.ts';
import { listCallers } from '../../../core/tenancy/list-callers.ts';
import type { StoredKey } from '../../../core/tenancy/key-table.ts';

const NOW = 1_000;
const keyOf = (more: Partial<KeyConfig> = {}): KeyConfig => ({ models: [], disabled: false, ...more });
const over: readonly [string, KeyConfig][] = [
  ['gone', keyOf({ disabled: true })],
  ['over', keyOf({ expires: NOW })],
];
const organizations: Readonly<Record<string, OrganizationConfig>> = {
  acme: {
    limits: [],
    projects: {
      web: {
        limits: [],
        keys: {
          alice: keyOf({ models: ['openai/*'], limits: [] }),
          ...Object.fromEntries(over),
          later: keyOf({ expires: NOW + 1 }),
        },
      },
      batch: { limits: [], keys: { carol: keyOf() } },
    },
  },
  globex: { limits: [], projects: { lab: { limits: [], keys: { dora: keyOf() } } } },
};
const stored = (name: string, more: Partial<StoredKey> = {}): StoredKey => ({
  id: name,
  prefix: `koine_${name}`,
  name,
  organization: 'acme',
  project: 'web',
  models: [],
  disabled: false,
  revoked: false,
  createdAt: 1,
  ...more,
});

const list = async (filter: { organization?: string; project?: string } = {}, limit = 100) => {
  const queries: unknown[] = [];
  const table = {
    list: async (...query: readonly unknown[]) => {
      queries.push(query);
      return [
        stored('eve', { ownerId: 'https://login.example.com e1' }),
        stored('revoked', { disabled: true }),
        stored('old', { expiresAt: NOW }),
      ];
    },
  };
  const callers = await listCallers({ organizations, table, clock: { now: () => NOW } }, { ...filter, limit });
  return { names: callers.map(({ key }) => key), callers, queries };
};

describe('listCallers', () => {
  it('returns callers of the configuration, then of the database, without revoked and expired keys', async () => {
    const { names, callers } = await list();
    expect(names).to.deep.equal(['alice', 'later', 'carol', 'dora', 'personal:eve']);
    expect(callers[0]).to.deep.equal({
      key: 'alice',
      project: 'web',
      organization: 'acme',
      models: ['openai/*'],
      limits: [],
    });
    expect(callers.map(({ personal }) => personal)).to.deep.equal([undefined, undefined, undefined, undefined, true]);
  });

  it('lists callers filtered by organization and project', async () => {
    expect((await list({ organization: 'acme', project: 'batch' })).names).to.deep.equal(['carol', 'personal:eve']);
    expect((await list({ organization: 'globex' })).names[0]).to.equal('dora');
  });

  it('returns at most the given number, and queries the database only for the remainder', async () => {
    const few = await list({}, 2);
    expect([few.names, few.queries]).to.deep.equal([['alice', 'later'], []]);
    expect((await list({ organization: 'globex' }, 5)).queries).to.deep.equal([
      [{ organization: 'globex', limit: 5 }, 4],
    ]);
  });
});
