import { expect } from 'chai';
import { TenantNames } from '../../../plugins/metrics/tenant-names.ts';

const times = (count: number, action: (turn: number) => void): void => {
  for (let turn = 0; turn < count; turn += 1) action(turn);
};

describe('TenantNames', () => {
  it('gives a name to each of the first tenants with their first request, up to half of the maximum', () => {
    const names = new TenantNames(10, true);
    const given = Array.from({ length: 8 }, (_, index) => names.count(`tenant-${index}`));
    expect(given).to.deep.equal([true, true, true, true, true, false, false, false]);
    expect(names.count('tenant-0')).to.equal(true);
  });

  it('keeps names for large tenants that come after many small ones', () => {
    const names = new TenantNames(10, true);
    times(2_000, (turn) => void names.count(`small-${turn % 500}`));
    times(4_000, (turn) => void names.count(`large-${turn % 4}`));
    expect(names.list()).to.include.members(['large-0', 'large-1', 'large-2', 'large-3']);
    expect(names.list().filter((name) => name.startsWith('small'))).to.have.length(5);
  });

  it('never gives more names than the maximum, and never takes one back', () => {
    const names = new TenantNames(6, true);
    let before: readonly string[] = [];
    times(60, (round) => {
      times(200, () => void names.count(`round-${round}`));
      expect(names.list().slice(0, before.length)).to.deep.equal(before);
      before = names.list();
    });
    expect(before.length).to.be.within(4, 6);
  });

  it('gives a tenant with a large share the last name, but not one with a small share', () => {
    const names = new TenantNames(2, true);
    names.count('first');
    times(900, () => void names.count('first'));
    times(100, () => void names.count('small'));
    expect(names.list()).to.deep.equal(['first']);
    times(400, () => void names.count('large'));
    expect(names.list()).to.deep.equal(['first', 'large']);
  });

  it('has no effect of chance: a few requests prove no share', () => {
    const names = new TenantNames(2, true);
    expect(['first', 'second', 'second', 'third'].map((name) => names.count(name))).to.deep.equal([
      true,
      false,
      false,
      false,
    ]);
  });

  it('stays bounded when tenants are without number', () => {
    const names = new TenantNames(2, true);
    times(50_000, (turn) => void names.count(`tenant-${turn}`));
    expect(names.list()).to.deep.equal(['tenant-0']);
  });

  it('gives no name before it has adopted those of other processes, which it keeps beyond the maximum', () => {
    const names = new TenantNames(2, false);
    expect(names.count('mine')).to.equal(false);
    names.adopt(['a', 'b', 'c']);
    expect([names.count('a'), names.count('c'), names.count('mine')]).to.deep.equal([true, true, false]);
    expect(names.list()).to.deep.equal(['a', 'b', 'c']);
  });
});
