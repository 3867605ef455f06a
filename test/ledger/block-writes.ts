import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';

/** Locks the ledger against writes, as another program could. @returns a function that releases it */
export const blockWrites = async (url: string): Promise<() => Promise<void>> => {
  if (url.startsWith('sqlite:')) {
    const database = new DatabaseSync(url.slice('sqlite:'.length), { timeout: 5_000 });
    database.exec('BEGIN IMMEDIATE');
    return async () => {
      database.exec('ROLLBACK');
      database.close();
    };
  }
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('BEGIN');
  await client.query('LOCK TABLE ledger IN EXCLUSIVE MODE');
  return () => client.end();
};
