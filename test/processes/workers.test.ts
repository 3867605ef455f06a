import { expect } from 'chai';
import { callOf } from '../support/calls.ts';
import { send, type HttpReply } from '../support/http.ts';
import { isAlive, openStream, startKoine, tickets, type KoineProcess } from './koine-process.ts';
import { until } from '../support/until.ts';

const settings = { server: { workers: 4 }, plugins: [{ use: 'auth' }, { use: tickets }] };
const isWhole = (text: string | undefined): boolean => text?.endsWith('data: [DONE]\n\n') === true;

describe('several workers', function () {
  let koine: KoineProcess;
  before(async () => {
    koine = await startKoine(settings);
  });
  after(() => koine?.end());
  const ask = (): Promise<HttpReply> => send(koine.url, callOf('chat', 'simulator/chat'));
  const workersOf = (replies: readonly HttpReply[]): ReadonlySet<number> =>
    new Set(replies.map(({ headers }) => Number(headers['x-worker'])));

  it('shares one primary instance of a plugin: 200 concurrent requests get 200 consecutive tickets', async () => {
    expect(koine.workers()).to.have.length(4);
    expect(koine.stderr().match(/koine serves/g)).to.have.length(1);
    const replies = await Promise.all(Array.from({ length: 200 }, ask));
    expect(new Set(replies.map(({ status }) => status))).to.deep.equal(new Set([200]));
    expect(replies.map(({ headers }) => Number(headers['x-ticket'])).sort((a, b) => a - b)).to.deep.equal(
      Array.from({ length: 200 }, (_, index) => index + 1),
    );
    expect([...workersOf(replies)].sort()).to.deep.equal([1, 2, 3, 4]);
  });

  it('writes whole lines to one log, each with its worker', async () => {
    const exchanges = () => koine.lines().filter(({ message }) => message === 'exchange');
    await until('200 lines', () => exchanges().length === 200);
    expect(new Set(exchanges().map(({ worker }) => worker))).to.deep.equal(new Set([1, 2, 3, 4]));
  });

  it('workers report ready on both listeners', async () => {
    for (const url of [koine.url, koine.adminUrl]) {
      for (const path of ['/livez', '/readyz', '/startupz'])
        expect((await send(url, { method: 'GET', path, headers: {} })).status, url + path).to.equal(200);
    }
  });

  it('loses only the exchanges of a killed worker, and replaces it', async () => {
    const streams = await Promise.all(Array.from({ length: 8 }, () => openStream(koine.url, 'pace=80 words=60')));
    // The kernel spreads connections: another worker can have none of eight.
    const victim = Number(streams[0]?.headers['x-worker']);
    const its = streams.filter(({ headers }) => Number(headers['x-worker']) === victim);
    const others = streams.filter((stream) => !its.includes(stream));
    koine.kill(victim);

    const [lost, whole] = await Promise.all([
      Promise.all(its.map(({ ended }) => ended)),
      Promise.all(others.map(({ ended }) => ended)),
    ]);
    expect(lost).to.deep.equal(its.map(() => undefined));
    expect(whole.map(isWhole)).to.deep.equal(others.map(() => true));
    await until('a fifth worker', () => koine.workers().length === 5);
    const gone = koine.lines().filter(({ message }) => message === 'tickets of a worker taken back');
    expect(gone).to.have.length(1);
    expect(gone[0]).to.include({ gone: victim, lost: its.length });
    const death = koine.lines().find(({ message }) => message === 'a worker exited and is replaced');
    expect(death).to.include({
      level: 'error',
      worker: victim,
      reason: 'exit',
      afterMs: 100,
    });

    const replies = await Promise.all(Array.from({ length: 100 }, ask));
    expect(workersOf(replies)).to.include(5).and.not.to.include(victim);
    expect(workersOf(replies)).to.have.property('size', 4);
  });

  it('resets the connections that a killed worker had not accepted, so that no client waits', async () => {
    const [victim = 0] = koine.liveWorkers();
    await koine.stop(victim);
    const outcomes: (number | string | undefined)[] = Array.from({ length: 40 });
    outcomes.forEach((_, index) =>
      send(koine.url, { method: 'GET', path: '/livez', headers: {} }).then(
        ({ status }) => (outcomes[index] = status),
        ({ code }: NodeJS.ErrnoException) => (outcomes[index] = code),
      ),
    );
    const waiting = (): number => outcomes.filter((outcome) => outcome === undefined).length;
    // The kernel gives some to each of the others, which respond.
    let before = 0;
    await until('the others have responded', () => waiting() < 40 && before === (before = waiting()), 500);
    expect(waiting()).to.be.within(1, 39);
    koine.kill(victim);
    await until('no client waits', () => waiting() === 0);
    expect(new Set(outcomes)).to.deep.equal(new Set([200, 'ECONNRESET']));
    await until('a sixth worker', () => koine.workers().length === 6);
  });

  it('serves on the same port again after all workers were killed at once', async () => {
    let status: number | undefined;
    // On a busy machine the first may be replaced before the last has ended.
    for (let rounds = 0; status !== 503 && rounds < 5; rounds += 1) {
      const [before, known] = [koine.liveWorkers(), koine.workers().length];
      expect(before).to.have.length(4);
      before.forEach(koine.kill);
      while (status !== 503 && koine.workers().length < known + 4)
        ({ status } = await send(koine.adminUrl, { method: 'GET', path: '/readyz', headers: {} }));
      expect((await send(koine.adminUrl, { method: 'GET', path: '/livez', headers: {} })).status).to.equal(200);
      await until('four new workers', () => koine.workers().length === known + 4);
    }
    expect(status).to.equal(503);
    expect((await ask()).status).to.equal(200);
    expect((await send(koine.adminUrl, { method: 'GET', path: '/readyz', headers: {} })).status).to.equal(200);
  });

  it('no worker remains after the process was killed', async () => {
    const stream = await openStream(koine.url, 'hang=after:2');
    koine.signal('SIGKILL');
    expect(await koine.exit).to.equal(null);
    expect(isAlive(koine.pid)).to.equal(false);
    expect(await stream.ended).to.equal(undefined);
  });
});

describe('a refusal of a primary instance', () => {
  it('a refusal of a primary instance reaches the client of a worker with its own message', async () => {
    const koine = await startKoine({
      ...settings,
      server: { workers: 2 },
      plugins: [{ use: 'auth' }, { use: tickets, config: { places: 0 } }],
    });
    try {
      const { status, headers, text } = await send(koine.url, callOf('chat', 'simulator/chat'));
      expect([status, headers['retry-after']]).to.deep.equal([429, '7']);
      expect((JSON.parse(text) as { error: object }).error).to.include({
        message: 'Rate limit exceeded: all 0 tickets are out.',
        code: 'rate_limit_exceeded',
      });
    } finally {
      await koine.end();
    }
  });
});
