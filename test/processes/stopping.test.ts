import { expect } from 'chai';
import { send } from '../support/http.ts';
import { openStream, startKoine, tickets, type KoineProcess } from './koine-process.ts';
import { until } from '../support/until.ts';

/** So many that the kernel gives some to each of two workers. */
const STREAMS = 16;
const isWhole = (text: string | undefined): boolean => text?.endsWith('data: [DONE]\n\n') === true;

describe('several workers whose process gets a signal', () => {
  let koine: KoineProcess;
  beforeEach(async () => {
    koine = await startKoine({ server: { workers: 2 }, plugins: [{ use: 'auth' }, { use: tickets }] });
  });
  afterEach(() => koine?.end());
  const openStreams = (directive: string) =>
    Promise.all(Array.from({ length: STREAMS }, () => openStream(koine.url, directive)));

  /** The last line of the log, and the only one of its kind. */
  const expectStopped = (level: string, drained: boolean): void => {
    const ends = koine.lines().filter(({ message }) => String(message).startsWith('the gateway has stopped'));
    expect(ends).to.deep.equal([koine.lines().at(-1)]);
    expect(ends[0]).to.include({ level, drained });
    expect(ends[0]?.['ms']).to.be.a('number').above(0);
  };

  const expectGoodEnd = async (streams: Awaited<ReturnType<typeof openStreams>>): Promise<void> => {
    const texts = await Promise.all(streams.map(({ ended }) => ended));
    expect(texts.map(isWhole)).to.deep.equal(texts.map(() => true));
    expect(await koine.exit).to.equal(0);
    const lines = koine.lines();
    expect(lines.filter(({ message, outcome }) => message === 'exchange' && outcome === 'ok')).to.have.length(STREAMS);
    expect(lines.filter(({ message }) => message === 'a worker exited and is replaced')).to.deep.equal([]);
    expect(lines.at(-2), 'the primary instance closes after the last settlement').to.include({
      message: 'tickets closed',
      sold: STREAMS,
      out: 0,
    });
    expectStopped('info', true);
  };

  it('finishes every stream, settles it, reports the end in one line, and exits with 0 on SIGTERM', async () => {
    const streams = await openStreams('pace=50 words=120');
    expect(new Set(streams.map(({ headers }) => headers['x-worker']))).to.have.property('size', 2);
    koine.signal('SIGTERM');
    await until('it stops', () => koine.lines().some(({ message }) => message === 'stopping'));
    expect((await send(koine.adminUrl, { method: 'GET', path: '/readyz', headers: {} })).status).to.equal(503);
    expect((await send(koine.adminUrl, { method: 'GET', path: '/livez', headers: {} })).status).to.equal(200);
    await expectGoodEnd(streams);
  });

  it('finishes every stream and exits with 0 when a terminal sends SIGINT to the whole group', async () => {
    const streams = await openStreams('pace=50 words=40');
    process.kill(-koine.pid, 'SIGINT');
    await expectGoodEnd(streams);
  });

  it('cuts open connections on a second signal and exits with 1', async () => {
    const streams = await openStreams('hang=after:2');
    koine.signal('SIGTERM');
    await until('it stops', () => koine.lines().some(({ message }) => message === 'stopping'));
    koine.signal('SIGTERM');
    expect(await koine.exit).to.equal(1);
    expect(await Promise.all(streams.map(({ ended }) => ended))).to.deep.equal(streams.map(() => undefined));
    expect(koine.lines().at(-2)).to.include({ message: 'tickets closed', out: 0 });
    expectStopped('warn', false);
  });

  it('kills workers that cannot handle the second signal', async () => {
    await koine.stop(koine.workers()[0]!);
    koine.signal('SIGTERM');
    await until('it stops', () => koine.lines().some(({ message }) => message === 'stopping'));
    koine.signal('SIGTERM');
    expect(await koine.exit).to.equal(1);
  });
});
