import { expect } from 'chai';
import { Directory } from '../../../../../core/http/admin/scim/directory.ts';
import type { Provisioned } from '../../../../../core/tenancy/people.ts';

const HOUR_MS = 3_600_000;

describe('sessions of provisioned people', () => {
  let now: number;
  let found: Provisioned | undefined | Error;
  let directory: Directory;
  const actor = { id: 'person', name: 'Alice', role: 'admin', groups: ['staff'] } as const;
  beforeEach(() => {
    now = 5_000;
    found = { active: true, groups: ['staff', 'other'] };
    const find = () => (found instanceof Error ? Promise.reject(found) : Promise.resolve(found));
    directory = new Directory({
      people: { find, bindPerson: () => Promise.resolve() },
      config: { unknownUsers: 'refuse', groupsGiveRoles: true },
      isEffective: (group) => group === 'staff',
      clock: { monotonic: () => now },
    });
  });

  it('go on while the person is active and has the groups of the sign-in', async () => {
    expect(await directory.confirms(actor)).to.equal(true);
    found = { active: true, groups: [] };
    expect(await directory.confirms(actor)).to.equal(false);
    found = { active: false, groups: ['staff'] };
    expect(await directory.confirms(actor)).to.equal(false);
    found = undefined;
    expect(await directory.confirms(actor)).to.equal(false);
  });

  it('outlive their last confirmation by an hour while the database fails, and never start then', async () => {
    found = new Error('no database');
    expect(await directory.confirms(actor)).to.equal(false);
    found = { active: true, groups: ['staff'] };
    expect(await directory.confirms(actor)).to.equal(true);
    found = new Error('no database');
    now += HOUR_MS - 1;
    expect(await directory.confirms(actor)).to.equal(true);
    now += 1;
    expect(await directory.confirms(actor)).to.equal(false);
  });
});
