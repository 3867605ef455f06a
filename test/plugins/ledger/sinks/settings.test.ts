import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runHere } from '../../../core/cli/run-here.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';
import { startBucket, type Bucket } from '../../prompt-log/bucket.ts';

const secretAccessKey = 'bucket-secret-0123456789';

/** The command of docs/operate/ledger-sinks.md. */
describe('koine check with sinks of the ledger', () => {
  const folder = createTemporaryFolder();
  let bucket: Bucket;
  before(async () => {
    bucket = await startBucket();
    bucket.secrets = { '': secretAccessKey };
  });
  after(async () => {
    await bucket.stop();
    folder.remove();
  });
  const check = async (sinks: object, ...words: readonly string[]) => {
    const file = join(folder.path, 'gateway.yaml');
    writeFileSync(file, JSON.stringify({ plugins: [{ use: 'ledger', config: { sinks } }] }));
    return runHere(['check', '--config', file, ...words]);
  };
  const s3 = () => ({
    bucket: 'rows',
    region: 'eu-west-1',
    endpoint: bucket.url,
    prefix: 'koine',
    accessKeyId: 'AKID',
    secretAccessKey,
  });
  const kafka = { brokers: ['127.0.0.1:1'], topic: 'koine.ledger' };
  const clickhouse = { url: 'http://127.0.0.1:1' };

  it('accepts one sink of each kind, and several of one', async () => {
    const { code, out } = await check({ a: { s3: s3() }, b: { kafka }, c: { clickhouse }, d: { clickhouse } });
    expect(code, out).to.equal(0);
  });

  it('says what a sink needs', async () => {
    const { code, out } = await check({
      'none': {},
      'both': { kafka, clickhouse },
      'fast': { kafka: { ...kafka, every: '5ms' } },
      'half': { kafka: { ...kafka, tls: { cert: 'cert.pem' } } },
      'open': { clickhouse: { ...clickhouse, tls: {} } },
      'keyless': { s3: { ...s3(), secretAccessKey: '' } },
    });
    expect(code).to.equal(1);
    for (const text of [
      'A sink has one kind: clickhouse, kafka, s3. This one has none.',
      'A sink has one kind: clickhouse, kafka, s3. This one has clickhouse and kafka.',
      'Write a duration of at least 100ms.',
      'tls.cert and tls.key are set together.',
      'tls of ClickHouse needs ca',
      'accessKeyId and secretAccessKey are set together.',
    ])
      expect(out).to.include(text);
    const wrong = await check({ 'A b': { kafka: {} }, 'c': { file: {} } });
    expect(wrong.out)
      .to.match(/brokers/)
      .and.match(/A b/)
      .and.match(/file/);
  });

  it('--live tries each of them, and names those that cannot be used', async () => {
    const { code, err } = await check({ good: { s3: s3() } }, '--live');
    expect({ code, err }).to.deep.equal({ code: 0, err: '' });
    expect([...bucket.objects.keys()]).to.deep.equal(['/rows/koine/_koine_check']);
    const another = { ...s3(), secretAccessKey: 'another-secret-0123456789' };
    const wrong = await check({ good: { s3: s3() }, a: { s3: another }, b: { kafka }, c: { clickhouse } }, '--live');
    expect(wrong.code).to.equal(1);
    expect(wrong.err.trim().split('\n')).to.deep.equal([
      'plugins[0].config.sinks.a cannot be used: the bucket answered with status 403 SignatureDoesNotMatch',
      'plugins[0].config.sinks.b cannot be used: ' +
        'Connection to 127.0.0.1:1 failed. connect ECONNREFUSED 127.0.0.1:1',
      'plugins[0].config.sinks.c cannot be used: connect ECONNREFUSED 127.0.0.1:1',
    ]);
  });
});
