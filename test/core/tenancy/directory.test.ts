import { expect } from 'chai';
import type { KeyRecord } from '../../../core/contracts/caller.ts';
import type { StoredKeys } from '../../../core/tenancy/cache/stored-keys.ts';
import { joinKeys } from '../../../core/tenancy/directory.ts';

const digest = Buffer.alloc(32, 1);
const asked = { digest, text: 'key' };
const recordOf = (unprovisioned?: true): KeyRecord => ({
  caller: { organization: 'acme', project: 'web', key: 'alice', models: [] },
  digest,
  disabled: false,
  ...(unprovisioned === undefined ? {} : { unprovisioned }),
});
const storing = (record: KeyRecord | undefined | Promise<KeyRecord | undefined>) =>
  ({ find: () => record }) as Partial<StoredKeys> as StoredKeys;

describe('keys of the configuration and of the database', () => {
  it('those of the configuration come first', async () => {
    const own = recordOf();
    const keys = joinKeys(new Map([[digest.toString('hex'), own]]), storing(recordOf(true)));
    expect(await keys.find(asked)).to.equal(own);
    expect(await joinKeys(new Map(), storing(undefined)).find(asked)).to.equal(undefined);
  });

  it('a key of a person whom the directory never had is disabled where it refuses unknown people', async () => {
    for (const stored of [recordOf(true), Promise.resolve(recordOf(true))]) {
      expect(await joinKeys(new Map(), storing(stored)).find(asked)).to.have.property('disabled', false);
      expect(await joinKeys(new Map(), storing(stored), true).find(asked)).to.have.property('disabled', true);
    }
    expect(await joinKeys(new Map(), storing(recordOf()), true).find(asked)).to.have.property('disabled', false);
  });
});
