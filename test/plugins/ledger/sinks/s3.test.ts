import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { fetchService } from '../../../../core/services/network/fetch.ts';
import { createTestServices } from '../../../../core/testing/index.ts';
import { sinkColumnNames, sinkColumns, type SinkRow } from '../../../../plugins/ledger/sinks/columns.ts';
import { openS3 } from '../../../../plugins/ledger/sinks/s3.ts';
import { requireClickHouse } from '../../../support/servers/clickhouse.ts';
import { requireMoto, startMoto, type Moto } from '../../../support/servers/moto.ts';
import { NOW } from '../setup.ts';
import { bareRow, fullRow, idOf } from './rows.ts';

const DAY = 86_400_000;
const arrowTypes = { text: 'string', integer: 'int64', time: 'timestamp[ms, tz=UTC]' };

/** A row as pyarrow reads it. */
interface Found {
  readonly name: string;
  readonly row?: SinkRow;
  readonly types?: Readonly<Record<string, string>>;
}

describe('the sink of the ledger in a bucket', function () {
  this.timeout(120_000);
  let moto: Moto;
  before(async function () {
    requireMoto(this);
    // For pyarrow.
    requireClickHouse(this);
    moto = await startMoto('rows', false);
  });
  after(() => moto?.stop());
  const use = async (rows: readonly SinkRow[] | undefined, more: object = {}): Promise<string> => {
    const { url: endpoint, accessKeyId, secretAccessKey } = moto;
    const place = { bucket: 'rows', region: 'us-east-1', endpoint, prefix: 'koine', accessKeyId, secretAccessKey };
    const pace = { every: '1s', rows: 10, history: false };
    const sink = await openS3({ ...place, ...pace, ...more }, createTestServices({ fetch: fetchService }));
    return (rows === undefined ? sink.check() : sink.write(rows))
      .then(() => 'done', String)
      .finally(() => sink.close());
  };
  const read = (): readonly Found[] => {
    const script = new URL('read-parquet.py', import.meta.url).pathname;
    const words = [script, moto.url, 'rows', moto.accessKeyId, moto.secretAccessKey];
    const { stdout, stderr } = spawnSync('python3', words, { encoding: 'utf8' });
    if (stderr !== '') throw new Error(stderr);
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Found);
  };

  it('has a Parquet file for each day, with every column, and one of a batch that was written again', async () => {
    const rows = [
      fullRow(idOf('1')),
      bareRow(idOf('2')),
      fullRow(idOf('3', NOW + DAY), { opened_at: NOW + DAY }),
    ] as const;
    expect(await use(rows)).to.equal('done');
    expect(await use(rows)).to.equal('done');
    const found = read();
    expect(found.map(({ row }) => row)).to.deep.equal(rows);
    const folders = found.map(({ name }) => name.replace(/-[0-9a-f]{12}\.parquet$/, ''));
    expect(folders).to.deep.equal([
      `koine/day=2026-11-21/${rows[0].id}`,
      `koine/day=2026-11-21/${rows[0].id}`,
      `koine/day=2026-11-22/${rows[2].id}`,
    ]);
    const types = Object.fromEntries(sinkColumnNames.map((name) => [name, arrowTypes[sinkColumns[name].type]]));
    expect(found[1]?.types).to.deep.equal(types);
  });

  it('is tried with an empty object, and says what is wrong', async () => {
    expect(await use(undefined)).to.equal('done');
    expect(read().filter(({ row }) => row === undefined)).to.deep.equal([{ name: 'koine/_koine_check', size: 0 }]);
    expect(await use([fullRow(idOf('4'))], { bucket: 'none' })).to.match(/404 NoSuchBucket/);
    expect(await use(undefined, { endpoint: 'http://127.0.0.1:1' })).to.match(/ECONNREFUSED/);
  });
});
