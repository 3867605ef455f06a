import { expect } from 'chai';
import { omitUndefined } from '../../../core/api/codec.ts';
import { readHousekeepingSettings, readSpoolSettings } from '../../../plugins/ledger/settings.ts';
import type { LedgerOptions } from '../../../plugins/ledger/schema.ts';

const POSTGRES = 'postgres://koine@db.internal:5432/koine';
const SQLITE = 'sqlite:/var/lib/koine/koine.db';

const optionsOf = (path?: string): LedgerOptions => ({
  durability: 'batched',
  retention: '400d',
  usageRetention: '1830d',
  lease: '15s',
  refused: 5,
  spool: omitUndefined({ size: '1mb', onFull: 'refuse' as const, path }),
});

const cases = [
  {
    title: 'a relative path beside gateway.yaml, with Postgres',
    databaseUrl: POSTGRES,
    path: 'rows/spool',
    expected: '/etc/koine/rows/spool',
  },
  { title: 'no path, with Postgres', databaseUrl: POSTGRES, expected: '/etc/koine/koine-ledger.spool' },
  { title: 'a relative path, with SQLite', databaseUrl: SQLITE, path: './spool', expected: '/var/lib/koine/spool' },
  { title: 'no path, with SQLite', databaseUrl: SQLITE, expected: '/var/lib/koine/koine-ledger.spool' },
  {
    title: 'no path, with a database in memory',
    databaseUrl: 'sqlite::memory:',
    expected: '/etc/koine/koine-ledger.spool',
  },
  { title: 'an absolute path', databaseUrl: POSTGRES, path: '/srv/spool', expected: '/srv/spool' },
];

describe('the path of the spool', () => {
  for (const { title, databaseUrl, path, expected } of cases) {
    it(`places the spool at ${expected} for ${title}`, () => {
      const location = { databaseUrl, folder: '/etc/koine' };
      const isKept = databaseUrl !== 'sqlite::memory:';
      expect(readSpoolSettings(optionsOf(path), location).path).to.equal(isKept ? expected : undefined);
      expect(readHousekeepingSettings(optionsOf(path), location).spoolPath).to.equal(expected);
    });
  }
});
