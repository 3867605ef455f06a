import { expect } from 'chai';
import { X509Certificate } from 'node:crypto';
import { appendFileSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { startKoine, type KoineProcess, type LogLine } from '../processes/koine-process.ts';
import { createAuthority, hasOpenssl, type Authority, type Certificate } from '../support/certificates.ts';
import { send } from '../support/http.ts';
import { parseMetrics } from '../support/parse-metrics.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const NAME = 'gateway.test';

const serialOf = ({ cert }: Certificate): string => new X509Certificate(cert).serialNumber;

/** Opens a TLS connection, without resumption, and checks the certificate. */
const open = (url: string, ca: string): Promise<TLSSocket> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), servername: NAME, ca }, () => resolve(socket));
    socket.once('error', reject);
  });

/** Sends a request over an open connection. */
const ask = (socket: TLSSocket): Promise<string> =>
  new Promise((resolve, reject) => {
    socket.once('data', (chunk: Buffer) => resolve(chunk.toString())).once('error', reject);
    socket.write(`GET /livez HTTP/1.1\r\nhost: ${NAME}\r\n\r\n`);
  });

/** Opens connections one after the other, each with a request, until it is stopped. */
class Visitor {
  readonly failures: unknown[] = [];
  /** The serial numbers of the certificates that were presented, in their order. */
  readonly seen: string[] = [];
  readonly #ended: Promise<void>;
  #isOver = false;

  constructor(url: string, ca: string) {
    this.#ended = this.#visit(url, ca);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#ended;
  }

  async #visit(url: string, ca: string): Promise<void> {
    while (!this.#isOver)
      try {
        const socket = await open(url, ca);
        expect(await ask(socket)).to.match(/^HTTP\/1\.1 200 /);
        this.seen.push(socket.getPeerX509Certificate()?.serialNumber ?? 'none');
        socket.destroy();
      } catch (error) {
        this.failures.push(error);
      }
  }
}

