import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase, sql } from '../../../../core/api/database.ts';
import { describeRequest } from '../../../../plugins/ledger/api/describe-request.ts';
import { readRequestsRequest } from '../../../../plugins/ledger/api/requests-request.ts';
import { ledgerTables } from '../../../../plugins/ledger/migrations.ts';
import { search } from '../../../../plugins/ledger/read/search.ts';
import type { LedgerSchema } from '../../../../plugins/ledger/tables.ts';
import { describeOnBoth } from '../../../support/servers/databases.ts';

/** docs/reference/ledger.md has the statements that create the indexes before an update. */
const page = readFileSync(join(import.meta.dirname, '../../../../docs/reference/ledger.md'), 'utf8');
const statements = /```sql.*\n([^]*?)```/.exec(page)?.[1]?.split(';').slice(0, -1) ?? [];

describeOnBoth('requests of an earlier version', (databases) => {
  it('are found after an upgrade, and have null for what was not stored, also with indexes that exist', async () => {
    const url = await databases.fresh();
    const owner = ledgerTables(10_000);
    expect(statements).to.have.length(3);
    const before = owner.migrations.findIndex(({ name }) => name === '007-requests');
    const old = await openDatabase<LedgerSchema>(url, { ...owner, migrations: owner.migrations.slice(0, before) });
    await sql`INSERT INTO ledger (id, process, state, opened_at, ended_at, organization, project, key, route, wire,
      operation, model, target, status, outcome, attempts, input_tokens, cache_read_tokens, cache_write_5m_tokens,
      cache_write_1h_tokens, output_tokens, reasoning_tokens, usage_source, cost)
      VALUES ('req_old', 'p', 'settled', 1, 2, 'acme', 'web', 'alice', 'r', 'w', 'generate', 'm', 'vendor/m', 504,
        'timeout', 1, 3, 0, 0, 0, 4, 0, 'provider', 5000)`.execute(old);
    await sql`INSERT INTO ledger_dimensions (id, organization, project, key, route, wire, operation, model, provider,
      target) VALUES (1, 'acme', 'web', 'alice', 'r', 'w', 'generate', 'm', 'vendor', 'vendor/m')`.execute(old);
    for (const statement of statements)
      await sql.raw(databases.kind === 'sqlite' ? statement.replace(' CONCURRENTLY', '') : statement).execute(old);
    await old.destroy();

    const database = await openDatabase<LedgerSchema>(url, owner);
    const { rows } = await search(database, readRequestsRequest({ key: 'acme/web/alice', outcome: 'failure' }));
    await database.destroy();
    expect(rows.map(({ id }) => id)).to.deep.equal(['req_old']);
    const [row] = rows;
    if (row === undefined) throw new Error('there is no row');
    expect(describeRequest(row, undefined)).to.deep.include({
      stream: null,
      code: null,
      message: null,
      upstreamRequestId: null,
      cost: '0.000005',
      losses: [],
      attemptTrail: [
        {
          provider: 'vendor',
          model: 'm',
          credential: null,
          startedMs: null,
          durationMs: null,
          status: 504,
          outcome: 'timeout',
          code: null,
          upstreamRequestId: null,
        },
      ],
    });
  });
});
