import { expect } from 'chai';
import { readdirSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import OpenAI from 'openai';
import { fetchService } from '../../../core/services/network/fetch.ts';
import { createTestServices } from '../../../core/testing/index.ts';
import type { S3Options } from '../../../plugins/prompt-log/schema.ts';
import { createS3 } from '../../../plugins/prompt-log/sinks/s3.ts';
import { say } from '../../extensions/guarded-upstream.ts';
import { KEY } from '../../support/gateway.ts';
import { CHAT, startScene, type Scene } from '../../support/scene.ts';
import { requireMoto, startMoto } from '../../support/servers/moto.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';
import { encryptionKey, readObject, startBucket, type Bucket } from './bucket.ts';

const SECRET = 'bucket-secret-0123456789';
const OBJECT = /^\/prompts\/koine\/day%3D\/\d{4}\/\d\d\/\d\d\/[\w.-]+-\d{6}-[0-9a-f]{8}\.ndjson\.gz$/;

describe('the prompt log in a bucket', () => {
  let bucket: Bucket;
  let scene: Scene | undefined;
  let folder: ReturnType<typeof createTemporaryFolder>;
  beforeEach(async () => {
    folder = createTemporaryFolder();
    bucket = await startBucket();
    bucket.secrets = { '': SECRET };
  });
  afterEach(async () => {
    await scene?.stop();
    scene = undefined;
    await bucket.stop();
    folder.remove();
  });

  const start = async (s3: object = {}, options: object = {}): Promise<void> => {
    const config = {
      encryptionKey,
      s3: {
        bucket: 'prompts',
        region: 'eu-west-1',
        endpoint: bucket.url,
        prefix: 'koine/day=',
        accessKeyId: 'AKIDBUCKET',
        secretAccessKey: SECRET,
        every: '100ms',
        ...s3,
      },
      ...options,
    };
    scene = await startScene({ plugins: [{ use: 'auth' }, { use: 'metrics' }, { use: 'prompt-log', config }] });
    scene.upstream.answer = (response, call) => say({ text: ['Hello.'] }, response, call);
  };
  const ask = (content = 'Hi') =>
    new OpenAI({ apiKey: KEY, baseURL: `${scene?.gateway.url}/v1`, maxRetries: 0 }).chat.completions.create({
      model: CHAT,
      messages: [{ role: 'user', content }],
    });
  const records = () => [...bucket.objects.values()].flatMap(readObject);
  const metrics = async (): Promise<string> => (await fetch(`${scene?.gateway.gateway.admin?.url}/metrics`)).text();
  const linesOf = (beginning: string) => scene?.gateway.lines.filter(({ text }) => text.startsWith(beginning)) ?? [];

  it('has signed objects of encrypted records, compressed, below the prefix and the day', async () => {
    await start();
    await ask();
    await until('the record is in the bucket', () => bucket.objects.size > 0);
    const [path = ''] = bucket.objects.keys();
    expect(path).to.match(OBJECT);
    expect(records()).to.have.length(1);
    expect(records()[0]).to.include({ key: 'alice', outcome: 'ok' });
    expect(JSON.stringify(records()[0])).to.include('"text":"Hello."');
    await until('it is counted', async () => /\{sink="s3",result="written"\} 1/.test(await metrics()));
    expect(bucket.refusals).to.equal(0);
    expect(JSON.stringify(scene?.gateway.lines)).to.not.include(SECRET);
  });

  it('gathers records for an object, and writes a megabyte at once', async () => {
    await start({ every: '1h' });
    for (const content of ['one', 'two', 'three']) await ask(content);
    for (let round = 0; round < 2; round += 1) await ask('x'.repeat(600_000));
    await until('the object is in the bucket', () => records().length > 3);
    expect(bucket.objects.size).to.equal(1);
  });

  it('writes what was gathered before the gateway stops', async () => {
    await start({ every: '1h' });
    for (const content of ['one', 'two', 'three']) await ask(content);
    expect(bucket.objects.size).to.equal(0);
    await scene?.gateway.stop();
    expect(records()).to.have.length(3);
  });

  it('repeats a write that failed, until it succeeds, as the same object', async () => {
    await start();
    bucket.failure = { status: 503, code: 'SlowDown' };
    await ask('first');
    await until('the write was repeated', () => bucket.refusals > 1);
    await ask('second');
    bucket.failure = undefined;
    await until('both are counted', async () => /\{sink="s3",result="written"\} 2/.test(await metrics()));
    expect(records().map(({ request }) => JSON.stringify(request).includes('first'))).to.deep.equal([true, false]);
    expect(await metrics()).to.not.include('result="failed"');
    expect(linesOf('the prompt log is not written; the write is repeated')).to.have.length(1);
    expect(String(linesOf('the prompt log is not written')[0]?.fields['error'])).to.include('503 SlowDown');
    expect(linesOf('the prompt log is written again')).to.have.length(1);
  });

  it('counts what a stop loses while the bucket does not answer, and other sinks do not wait for it', async () => {
    const path = join(folder.path, 'prompts');
    bucket.failure = 'silence';
    await start({}, { files: { path } });
    for (const content of ['one', 'two', 'three']) await ask(content);
    await until('the bucket is called', () => bucket.sessions.length > 0);
    await until('the files are written', async () => /\{sink="files",result="written"\} 3/.test(await metrics()));
    expect(readdirSync(path)).to.have.length(1);
    await scene?.gateway.stop();
    const [line, ...more] = linesOf('the prompt log is closed; records are lost');
    expect(line?.fields).to.include({ sink: 's3', records: 3 });
    expect(more).to.deep.equal([]);
  });

  it('loads new credentials when the bucket refuses a session that ended', async () => {
    let loads = 0;
    const tokens = createServer((_request, response) => {
      loads += 1;
      const name = `session-${loads}-0123456789`;
      response.end(
        '<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials>' +
          `<AccessKeyId>ASIA${loads}</AccessKeyId><SecretAccessKey>${name}-secret</SecretAccessKey>` +
          `<SessionToken>${name}</SessionToken><Expiration>2036-01-01T00:00:00Z</Expiration>` +
          '</Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>',
      );
    });
    await once(tokens.listen(0, '127.0.0.1').unref(), 'listening');
    writeFileSync(join(folder.path, 'token'), 'web-token');
    bucket.secrets = { 'session-2-0123456789': 'session-2-0123456789-secret' };
    await start({
      accessKeyId: '',
      secretAccessKey: '',
      credentials: 'web-identity',
      roleArn: 'arn:aws:iam::1:role/prompts',
      webIdentityTokenFile: join(folder.path, 'token'),
      stsUrl: `http://127.0.0.1:${(tokens.address() as AddressInfo).port}/`,
    });
    await ask();
    await until('the record is in the bucket', () => bucket.objects.size > 0);
    expect(bucket.sessions).to.deep.equal(['session-1-0123456789', 'session-2-0123456789']);
    tokens.closeAllConnections();
    tokens.close();
  });
});

describe('the address of a bucket', () => {
  const addressOf = async (more: Partial<S3Options>): Promise<string> => {
    const seen: string[] = [];
    const fetch = async (url: string) => {
      seen.push(url);
      return { status: 200, body: new Uint8Array() };
    };
    const identity = { accessKeyId: 'AKID', secretAccessKey: SECRET };
    const sink = await createS3(
      { bucket: 'prompts', region: 'eu-west-1', prefix: '', every: '1m', ...identity, ...more },
      createTestServices({ fetch }),
    );
    await sink.write([{ text: '{}', time: Date.UTC(2026, 10, 23, 17, 55, 1) }]);
    sink.close?.();
    return (seen[0] ?? '').replace(/[^/]+$/, '');
  };

  it('is a host of its own at AWS, and a path where the name has dots or the service is another', async () => {
    expect(await addressOf({})).to.equal('https://prompts.s3.eu-west-1.amazonaws.com/2026/11/23/');
    expect(await addressOf({ bucket: 'acme.prompts', prefix: 'a/b/' })).to.equal(
      'https://s3.eu-west-1.amazonaws.com/acme.prompts/a/b/2026/11/23/',
    );
    expect(await addressOf({ region: 'cn-north-1' })).to.equal(
      'https://prompts.s3.cn-north-1.amazonaws.com.cn/2026/11/23/',
    );
    expect(await addressOf({ endpoint: 'https://storage.acme.example/s3/' })).to.equal(
      'https://storage.acme.example/s3/prompts/2026/11/23/',
    );
  });
});

describe('the prompt log at a server with the API of S3', () => {
  before(function check() {
    requireMoto(this);
  });

  it('is accepted with the signature that the server computes, and refused with another secret', async () => {
    const moto = await startMoto('prompts');
    const { url: endpoint, accessKeyId, secretAccessKey } = moto;
    const options = { bucket: 'prompts', region: 'us-east-1', endpoint, prefix: 'a/b', every: '1m', accessKeyId };
    const lines = [{ text: '{}', time: Date.UTC(2026, 10, 23) }];
    const services = createTestServices({ fetch: fetchService });
    try {
      const sink = await createS3({ ...options, secretAccessKey }, services);
      await sink.write(lines);
      const other = await createS3({ ...options, secretAccessKey: SECRET }, services);
      const refused = await other.write(lines).then(() => 'accepted', String);
      expect(refused).to.include('403 SignatureDoesNotMatch');
      for (const each of [sink, other]) each.close?.();
    } finally {
      await moto.stop();
    }
  });
});
