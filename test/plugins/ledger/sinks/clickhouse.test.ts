import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { createTestServices } from '../../../../core/testing/index.ts';
import { openClickHouse } from '../../../../plugins/ledger/sinks/clickhouse.ts';
import { sinkColumnNames, type SinkRow } from '../../../../plugins/ledger/sinks/columns.ts';
import type { ClickHouseOptions } from '../../../../plugins/ledger/sinks/schema.ts';
import { requireClickHouse, startClickHouse, type ClickHouse } from '../../../support/servers/clickhouse.ts';
import { bareRow, fullRow, idOf } from './rows.ts';

/** The statements of the page, in its order. */
const statements = (): readonly string[] =>
  [...readFileSync('docs/operate/ledger-sinks.md', 'utf8').matchAll(/^```sql test=\S+\n(.*?)^```/gms)]
    .flatMap(([, text = '']) => text.split(';\n'))
    .filter((statement) => statement.trim() !== '');

describe('the sink of the ledger in ClickHouse', function () {
  this.timeout(120_000);
  let server: ClickHouse;
  let options: ClickHouseOptions;
  before(async function () {
    requireClickHouse(this);
    server = await startClickHouse();
    const { url, username, password } = server;
    const pace = { every: '1s', rows: 10, history: false };
    options = { url, username, password, database: 'koine', table: 'ledger', ...pace };
    for (const statement of statements()) await server.query(statement);
  });
  after(() => server?.stop());
  const use = async (more: Partial<ClickHouseOptions>, rows?: readonly SinkRow[]): Promise<string> => {
    const sink = openClickHouse({ ...options, ...more }, createTestServices());
    return (rows === undefined ? sink.check() : sink.write(rows))
      .then(() => 'done', String)
      .finally(() => sink.close());
  };
  const stored = () =>
    server.query<SinkRow>(
      `SELECT * REPLACE (toUnixTimestamp64Milli(opened_at) AS opened_at, toUnixTimestamp64Milli(ended_at) AS ended_at)
        FROM koine.ledger FINAL ORDER BY id FORMAT JSONEachRow`,
    );

  it('has every column of the rows, as the table of the page has them', async () => {
    const rows = [fullRow(idOf('1')), bareRow(idOf('2'))];
    expect(await use({}, rows)).to.equal('done');
    const found = await stored();
    expect(Object.keys(found[0] ?? {})).to.deep.equal(sinkColumnNames);
    expect(found).to.deep.equal(rows);
  });

  it('has a row once that was written again, and the settled one of an abandoned one', async () => {
    const [id, other] = [idOf('3'), idOf('4')];
    const settled = fullRow(id);
    expect(await use({}, [bareRow(id), bareRow(other)])).to.equal('done');
    expect(await use({}, [settled, bareRow(other)])).to.equal('done');
    expect(await use({}, [bareRow(id)])).to.equal('done');
    expect((await stored()).filter((row) => [id, other].includes(row.id))).to.deep.equal([settled, bareRow(other)]);
  });

  it('writes to a table that lacks a new column, and the check names it', async () => {
    await server.query('CREATE TABLE koine.earlier AS koine.ledger');
    await server.query('ALTER TABLE koine.earlier DROP COLUMN losses');
    expect(await use({ table: 'earlier' }, [fullRow(idOf('5'))])).to.equal('done');
    expect(await use({ table: 'earlier' })).to.match(/losses/);
    expect(await use({})).to.equal('done');
  });

  it('says what is wrong: no table, another password, no server', async () => {
    expect(await use({ table: 'none' })).to.match(/none/);
    expect(await use({ table: 'none' }, [fullRow(idOf('6'))])).to.match(/none/);
    expect(await use({ password: 'other' })).to.match(/Authentication failed/);
    expect(await use({ url: 'http://127.0.0.1:1' })).to.match(/ECONNREFUSED/);
  });
});