describe('certificates of the listeners', function () {
  this.timeout(180_000);
  const folder = createTemporaryFolder();
  const [cert, key] = [join(folder.path, 'tls.crt'), join(folder.path, 'tls.key')];
  let authority: Authority;
  let koine: KoineProcess | undefined;
  let visitors: Visitor[] = [];
  let version = 0;

  /** As a Kubernetes volume: the names are links into a folder that is replaced as a whole. */
  const swap = (pair: Certificate): void => {
    version += 1;
    const next = join(folder.path, `..v${version}`);
    mkdirSync(next);
    writeFileSync(join(next, 'tls.crt'), pair.cert);
    writeFileSync(join(next, 'tls.key'), pair.key);
    symlinkSync(`..v${version}`, join(folder.path, '..data_tmp'));
    renameSync(join(folder.path, '..data_tmp'), join(folder.path, '..data'));
  };
  const rename = (file: string, text: string): void => {
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  };

  before(function () {
    if (!hasOpenssl() && process.env['CI'] !== 'true') this.skip();
    authority = createAuthority(folder.path);
  });
  afterEach(async () => {
    await stopVisitors();
    await koine?.end();
    [koine, visitors] = [undefined, []];
  });
  const stopVisitors = (): Promise<unknown> => Promise.all(visitors.map((visitor) => visitor.stop()));
  const visit = (...urls: readonly string[]): void => {
    visitors = urls.map((url) => new Visitor(url, authority.ca));
  };
  after(() => folder.remove());

  const start = async (first: Certificate, settings: object = {}): Promise<KoineProcess> => {
    swap(first);
    for (const name of ['tls.crt', 'tls.key']) {
      symlinkSync(join('..data', name), join(folder.path, `${name}.link`));
      renameSync(join(folder.path, `${name}.link`), join(folder.path, name));
    }
    const tls = { cert, key };
    koine = await startKoine({
      server: { workers: 2, tls, ...settings },
      admin: { port: 0, tls },
      plugins: [{ use: 'auth' }, { use: 'metrics' }],
    });
    return koine;
  };
  const linesOf = (text: string): readonly LogLine[] =>
    (koine?.lines() ?? []).filter(({ message }) => message === text);
  const refusals = () => linesOf('the configuration was not reloaded: the previous one stays active');
  /** Resolves when many connections in a row, so of every worker, present the certificate. */
  const presents = async (pair: Certificate): Promise<void> =>
    until('every worker presents the certificate', () =>
      visitors.every(({ seen }) => seen.length > 10 && seen.slice(-10).every((serial) => serial === serialOf(pair))),
    );

  it('renewed certificates are served by both listeners of every worker without a failed handshake', async () => {
    const first = authority.issue(NAME);
    const { url, adminUrl } = await start(first);
    const kept = await Promise.all([open(url, authority.ca), open(adminUrl, authority.ca)]);
    visit(url, url, adminUrl);
    const issued = [first];
    const renew = async (write: (pair: Certificate) => void | Promise<void>): Promise<void> => {
      const pair = authority.issue(NAME);
      issued.push(pair);
      await write(pair);
      await presents(pair);
    };
    await presents(first);
    await renew(swap);
    expect(refusals()).to.deep.equal([]);
    await renew(async (pair) => {
      writeFileSync(cert, pair.cert);
      await until('the new certificate with the old key is refused', () => refusals().length === 1);
      writeFileSync(key, pair.key);
    });
    await renew(async (pair) => {
      rename(key, pair.key);
      await until('the new key with the old certificate is refused', () => refusals().length === 2);
      rename(cert, pair.cert);
    });
    await renew((pair) => {
      rename(cert, pair.cert);
      rename(key, pair.key);
    });
    await stopVisitors();

    for (const { failures, seen } of visitors) {
      expect(failures).to.deep.equal([]);
      expect(new Set(seen)).to.deep.equal(new Set(issued.map(serialOf)));
    }
    // One error for each mismatch, with both files and the reason.
    expect(refusals()).to.have.length(2);
    for (const { problems, level } of refusals()) {
      expect(level).to.equal('error');
      expect(String(problems)).to.include(`server.tls.cert (${cert}) and server.tls.key (${key}) cannot be used`);
      expect(String(problems)).to.include('the private key does not belong to the certificate');
    }
    // Open connections keep their certificate, and serve on.
    for (const socket of kept) {
      expect(await ask(socket)).to.match(/^HTTP\/1\.1 200 /);
      expect(socket.getPeerX509Certificate()?.serialNumber).to.equal(serialOf(first));
      socket.destroy();
    }
  });

  it('a reload by the admin API serves renewed certificates, reports them, and a metric has the end', async () => {
    const { url, adminUrl } = await start(authority.issue(NAME), { watch: false });
    const next = authority.issue(NAME);
    swap(next);
    const call = (method: string, path: string) =>
      send(adminUrl, {
        method,
        path,
        headers: { 'content-type': 'application/json' },
        body: method === 'POST' ? '{}' : '',
        ca: authority.ca,
        servername: NAME,
      });
    const report = JSON.parse((await call('POST', '/admin/reload')).text) as object;
    expect(report).to.deep.include({
      result: 'reloaded',
      changed: ['server.tls.cert', 'server.tls.key', 'admin.tls.cert', 'admin.tls.key'],
      needsRestart: [],
    });
    visit(url, adminUrl);
    await presents(next);
    const samples = parseMetrics((await call('GET', '/metrics')).text).get('koine_tls_expiry_seconds')?.samples ?? [];
    const end = Date.parse(new X509Certificate(next.cert).validTo) / 1_000;
    expect(samples.map(({ labels, value }) => [labels['listener'], value])).to.have.deep.members([
      ['admin', end],
      ['data', end],
    ]);
    expect(JSON.parse((await call('POST', '/admin/reload')).text)).to.include({ result: 'unchanged' });
  });

  it('an error in gateway.yaml does not keep renewed certificates from being served', async () => {
    const { url, adminUrl, file } = await start(authority.issue(NAME));
    appendFileSync(file, 'unknown: 1\n');
    await until('the error is reported', () => refusals().length === 1);
    const next = authority.issue(NAME);
    swap(next);
    visit(url, adminUrl);
    await presents(next);
    const reloaded = () => linesOf('the certificates were reloaded nevertheless');
    await until('its line has come', () => reloaded().length > 0);
    expect(reloaded()[0]?.['changed']).to.include('server.tls.cert');
  });

  it('a worker that replaces another serves the good certificate while the files are broken', async () => {
    const first = authority.issue(NAME);
    const { url, workers, kill } = await start(first);
    writeFileSync(cert, 'half of a certif');
    await until('the broken file is reported', () => refusals().length === 1);
    for (const worker of workers()) kill(worker);
    await until('both are replaced', () => workers().length === 4);
    visit(url);
    await presents(first);
    expect(visitors[0]?.failures).to.deep.equal([]);
  });
});
