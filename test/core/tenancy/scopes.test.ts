import { expect } from 'chai';
import type { OrganizationConfig, ProjectConfig } from '../../../core/config/gateway-config.ts';
import type { Caller, Limit } from '../../../core/contracts/caller.ts';
import { createTenancy } from '../../../core/tenancy/scopes.ts';

const limitOf = (amount: number): readonly Limit[] => [
  { unit: 'requests', amount, per: 60_000, models: [], enforce: true },
];
const callerOf = (organization: string, project: string, more: Partial<Caller> = {}): Caller => ({
  key: 'alice',
  project,
  organization,
  models: [],
  ...more,
});

const [every, ofOrganization, ofProject, own, sharedAbove, shared] = [
  limitOf(1),
  limitOf(2),
  limitOf(3),
  limitOf(4),
  limitOf(5),
  limitOf(6),
];

const projects: Readonly<Record<string, ProjectConfig>> = {
  web: { limits: shared, keyLimits: ofProject, keys: {} },
  free: { limits: [], keyLimits: [], keys: {} },
  plain: { limits: [], keys: {} },
};
const organizations: Readonly<Record<string, OrganizationConfig>> = {
  acme: { limits: sharedAbove, keyLimits: ofOrganization, projects },
  globex: { limits: [], projects },
};

describe('createTenancy', () => {
  const tenancy = createTenancy({ organizations, limits: every, admin: {} });
  const ofKey = (caller: Caller): readonly Limit[] | undefined => tenancy.scopes(caller)[0]?.limits;

  it('returns the scopes of the key, its project and its organization, in this order', () => {
    expect(tenancy.scopes(callerOf('acme', 'web'))).to.deep.equal([
      { scope: 'key', path: ['acme', 'web', 'alice'], limits: ofProject },
      { scope: 'project', path: ['acme', 'web'], limits: shared },
      { scope: 'organization', path: ['acme'], limits: sharedAbove },
    ]);
  });

  it("gives a key the nearest list of limits: its own, its project's, its organization's or the gateway's", () => {
    expect(ofKey(callerOf('acme', 'web', { limits: own }))).to.equal(own);
    expect(ofKey(callerOf('acme', 'web'))).to.equal(ofProject);
    expect(ofKey(callerOf('acme', 'plain'))).to.equal(ofOrganization);
    expect(ofKey(callerOf('globex', 'web'))).to.equal(ofProject);
    expect(ofKey(callerOf('globex', 'plain'))).to.equal(every);
  });

  it('a key that a person has made has the limits of admin.personalKeys, unless an operator has given it others', () => {
    const personal = limitOf(7);
    const rules = { projects: {}, maxKeys: 5, maxLifetime: 1_000, models: [], limits: personal };
    const { scopes } = createTenancy({ organizations, limits: every, admin: { personalKeys: rules } });
    const ofPerson = (more: Partial<Caller> = {}): readonly Limit[] | undefined =>
      scopes(callerOf('acme', 'web', { personal: true, ...more }))[0]?.limits;
    expect(ofPerson()).to.equal(personal);
    expect(ofPerson({ limits: own })).to.equal(own);
    expect(scopes(callerOf('acme', 'web'))[0]?.limits).to.equal(ofProject);
    expect(ofKey(callerOf('acme', 'web', { personal: true }))).to.equal(ofProject);
  });

  it('an empty list means no limits for the key, while shared limits still apply', () => {
    const scopes = tenancy.scopes(callerOf('acme', 'web', { limits: [] }));
    expect(scopes.map(({ limits }) => limits)).to.deep.equal([[], shared, sharedAbove]);
    expect(ofKey(callerOf('acme', 'free'))).to.deep.equal([]);
  });

  it('a key of an unknown organization has the limits of the gateway, and no shared ones', () => {
    expect(tenancy.scopes(callerOf('elsewhere', 'web')).map(({ limits }) => limits)).to.deep.equal([every, [], []]);
    expect(tenancy.scopes(callerOf('elsewhere', 'web', { limits: own })).map(({ limits }) => limits)).to.deep.equal([
      own,
      [],
      [],
    ]);
  });

  it('a key of an unknown project has the limits of its organization', () => {
    expect(tenancy.scopes(callerOf('acme', 'elsewhere')).map(({ limits }) => limits)).to.deep.equal([
      ofOrganization,
      [],
      sharedAbove,
    ]);
  });

  it('names like __proto__ find no scope of the configuration', () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      expect(tenancy.scopes(callerOf(name, name, { key: name })), name).to.deep.equal([
        { scope: 'key', path: [name, name, name], limits: every },
        { scope: 'project', path: [name, name], limits: [] },
        { scope: 'organization', path: [name], limits: [] },
      ]);
      expect(
        tenancy.scopes(callerOf('acme', name)).map(({ limits }) => limits),
        name,
      ).to.deep.equal([ofOrganization, [], sharedAbove]);
    }
  });

  it('returns the same scopes for the same caller', () => {
    const caller = callerOf('acme', 'web');
    expect(tenancy.scopes(caller)).to.equal(tenancy.scopes(caller));
    expect(tenancy.scopes({ ...caller, project: 'plain' })[0]?.path).to.deep.equal(['acme', 'plain', 'alice']);
  });
});
