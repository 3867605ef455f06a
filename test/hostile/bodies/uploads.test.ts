import { expect } from 'chai';
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeWav } from '../../e2e/operations/audio.ts';
import { KEY } from '../../support/gateway.ts';
import { send, type HttpReply } from '../../support/http.ts';
import { until } from '../../support/until.ts';
import { startGatewayProcess, type GatewayProcess } from '../support/gateway-process.ts';
import { asChunk, openRaw, pour } from '../support/raw-client.ts';

const BOB = 'bob-0123456789abcdef0123456';
const MB = 1_048_576;
const PATH = '/v1/audio/transcriptions';
const FORM = 'multipart/form-data; boundary=b';
const disposition = 'content-disposition: form-data';
const PLACE = `--b\r\n${disposition}; name="file"; filename="a.wav"\r\n\r\n`;
const textPart = (name: string, text: string): string => `--b\r\n${disposition}; name="${name}"\r\n\r\n${text}\r\n`;
/** The pieces of a form with so many megabytes of audio. */
const formOf = (model: string, megabytes: number): readonly Uint8Array[] => [
  Buffer.from(textPart('model', model) + PLACE),
  writeWav((megabytes * MB) / 32_000),
  Buffer.from('\r\n--b--\r\n'),
];
const lengthOf = (pieces: readonly Uint8Array[]): number => pieces.reduce((sum, { length }) => sum + length, 0);
const headers = (key: string) => ({ 'authorization': `Bearer ${key}`, 'content-type': FORM });

/** Keeps nothing of a request, and responds when it is released. */
const held: ServerResponse[] = [];
const upstream = createServer((request, response) => void request.resume().once('end', () => held.push(response)));

