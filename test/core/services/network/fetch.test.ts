import { spawnSync } from 'node:child_process';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { expect } from 'chai';
import { findFreePort } from '../../../../core/server/primary/free-port.ts';
import { createFetch, fetchService } from '../../../../core/services/network/fetch.ts';

const MEGABYTE = 1_048_576;
/** Generous: the tests check that a call ends at all, and the servers here never end by themselves. */
const TIMEOUT = 20_000;
const SOON = 150;

/** The message of the thrown error. */
const failureOf = async (fetched: Promise<unknown>): Promise<Error> => {
  try {
    await fetched;
  } catch (thrown) {
    if (thrown instanceof Error) return thrown;
  }
  throw new Error('nothing was thrown');
};

describe('calls to services of the operator', () => {
  let server: Server;
  let url = '';
  let answer: RequestListener;
  const ports = new Set<number | undefined>();
  const seen: {
    readonly method: string | undefined;
    readonly url: string | undefined;
    readonly headers: object;
    body: string;
  }[] = [];

  before(async () => {
    server = createServer((request, response) => {
      ports.add(request.socket.remotePort);
      const call = { method: request.method, url: request.url, headers: request.headers, body: '' };
      seen.push(call);
      request.setEncoding('utf8').on('data', (chunk: string) => {
        call.body += chunk;
      });
      request.once('end', () => answer(request, response));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  beforeEach(() => {
    ports.clear();
    seen.length = 0;
    answer = (_request, response) => void response.end('hello');
  });

  it('sends the given request, and returns status and body of any response', async () => {
    answer = (_request, response) => void response.writeHead(503).end('not now');
    const reply = await fetchService(`${url}/keys?a=b`, {
      method: 'POST',
      headers: { Authorization: 'Bearer x', 'content-type': 'application/json' },
      body: '{"a":"ü"}',
      timeoutMs: TIMEOUT,
    });
    expect([reply.status, Buffer.from(reply.body).toString()]).to.deep.equal([503, 'not now']);
    expect(seen[0]).to.deep.include({ method: 'POST', url: '/keys?a=b', body: '{"a":"ü"}' });
    expect(seen[0]?.headers).to.include({
      authorization: 'Bearer x',
      'content-type': 'application/json',
      'content-length': '10',
      'user-agent': 'koine',
    });
  });

  it('calls a service with an empty request and accepts an empty response', async () => {
    answer = (_request, response) => void response.writeHead(204).end();
    for (const method of ['GET', 'POST'] as const)
      expect(await fetchService(url, { method, timeoutMs: TIMEOUT })).to.deep.equal({
        status: 204,
        body: Buffer.alloc(0),
      });
    expect(seen.map(({ method, body }) => [method, body])).to.deep.equal([
      ['GET', ''],
      ['POST', ''],
    ]);
  });

  it('reuses one connection for calls to a service', async () => {
    for (let call = 0; call < 5; call += 1) await fetchService(url, { method: 'POST', body: '{}', timeoutMs: TIMEOUT });
    expect(ports.size).to.equal(1);
  });

  const silent: Readonly<Record<string, RequestListener>> = {
    'sends nothing': () => {},
    'sends its head and nothing else': (_request, response) => void response.writeHead(200).flushHeaders(),
    'drips its body': (_request, response) => {
      const drip = setInterval(() => response.write('x'), 20);
      response.once('close', () => clearInterval(drip));
    },
  };
  for (const [what, listener] of Object.entries(silent)) {
    it(`a call ends in time if the service ${what}`, async () => {
      answer = listener;
      const error = await failureOf(fetchService(url, { timeoutMs: SOON }));
      expect(error.message).to.equal(`The request to ${url} failed: Timeout awaiting 'request' for ${SOON}ms`);
    });
  }

  it('accepts a response of one megabyte, and not one byte more', async () => {
    let size = MEGABYTE;
    answer = (_request, response) => void response.end(Buffer.alloc(size));
    expect((await fetchService(url, { timeoutMs: TIMEOUT })).body.byteLength).to.equal(MEGABYTE);
    size += 1;
    expect((await failureOf(fetchService(url, { timeoutMs: TIMEOUT }))).message).to.equal(
      `The request to ${url} failed: the response is larger than 1048576 bytes`,
    );
  });

  it('aborts an endless response, and its connection, as soon as it is too large', async () => {
    const closed = new Promise((resolve) => {
      answer = (_request, response) => {
        const pour = (): void => {
          while (response.write(Buffer.alloc(65_536))) if (response.destroyed) return;
        };
        response.on('drain', pour).once('close', resolve);
        pour();
      };
    });
    expect((await failureOf(fetchService(url, { timeoutMs: TIMEOUT }))).message).to.include('larger than');
    await closed;
  });

  it('follows no redirect of a service', async () => {
    answer = (_request, response) => void response.writeHead(307, { location: `${url}/elsewhere` }).end();
    expect((await fetchService(url, { method: 'POST', body: '{}', timeoutMs: TIMEOUT })).status).to.equal(307);
    expect(seen.map((call) => call.url)).to.deep.equal(['/']);
  });

  it('decompresses no response of a service, so that a small one cannot expand', async () => {
    answer = (_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('as it is');
    expect(Buffer.from((await fetchService(url, { timeoutMs: TIMEOUT })).body).toString()).to.equal('as it is');
    expect(seen[0]?.headers).to.include({ 'accept-encoding': 'identity' });
  });

  it('a call fails if nothing listens, and if the response is cut off', async () => {
    const port = await findFreePort({ host: '127.0.0.1', port: 0 });
    expect((await failureOf(fetchService(`http://127.0.0.1:${port}/`, { timeoutMs: TIMEOUT }))).message).to.include(
      `The request to http://127.0.0.1:${port} failed: connect ECONNREFUSED`,
    );
    answer = (_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('x');
      setTimeout(() => response.destroy(), 20);
    };
    await failureOf(fetchService(url, { timeoutMs: TIMEOUT }));
  });

  it('the error of a failed call does not quote what was sent', async () => {
    answer = (_request, response) => void response.destroy();
    const error = await failureOf(
      fetchService(`${url}/?token=canary`, {
        method: 'POST',
        headers: { authorization: 'Bearer canary' },
        body: 'canary',
        timeoutMs: TIMEOUT,
      }),
    );
    expect(inspect(error, { depth: 9, showHidden: true })).to.not.include('canary');
  });

  describe('at an address where a cloud hands out credentials', () => {
    for (const host of [
      '169.254.169.254',
      '[fd00:ec2::254]',
      '[::ffff:169.254.169.254]',
      '2852039166',
      '0xa9fea9fe',
      '169.254.170.2',
      '100.100.100.200',
    ]) {
      it(`refuses calls to ${host}`, async () => {
        expect(
          (await failureOf(fetchService(`http://${host}/latest/meta-data`, { timeoutMs: TIMEOUT }))).message,
        ).to.include('hands out credentials');
      });
    }

    it('refuses calls to a name that resolves to a metadata address, whatever its other addresses', async () => {
      for (const found of [['169.254.169.254'], ['127.0.0.1', 'fd00:ec2::254'], []]) {
        const fetch = createFetch((_hostname, _options, done) =>
          done(
            null,
            found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
          ),
        );
        expect(
          (await failureOf(fetch(url.replace('127.0.0.1', 'keys.internal'), { timeoutMs: TIMEOUT }))).message,
        ).to.include('hands out credentials');
      }
      expect(seen).to.deep.equal([]);
    });

    it('allows calls to a name with a private address', async () => {
      const fetch = createFetch((_hostname, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]));
      expect((await fetch(url.replace('127.0.0.1', 'keys.internal'), { timeoutMs: TIMEOUT })).status).to.equal(200);
    });
  });

  it('calls to services ignore the proxies of the environment', () => {
    const proxy = 'http://127.0.0.1:1';
    const module = new URL('../../../../core/services/network/fetch.ts', import.meta.url).href;
    const code = `
      import { createServer } from 'node:http';
      import { fetchService } from '${module}';
      const server = createServer((request, response) => response.end('direct')).listen(0, '127.0.0.1', async () => {
        const { body } = await fetchService('http://127.0.0.1:' + server.address().port, { timeoutMs: ${TIMEOUT} });
        console.log(Buffer.from(body).toString());
        process.exit();
      });`;
    const env = {
      ...process.env,
      HTTP_PROXY: proxy,
      http_proxy: proxy,
      HTTPS_PROXY: proxy,
      ALL_PROXY: proxy,
      NODE_USE_ENV_PROXY: '1',
      NO_PROXY: '',
      no_proxy: '',
    };
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
      env,
      encoding: 'utf8',
    });
    expect(stdout, stderr).to.equal('direct\n');
  });
});
