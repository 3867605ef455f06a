import { expect } from 'chai';
import { dialectOf, sql } from '../../../../core/api/database.ts';
import { createInsert } from '../../../../plugins/ledger/thread/insert.ts';
import { openToWrite } from '../../../../plugins/ledger/thread/open-ledger.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';
import { NOW, onBoth } from '../setup.ts';

onBoth('inserts of the ledger', (database) => {
  const columns = ['organization', 'project', 'key', 'route', 'wire', 'operation', 'model', 'provider', 'target'];
  const texts = ['"quoted", \\ and \n', "it's {a: 1} \u2028 😀", '', 'null'];

  it('store text and integers beyond 2^53 as they are, and return the rows', async () => {
    const insert = createInsert(
      dialectOf(database()),
      'ledger_dimensions',
      ['id', ...columns],
      'RETURNING id, organization',
    );
    const found = await insert(
      database(),
      texts.map((text, index) => [2n ** 60n + BigInt(index), ...columns.map(() => text)]),
    );
    const expected = texts.map((organization, index) => ({ id: 2n ** 60n + BigInt(index), organization }));
    expect(found).to.deep.equal(expected);
    expect(
      await database().selectFrom('ledger_dimensions').select(['id', 'organization']).orderBy('id').execute(),
    ).to.deep.equal(expected);
  });

  it('take one statement in Postgres, and few of which each is prepared once in SQLite', async () => {
    const statements = new Set<unknown>();
    const counting = database().withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result, queryId }) => {
        statements.add(queryId);
        return result;
      },
    });
    const dialect = dialectOf(database());
    const insert = createInsert(dialect, 'ledger_processes', ['id', 'renewed_at', 'expires_at'], '');
    await insert(
      counting,
      Array.from({ length: 201 }, (_, index) => [`process-${index}`, NOW, NOW]),
    );
    expect(statements.size).to.equal(dialect.name === 'postgres' ? 1 : 5);
  });
});

describe('openToWrite', () => {
  it('waits for the disk at each transaction of a strict ledger only', async () => {
    const folder = createTemporaryFolder();
    const read = async (durability: 'batched' | 'strict'): Promise<unknown> => {
      const database = await openToWrite(`sqlite:${folder.path}/koine.db`, durability);
      const { rows } = await sql`PRAGMA synchronous`.execute(database);
      await database.destroy();
      return rows;
    };
    expect(await read('batched')).to.deep.equal([{ synchronous: 1 }]);
    expect(await read('strict')).to.deep.equal([{ synchronous: 2 }]);
    folder.remove();
  });
});