describe('uploads at once, at a gateway of its own process', () => {
  const temporary = mkdtempSync(join(tmpdir(), 'koine-uploads-'));
  let gateway: GatewayProcess;
  before(async () => {
    upstream.listen(0, '127.0.0.1');
    await once(upstream, 'listening');
  });
  after(async () => {
    upstream.closeAllConnections();
    upstream.close();
    rmSync(temporary, { recursive: true, force: true });
  });
  afterEach(() => gateway.end());

  const start = async (server: object, routes?: readonly object[]): Promise<void> => {
    gateway = await startGatewayProcess({
      upstream: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`,
      settings: {
        server,
        ...(routes && { routes }),
        models: {
          'openai/whisper': { targets: [{ provider: 'openai', model: 'whisper-1' }] },
          'simulator/chat': { targets: [{ provider: 'simulator', model: 'chat' }] },
        },
        organizations: { acme: { projects: { web: { keys: { alice: { key: KEY }, bob: { key: BOB } } } } } },
      },
      variables: { TMPDIR: temporary },
    });
  };
  const upload = (model: string, megabytes: number, key = KEY): Promise<HttpReply> => {
    const body = formOf(model, megabytes);
    return send(gateway.url, { path: PATH, headers: { ...headers(key), 'content-length': lengthOf(body) }, body });
  };
  const headOf = (key: string): string =>
    `POST ${PATH} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: ${FORM}\r\n`;
  /** The answer to a form of which nothing but the length arrives. */
  const announce = async (megabytes: number, key = KEY): Promise<string> => {
    const client = await openRaw(gateway.url, `${headOf(key)}content-length: ${megabytes * MB}\r\n\r\n`);
    await until('it is refused', () => client.received.includes('}'));
    client.socket.destroy();
    return client.received;
  };
  const serves = async (): Promise<void> => {
    const body = JSON.stringify({ model: 'simulator/chat', messages: [{ role: 'user', content: 'Hello' }] });
    const chat = await send(gateway.url, { path: '/v1/chat/completions', body });
    const audio = await upload('simulator/chat', 0.5, BOB);
    expect([chat.status, audio.status], chat.text + audio.text).to.deep.equal([200, 200]);
  };
  const onDisk = (): Promise<number> => gateway.figure('koine_upload_disk_bytes');
  const names = (): readonly string[] => readdirSync(temporary).filter((name) => name.startsWith('koine-'));
  /** Open files of the folder that have no name. */
  const nameless = (): readonly string[] =>
    readdirSync(`/proc/${gateway.pid}/fd`).flatMap((fd) => {
      try {
        const link = readlinkSync(`/proc/${gateway.pid}/fd/${fd}`);
        return link.startsWith(temporary) && link.endsWith(' (deleted)') ? [link] : [];
      } catch {
        return [];
      }
    });
  const noneLeft = async (): Promise<void> => {
    await until('nothing is on disk', async () => (await onDisk()) === 0);
    expect([names(), nameless()]).to.deep.equal([[], []]);
  };

  it('ten of 25 MB are on disk and not in memory, leave room for other keys, and refuse what has no room', async () => {
    await start({ overload: { uploads: 20, disk: '300mb', lag: '1m' } });
    await upload('simulator/chat', 0.5);
    const before = gateway.memory();
    let most = before;
    const watch = setInterval(() => (most = Math.max(most, gateway.memory())), 10);
    const sent = Array.from({ length: 10 }, () => upload('openai/whisper', 25));
    await until('the provider has all ten', () => held.length === 10).finally(() => clearInterval(watch));
    expect(await onDisk()).to.be.within(250 * MB, 251 * MB);
    expect(nameless()).to.have.length(10);
    // It is less than 10 MB. In memory they would be 250 MB; as chunks that V8 collects at its own time, 100 MB.
    expect(most - before).to.be.below(32 * MB);
    await serves();

    expect(await announce(40))
      .to.match(/^HTTP\/1\.1 429 [\s\S]*\r\nretry-after: 1\r\n/i)
      .and.match(/"message":"[^"]*uploads of this key leave no room on disk[^"]*Try again/);
    expect(await announce(60, BOB))
      .to.match(/^HTTP\/1\.1 503 [\s\S]*\r\nretry-after: 1\r\n/i)
      .and.match(/"message":"[^"]*server\.overload\.disk\)\. Try again/);
    expect(await gateway.figure('koine_shed_total', { reason: 'disk' })).to.equal(1);

    for (const response of held.splice(0))
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"text":"Hello."}');
    expect((await Promise.all(sent)).map(({ status }) => status)).to.deep.equal(sent.map(() => 200));
    await noneLeft();
  });

  it('leave no file behind when the process is killed in the middle of one', async () => {
    await start({});
    const client = await openRaw(gateway.url, `${headOf(KEY)}content-length: ${10 * MB}\r\n\r\n${PLACE}`);
    client.socket.write(writeWav(60));
    await until('a file is open', () => nameless().length === 1);
    expect([await onDisk(), names()]).to.deep.equal([10 * MB, []]);
    gateway.signal('SIGKILL');
    await gateway.exit;
    client.socket.destroy();
    expect(names()).to.deep.equal([]);
  });

  it('that are slow, endless or of the wrong length end, while others are served', async () => {
    const server = { bodyRate: { perSecond: '1kb', grace: '1s' }, overload: { lag: '1m' } };
    await start(server, [
      { path: PATH, wire: 'transcriptions', operation: 'transcribe', bodyLimit: '1mb' },
      { path: '/v1/chat/completions', wire: 'chat-completions' },
    ]);
    const announced = (length: number): string => `${headOf(KEY)}content-length: ${length}\r\n\r\n`;
    const chunked = `${headOf(KEY)}transfer-encoding: chunked\r\n\r\n`;

    const slow = await openRaw(gateway.url, announced(100_000) + PLACE);
    const drip = setInterval(() => slow.closed || slow.ended || slow.socket.write('a'), 200);
    await serves();
    await until('the slow one is refused', () => slow.received !== '').finally(() => clearInterval(drip));
    expect(slow.received)
      .to.match(/^HTTP\/1\.1 408 /)
      .and.include('server.bodyRate');

    const endless: readonly (readonly [string, (piece: Buffer) => Buffer, RegExp])[] = [
      [PLACE, (piece) => piece, / 413 [\s\S]*bodyLimit of the route/],
      ['', () => Buffer.from(textPart('x[]', 'a').repeat(50)), / 400 [\s\S]*more than 64 parts/],
      [`--b\r\n${disposition}; name="`, (piece) => piece, / 4(?:00|13) /],
      ['no boundary', (piece) => piece, / 413 /],
      [textPart('model', 'simulator/chat') + `--b\r\n${disposition}; name="prompt"\r\n\r\n`, (piece) => piece, / 413 /],
    ];
    for (const [begin, piece, expected] of endless) {
      const first = begin === '' ? '' : asChunk(Buffer.from(begin)).toString();
      const { received } = await pour(gateway.url, chunked + first, (given) => asChunk(piece(given)));
      expect(received).to.match(expected);
      await serves();
    }

    const form = Buffer.concat(formOf('simulator/chat', 0.1));
    const short = await openRaw(gateway.url, announced(form.length - 20));
    short.socket.write(form);
    await until('a form that is cut is refused', () => short.received.includes('}'));
    expect(short.received).to.match(/^HTTP\/1\.1 400 /);
    const long = await openRaw(gateway.url, announced(form.length + 20));
    long.socket.end(form);
    await until('the other has ended', () => long.closed || long.ended);
    await serves();
    await noneLeft();
    for (const { socket } of [slow, short, long]) socket.destroy();
  });
});
