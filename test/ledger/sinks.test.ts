import { expect } from 'chai';
import { parquetReadObjects } from 'hyparquet';
import { toSinkRow, type SinkRow } from '../../plugins/ledger/sinks/columns.ts';
import type { KoineProcess } from '../processes/koine-process.ts';
import { startBucket, type Bucket } from '../plugins/prompt-log/bucket.ts';
import { requirePostgres } from '../support/servers/postgres.ts';
import { until } from '../support/until.ts';
import { startLedgerScene, type LedgerScene, type Store } from './scene.ts';
import { startLedgerUpstream, type LedgerUpstream } from './upstream.ts';

const secretAccessKey = 'bucket-secret-0123456789';

const toNumbers = (row: Readonly<Record<string, unknown>>): SinkRow =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value instanceof Date || typeof value === 'bigint' ? Number(value) : value,
    ]),
  ) as SinkRow;

describe('a gateway with a bucket as a sink of its ledger', function () {
  this.timeout(120_000);
  let upstream: LedgerUpstream;
  let scene: LedgerScene;
  let bucket: Bucket;
  const open = async (store: Store): Promise<void> => {
    upstream = await startLedgerUpstream();
    scene = await startLedgerScene(store, upstream);
    bucket = await startBucket();
    bucket.secrets = { '': secretAccessKey };
  };
  afterEach(async () => {
    await scene?.stop();
    await bucket?.stop();
    await upstream?.stop();
  });

  const start = (): Promise<KoineProcess> => {
    const place = { bucket: 'rows', region: 'eu-west-1', endpoint: bucket.url, accessKeyId: 'AKID', secretAccessKey };
    return scene.start({ sinks: { archive: { s3: { ...place, every: '100ms' } } } });
  };
  /** The rows of all objects, by id: of several, that with the highest version. */
  const shipped = async (): Promise<ReadonlyMap<string, SinkRow>> => {
    const newest = new Map<string, SinkRow>();
    for (const content of bucket.objects.values())
      for (const row of (await parquetReadObjects({ file: new Uint8Array(content).buffer })).map(toNumbers))
        if (Number(row.version) >= Number(newest.get(row.id)?.version ?? 0)) newest.set(row.id, row);
    return newest;
  };
  /** Resolves when the bucket has the rows of the ledger, and no others. */
  const expectAll = async (): Promise<void> => {
    let [rows, newest] = [await scene.closed(), await shipped()];
    // Rows of a killed gateway are written from its files meanwhile.
    const isComplete = async (): Promise<boolean> => {
      [rows, newest] = [await scene.closed(), await shipped()];
      return newest.size === rows.length;
    };
    await until('every row is in the bucket', isComplete, 200);
    for (const row of rows) {
      const { process: _process, abandoned_at: _at, ...columns } = row;
      const { estimated_target: _target, estimated_input_tokens: _tokens, estimated_cost: _cost, ...sent } = columns;
      expect(newest.get(row.id)).to.deep.equal(toSinkRow(sent));
    }
  };
  const metric = async ({ adminUrl }: KoineProcess, name: string): Promise<number> => {
    const text = await (await fetch(`${adminUrl}/metrics`)).text();
    return Number(new RegExp(`^koine_ledger_sink_${name}\\{sink="archive"\\} (.*)$`, 'm').exec(text)?.[1]);
  };

  it('loses no row when it is killed before a batch is stored, and after it without an answer', async () => {
    await open('sqlite');
    bucket.failure = 'silence';
    let koine = await start();
    let load = scene.load(koine);
    await load.more(30);
    await until('a batch is on its way', () => bucket.sessions.length > 0);
    koine.signal('SIGKILL');
    await Promise.all([koine.exit, load.stop()]);
    expect(bucket.objects.size).to.equal(0);
    bucket.failure = { status: 500, code: 'InternalError' };
    koine = await start();
    load = scene.load(koine);
    await until('a batch is stored, and refused', async () => (await metric(koine, 'failures_total')) > 0, 50);
    await load.more(30);
    expect(load.seen.every(({ status }) => status === 200)).to.equal(true);
    const lines = JSON.stringify(koine.lines());
    expect(lines).to.include('the sink of the ledger gets no rows; they wait in the database');
    expect(lines).to.not.include(secretAccessKey);
    koine.signal('SIGKILL');
    await Promise.all([koine.exit, load.stop()]);
    expect(bucket.objects.size).to.be.above(0);
    bucket.failure = undefined;
    koine = await start();
    load = scene.load(koine);
    await load.more(30);
    await load.stop();
    await expectAll();
    expect(await metric(koine, 'rows_total')).to.be.above(30);
    await until('it is not behind', async () => (await metric(koine, 'lag_seconds')) === 0, 50);
  });

  it('is followed by another gateway on its database when it is killed', async function () {
    requirePostgres(this);
    await open('postgres');
    const gateways = [await start(), await start()] as const;
    const loads = gateways.map((koine) => scene.load(koine));
    const rowsOf = (): Promise<readonly number[]> => Promise.all(gateways.map((koine) => metric(koine, 'rows_total')));
    let rows = await rowsOf();
    await until('one of them ships', async () => Math.max(...(rows = await rowsOf())) > 0, 50);
    expect(Math.min(...rows)).to.equal(0);
    const [first, second] = gateways;
    const [killed, other] = (rows[0] ?? 0) > 0 ? [first, second] : [second, first];
    killed.signal('SIGKILL');
    await killed.exit;
    await until('the other one ships', async () => (await metric(other, 'rows_total')) > 0, 50);
    await Promise.all(loads.map((load) => load.stop()));
    await expectAll();
  });
});
