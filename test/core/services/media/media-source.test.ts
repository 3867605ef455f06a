import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { GatewayError } from '../../../../core/errors/gateway-error.ts';
import type { Resolve } from '../../../../core/services/media/url-check.ts';
import { createMediaSource } from '../../../../core/services/media/media-source.ts';
import {
  png,
  resolveToLoopback,
  serveMedia,
  serveMediaSecurely,
  type MediaServer,
} from '../../../support/media-server.ts';

const MEGABYTE = 1_048_576;
const never = new AbortController().signal;
const of = (mediaType: string, bytes: Buffer) => ({ mediaType, base64: bytes.toString('base64') });

/** The error of a failed download. */
const failing = async (promise: Promise<unknown>): Promise<GatewayError> => {
  const thrown: unknown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (GatewayError.is(thrown)) return thrown;
  throw new Error(`no GatewayError: ${String(thrown)}`);
};
const GENERIC = 'It could not be fetched. It must have a public https URL that responds within 5 seconds.';

describe('fetching media', () => {
  let server: MediaServer;
  /** Responses of the server by path. */
  const answers: Record<string, RequestListener> = {};
  const serve = (path: string, answer: RequestListener | Buffer): string => {
    answers[path] = Buffer.isBuffer(answer) ? (_request, response) => response.end(answer) : answer;
    return `http://media.test:${server.port}${path}`;
  };
  const source = (resolve: Resolve = resolveToLoopback, timeoutMs = 5_000) =>
    createMediaSource({ allow: [`http://media.test:${server.port}`], resolve, timeoutMs });
  const fetchFrom = (url: string, ...options: Parameters<typeof source>) => source(...options).open({}, never)(url);
  const countOf = (path: string): number => server.asked.filter((asked) => asked.path === path).length;

  before(async () => {
    server = await serveMedia((request, response) =>
      (answers[request.url ?? ''] ?? ((_request, missing) => missing.writeHead(404).end('no')))(request, response),
    );
  });
  after(() => server.close());

  it('returns the bytes, and the type by their signature', async () => {
    const url = serve('/a.png', (_request, response) => response.setHeader('content-type', 'text/html').end(png));
    expect(await fetchFrom(url)).to.deep.equal(of('image/png', png));
  });

  for (const [mediaType, start] of [
    ['image/jpeg', 'ffd8ffe000104a46'],
    ['image/gif', '474946383961'],
    ['image/webp', '524946460000000057454250'],
    ['application/pdf', '255044462d312e37'],
    ['audio/wav', '524946460000000057415645'],
    ['audio/mpeg', '494433040000'],
    ['audio/mpeg', 'fffb9064'],
  ] as const) {
    it(`recognises ${mediaType} by ${start}`, async () => {
      const bytes = Buffer.concat([Buffer.from(start, 'hex'), Buffer.alloc(20)]);
      expect(await fetchFrom(serve(`/${start}`, bytes))).to.deep.equal(of(mediaType, bytes));
    });
  }

  it('sends nothing about the gateway or its callers, and accepts no compressed body', async () => {
    await fetchFrom(serve('/headers.png', png));
    const { headers } = server.asked.find(({ path }) => path === '/headers.png') ?? { headers: {} };
    expect(Object.keys(headers).toSorted()).to.deep.equal([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ]);
    expect(headers).to.include({ 'accept-encoding': 'identity', 'user-agent': 'koine' });
  });

  it('refuses a page that is served as an image', async () => {
    const url = serve('/page.png', (_request, response) =>
      response.setHeader('content-type', 'image/png').end('<!doctype html><script>1</script>'),
    );
    const error = await failing(fetchFrom(url));
    expect(error).to.include({ code: 'unsupported_parameter', status: 400 });
    expect(error.message).to.include('neither an image');
    expect((await failing(fetchFrom(serve('/empty', Buffer.alloc(0))))).message).to.include('neither an image');
  });

  it('never decompresses a body, because a small one could expand', async () => {
    const url = serve('/packed.png', (_request, response) =>
      response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.concat([png, Buffer.alloc(MEGABYTE)]))),
    );
    expect((await failing(fetchFrom(url))).message).to.include('neither an image');
  });

  it('a failed download aborts the other downloads of the request', async () => {
    let ended: () => void = () => {};
    const letGo = new Promise<void>((done) => {
      ended = done;
    });
    const slow = serve('/others.png', (_request, response) => void response.on('close', ended).write(png));
    const fetch = source().open({}, never);
    const pending = failing(fetch(slow));
    await failing(fetch(serve('/bad.png', Buffer.from('no image at all'))));
    await letGo;
    expect((await pending).code).to.equal('unsupported_parameter');
  });

  it('stops a download at 5 MB for an image and at 10 MB for anything else', async () => {
    const sent: Record<string, number> = {};
    const endless = (path: string, start: Buffer): string =>
      serve(path, (_request, response) => {
        const more = (): void => {
          sent[path] = (sent[path] ?? 0) + MEGABYTE / 4;
          if (!response.destroyed) response.write(Buffer.alloc(MEGABYTE / 4), () => setImmediate(more));
        };
        response.write(start, more);
      });
    expect((await failing(fetchFrom(endless('/endless.png', png)))).message).to.equal('It is larger than 5 MB.');
    expect(sent['/endless.png']).to.be.lessThan(9 * MEGABYTE);
    expect((await failing(fetchFrom(endless('/endless.pdf', Buffer.from('%PDF-1.7 and so on'))))).message).to.equal(
      'It is larger than 10 MB.',
    );
    const whole = Buffer.concat([png, Buffer.alloc(5 * MEGABYTE - png.byteLength)]);
    expect((await fetchFrom(serve('/whole.png', whole))).mediaType).to.equal('image/png');
  });

  it('downloads stop at a total of 12 MB per request', async () => {
    const url = serve('/large.png', Buffer.concat([png, Buffer.alloc(4.5 * MEGABYTE)]));
    const fetch = source().open({}, never);
    const error = await failing(
      Promise.all([
        fetch(url),
        fetch(serve('/large2.png', answers['/large.png'] ?? png)),
        fetch(serve('/large3.png', answers['/large.png'] ?? png)),
      ]),
    );
    expect(error.message).to.equal('The media of this request are larger than 12 MB together.');
  });

  it('gives up on a server that is slow to respond, or slow to continue', async () => {
    const silent = serve('/silent.png', () => {});
    const dripping = serve('/dripping.png', (_request, response) => void response.write(png));
    for (const url of [silent, dripping]) {
      expect((await failing(fetchFrom(url, resolveToLoopback, 150))).message).to.equal(GENERIC);
    }
  });

  it('reports every failure of a download with the same message', async () => {
    const texts = await Promise.all(
      [
        serve('/broken.png', (_request, response) => void response.destroy()),
        `http://media.test:${server.port}/404`,
        `http://127.0.0.1:${server.port}/a.png`,
        'https://10.0.0.1/',
        'nonsense',
      ].map(async (url) => (await failing(fetchFrom(url))).message),
    );
    expect(new Set(texts)).to.deep.equal(new Set([GENERIC]));
  });

  describe('redirects', () => {
    const redirect = (path: string, location: string): string =>
      serve(path, (_request, response) => response.writeHead(302, { location }).end());

    it('follows two redirects, including relative ones', async () => {
      serve('/a.png', png);
      redirect('/once', '/a.png');
      expect(await fetchFrom(redirect('/twice', `http://media.test:${server.port}/once`))).to.deep.equal(
        of('image/png', png),
      );
      expect((await failing(fetchFrom(redirect('/thrice', '/twice')))).message).to.equal(GENERIC);
    });

    it('refuses a redirect to an address that is not public, and sends nothing there', async () => {
      serve('/secret.png', png);
      for (const location of [
        `http://127.0.0.1:${server.port}/secret.png`,
        `http://localhost:${server.port}/secret.png`,
        'https://127.0.0.1/',
        'https://evil.test/secret.png',
        'file:///etc/passwd',
        `http://x@media.test:${server.port}/secret.png`,
      ]) {
        expect((await failing(fetchFrom(redirect('/lead', location)))).message, location).to.equal(GENERIC);
      }
      expect(countOf('/secret.png')).to.equal(0);
    });

    it('resolves the name of a redirect again, and refuses one that has changed to a private address', async () => {
      let asked = 0;
      const rebinding: Resolve = (_hostname, _options, done) => {
        asked += 1;
        done(null, [{ address: asked === 1 ? '127.0.0.1' : '169.254.169.254', family: 4 }]);
      };
      serve('/after.png', png);
      const before = countOf('/after.png');
      expect((await failing(fetchFrom(redirect('/rebind', '/after.png'), rebinding))).message).to.equal(GENERIC);
      expect([asked, countOf('/after.png') - before]).to.deep.equal([2, 0]);
    });
  });

  it('fetches each URL once per exchange, and again for the next exchange', async () => {
    const url = serve('/once.png', png);
    const media = source();
    const exchange = {};
    await Promise.all([media.open(exchange, never)(url), media.open(exchange, never)(url)]);
    await media.open(exchange, never)(url);
    expect(countOf('/once.png')).to.equal(1);
    await media.open({}, never)(url);
    expect(countOf('/once.png')).to.equal(2);
  });

  it('fetches six URLs at a time, and at most a hundred', async () => {
    let open = 0;
    let most = 0;
    const urls = Array.from({ length: 100 }, (_, index) =>
      serve(`/many${index}.png`, (_request, response) => {
        open += 1;
        most = Math.max(most, open);
        setTimeout(() => {
          open -= 1;
          response.end(png);
        }, 5);
      }),
    );
    const fetch = source().open({}, never);
    await Promise.all(urls.map(fetch));
    expect(most).to.equal(6);
    expect((await failing(fetch(serve('/one-more.png', png)))).message).to.include('at most 100');
  });

  it('a client that disconnects aborts the downloads of its request', async () => {
    const client = new AbortController();
    const pending = failing(
      source().open({}, client.signal)(serve('/slow.png', () => setTimeout(() => client.abort(), 20))),
    );
    expect((await pending).code).to.equal('client_closed');
  });

  it('ignores a proxy of the environment when it fetches media', async () => {
    const proxy = await serveMedia((_request, response) => response.end('proxied'));
    const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'NODE_USE_ENV_PROXY'];
    for (const name of names)
      process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : `http://127.0.0.1:${proxy.port}`;
    try {
      expect((await fetchFrom(serve('/direct.png', png))).mediaType).to.equal('image/png');
      expect(proxy.asked).to.deep.equal([]);
    } finally {
      for (const name of names) delete process.env[name];
      await proxy.close();
    }
  });

  describe('over https', () => {
    let secure: Awaited<ReturnType<typeof serveMediaSecurely>>;
    before(async function () {
      secure = await serveMediaSecurely((_request, response) => response.end(png));
      if (secure === undefined) this.skip();
    });
    after(() => secure?.close());

    it('checks the certificate of a media server', async () => {
      const { port = 0, ca = '' } = secure ?? {};
      const options = { allow: [`https://media.test:${port}`], resolve: resolveToLoopback };
      expect(
        (await failing(createMediaSource(options).open({}, never)(`https://media.test:${port}/a.png`))).message,
      ).to.equal(GENERIC);
      expect(
        await createMediaSource({ ...options, ca }).open({}, never)(`https://media.test:${port}/a.png`),
      ).to.deep.equal(of('image/png', png));
    });
  });
});
