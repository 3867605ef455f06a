import { expect } from 'chai';
import { MemoryRecords } from '../../../../core/services/vendor-state/memory-records.ts';
import type { StateRecord } from '../../../../core/services/vendor-state/records.ts';

const KEEP_MS = 30 * 86_400_000;
const recordOf = (owner: string, credential = 'key-1'): StateRecord => ({ owner, provider: 'openai', credential });

describe('records of stored objects in memory', () => {
  let now = 1_000;
  const open = (most?: number, mostOfProject?: number): MemoryRecords =>
    new MemoryRecords({ now: () => now }, most, mostOfProject);
  const ownersOf = (records: MemoryRecords, ...digests: readonly string[]): readonly unknown[] =>
    records.find(digests).map((record) => record?.owner ?? null);

  it('a record expires after 30 days, and not before', () => {
    const records = open();
    records.add(['a'], recordOf('web'));
    now += KEEP_MS - 1;
    records.add(['b'], recordOf('web'));
    expect(ownersOf(records, 'a', 'b')).to.deep.equal(['web', 'web']);
    now += 1;
    expect(ownersOf(records, 'a', 'b')).to.deep.equal([null, 'web']);
    now += KEEP_MS;
    expect(ownersOf(records, 'b')).to.deep.equal([null]);
  });

  it('the first project keeps its record, and can renew it with another credential', () => {
    const records = open();
    records.add(['a'], recordOf('web'));
    records.add(['a'], recordOf('shop'));
    expect(ownersOf(records, 'a')).to.deep.equal(['web']);
    records.add(['a'], recordOf('web', 'key-2'));
    expect(records.find(['a'])).to.deep.equal([recordOf('web', 'key-2')]);
  });

  it('another project can have an id whose record has expired', () => {
    const records = open();
    records.add(['a'], recordOf('web'));
    now += KEEP_MS;
    records.add(['a'], recordOf('shop'));
    expect(ownersOf(records, 'a')).to.deep.equal(['shop']);
  });

  it('a project with many records loses its own oldest ones', () => {
    const records = open(100, 2);
    records.add(['other'], recordOf('shop'));
    records.add(['a', 'b', 'c'], recordOf('web'));
    expect(ownersOf(records, 'other', 'a', 'b', 'c')).to.deep.equal(['shop', null, 'web', 'web']);
  });

  it('the oldest record of all goes first when there are too many', () => {
    const records = open(3, 2);
    for (const [index, owner] of ['web', 'shop', 'bank', 'post'].entries()) records.add([`${index}`], recordOf(owner));
    expect(ownersOf(records, '0', '1', '2', '3')).to.deep.equal([null, 'shop', 'bank', 'post']);
  });
});
